package codegen_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
)

// TestForward checks packages of hidden Markov models, of which Steps makes several steps at once:
// with numbers of states that fill blocks and that do not. Models of two states, and of two
// sensors, have other steps.
func TestForward(t *testing.T) {
	t.Parallel()
	m := newModule(t, "")
	for seed, c := range []struct {
		name   string
		states int
		kernel bool
	}{{"two", 2, false}, {"five", 5, true}, {"eight", 8, true}, {"eleven", 11, true}, {"twenty", 20, true}, {"both", 8, false}} {
		mod := hiddenMarkov(c.states, rand.New(rand.NewPCG(uint64(seed), 1)))
		if c.name != "both" { // one sensor
			mod.Vars, mod.Factors, mod.Transition.Factors = mod.Vars[:2], mod.Factors[:2], mod.Transition.Factors[:2]
			mod.Transition.Factors[0].Scope[0] = 2
		}
		r, err := compiler.Compile(t.Context(), mod, compiler.Options{Queries: []string{"filter"}})
		if err != nil {
			t.Fatal(c.name, err)
		}
		pkg := m.emit(r.Model, r.Program, codegen.Options{Package: c.name, Arrays: true})
		kernel := slices.ContainsFunc(pkg.Files, func(f codegen.File) bool { return bytes.Contains(f.Data, []byte("rtNewForward(")) })
		if kernel != c.kernel {
			t.Errorf("%s: Steps makes several steps at once: %v; want %v", c.name, kernel, c.kernel)
		}
		if b := pkg.Report.Batches; kernel && (len(b) != 1 || b[0].By != codegen.Lanes || b[0].Ops != c.states*c.states+3*c.states) {
			t.Errorf("%s: Steps runs by %+v", c.name, b)
		}
		m.check(c.name, filterTest(t, c.name, mod, nil, uint64(seed), "filter"))
	}
	m.test()
}
