package jointree_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/compiler/method/jointree"
	"github.com/pgmc-go/pgmc/compiler/method/methodtest"
)

func TestContract(t *testing.T) { methodtest.Run(t, jointree.Method) }
