package trws_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/compiler/method/methodtest"
	"github.com/pgmc-go/pgmc/compiler/method/trws"
)

func TestContract(t *testing.T) {
	d := methodtest.Decode(t, trws.Method)
	t.Log(d)
}
