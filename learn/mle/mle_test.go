package mle_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learnertest"
	"github.com/pgmc-go/pgmc/learn/mle"
)

// network returns a network of tables, given the names and numbers of states of the variables
// alternately, then for each variable its parents followed by itself.
func network(t testing.TB, vars []data.Var, scopes ...[]model.VarID) *model.Model {
	t.Helper()
	m := &model.Model{}
	for _, v := range vars {
		m.NewVar(v.Name, v.States...)
	}
	for _, scope := range scopes {
		n, _ := m.TableSize(scope)
		f := &model.Factor{Scope: scope, Child: len(scope) - 1, Dist: &model.Table{Values: make([]float64, n)}}
		for i := range n {
			f.Dist.(*model.Table).Values[i] = 1 / float64(m.Card(f.ChildVar()))
		}
		m.Factors = append(m.Factors, f)
	}
	if list := m.Check(); list.HasErrors() {
		t.Fatal(list.Err())
	}
	return m
}

func estimator(t testing.TB, m *model.Model, opt mle.Options) *mle.Estimator {
	t.Helper()
	e, err := mle.New(m, opt)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func prior(t testing.TB, text string, size float64) mle.Prior {
	t.Helper()
	p, err := mle.ParsePrior(text, size)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func table(m *model.Model, factor int) []float64 { return m.Factors[factor].Dist.(*model.Table).Values }

// Koller and Friedman, sections 17.1 to 17.4: a coin by maximum likelihood, posterior mean and
// mode. If the prior mean is not even, the prior is that of a network.
func TestCoin(t *testing.T) {
	m := network(t, learnertest.Vars("coin", 2), []model.VarID{0})
	for _, c := range []struct {
		prior       string
		size, mean  float64
		mode        bool
		heads, tail float64
		want        float64
	}{
		{"none", 0, 0, false, 35, 65, 0.35}, // section 17.1
		{"none", 0, 0, false, 3, 7, 0.3},
		{"none", 0, 0, false, 3, 2, 0.6}, // H, T, T, H, H
		{"1", 0, 0, false, 3, 7, 4. / 12},
		{"10", 0, 0, false, 3, 7, 13. / 30},
		{"k2", 0, 0, false, 300, 700, 301. / 1002},
		{"10", 0, 0, false, 300, 700, 310. / 1020},
		{"100", 0, 0, false, 3, 7, 103. / 210},
		{"bdeu", 1, 0, false, 1, 1, 0.5}, // example 17.7
		{"bdeu", 1, 0, false, 2, 1, 0.625},
		{"bdeu", 1, 0, false, 1, 2, 0.375},
		{"bdeu", 5, 0, false, 2, 1, 0.5625},
		{"bdeu", 5, 0, false, 1, 2, 0.4375},
		{"bde", 1, 0.5, false, 2, 8, .227272727}, // figure 17.5
		{"bde", 1, 0.8, false, 10, 40, .211764706},
		{"bde", 10, 0.8, false, 20, 80, .254545455},
		{"bde", 50, 0.8, false, 2, 8, .7},
		{"bde", 50, 0.2, false, 20, 80, .2},
		{"bde", 8, 3. / 8, true, 0, 0, 1. / 3}, // example 17.10: the mode of Beta(3, 5)
		{"k2", 0, 0, true, 3, 7, 0.3},          // under an even density, the mode is the maximum of the likelihood
	} {
		p := prior(t, c.prior, c.size)
		p.Joint = func([]model.VarID) ([]float64, error) { return []float64{c.mean, 1 - c.mean}, nil }
		e := estimator(t, m, mle.Options{Prior: p, Mode: c.mode})
		got := table(e.Fit(mle.Counts{{c.heads, c.tail}}, m), 0)
		if math.Abs(got[0]-c.want) > 6e-10 || math.Abs(got[0]+got[1]-1) > 1e-15 {
			t.Errorf("%s of size %v on %v and %v: got %v; want %.9f", c.prior, c.size, c.heads, c.tail, got, c.want)
		}
	}
}

// Each toss is predicted from those before: the probability of H, T, T, H, H under an even prior is
// 12/720 (Koller and Friedman, section 18.3.3).
func TestPrequential(t *testing.T) {
	m := network(t, learnertest.Vars("coin", 2), []model.VarID{0})
	e := estimator(t, m, mle.Options{Prior: prior(t, "k2", 0)})
	n, p := mle.Counts{{0, 0}}, 1.0
	for _, toss := range []int{0, 1, 1, 0, 0} {
		p *= table(e.Fit(n, m), 0)[toss]
		n[0][toss]++
	}
	irtest.CloseTo(t, p, 1./60, 1e-15)
}

// Section 19.1.3: 13, 16, 10 and 4 rows of x1 y1, x1 y0, x0 y1 and x0 y0. States are in that order.
func TestTwoVariables(t *testing.T) {
	vars := learnertest.Vars("x", 2, "y", 2)
	m := network(t, vars, []model.VarID{0}, []model.VarID{0, 1})
	s := learnertest.New(t, vars, [][]int{{0, 0}, {0, 1}, {1, 0}, {1, 1}}, []float64{13, 16, 10, 4})
	e := estimator(t, m, mle.Options{})
	n, missed, err := e.Count(s, []int{0, 1})
	if err != nil || missed[0] != 0 || missed[1] != 0 {
		t.Fatal(missed, err)
	}
	fit := e.Complete(n, m)
	irtest.Close(t, table(fit, 0), []float64{29. / 43, 14. / 43}, 1e-15)
	irtest.Close(t, table(fit, 1), []float64{13. / 29, 16. / 29, 10. / 14, 4. / 14}, 1e-15)
	irtest.CloseTo(t, e.LogLikelihood(0, n, fit)+e.LogLikelihood(1, n, fit), -55.4548153976, 1e-10)
	if e.Params() != 3 {
		t.Errorf("%d parameters; want 3", e.Params())
	}
}

// A row that misses a value of a family does not count for that family.
func TestMissing(t *testing.T) {
	vars := learnertest.Vars("x", 2, "y", 2)
	m := network(t, vars, []model.VarID{0}, []model.VarID{0, 1})
	s := learnertest.New(t, vars, [][]int{{0, data.Missing}, {data.Missing, 1}, {1, 1}}, []float64{2, 3, 4})
	n, missed, err := estimator(t, m, mle.Options{}).Count(s, []int{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	irtest.Close(t, n[0], []float64{2, 4}, 0)
	irtest.Close(t, n[1], []float64{0, 0, 0, 4}, 0)
	irtest.Close(t, missed, []float64{3, 5}, 0)
}

// A child that is not last in its scope has the same CPD in another layout.
func TestChildFirst(t *testing.T) {
	vars := learnertest.Vars("x", 2, "y", 3)
	m := network(t, vars, []model.VarID{0}, []model.VarID{0, 1})
	m.Factors[1].Scope, m.Factors[1].Child = []model.VarID{1, 0}, 0
	s := learnertest.New(t, vars, [][]int{{0, 0}, {0, 1}, {1, 2}, {1, 0}}, []float64{3, 1, 1, 1})
	e := estimator(t, m, mle.Options{Prior: prior(t, "bdeu", 6)})
	n, _, err := e.Count(s, []int{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	// With a pseudo-count of one for each state, y given x=0 has 4, 2 and 1 of 7, and given x=1 it
	// has 2, 1 and 2 of 5.
	irtest.Close(t, table(e.Fit(n, m), 1), []float64{4. / 7, 2. / 5, 2. / 7, 1. / 5, 1. / 7, 2. / 5}, 1e-15)
}

// A row without data: y given x=1. The counts of y are 3 and 1 given x=0; as a whole, with one
// additional row that is spread evenly, 3.5 and 1.5 of 5.
func TestEmpty(t *testing.T) {
	vars := learnertest.Vars("x", 2, "y", 2)
	m := network(t, vars, []model.VarID{0}, []model.VarID{0, 1})
	m.Factors[1].Dist = &model.Table{Values: []float64{.1, .9, .2, .8}}
	n := mle.Counts{{4, 0}, {3, 1, 0, 0}}
	for _, c := range []struct {
		opt  mle.Options
		want []float64
	}{
		{mle.Options{}, []float64{.75, .25, .5, .5}},
		{mle.Options{Empty: mle.EmptyKeep}, []float64{.75, .25, .2, .8}},
		{mle.Options{Empty: mle.EmptyPooled}, []float64{.75, .25, .7, .3}},
		{mle.Options{Prior: prior(t, "pooled", 2)}, []float64{4.4 / 6, 1.6 / 6, .7, .3}}, // 3 and 1 and 2 rows of .7 and .3
		{mle.Options{Prior: prior(t, "bdeu", 4)}, []float64{4. / 6, 2. / 6, .5, .5}},
		{mle.Options{Prior: prior(t, "k2", 0), Mode: true}, []float64{.75, .25, .5, .5}}, // the mean of an even density
	} {
		e := estimator(t, m, c.opt)
		irtest.Close(t, table(e.Fit(n, m), 1), c.want, 1e-15)
		if rows, empty := e.Sparse(n, m); rows != 3 || empty != 1 {
			t.Errorf("%d of %d rows are empty; want 1 of 3", empty, rows)
		}
	}
}

// Tied CPDs have the counts of all their rows together. The pseudo-counts of bdeu are a sample,
// which has a value for each member.
func TestTied(t *testing.T) {
	vars := learnertest.Vars("a", 2, "b", 2, "c", 2)
	m := network(t, vars, []model.VarID{0}, []model.VarID{0, 1}, []model.VarID{1, 2})
	n := mle.Counts{{5, 4}, {1, 2, 3, 3}, {4, 0, 4, 1}}
	for _, c := range []struct {
		prior string
		size  float64
		want  []float64
	}{
		{"none", 0, []float64{5. / 7, 2. / 7, 7. / 11, 4. / 11}},
		{"k2", 0, []float64{6. / 9, 3. / 9, 8. / 13, 5. / 13}},
		{"bdeu", 4, []float64{7. / 11, 4. / 11, 9. / 15, 6. / 15}}, // one for each number and member
	} {
		e := estimator(t, m, mle.Options{Prior: prior(t, c.prior, c.size), Tied: [][]model.VarID{{1, 2}}})
		fit := e.Fit(n, m)
		irtest.Close(t, table(fit, 1), c.want, 1e-15)
		irtest.Close(t, table(fit, 2), c.want, 1e-15)
		if e.Params() != 3 {
			t.Errorf("%d parameters; want 3", e.Params())
		}
	}
	for _, c := range []struct {
		tied [][]model.VarID
		want string
	}{
		{[][]model.VarID{{1, 2}, {2}}, `"c" is tied twice`},
		{[][]model.VarID{{0, 1}}, `the CPD of "a" and the CPD of "b" can't be tied; want tables, or Gaussian CPDs, over as many variables with as many states, in the same order`},
	} {
		if _, err := mle.New(m, mle.Options{Tied: c.tied}); err == nil || err.Error() != c.want {
			t.Errorf("got %v; want %s", err, c.want)
		}
	}
}

// job returns a job with the tree of example 17.16: P(j) by a, then s, then l, all fair.
func job(t testing.TB) *model.Model {
	m := network(t, learnertest.Vars("a", 2, "s", 2, "l", 2), []model.VarID{0}, []model.VarID{1}, []model.VarID{2})
	v := m.NewVar("j", "0", "1")
	leaf := []float64{.5, .5}
	m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{0, 1, 2, v.ID}, Child: 3, Dist: &model.Tree{Nodes: []model.TreeNode{
		{Axis: 0, Next: []int32{1, 2}},
		{Leaf: leaf},
		{Axis: 1, Next: []int32{3, 4}},
		{Axis: 2, Next: []int32{5, 6}},
		{Leaf: leaf}, {Leaf: leaf}, {Leaf: leaf},
	}}})
	return m
}

// The expected counts of 80 rows under P(j=1) = .2, .9, .1, .6 by leaf: 40 rows, 20, 10 and 10. The
// leaves get the shares 1/2, 1/4, 1/8 and 1/8 of the sample of the prior.
func TestTree(t *testing.T) {
	m := job(t)
	vars := learnertest.Vars("a", 2, "s", 2, "l", 2, "j", 2)
	s := learnertest.Expected(t, vars, 80, func(x []int) float64 {
		p := map[[3]int]float64{{1, 0, 0}: .1, {1, 0, 1}: .6, {1, 1, 0}: .9, {1, 1, 1}: .9}[[3]int{x[0], x[1], x[2]}]
		if x[0] == 0 {
			p = .2
		}
		return []float64{1 - p, p}[x[3]] / 8
	})
	e := estimator(t, m, mle.Options{Prior: prior(t, "bdeu", 8)})
	n, _, err := e.Count(s, []int{0, 1, 2, 3})
	if err != nil {
		t.Fatal(err)
	}
	irtest.Close(t, n[3], []float64{32, 8, 2, 18, 9, 1, 4, 6}, 1e-12)
	fit := e.Fit(n, m)
	var leaves []float64
	for _, x := range fit.Factors[3].Dist.(*model.Tree).Nodes {
		leaves = append(leaves, x.Leaf...)
	}
	irtest.Close(t, leaves, []float64{34. / 44, 10. / 44, 3. / 22, 19. / 22, 9.5 / 11, 1.5 / 11, 4.5 / 11, 6.5 / 11}, 1e-12)
	if e.Params() != 3+4 {
		t.Errorf("%d parameters; want 7", e.Params())
	}
}

// Without a prior, a tree with a leaf for each joint state of the parents equals the table.
func TestFullTreeIsTable(t *testing.T) {
	vars := learnertest.Vars("x", 2, "y", 3)
	m := network(t, vars, []model.VarID{0}, []model.VarID{0, 1})
	tree := network(t, vars, []model.VarID{0}, []model.VarID{0, 1})
	leaf := []float64{1, 0, 0}
	tree.Factors[1].Dist = &model.Tree{Nodes: []model.TreeNode{{Axis: 0, Next: []int32{1, 2}}, {Leaf: leaf}, {Leaf: leaf}}}
	n := mle.Counts{{3, 7}, {1, 2, 0, 3, 3, 1}}
	opt := mle.Options{Prior: prior(t, "bdeu", 3)}
	got := estimator(t, tree, opt).Fit(n, tree).Factors[1].Dist.(*model.Tree).Nodes
	irtest.Close(t, append(got[1].Leaf, got[2].Leaf...), table(estimator(t, m, opt).Fit(n, m), 1), 0)
}

// noisyOr returns a model with two causes and a leak, in which an absent cause has no effect.
func noisyOr(t testing.TB, leak, a, b float64) *model.Model {
	m := network(t, learnertest.Vars("a", 2, "b", 2), []model.VarID{0}, []model.VarID{1})
	v := m.NewVar("x", "0", "1")
	m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{0, 1, v.ID}, Child: 2, Dist: &model.NoisyMax{
		Leak: []float64{1 - leak, leak}, Cause: [][]float64{{1, 0, 1 - a, a}, {1, 0, 1 - b, b}}}})
	return m
}

// One step on one row with a and x present, from leak .1 and a .8: x has probability 1 - .9 * .2 =
// .82, so that the leak has caused it with probability .1/.82, and a with .8/.82. In a row without
// x, no cause was active. b is never present.
func TestNoisyOrStep(t *testing.T) {
	m := noisyOr(t, .1, .8, .3)
	e := estimator(t, m, mle.Options{})
	n, err := e.Zero()
	if err != nil {
		t.Fatal(err)
	}
	n[2][4], n[2][5] = 1, 1 // a, not b, without x and with it
	d := e.Fit(n, m).Factors[2].Dist.(*model.NoisyMax)
	irtest.Close(t, d.Leak, []float64{1 - .1/.82/2, .1 / .82 / 2}, 1e-15)
	irtest.Close(t, d.Cause[0], []float64{1, 0, 1 - .8/.82/2, .8 / .82 / 2}, 1e-15)
	irtest.Close(t, d.Cause[1], []float64{1, 0, .5, .5}, 1e-15) // no data, no prior
}

// Of causes of 2e-13 and 3e-13 and a leak of 5e-13, one has caused x: two are 1e12 times less
// likely.
func TestNoisyOrStepOfSmallNumbers(t *testing.T) {
	m := noisyOr(t, 5e-13, 2e-13, 3e-13)
	e := estimator(t, m, mle.Options{})
	n, err := e.Zero()
	if err != nil {
		t.Fatal(err)
	}
	n[2][7] = 1 // a and b, with x
	d := e.Fit(n, m).Factors[2].Dist.(*model.NoisyMax)
	irtest.Close(t, d.Leak, []float64{.5, .5}, 1e-11)
	irtest.Close(t, d.Cause[0], []float64{1, 0, .8, .2}, 1e-11)
	irtest.Close(t, d.Cause[1], []float64{1, 0, .7, .3}, 1e-11)
}

// From expected counts, the fit returns the noisy-max that they come from, here one with three
// states.
func TestNoisyMaxIsFound(t *testing.T) {
	vars := learnertest.Vars("a", 2, "b", 3, "x", 3)
	make := func(leak, a, b1, b2 []float64) *model.Model {
		m := network(t, vars[:2], []model.VarID{0}, []model.VarID{1})
		v := m.NewVar("x", vars[2].States...)
		absent := []float64{1, 0, 0}
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{v.ID, 0, 1}, Child: 0, Dist: &model.NoisyMax{Leak: leak,
			Cause: [][]float64{append(absent, a...), append(append(append([]float64{}, absent...), b1...), b2...)}}})
		return m
	}
	truth := make([]float64{.9, .06, .04}, []float64{.3, .5, .2}, []float64{.6, .3, .1}, []float64{.2, .3, .5})
	s := learnertest.Expected(t, vars, 1000, func(x []int) float64 { return truth.Value(truth.Factors[2], x) / 6 })
	even := []float64{1. / 3, 1. / 3, 1. / 3}
	m := make(even, []float64{.4, .3, .3}, []float64{.5, .3, .2}, []float64{.1, .2, .7})
	e := estimator(t, m, mle.Options{})
	n, _, err := e.Count(s, []int{0, 1, 2})
	if err != nil {
		t.Fatal(err)
	}
	got, want := e.Complete(n, m).Factors[2].Dist.(*model.NoisyMax), truth.Factors[2].Dist.(*model.NoisyMax)
	irtest.Close(t, got.Leak, want.Leak, 1e-3)
	for i := range want.Cause {
		irtest.Close(t, got.Cause[i], want.Cause[i], 2e-3)
	}
}

