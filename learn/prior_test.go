package learn_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/chowliu"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/ges"
	"github.com/pgmc-go/pgmc/learn/hillclimb"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

// priorRows returns 40 rows of three variables that depend weakly on each other.
func priorRows(t *testing.T) *data.Set {
	rng := rand.New(rand.NewPCG(4, 2))
	rows := make([][]int, 40)
	for i := range rows {
		a := rng.IntN(2)
		rows[i] = []int{a, (a + rng.IntN(3)) % 3, rng.IntN(2)}
	}
	return learnertest.New(t, learnertest.Vars("a", 2, "b", 3, "c", 2), rows, nil)
}

// TestEdgePrior checks that prior odds add to the score by edge and direction, and that what does
// not fit is refused.
func TestEdgePrior(t *testing.T) {
	s := priorRows(t)
	total := func(prior string) float64 {
		r, err := learn.Fit(context.Background(), hillclimb.Options{Scoring: learner.Scoring{EdgePrior: prior}, Constraints: learner.Constraints{Require: "a->b,b->c"}}, &learner.Job{Train: s})
		if err != nil {
			t.Fatal(err)
		}
		return r.Report.Total
	}
	none := total("")
	for prior, add := range map[string]float64{
		"-9": -18, "-9,a->b=-4": -13, "a->b=-4,b->c=-3": -7, "b->a=100": 0, "a--b=-4": -4, "-1\nb--c=-2": -3,
	} {
		if got := total(prior); math.Abs(got-none-add) > 1e-9 {
			t.Errorf("%q: got %v; want %v more than %v", prior, got, add, none)
		}
	}
	for prior, want := range map[string]string{
		"a->x=1":        `edge-prior: edge "a->x": the data has no variable "x"; the first of its 3 is "a"`,
		"a->b":          `edge-prior: log prior odds "a->b"; want a number for all edges, or some like a->b=1.5 and a--b=1.5`,
		"inf":           `edge-prior: log prior odds of an edge +Inf; want a number from -1e+09 to 1e+09; require and forbid are for certain edges`,
		"a->b=2e9":      `edge-prior: log prior odds of an edge 2e+09; want a number from -1e+09 to 1e+09; require and forbid are for certain edges`,
		"=1":            `edge-prior: log prior odds "=1"; want a number for all edges, or some like a->b=1.5 and a--b=1.5`,
		"1,2":           `edge-prior: two log prior odds of all edges; want one`,
		"a->b=1,a--b=2": `edge-prior: two log prior odds of a->b; want one`,
	} {
		learnertest.Error(t, hillclimb.Learner, s, want, "-edge-prior", prior)
	}
	const open = "the prior odds of a->b and of b->a differ, and this learner leaves directions open; want a--b, which is both"
	learnertest.Error(t, ges.Learner, s, open, "-edge-prior", "a->b=1")
	learnertest.Error(t, chowliu.Learner, s, open, "-edge-prior", "a->b=1")
}

// TestEdgePriorNames checks that names may contain what separates edges and their odds.
func TestEdgePriorNames(t *testing.T) {
	rows := priorRows(t)
	names := []string{`q"u`, "x->y", "a--b=c,d"}
	table := make([][]int, rows.Len())
	for v := range names {
		column := rows.Column(v)
		for i := range table {
			table[i] = append(table[i], column.At(i))
		}
	}
	s := learnertest.New(t, learnertest.Vars(names[0], 2, names[1], 3, names[2], 2), table, nil)
	require := `"q""u->x->y","x->y->a--b=c,d"`
	total := func(prior string) float64 {
		r, err := learn.Fit(context.Background(), hillclimb.Options{Scoring: learner.Scoring{EdgePrior: prior}, Constraints: learner.Constraints{Require: require}}, &learner.Job{Train: s})
		if err != nil {
			t.Fatalf("%q: %v", prior, err)
		}
		return r.Report.Total
	}
	none := total("-9") + 18
	for prior, add := range map[string]float64{
		`-9,"q""u->x->y=-4"`: -13, `-9,"x->y--q""u=-4"`: -13, `-9,"x->y->a--b=c,d=-4"`: -13, `-9,"a--b=c,d--x->y=-4"`: -13, `-9,"a--b=c,d->x->y=-4"`: -18,
	} {
		if got := total(prior); math.Abs(got-none-add) > 1e-9 {
			t.Errorf("%s: got %v; want %v more than %v", prior, got, add, none)
		}
	}
}

