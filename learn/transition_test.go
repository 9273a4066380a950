package learn_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/boss"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/exact"
	"github.com/pgmc-go/pgmc/learn/hillclimb"
	"github.com/pgmc-go/pgmc/learn/knownorder"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/score"
)

// sequencesOf returns sequences of n slices from a template.
func sequencesOf(t *testing.T, m *model.Model, sequences, n int) *data.Set {
	t.Helper()
	r, flat := rand.New(rand.NewPCG(1, 2)), m.Unroll(n)
	var rows [][]float64
	var first []int
	for range sequences {
		state, x := irtest.HybridSample(r, flat)
		first = append(first, len(rows))
		for i := range n {
			row := make([]float64, len(m.Vars))
			for v := range row {
				id := model.VarID(i*len(m.Vars) + v)
				if row[v] = float64(state[id]); flat.IsReal(id) {
					row[v] = x[id]
				}
			}
			rows = append(rows, row)
		}
	}
	s, err := data.NewReal(data.VarsOf(m), rows, nil)
	if err != nil {
		t.Fatal(err)
	}
	if s, err = s.InSequences(first); err != nil {
		t.Fatal(err)
	}
	return s
}

// slicesOf lists the parents of each variable in slice 0 and in later slices.
func slicesOf(m *model.Model) string {
	list := func(of *model.Model, fs []*model.Factor) string {
		var out []string
		for _, f := range fs {
			var parents []string
			for _, u := range f.Parents() {
				parents = append(parents, of.Vars[u].Name)
			}
			slices.Sort(parents)
			out = append(out, of.Vars[f.ChildVar()].Name+"|"+strings.Join(parents, ","))
		}
		slices.Sort(out)
		return strings.Join(out, " ")
	}
	return list(m, m.Factors) + "; " + list(m.Step(), m.Transition.Factors)
}

// machine is a template of three variables: a moves by itself, b sees a and its own past, c sees b.
func machine() *model.Model {
	m := &model.Model{}
	a, b, c := m.NewVar("a", "0", "1").ID, m.NewVar("b", "0", "1").ID, m.NewVar("c", "0", "1").ID
	sees := &model.Table{Values: []float64{.9, .1, .2, .8}}
	m.Factors = []*model.Factor{{Scope: []model.VarID{a}, Dist: &model.Table{Values: []float64{.5, .5}}},
		{Scope: []model.VarID{b}, Dist: &model.Table{Values: []float64{.3, .7}}},
		{Scope: []model.VarID{b, c}, Child: 1, Dist: sees}}
	m.Transition = &model.Transition{Before: []model.VarID{a, b}, Factors: []*model.Factor{
		{Scope: []model.VarID{3, a}, Child: 1, Dist: &model.Table{Values: []float64{.8, .2, .3, .7}}},
		{Scope: []model.VarID{3, 4, b}, Child: 2, Dist: &model.Table{Values: []float64{.9, .1, .4, .6, .3, .7, .05, .95}}},
		{Scope: []model.VarID{b, c}, Child: 1, Dist: sees}}}
	return m
}

// track is a template of real variables: a level x, a trend y that x follows, and a measurement z.
func track() *model.Model {
	m := &model.Model{}
	x, y, z := m.NewReal("x").ID, m.NewReal("y").ID, m.NewReal("z").ID
	normal := func(mean, variance float64, coef ...float64) *model.Gaussian {
		return &model.Gaussian{Mean: []float64{mean}, Coef: coef, Var: []float64{variance}}
	}
	sees := normal(1, .5, 2)
	m.Factors = []*model.Factor{{Scope: []model.VarID{x}, Dist: normal(0, 1)}, {Scope: []model.VarID{y}, Dist: normal(0, 1)},
		{Scope: []model.VarID{x, z}, Child: 1, Dist: sees}}
	m.Transition = &model.Transition{Before: []model.VarID{x, y}, Factors: []*model.Factor{
		{Scope: []model.VarID{3, 4, x}, Child: 2, Dist: normal(0, 1, .6, .7)},
		{Scope: []model.VarID{4, y}, Child: 1, Dist: normal(.2, .5, .8)},
		{Scope: []model.VarID{x, z}, Child: 1, Dist: sees}}}
	return m
}

// Each learner that goes by scores recovers a template from sequences drawn from it.
func TestTransition(t *testing.T) {
	const discrete = "a| b| c|b; a|a@-1 b|a@-1,b@-1 c|b"
	const real = "x| y| z|x; x|x@-1,y@-1 y|y@-1 z|x"
	for _, c := range []struct {
		name string
		algo any
		m    *model.Model
		want string
	}{
		{"hillclimb bic", hillclimb.Options{Score: "bic"}, machine(), discrete},
		{"hillclimb bdeu", hillclimb.Options{Score: "bdeu"}, machine(), discrete},
		{"k2", knownorder.K2Options{}, machine(), discrete},
		{"knownorder", knownorder.Options{MaxParents: 3}, machine(), discrete},
		{"exact", exact.Options{}, machine(), discrete},
		{"boss", boss.Options{}, machine(), discrete},
		{"boss bic-g", boss.Options{}, track(), real},
		{"hillclimb bic-g", hillclimb.Options{Tabu: 10, Restarts: 3}, track(), real},
		{"hillclimb bge", hillclimb.Options{Score: "bge", Tabu: 10}, track(), real},
		{"exact bge", exact.Options{Score: "bge"}, track(), real},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := sequencesOf(t, c.m, 300, 8)
			r, err := learn.Fit(context.Background(), c.algo, &learner.Job{Train: s, Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			// Edges within a slice may be turned around in slice 0, where both directions are the
			// same model.
			got := strings.NewReplacer("b|c c|;", "b| c|b;", "x|z y| z|;", "x| y| z|x;").Replace(slicesOf(r.Models[0]))
			if got != c.want {
				t.Errorf("structure %s; want %s", got, c.want)
			}
			reported(t, s, r)
		})
	}
}

