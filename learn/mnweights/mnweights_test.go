package mnweights_test

import (
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
	"github.com/pgmc-go/pgmc/learn/mnweights"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// chain returns a Markov network with potentials of all kinds over a - b - c: a table with a zero,
// a tree, features, and a CPD.
func chain(kind model.Kind) *model.Model {
	m := &model.Model{Name: "chain", Kind: kind}
	m.NewVar("a", "0", "1")
	m.NewVar("b", "0", "1", "2")
	m.NewVar("c", "0", "1")
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{0, 1}, Child: -1, Dist: &model.Table{Values: []float64{1, 1, 0, 1, 1, 1}}},
		{Scope: []model.VarID{1}, Child: -1, Dist: &model.Tree{Nodes: []model.TreeNode{{Axis: 0, Next: []int32{1, 2, 2}}, {Leaf: []float64{2}}, {Leaf: []float64{3}}}}},
		{Scope: []model.VarID{2, 1}, Child: -1, Dist: &model.Features{List: []model.Feature{
			{Weight: 0.1, Literals: []model.Literal{{Axis: 0, State: 1}}},
			{Literals: []model.Literal{{Axis: 0, State: 1}, {Axis: 1, State: 1}}},
			{Weight: -0.2, Literals: []model.Literal{{Axis: 0, State: 1}, {Axis: 1, State: 2}}},
		}}},
	}
	return m
}

// joint returns a distribution over the states of chain that its structure can represent, with P(a
// = 0, b = 2) = 0.
func joint(x []int) float64 {
	ab := [][]float64{{0.2, 0.1, 0}, {0.1, 0.25, 0.35}}
	c := [][]float64{{0.7, 0.3}, {0.4, 0.6}, {0.1, 0.9}}
	return ab[x[0]][x[1]] * c[x[1]][x[2]]
}

// From rows in proportion to a distribution that the network can represent, the fit finds that
// distribution: the pseudo-likelihood is consistent. The structure and the zero stay, and no table
// has a number above 1.
func TestConsistent(t *testing.T) {
	init := chain(model.Markov)
	s := learnertest.Expected(t, data.VarsOf(init), 1000, joint)
	r := learnertest.Learn(t, mnweights.Learner, &learner.Job{Train: s, Init: init, Cores: 2}, "-weight-variance", "0", "-steps", "1000", "-tolerance", "1e-14")
	m := r.Models[0]
	all, err := brute.New(m)
	if err != nil {
		t.Fatal(err)
	}
	row := make([]int, 3)
	for more := true; more; more = m.Next([]model.VarID{0, 1, 2}, row) {
		e := brute.Evidence{Hard: map[model.VarID]int{0: row[0], 1: row[1], 2: row[2]}}
		if got, want := math.Exp(all.LogProb(e)), joint(row); math.Abs(got-want) > 1e-5 {
			t.Errorf("P(%v) is %v; want %v", row, got, want)
		}
	}
	if d, ok := m.Factors[0].Dist.(*model.Table); !ok || d.Values[2] != 0 {
		t.Errorf("the table is %v; want a zero in it", m.Factors[0].Dist)
	} else {
		for _, x := range d.Values {
			if x > 1 {
				t.Errorf("a number of the table is %v; want at most 1", x)
			}
		}
	}
	if d, ok := m.Factors[2].Dist.(*model.Features); !ok || len(d.List) != 3 {
		t.Errorf("the features are %v; want three", m.Factors[2].Dist)
	}
	if got := learnertest.Parents(r); got != "a| b|a c|b" {
		t.Errorf("neighbours %s; want a| b|a c|b", got)
	}
}

// The CPDs of a Bayesian network are initial potentials. For rows in proportion to its
// distribution, their weights are optimal except for the prior, which costs a few nats.
func TestBayes(t *testing.T) {
	m := irtest.Asia()
	s := learnertest.Expected(t, data.VarsOf(m), 500, func(x []int) float64 {
		p := 1.0
		for _, f := range m.Factors {
			p *= m.Value(f, x)
		}
		return p
	})
	r := learnertest.Learn(t, mnweights.Learner, &learner.Job{Train: s, Init: m, Cores: 1})
	rows, err := rate.NewRows(m)
	if err != nil {
		t.Fatal(err)
	}
	truth, row := 0.0, make([]int, len(m.Vars))
	for i := range s.Len() {
		if s.Row(i, row); s.Weight(i) > 0 {
			truth += s.Weight(i) * rows.Pseudo(row)
		}
	}
	if got := r.Report.Total; r.Models[0].Kind != model.Markov || got > truth || got < truth-5 {
		t.Errorf("pseudo-log-likelihood %v in a %v; want the truth's, %v, or up to 5 nats less for the prior, in a Markov network", got, r.Models[0].Kind, truth)
	}
}

// Without an initial network, all pairs are fitted; a large penalty leaves only the states.
func TestPairs(t *testing.T) {
	job := &learner.Job{Train: learnertest.DEBD(t, "nltcs", "train"), Cores: 2}
	if r := learnertest.Learn(t, mnweights.Learner, job, "-steps", "5"); r.Report.Params != 16+16*15/2 {
		t.Errorf("%d weights; want one for each of 16 variables and of 120 pairs", r.Report.Params)
	}
	if r := learnertest.Learn(t, mnweights.Learner, job, "-l1", "10000", "-steps", "30"); r.Report.Params > 16 {
		t.Errorf("%d weights with a large penalty; want at most one for each of 16 variables", r.Report.Params)
	}
}

func TestErrors(t *testing.T) {
	s := learnertest.New(t, learnertest.Vars("a", 2, "b", 3, "c", 2), [][]int{{0, 2, 1}}, nil)
	learn := func(init *model.Model, args ...string) string {
		_, err := learnertest.Make(t, mnweights.Learner, args...).Learn(t.Context(), &learner.Job{Train: s, Init: init, Cores: 1})
		if err == nil {
			return ""
		}
		return err.Error()
	}
	other, latent := chain(model.Markov), chain(model.Markov)
	other.Vars[1].Name = "x"
	latent.Vars[0].Latent = true
	for _, c := range []struct {
		init *model.Model
		args []string
		want string
	}{
		{other, nil, `variable 1 of the model to begin from is "x", and of the data "b", or they differ in states; want the same`},
		{latent, nil, `variable "a" of the model to begin from is latent; want one that is in the data`},
		{&model.Model{Kind: model.Markov}, nil, "the model to begin from has 0 variables and the data 3; want the same"},
		{chain(model.Markov), nil, "a row of the data has probability 0 under the network, and no finite weights can change that"},
		{nil, []string{"-l1", "-1"}, `l1 "-1"; want a number from 0, or several separated by commas`},
		{nil, []string{"-l1", "0,1"}, "2 penalties, 0,1, without validation data to choose by; want validation data or one penalty"},
		{nil, []string{"-weight-variance", "-1"}, "variance of weights -1; want 0 or more"},
		{nil, []string{"-steps", "-1"}, "at most -1 steps; want 0 or more"},
		{nil, []string{"-tolerance", "NaN"}, "tolerance NaN; want 0 or more"},
	} {
		if got := learn(c.init, c.args...); got != c.want {
			t.Errorf("%v: got %s; want %s", c.args, got, c.want)
		}
	}
}
