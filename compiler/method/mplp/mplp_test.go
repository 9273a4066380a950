package mplp_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/compiler/method/methodtest"
	"github.com/pgmc-go/pgmc/compiler/method/mplp"
)

func TestContract(t *testing.T) {
	d := methodtest.Decode(t, mplp.Method)
	t.Log(d)
}
