package eval_test

import (
	"context"
	"fmt"
	"log"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

func Example() {
	model := irtest.Asia()
	r, err := compiler.Compile(context.Background(), model, compiler.Options{Queries: []string{"marginals"}})
	if err != nil {
		log.Fatal(err)
	}
	smoke, _ := model.VarByName("smoke")
	lung, _ := model.VarByName("lung")
	m := eval.New(r.Program, r.Model)
	if err := m.Observe(smoke.ID, 0); err != nil {
		log.Fatal(err)
	}
	if err := m.Run(r.Program.Entry(ir.Marginals.String())); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("P(lung | smoke=%s) = %.3v, ln P(smoke) = %.4f\n", smoke.Domain.Names()[0], m.Posterior(int(lung.ID)), m.LogP())
	// Output: P(lung | smoke=yes) = [0.1 0.9], ln P(smoke) = -0.6931
}

// TestNoEntry checks that a query that the program does not answer is an error.
func TestNoEntry(t *testing.T) {
	r, err := compiler.Compile(t.Context(), irtest.Asia(), compiler.Options{Queries: []string{"logprob"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := eval.New(r.Program, r.Model).Run(r.Program.Entry("lung")); err == nil {
		t.Error("found no error for a nil entry")
	}
}
