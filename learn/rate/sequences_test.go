package rate_test

import (
	"context"
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// chain returns a template of one variable that changes with the given probability.
func chain(change float64) *model.Model {
	m := &model.Model{}
	x := m.NewVar("x", "a", "b").ID
	m.Factors = []*model.Factor{{Scope: []model.VarID{x}, Dist: &model.Table{Values: []float64{.5, .5}}}}
	m.Transition = &model.Transition{Before: []model.VarID{x}, Factors: []*model.Factor{
		{Scope: []model.VarID{1, x}, Child: 1, Dist: &model.Table{Values: []float64{1 - change, change, change, 1 - change}}}}}
	return m
}

// Sequences of random templates have the probabilities of rows of the unrolled network.
func TestSequences(t *testing.T) {
	for _, seed := range irtest.Cases(t, 10, 100) {
		m := irtest.RandomTemplate(seed, irtest.TemplateOptions{Reals: seed%3 == 1, All: seed%3 == 2})
		const n = 3
		_, known := irtest.RandomSequence(m, n, seed)
		flat := m.Unroll(n)
		e, err := infer.New(context.Background(), flat, infer.Options{})
		if err != nil {
			t.Fatal(err)
		}
		want, err := e.LogProb(context.Background(), infer.Evidence(known))
		if err != nil {
			t.Fatal(err)
		}
		found, err := infer.Resolve(flat, infer.Evidence(known))
		if err != nil {
			t.Fatal(err)
		}
		var rows [][]float64
		for i := range n {
			row := make([]float64, len(m.Vars))
			for v := range row {
				x, ok := found.Observed(flat.Vars[i*len(m.Vars)+v])
				if row[v] = float64(x.State); m.IsReal(model.VarID(v)) {
					row[v] = x.Real
				}
				if !ok {
					row[v] = math.NaN()
				}
			}
			rows = append(rows, row)
		}
		s, err := data.NewReal(data.VarsOf(m), append(rows, rows...), nil)
		if err != nil {
			t.Fatal(err)
		}
		if s, err = s.InSequences([]int{0, n}); err != nil {
			t.Fatal(err)
		}
		got, err := rate.Sequences(context.Background(), m, s)
		if err != nil {
			t.Fatal(err)
		}
		irtest.Close(t, got, []float64{want, want}, 1e-9*max(1, math.Abs(want)))
	}
}

// A chain that never changes makes a change impossible.
func TestImpossibleSequence(t *testing.T) {
	m := chain(0)
	s, err := data.New(data.VarsOf(m), [][]int{{0}, {0}, {0}, {1}, {1}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if s, err = s.InSequences([]int{0, 2}); err != nil {
		t.Fatal(err)
	}
	got, err := rate.Sequences(context.Background(), m, s)
	if err != nil {
		t.Fatal(err)
	}
	irtest.Close(t, got, []float64{math.Log(.5), math.Inf(-1)}, 1e-15)
}

// Folds are of whole sequences, and each is scored by the model that was learned without it: here
// by the share of changes in the others.
func TestCrossValidateSequences(t *testing.T) {
	m := chain(.5)
	s, err := data.New(data.VarsOf(m), [][]int{{0}, {0}, {0}, {1}, {0}, {0}, {1}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if s, err = s.InSequences([]int{0, 2, 4}); err != nil {
		t.Fatal(err)
	}
	learn := func(_ context.Context, train *data.Set) (*model.Model, rate.Measure, error) {
		_, next := train.Steps()
		changes, x, y := 0.0, next.Column(0), next.Column(1)
		for row := range next.Len() {
			if x.At(row) != y.At(row) {
				changes++
			}
		}
		return chain((changes + 1) / float64(next.Len()+2)), rate.LL, nil
	}
	c, err := rate.CrossValidate(context.Background(), s, 3, 1, rate.ScorerOptions{}, learn)
	if err != nil {
		t.Fatal(err)
	}
	// Steps of the sequences: one stays; one changes; one stays and changes.
	want := (math.Log(.5*2/5) + math.Log(.5*2/5) + math.Log(.5*.5*.5)) / 3
	mean, _ := c.All.Result()
	irtest.CloseTo(t, mean, want, 1e-12)
	if len(c.Folds) != 3 || c.Measure != rate.LL {
		t.Errorf("%d folds by measure %v; want 3 by LL", len(c.Folds), c.Measure)
	}
	if _, err := rate.CrossValidate(context.Background(), s, 4, 1, rate.ScorerOptions{}, learn); err == nil || err.Error() != "4 folds of 3 sequences; want 2 to the number of sequences" {
		t.Errorf("error %v; want one about 3 sequences", err)
	}
}