// reported checks that the score of a result is the sum over its families, and its parameters those
// of its CPDs.
func reported(t *testing.T, s *data.Set, r *learner.Result) {
	t.Helper()
	total, params, m := 0.0, 0, r.Models[0]
	for _, f := range r.Report.Families {
		total += f.Score
		if strings.HasSuffix(f.Variable, "@-1") {
			t.Errorf("a family of %s, a slice ago; want none", f.Variable)
		}
	}
	for _, f := range slices.Concat(m.Factors, m.Transition.Factors) {
		if d := f.Gaussian(); d != nil {
			params += 2 + len(d.Coef)
			continue
		}
		values, _ := f.Table()
		params += len(values) / 2
	}
	irtest.CloseTo(t, r.Report.Total, total, 1e-9*max(1, -total))
	if r.Report.Params != params || len(r.Report.Families) != 2*len(s.Vars) {
		t.Errorf("%d parameters and %d families; want %d and %d", r.Report.Params, len(r.Report.Families), params, 2*len(s.Vars))
	}
}

// The score of the transition of a result is that of the same families of the table of steps.
func TestTransitionScore(t *testing.T) {
	s := sequencesOf(t, machine(), 40, 5)
	r, err := learn.Fit(context.Background(), hillclimb.Options{Score: "bic"}, &learner.Job{Train: s})
	if err != nil {
		t.Fatal(err)
	}
	_, next := s.Steps()
	by, err := score.New("bic", data.NewCounter(next, 0), score.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Report.Families[3:] {
		x, err := data.Find(next.Vars, f.Variable)
		if err != nil {
			t.Fatal(err)
		}
		var parents []int
		for _, name := range f.Parents {
			u, err := data.Find(next.Vars, name)
			if err != nil {
				t.Fatal(err)
			}
			parents = append(parents, u)
		}
		irtest.CloseTo(t, f.Score, by.Family(x, parents...), 1e-9)
	}
}

// Edges of the options may be from the slice before, which has no parents.
func TestTransitionEdges(t *testing.T) {
	s := sequencesOf(t, machine(), 100, 6)
	job := &learner.Job{Train: s}
	r, err := learn.Fit(context.Background(), hillclimb.Options{Constraints: learner.Constraints{Require: "c@-1->a", Forbid: "a@-1->a,b->c,c->b"}}, job)
	if err != nil {
		t.Fatal(err)
	}
	got := slicesOf(r.Models[0])
	if want := "a| b| c|; a|b,c@-1 b|a@-1,b@-1 c|a@-1,b@-1"; got != want {
		t.Errorf("structure %s; want %s", got, want)
	}
	for options, want := range map[string]string{
		"a->b@-1": "edge a->b@-1 is required, and nothing can be a parent of a variable a slice ago",
		"a->d@-1": `edge "a->d@-1"`,
	} {
		_, err := learn.Fit(context.Background(), hillclimb.Options{Constraints: learner.Constraints{Require: options}}, job)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v; want %s", options, err, want)
		}
	}
}

// A single sequence has no other slices 0, and learners without a place for slices refuse.
func TestTransitionFaults(t *testing.T) {
	one := sequencesOf(t, machine(), 1, 200)
	r, err := learn.Fit(context.Background(), hillclimb.Options{Score: "bic"}, &learner.Job{Train: one})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(r.Report.Remarks[0]); got != "there is one sequence, and slice 0 was learned from all of its rows" {
		t.Errorf("remark %s", got)
	}
	short := sequencesOf(t, machine(), 5, 1)
	_, err = learn.Fit(context.Background(), hillclimb.Options{}, &learner.Job{Train: short})
	if want := "all 5 sequences have one row; want some with two, which show how a slice follows from the one before"; err == nil || err.Error() != want {
		t.Errorf("error %v; want %s", err, want)
	}
	late, err := data.NewReal([]data.Var{{Name: "x", Real: true}, {Name: "y", Real: true}}, [][]float64{{1, math.NaN()}, {2, 5}, {4, math.NaN()}, {5, 7}}, nil)
	if err == nil {
		late, err = late.InSequences([]int{0, 2})
	}
	if err != nil {
		t.Fatal(err)
	}
	_, err = learn.Fit(context.Background(), hillclimb.Options{}, &learner.Job{Train: late})
	if want := `the first rows of the sequences, of which slice 0 is learned: column 2, "y", has no values; want at least one, or leave it out by drop y`; err == nil || err.Error() != want {
		t.Errorf("error %v; want %s", err, want)
	}
	for _, l := range learn.Learners {
		if l.Takes&model.Slices != 0 {
			continue
		}
		if _, err := learn.Fit(context.Background(), l.New(), &learner.Job{Train: one}); err == nil || !strings.Contains(err.Error(), "takes no sequences of rows, and this is one; k2, knownorder, auto, hillclimb") {
			t.Errorf("%s: error %v; want one about sequences", l.Name, err)
		}
	}
}