// The pseudo-counts of a prior network have its sample size for each family, and its proportions:
// Bayesian prediction is maximum likelihood on the data and a sample of the network (Koller and
// Friedman, section 17.4.3). The prior network has its variables and states in another order.
func TestPriorNetwork(t *testing.T) {
	m := irtest.Asia()
	other := &model.Model{}
	rename := make([]model.VarID, len(m.Vars))
	for i := len(m.Vars) - 1; i >= 0; i-- {
		v := m.Vars[i]
		states := m.States(v.ID)
		rename[i] = other.NewVar(v.Name, states[1], states[0]).ID
	}
	for _, f := range m.Factors {
		g := &model.Factor{Child: f.Child}
		for _, v := range f.Scope {
			g.Scope = append(g.Scope, rename[v])
		}
		values, err := m.Tabulate(f, 1<<10)
		if err != nil {
			t.Fatal(err)
		}
		turned := make([]float64, len(values)) // with both states of each variable exchanged
		for i, x := range values {
			turned[len(values)-1-i] = x
		}
		g.Dist = &model.Table{Values: turned}
		other.Factors = append(other.Factors, g)
	}
	joint, err := mle.Network(context.Background(), m, other)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range m.Factors {
		p, err := joint(f.Scope)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, x := range p {
			sum += x
		}
		irtest.CloseTo(t, sum, 1, 1e-12)
	}
	opt := mle.Options{Prior: mle.Prior{Kind: mle.BDe, Size: 10, Joint: joint}, Empty: mle.EmptyKeep}
	e := estimator(t, m, opt)
	n, err := e.Zero()
	if err != nil {
		t.Fatal(err)
	}
	fit := e.Fit(n, m) // no data: the prior network itself
	for i, f := range m.Factors {
		want, err := m.Tabulate(f, 1<<10)
		if err != nil {
			t.Fatal(err)
		}
		got, err := fit.Tabulate(fit.Factors[i], 1<<10)
		if err != nil {
			t.Fatal(err)
		}
		irtest.Close(t, got, want, 1e-12)
	}
}

