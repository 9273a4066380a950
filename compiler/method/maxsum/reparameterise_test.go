package maxsum_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// TestReparameterisation stops trws and mplp after every number of iterations and reads their
// messages to factors. Added to the energies of the factors, and taken from those of the variables,
// they leave the energy of each joint state as it was, and the least energies of what results add
// up to the bound that the method reports.
func TestReparameterisation(t *testing.T) {
	for _, name := range []string{"trws", "mplp"} {
		moved := false
		for _, seed := range irtest.Cases(t, 3, 50) {
			m := lattice(2+int(seed)%3, model.Pairwise{}, table)
			shuffle(m, rand.New(rand.NewPCG(seed, 16)))
			r, err := compiler.Compile(context.Background(), m, compiler.Options{Method: compiler.Named(name, "cycles=0")})
			if err != nil {
				t.Fatal(err)
			}
			machine, entry := eval.New(r.Program, r.Model), &r.Program.Entries[0]
			last := math.Inf(1)
			for n := 1; n <= 8; n++ {
				went, err := machine.RunLoop(context.Background(), entry, pgmrt.LoopOptions{Iterations: n, Tolerance: -1})
				if err != nil {
					t.Fatal(err)
				}
				e := newEnergies(m, r.Program, machine)
				e.compare(t)
				bound := machine.Decoded(entry, went).Bound
				if got := -e.least(); !irtest.Near(got, bound, 1e-9) {
					t.Fatalf("%s, seed %d: after %d iterations the messages bound by %v; the report says %v", name, seed, n, got, bound)
				}
				moved = moved || bound < last-1e-6 && n > 1
				last = bound
			}
		}
		if !moved {
			t.Errorf("%s: no bound moved", name)
		}
	}
}

// shuffle replaces the numbers of all tables by random ones.
func shuffle(m *model.Model, r *rand.Rand) {
	for _, f := range m.Factors {
		values := f.Dist.(*model.Table).Values
		for i := range values {
			values[i] = math.Exp(2 * r.NormFloat64())
		}
	}
}

// energies are those of the factors over several variables, with messages, and of the variables
// without what they have sent.
type energies struct {
	m      *model.Model
	factor [][]float64 // by factor; nil of one variable
	of     [][]float64 // by variable
}

func newEnergies(m *model.Model, p *ir.Program, machine *eval.Machine) *energies {
	e := &energies{m: m, of: make([][]float64, len(m.Vars))}
	sent := map[string][]float64{}
	for i := range p.Spans {
		sent[p.Spans[i].Name] = machine.Span(ir.SpanID(i))
	}
	for v := range e.of {
		e.of[v] = make([]float64, m.Card(model.VarID(v)))
	}
	for _, f := range m.Factors {
		var own []float64
		for _, x := range f.Dist.(*model.Table).Values {
			own = append(own, -math.Log(x))
		}
		if len(f.Scope) == 1 {
			for k, x := range own {
				e.of[f.Scope[0]][k] += x
			}
			own = nil
		}
		state := make([]int, len(m.Vars))
		for i := range own {
			for _, v := range f.Scope {
				own[i] += sent[arrow(m, v, f)][state[v]]
			}
			m.Next(f.Scope, state)
		}
		for _, v := range f.Scope {
			for k, x := range sent[arrow(m, v, f)] {
				e.of[v][k] -= x
			}
		}
		e.factor = append(e.factor, own)
	}
	return e
}

// arrow is the name of the message from a variable to a factor.
func arrow(m *model.Model, v model.VarID, f *model.Factor) string {
	return fmt.Sprintf("{%s} → {%s}", m.Vars[v].Name, m.FactorName(f))
}

// compare compares the energy of all joint states with that of the model.
func (e *energies) compare(t *testing.T) {
	t.Helper()
	var all []model.VarID
	states := 1
	for v := range e.m.Vars {
		all = append(all, model.VarID(v))
		states *= e.m.Card(model.VarID(v))
	}
	x := make([]int, len(all))
	for range min(states, 512) {
		sum := math.Log(weight(e.m, x))
		for v, of := range e.of {
			sum += of[x[v]]
		}
		for i, f := range e.m.Factors {
			if e.factor[i] != nil {
				at := 0
				for _, v := range f.Scope {
					at = at*e.m.Card(v) + x[v]
				}
				sum += e.factor[i][at]
			}
		}
		if math.Abs(sum) > 1e-9 {
			t.Fatalf("the energy of %v changed by %v", x, sum)
		}
		e.m.Next(all, x)
	}
}

// least returns the sum of the least energies of all factors and variables.
func (e *energies) least() float64 {
	sum := 0.0
	for _, list := range append(e.of, e.factor...) {
		least := math.Inf(1)
		for _, x := range list {
			least = min(least, x)
		}
		if list != nil {
			sum += least
		}
	}
	return sum
}