// TestPriorNetwork checks bde: with a prior network of independent uniform variables it is bdeu,
// and with another one the marginal likelihood under its joint distribution, computed here.
func TestPriorNetwork(t *testing.T) {
	s := priorRows(t)
	prior := &model.Model{Kind: model.Bayes, Name: "prior", File: "prior.bif"}
	for _, v := range s.Vars {
		prior.NewVar(v.Name, v.States...)
	}
	table := func(values []float64, scope ...model.VarID) *model.Factor {
		return &model.Factor{Scope: scope, Child: len(scope) - 1, Dist: &model.Table{Values: values}}
	}
	third := 1. / 3
	prior.Factors = []*model.Factor{table([]float64{.5, .5}, 0), table([]float64{third, third, third}, 1), table([]float64{.5, .5}, 2)}
	fit := func(o any, p *model.Model) (*learner.Result, error) {
		return learn.Fit(context.Background(), o, &learner.Job{Train: s, Prior: p})
	}
	uniform, err := fit(hillclimb.Options{Scoring: learner.Scoring{ESS: 3}}, prior)
	if err != nil {
		t.Fatal(err)
	}
	bdeu, err := fit(hillclimb.Options{Scoring: learner.Scoring{ESS: 3}, Score: "bdeu"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if uniform.Report.Score != "bde" || math.Abs(uniform.Report.Total-bdeu.Report.Total) > 1e-9 {
		t.Errorf("%s %v under a uniform prior network; want bde and %v", uniform.Report.Score, uniform.Report.Total, bdeu.Report.Total)
	}
	given := []float64{.7, .2, .1, .1, .3, .6} // P(b | a)
	prior.Factors[1] = table(given, 0, 1)
	r, err := fit(hillclimb.Options{Scoring: learner.Scoring{ESS: 3}, Constraints: learner.Constraints{Require: "a->b"}}, prior)
	if err != nil {
		t.Fatal(err)
	}
	want, n := 0.0, make([]float64, 6)
	for i := range s.Len() {
		a, b := s.Column(0), s.Column(1)
		n[a.At(i)*3+b.At(i)]++
	}
	lg := func(x float64) float64 { y, _ := math.Lgamma(x); return y }
	for a := range 2 {
		want += lg(1.5) - lg(1.5+n[3*a]+n[3*a+1]+n[3*a+2])
		for b := range 3 {
			alpha := 1.5 * given[3*a+b]
			want += lg(alpha+n[3*a+b]) - lg(alpha)
		}
	}
	if f := r.Report.Families[1]; len(f.Parents) != 1 || math.Abs(f.Score-want) > 1e-9 {
		t.Errorf("family of b: %+v; want %v", f, want)
	}
	if _, err := fit(hillclimb.Options{Score: "bic"}, prior); err == nil || err.Error() != "a prior network is for score bde, not for bic" {
		t.Errorf("got %v", err)
	}
	prior.Factors[0] = table([]float64{0, 1}, 0)
	if _, err := fit(hillclimb.Options{}, prior); err == nil || err.Error() != fmt.Sprintf("prior.bif: variable %q is never %q by the prior network, as it is in the rows; want a probability above 0", "a", s.Vars[0].States[0]) {
		t.Errorf("got %v", err)
	}
	prior.Factors[0] = table([]float64{.5, .5}, 0)
	prior.Vars[1].Name = "x"
	if _, err := fit(hillclimb.Options{}, prior); err == nil || !strings.Contains(err.Error(), `prior.bif: the prior network has no variable "b"`) {
		t.Errorf("got %v", err)
	}
}

// TestLargePrior checks that families with too many joint states in the prior network are not
// considered, and are an error if they are required.
func TestLargePrior(t *testing.T) {
	var diagonal [][]int
	for k := range 200 {
		diagonal = append(diagonal, []int{k, k, k})
	}
	s := learnertest.New(t, learnertest.Vars("a", 200, "b", 200, "c", 200), diagonal, nil)
	prior := &model.Model{Kind: model.Bayes, Name: "prior", File: "prior.bif"}
	for _, v := range s.Vars {
		x := prior.NewVar(v.Name, v.States...)
		prior.Factors = append(prior.Factors, &model.Factor{Scope: []model.VarID{x.ID}, Dist: &model.Table{Values: slices.Repeat([]float64{.005}, 200)}})
	}
	job := &learner.Job{Train: s, Prior: prior}
	_, err := learn.Fit(context.Background(), hillclimb.Options{Constraints: learner.Constraints{Require: "a->c,b->c"}}, job)
	if want := `the prior network can't compute the joint distribution of "c" and its 2 parents; want fewer required edges`; err == nil || err.Error() != want {
		t.Errorf("got error %v; want %s", err, want)
	}
}