func TestRefused(t *testing.T) {
	if _, err := mle.New(irtest.Misconception(), mle.Options{}); err == nil || !strings.Contains(err.Error(), "want a network of CPDs") {
		t.Errorf("a Markov network gives %v", err)
	}
	for text, want := range map[string]string{
		"-1":   "pseudo-count -1; want a finite number from 0",
		"NaN":  "pseudo-count NaN; want a finite number from 0",
		"bdeu": "equivalent sample size 0; want a finite number above 0",
		"what": `unknown prior "what"; want a number, or one of none, k2, bdeu, bde, pooled, learned`,
	} {
		if _, err := mle.ParsePrior(text, 0); err == nil || err.Error() != want {
			t.Errorf("prior %q: got %v; want %s", text, err, want)
		}
	}
	m := noisyOr(t, .1, .8, .3)
	if _, err := mle.New(m, mle.Options{Prior: mle.Prior{Kind: mle.BDe, Size: 1, Joint: func([]model.VarID) ([]float64, error) { return []float64{.5, .5}, nil }}}); err == nil ||
		!strings.Contains(err.Error(), "is a noisy-max") {
		t.Errorf("a noisy-max with a prior network gives %v", err)
	}
	if _, err := mle.Columns(m, learnertest.Vars("a", 3)); err == nil || !strings.Contains(err.Error(), `variable "a" has the states`) {
		t.Errorf("other states give %v", err)
	}
	if _, err := mle.Columns(m, learnertest.Vars("z", 2)); err == nil || err.Error() != "no column of the data is a variable of the model" {
		t.Errorf("other variables give %v", err)
	}
}
