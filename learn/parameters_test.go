package learn_test

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/em"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
	"github.com/pgmc-go/pgmc/learn/mle"
)

// sprinkler returns rows for the fixture of that name.
func sprinkler(t testing.TB, m *model.Model, rows ...[]int) *data.Set {
	return learnertest.New(t, data.VarsOf(m), rows, nil)
}

func fit(t testing.TB, m *model.Model, s *data.Set, opt learn.ParameterOptions) *model.Model {
	t.Helper()
	r, err := learn.FitParameters(context.Background(), &learner.Job{Init: m, Train: s, Cores: 1}, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r.Models[0]
}

// Later rows are fitted together with the earlier ones, as if all had been there at once: with any
// prior, and with EM if only the later rows miss values.
func TestUpdate(t *testing.T) {
	m := irtest.Sprinkler()
	first := [][]int{{0, 0, 0, 0}, {0, 1, 0, 0}, {1, 0, 1, 1}, {1, 1, 1, 1}, {1, 0, 0, 0}}
	later := [][]int{{0, 0, 1, 1}, {1, 1, 1, 1}, {1, 0, 1, 0}}
	gaps := [][]int{{0, data.Missing, 1, 1}, {data.Missing, 1, 1, 1}, {1, data.Missing, data.Missing, 0}}
	for _, prior := range []mle.Prior{{}, {Kind: mle.BDeu, Size: 3}, {Kind: mle.Each, Size: 1}, {Kind: mle.Pooled, Size: 2}} {
		opt := learn.ParameterOptions{RunOptions: em.RunOptions{Options: mle.Options{Prior: prior}}}
		update := opt
		update.Update = true
		want := fit(t, m, sprinkler(t, m, append(append([][]int{}, first...), later...)...), opt)
		if got := fit(t, fit(t, m, sprinkler(t, m, first...), opt), sprinkler(t, m, later...), update); !reflect.DeepEqual(got, want) {
			t.Errorf("prior %v: the numbers are not those of all rows at once", prior)
		}
		if prior.Kind == mle.Pooled || prior.Kind == mle.None { // the first fit has no EM, and the second no initial parameters
			continue
		}
		before := fit(t, m, sprinkler(t, m, first...), opt)
		opt.EM, update.EM = true, true
		opt.Tolerance, update.Tolerance = 1e-14, 1e-14
		want = fit(t, m, sprinkler(t, m, append(append([][]int{}, first...), gaps...)...), opt)
		got := fit(t, before, sprinkler(t, m, gaps...), update)
		for i, f := range want.Factors {
			irtest.Close(t, got.Factors[i].Dist.(*model.Table).Values, f.Dist.(*model.Table).Values, 1e-5)
			irtest.Close(t, got.Factors[i].Counts, f.Counts, 1e-4)
		}
	}
}

// A dependency network has a CPD for each variable given the other one, each fitted to its own
// counts.
func TestDependencyNetwork(t *testing.T) {
	m := &model.Model{Kind: model.Dependency}
	m.NewVar("a", "0", "1")
	m.NewVar("b", "0", "1")
	for child := range 2 {
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{0, 1}, Child: child, Dist: &model.Table{Values: []float64{.5, .5, .5, .5}}})
	}
	s := learnertest.New(t, data.VarsOf(m), [][]int{{0, 0}, {0, 1}, {1, 1}}, []float64{3, 1, 2})
	got := fit(t, m, s, learn.ParameterOptions{})
	irtest.Close(t, got.Factors[0].Dist.(*model.Table).Values, []float64{1, 1. / 3, 0, 2. / 3}, 1e-15)
	irtest.Close(t, got.Factors[1].Dist.(*model.Table).Values, []float64{.75, .25, 0, 1}, 1e-15)
}

func TestFitRefused(t *testing.T) {
	m := irtest.Sprinkler()
	name := m.Vars[0].Name
	row := sprinkler(t, m, []int{0, 0, 0, 0})
	for _, c := range []struct {
		name string
		m    *model.Model
		s    *data.Set
		opt  learn.ParameterOptions
		want string
	}{
		{"no rows", m, sprinkler(t, m), learn.ParameterOptions{}, "the data has no rows; want at least one"},
		{"nothing to update", m, row, learn.ParameterOptions{Update: true}, `has no counts of earlier data to add to; want a model in pgmc's own format that was fitted to data`},
		{"Markov network", irtest.Misconception(), row, learn.ParameterOptions{}, "the model is a Markov network; want a Bayesian network, or without EM a dependency network"},
		{"hidden", m, sprinkler(t, m, []int{data.Missing, 0, 0, 0}), learn.ParameterOptions{}, "no row has a value of " + name + "; EM fits variables that are hidden"},
	} {
		_, err := learn.FitParameters(context.Background(), &learner.Job{Init: c.m, Train: c.s, Cores: 1}, c.opt)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v; want %s", c.name, err, c.want)
		}
	}
}

// A row that a deterministic CPD makes impossible is refused, with EM and without.
func TestContradiction(t *testing.T) {
	m := &model.Model{}
	m.NewVar("a", "0", "1")
	m.NewVar("b", "0", "1")
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{0}, Dist: &model.Table{Values: []float64{.5, .5}}},
		{Scope: []model.VarID{0, 1}, Child: 1, Dist: &model.Deterministic{States: []int32{0, 1}}},
	}
	s := learnertest.New(t, data.VarsOf(m), [][]int{{0, 0}, {0, 1}}, nil)
	for opt, want := range map[bool]string{
		false: `rows have values of "b" that its CPD makes impossible for certain, whatever is fitted; correct the rows or the CPD`,
		true:  "rows have probability 0 whatever numbers are fitted: they contradict deterministic CPDs, or rows of a noisy-max that are certain",
	} {
		_, err := learn.FitParameters(context.Background(), &learner.Job{Init: m, Train: s, Cores: 1}, learn.ParameterOptions{EM: opt})
		if err == nil || err.Error() != want {
			t.Errorf("EM %v: got %v; want %s", opt, err, want)
		}
	}
}
