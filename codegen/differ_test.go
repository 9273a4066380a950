package codegen_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// These helpers compare packages of approximate methods with the interpreter. Each package is
// emitted with a check of its own, which holds the interpreter's answers.

// turn returns back-end n modulo 4, so that the back-ends take turns.
func turn(n uint64) string { return []string{"unroll", "nest", "tape", "auto"}[n%4] }

// add compiles a model into a package of the module, with the test that text returns.
func (m *module) add(t *testing.T, name, backend string, mod *model.Model, opt compiler.Options, text func(*compiler.Result) string) {
	t.Helper()
	r, err := compiler.Compile(context.Background(), mod, opt)
	if err != nil {
		t.Fatal(err)
	}
	to := codegen.Options{Package: name, Backend: backend, Arrays: true}
	if backend == laneBatches {
		to.Backend = "auto"
		to = codegen.WithLanes(to)
	}
	if backend == nestBatches {
		to.Backend = "auto"
		to = codegen.WithNests(to)
	}
	m.emit(r.Model, r.Program, to)
	m.check(name, text(r))
}

// enter sets the random evidence of a seed, and returns it as literals of a package's Evidence and
// Soft.
func enter(machine *eval.Machine, m *model.Model, seed uint64) string {
	e := evidence(m, seed)
	machine.ClearEvidence()
	var hard, soft []string
	for _, v := range m.Vars {
		if m.IsReal(v.ID) && (seed+uint64(v.ID))%2 == 0 {
			x := float64(seed%7) - 3.3
			machine.ObserveReal(v.ID, x)
			hard = append(hard, fmt.Sprintf("%s: Obs(%v)", field(v), x))
		}
		if s, ok := e.Hard[v.ID]; ok {
			machine.Observe(v.ID, s)
			hard = append(hard, fmt.Sprintf("%s: %d", field(v), s+1))
		}
		if l, ok := e.Soft[v.ID]; ok {
			machine.Likelihood(v.ID, l)
			soft = append(soft, distribution(v, l))
		}
	}
	return fmt.Sprintf("Evidence{%s}, Soft{%s}", strings.Join(hard, ", "), strings.Join(soft, ", "))
}

// evidence returns random evidence. Models with real variables get states and likelihoods by the
// numbers of the variables, since every value of a real variable is possible with them.
func evidence(m *model.Model, seed uint64) brute.Evidence {
	if len(m.Reals()) == 0 {
		return irtest.RandomEvidence(seed, m)
	}
	e := brute.Evidence{Hard: map[model.VarID]int{}, Soft: map[model.VarID][]float64{}}
	for _, v := range m.Vars {
		switch card := m.Card(v.ID); {
		case card == 0:
		case (seed+uint64(v.ID))%3 == 0:
			e.Hard[v.ID] = int(seed) % card
		case (seed+uint64(v.ID))%3 == 1:
			e.Soft[v.ID] = append([]float64{.25}, slices.Repeat([]float64{1}, card-1)...)
		}
	}
	return e
}

// posteriors returns the marginals of a query as fields of a package's Marginals.
func posteriors(machine *eval.Machine, r *compiler.Result) (fields []string) {
	for i, out := range r.Program.Entries[0].Outs {
		fields = append(fields, distribution(r.Model.Vars[r.Program.Spans[out].Var], machine.Posterior(i)))
	}
	return fields
}

// states returns the states that a query chose as fields of a package's Assignment.
func states(machine *eval.Machine, m *model.Model) (fields []string) {
	for _, v := range m.Vars {
		if !v.Latent {
			fields = append(fields, fmt.Sprintf("%s: %d", field(v), machine.State()[v.ID]+1))
		}
	}
	return fields
}

// field returns the Go name that packages give a variable of a random model.
func field(v *model.Var) string { return "X" + v.Name[1:] }

// distribution returns a field with numbers for the states of v, or with its mean and variance.
func distribution(v *model.Var, x []float64) string {
	if _, real := v.Domain.(model.Real); real {
		return fmt.Sprintf("%s: Normal{%v, %v}", field(v), x[0], x[1])
	}
	return fmt.Sprintf("%s: %sDist{%s}", field(v), field(v), strings.Trim(strings.ReplaceAll(fmt.Sprint(x), " ", ", "), "[]"))
}
