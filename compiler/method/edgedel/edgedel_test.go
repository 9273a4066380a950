package edgedel_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/compiler/method/edgedel"
	"github.com/pgmc-go/pgmc/compiler/method/methodtest"
)

func TestContract(t *testing.T) {
	if exact := methodtest.Loop(t, edgedel.Method); exact < 100 {
		t.Errorf("%d models keep all edges; want a hundred at least to check exactness", exact)
	}
}

func TestBudgets(t *testing.T) {
	for _, budget := range []string{"max-cluster=1", "max-cluster=6", "max-cluster=12"} {
		for _, edges := range []string{"edges=bucket", "edges=information"} {
			methodtest.Loop(t, edgedel.Method, budget, edges)
		}
	}
}
