package eval_test

import (
	"fmt"
	"testing"

	"github.com/pgmc-go/pgmc/codegen/backendtest"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// modelOf returns a model whose variables have the numbers of states of the axes of p.
func modelOf(c *backendtest.Case) *model.Model {
	m := &model.Model{Name: "m"}
	for v, n := range c.Sizes {
		var states []string
		for k := range n {
			states = append(states, fmt.Sprint("s", k))
		}
		m.NewVar(fmt.Sprint("v", v), states...)
	}
	return m
}

// TestPlain checks that the interpreter computes random programs of all kinds of step as package
// plain does, draw by draw.
func TestPlain(t *testing.T) {
	seen := map[string]int{}
	for _, c := range backendtest.Programs(24) {
		for k, in := range c.Inputs {
			machine := eval.New(c.Program, modelOf(&c))
			machine.Rand = pgmrt.NewRand(in.Seed)
			for id, values := range in.Values {
				copy(machine.Span(id), values)
			}
			copy(machine.State(), in.States)
			for _, b := range c.Program.Entries[0].Blocks {
				machine.RunBlock(b)
			}
			number := func(id ir.SpanID, i int) float64 { return machine.Span(id)[i] }
			integer := func(id ir.SpanID, i int) int32 { return machine.Ints(id)[i] }
			for _, d := range c.Differences(number, integer, backendtest.Interpret(&c, in)) {
				t.Errorf("%s, input %d: %s", c.Name, k, d)
			}
		}
		for _, b := range c.Program.Blocks {
			for _, s := range b.Steps {
				seen[fmt.Sprintf("%T", s)]++
			}
		}
	}
	for _, name := range irtest.StepTypes(t) {
		if n := seen["*ir."+name]; n < 50 && name != "Kernel" { // the compiled programs of package compiler have kernels
			t.Errorf("%d steps %s; want 50 at least", n, name)
		}
	}
}
