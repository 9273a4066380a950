package mle_test

import (
	"context"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/mle"
)

// The study of Koller and Friedman, box 17.C, on the network alarm: the relative entropy of the
// fitted network to that from which rows were drawn, by number of rows and prior. Maximum
// likelihood is the worst throughout and an equivalent sample size of 5 the best; one of 50 is
// worse for few rows, and all converge as rows grow. The book has a figure without numbers.
// Relative entropies here are means over ten sets; those of maximum likelihood are infinite if a
// possible state did not occur.
func TestICU(t *testing.T) {
	path := filepath.Join(irtest.Shared(t), "data", "bif", "alarm.bif.gz")
	m, list := format.Read(compiler.Formats, path, "", format.ReadOptions{})
	if list.HasErrors() {
		t.Fatal(list.Err())
	}
	joint, err := mle.Network(context.Background(), m, m)
	if err != nil {
		t.Fatal(err)
	}
	if e := estimator(t, m, mle.Options{}); e.Params() != 509 { // as in figure 18.4
		t.Errorf("%d parameters; want 509", e.Params())
	}
	rng := rand.New(rand.NewPCG(17, 3))
	priors := []mle.Prior{{}, prior(t, "bdeu", 0.5), prior(t, "bdeu", 5), prior(t, "bdeu", 50)}
	far := map[int][]float64{}
	for _, rows := range []int{500, 5000} {
		far[rows] = make([]float64, len(priors))
		const sets = 10
		for range sets {
			n := sample(t, m, rows, rng)
			for i, p := range priors {
				far[rows][i] += distance(t, m, joint, estimator(t, m, mle.Options{Prior: p}).Fit(n, m)) / sets
			}
		}
	}
	few, many := far[500], far[5000]
	if !(few[0] > few[3] && few[3] > few[2] && few[1] > few[2]) {
		t.Errorf("of 500 rows, %v; want the least of a sample of 5, and the most without a prior", few)
	}
	if !(many[0] > many[3] && many[2] < many[3] && many[3] < few[2]) || many[3]-many[2] > (few[3]-few[2])/10 {
		t.Errorf("of 5,000 rows, %v, and of 500, %v; want priors to make a tenth of the difference", many, few)
	}
}

// sample returns counted rows drawn from m.
func sample(t testing.TB, m *model.Model, rows int, rng *rand.Rand) mle.Counts {
	e := estimator(t, m, mle.Options{})
	n, err := e.Zero()
	if err != nil {
		t.Fatal(err)
	}
	state, missed := make([]int, len(m.Vars)), make([]float64, len(m.Factors))
	order := m.Topological()
	for range rows {
		for _, v := range order {
			f, u := m.CPD(v), rng.Float64()
			for s := range m.Card(v) {
				state[v] = s
				if u -= m.Value(f, state); u < 0 {
					break
				}
			}
		}
		e.Tally(n, state, 1, missed)
	}
	return n
}

// distance returns the relative entropy of m to a network of the same structure: by family, the
// mean over its joint states.
func distance(t testing.TB, m *model.Model, joint func([]model.VarID) ([]float64, error), fit *model.Model) float64 {
	sum := 0.0
	for i, f := range m.Factors {
		p, err := joint(f.Scope)
		if err != nil {
			t.Fatal(err)
		}
		truth, got := table(m, i), table(fit, i)
		for k, x := range p {
			if x > 0 {
				sum += x * math.Log(truth[k]/got[k])
			}
		}
	}
	return sum
}
