package acopt_test

import (
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/acbn"
	"github.com/pgmc-go/pgmc/learn/acopt"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

// The circuit of two variables, one a noisy copy of the other, is fitted to other counts. The
// likelihood is that of the counts themselves, since the circuit can represent any distribution.
// Without an initial model the circuit is a product, and its fit has the marginals of the counts.
func TestKnown(t *testing.T) {
	vars := learnertest.Vars("a", 2, "b", 2)
	rows := [][]int{{0, 0}, {0, 1}, {1, 0}, {1, 1}}
	first := learnertest.New(t, vars, rows, []float64{40, 10, 10, 40})
	init := learnertest.Learn(t, acbn.Learner, &learner.Job{Train: first, Cores: 1}).Models[1]
	counts := []float64{10, 20, 30, 40}
	second := learnertest.New(t, vars, rows, counts)
	for _, c := range []struct {
		name string
		init *model.Model
		p    []float64
	}{
		{"any", init, []float64{0.1, 0.2, 0.3, 0.4}},
		{"product", nil, []float64{0.3 * 0.4, 0.3 * 0.6, 0.7 * 0.4, 0.7 * 0.6}},
	} {
		r := learnertest.Learn(t, acopt.Learner, &learner.Job{Train: second, Init: c.init, Cores: 2}, "-tolerance", "1e-13")
		m := r.Models[0]
		want := 0.0
		for i, row := range rows {
			if got := m.Value(m.Factors[0], row); math.Abs(got-c.p[i]) > 1e-5 {
				t.Errorf("%s: at %v got %v; want %v", c.name, row, got, c.p[i])
			}
			want += counts[i] * math.Log(c.p[i])
		}
		if math.Abs(r.Report.Total-want) > 1e-6 {
			t.Errorf("%s: log-likelihood %v; want %v", c.name, r.Report.Total, want)
		}
	}
}

// The learner refuses rows that a circuit excludes, and models that are no circuits.
func TestErrors(t *testing.T) {
	s := learnertest.New(t, learnertest.Vars("a", 2), [][]int{{0}, {1}}, nil)
	m := &model.Model{Kind: model.Markov}
	m.NewVar("a", "0", "1")
	f := &model.Factor{Scope: []model.VarID{0}, Child: -1, Dist: &model.Circuit{Nodes: []model.CircuitNode{{Op: model.CircuitIndicator}}}}
	m.Factors = []*model.Factor{f}
	learn := func() error {
		_, err := learnertest.Make(t, acopt.Learner).Learn(t.Context(), &learner.Job{Train: s, Init: m, Cores: 1})
		return err
	}
	if err := learn(); err == nil || err.Error() != "the circuit gives a row of the data no probability, that of the states [1]; no numbers but 0 can change that" {
		t.Errorf("got %v", err)
	}
	f.Dist = &model.Table{Values: []float64{1, 1}}
	if err := learn(); err == nil || err.Error() != `potential over "a" is no circuit; the model to begin from is to be one circuit and nothing else, as in an .ac file` {
		t.Errorf("got %v", err)
	}
}
