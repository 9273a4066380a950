package compiler_test

import (
	"context"
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// TestMarkovMPEAlone checks that the probability of a best completion is normalised even if no
// other query needs ln Z. The best completion of the misconception network has the product
// 5,000,000 (a0 b1 c1 d0) of Z = 7,201,840: Koller and Friedman, figure 4.2.
func TestMarkovMPEAlone(t *testing.T) {
	r, err := compiler.Compile(context.Background(), irtest.Misconception(), compiler.Options{Queries: []string{"mpe"}})
	if err != nil {
		t.Fatal(err)
	}
	machine := eval.New(r.Program, r.Model)
	if err := machine.Run(r.Program.Entry("mpe")); err != nil {
		t.Fatal(err)
	}
	irtest.CloseTo(t, machine.LogP(), math.Log(5_000_000.0/7_201_840), 1e-12)
}
