package vector_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/codegen/backendtest"
	"github.com/pgmc-go/pgmc/codegen/internal/vector"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// TestBackend compares random programs with the plain interpreter, and the assembly with the Go
// code bit by bit.
func TestBackend(t *testing.T) {
	cases := backendtest.Possible(vector.Backend, backendtest.Vectors(irtest.Count(t, 80, 500), 1))
	if len(cases) < 40 {
		t.Fatalf("only %d programs can be emitted", len(cases))
	}
	backendtest.CheckTwin(t, vector.Backend, cases)
}

// TestScalar does the same for the assembly on single numbers.
func TestScalar(t *testing.T) {
	programs := append(backendtest.Vectors(irtest.Count(t, 200, 800), 2), backendtest.RandomCircuits(irtest.Count(t, 200, 800), 3)...)
	cases := backendtest.Possible(vector.Scalar, append(programs, backendtest.Random(irtest.Count(t, 200, 800), 4)...))
	if len(cases) < 25 {
		t.Fatalf("only %d programs can be emitted", len(cases))
	}
	signed := backendtest.Possible(vector.Scalar, backendtest.RandomArithmetic(irtest.Count(t, 60, 400), 5))
	if len(signed) < 25 {
		t.Fatalf("only %d programs on numbers of either sign can be emitted", len(signed))
	}
	backendtest.CheckTwin(t, vector.Scalar, append(cases, signed...))
}
