package em

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/template"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
	"github.com/pgmc-go/pgmc/learn/mle"
)

// bruteConditional returns the sum over the rows of ln P(targets | others), by enumeration of all
// completions.
func bruteConditional(m *model.Model, s *data.Set, column []int, targets []model.VarID) (total float64) {
	log := func(state []int, open []model.VarID) float64 {
		sum := 0.0
		for _, v := range open {
			state[v] = 0
		}
		for more := true; more; more = m.Next(open, state) {
			p := 1.0
			for _, f := range m.Factors {
				p *= m.Value(f, state)
			}
			sum += p
		}
		return math.Log(sum)
	}
	state := make([]int, len(m.Vars))
	for i := range s.Len() {
		for _, free := range []float64{0, 1} {
			mle.States(s, i, column, state)
			var open []model.VarID
			for v := range state {
				if id := model.VarID(v); state[v] == data.Missing || free == 1 && slices.Contains(targets, id) {
					open = append(open, id)
				}
			}
			total += (1 - 2*free) * s.Weight(i) * log(state, open)
		}
	}
	return total
}

// randomRows draws rows uniformly, and hides a fifth of the values.
func randomRows(t *testing.T, m *model.Model, n int, rng *rand.Rand) *data.Set {
	var rows [][]int
	for range n {
		row := make([]int, len(m.Vars))
		for v := range row {
			if row[v] = rng.IntN(m.Card(model.VarID(v))); rng.IntN(5) == 0 {
				row[v] = data.Missing
			}
		}
		rows = append(rows, row)
	}
	return learnertest.New(t, data.VarsOf(m), rows, nil)
}

// conditionalOf returns the search for the conditional likelihood of some variables. Rows with more
// completions than listed are computed by a program.
func conditionalOf(t *testing.T, m *model.Model, s *data.Set, targets []model.VarID, listed int) *search {
	column, err := mle.Columns(m, s.Vars)
	if err != nil {
		t.Fatal(err)
	}
	x := &search{m: m}
	if m.Kind == model.Markov {
		w, err := newWeights(m)
		if err != nil {
			t.Fatal(err)
		}
		x.m, x.by, x.est = w.tables, w, mle.NewCounter(w.tables)
	} else {
		est, err := mle.New(m, mle.Options{Prior: mle.Prior{Kind: mle.Each, Size: 1}, Mode: len(m.Reals())%2 == 1, Marginals: marginals(m, s, column)})
		if err != nil {
			t.Fatal(err)
		}
		x.by, x.est = est, est
	}
	expecter := func(column []int) expectation {
		e, err := newExpecter(context.Background(), x.m, x.est, s, column, limits{2, 0, listed})
		if err != nil {
			t.Fatal(err)
		}
		return e.expect
	}
	x.expect, x.free = expecter(column), expecter(without(column, targets))
	return x
}

// checkGradient compares the gradient at x with differences of the objective, and returns the
// conditional log-likelihood there.
func checkGradient(t *testing.T, of *search, x []float64) float64 {
	t.Helper()
	c := &climb{x: of, opt: &RunOptions{}, job: &learner.Job{}}
	at := func(x []float64) evaluation {
		e, err := c.at(context.Background(), of.by.FromLogits(of.m, x))
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	e := at(x)
	var want []float64
	for i := range x {
		const h = 1e-5
		above, below := slices.Clone(x), slices.Clone(x)
		above[i] += h
		below[i] -= h
		want = append(want, (at(above).objective-at(below).objective)/(2*h))
	}
	irtest.Close(t, of.gradient(&e, of.m), want, 1e-6) // the error of differences
	return e.logP
}

// The conditional log-likelihood is that of an enumeration, and the gradient that of differences,
// for networks of both kinds, with missing values, by lists and by programs.
func TestConditionalGradient(t *testing.T) {
	for _, kind := range []model.Kind{model.Bayes, model.Markov} {
		seeds, ran := irtest.Cases(t, 12, 100), 0
		for _, seed := range seeds {
			t.Run(fmt.Sprint(kind, seed), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(seed, 1))
				m := irtest.RandomModel(seed, irtest.Options{Kinds: []model.Kind{kind}, MaxVars: 5, MaxStates: 3, NoZeros: true, TablesOnly: seed%2 == 0})
				if _, err := mle.New(m, mle.Options{}); err != nil && kind == model.Bayes {
					t.Skip("a CPD without numbers to fit")
				}
				ran++
				s := randomRows(t, m, 8, rng)
				targets := []model.VarID{model.VarID(rng.IntN(len(m.Vars)))}
				if u := model.VarID(rng.IntN(len(m.Vars))); u != targets[0] {
					targets = append(targets, u)
				}
				of := conditionalOf(t, m, s, targets, int(seed%2)*maxListed)
				x := of.by.Logits(of.m)
				for i := range x {
					x[i] += rng.NormFloat64() / 2
				}
				got := checkGradient(t, of, x)
				column, _ := mle.Columns(m, s.Vars)
				irtest.CloseTo(t, got, bruteConditional(of.by.FromLogits(of.m, x), s, column, targets), 1e-9)
			})
		}
		if 4*ran < len(seeds) {
			t.Errorf("%v: %d of %d models have numbers to fit; want a quarter", kind, ran, len(seeds))
		}
	}
}

// The gradient by the coordinates of Gaussian CPDs, with means and tables of random networks.
func TestConditionalReals(t *testing.T) {
	for _, seed := range irtest.Cases(t, 12, 100) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 1))
			m := irtest.RandomHybrid(seed, irtest.HybridOptions{MaxVars: 5, Decades: 1, NoZeros: true, NoGivens: true})
			var rows [][]float64
			for range 8 {
				state, x := irtest.HybridSample(rng, m)
				row := make([]float64, len(m.Vars))
				for v := range row {
					row[v] = float64(state[v])
					if m.IsReal(model.VarID(v)) {
						row[v] = x[v]
					}
					if rng.IntN(5) == 0 {
						row[v] = math.NaN()
					}
				}
				rows = append(rows, row)
			}
			of := conditionalOf(t, m, realSet(t, m, rows), []model.VarID{model.VarID(rng.IntN(len(m.Vars)))}, maxListed)
			x := of.by.Logits(of.m)
			irtest.Close(t, of.by.Logits(of.by.FromLogits(of.m, x)), x, 1e-9)
			for i := range x {
				x[i] += rng.NormFloat64() / 4
			}
			checkGradient(t, of, x)
		})
	}
}

// A class with a Gaussian child, with a mean and a variance for each class, becomes the logistic
// regression on the child and its square.
func TestConditionalGaussian(t *testing.T) {
	m := &model.Model{}
	m.NewVar("class", "0", "1")
	m.NewReal("x")
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{0}, Dist: &model.Table{Values: even(2, 2)}},
		{Scope: []model.VarID{0, 1}, Child: 1, Dist: &model.Gaussian{Mean: []float64{0, 0}, Var: []float64{1, 1}}},
	}
	rng := rand.New(rand.NewPCG(7, 1))
	var rows [][]float64
	for range 200 {
		x, y := 3*rng.NormFloat64(), 0.
		if rng.Float64() < 1/(1+math.Exp(1+x-x*x/5)) {
			y = 1
		}
		rows = append(rows, []float64{y, x})
	}
	fit, _ := conditionalFit(t, m, realSet(t, m, rows), RunOptions{})
	w, best := make([]float64, 3), 0.0
	for range 40 { // Newton's method
		best = 0
		g, h := [3]float64{}, [3][3]float64{}
		for _, row := range rows {
			z := [3]float64{1, row[1], row[1] * row[1]}
			p := 1 / (1 + math.Exp(-w[0]-w[1]*z[1]-w[2]*z[2]))
			best += row[0]*math.Log(p) + (1-row[0])*math.Log(1-p)
			for i := range z {
				g[i] += (row[0] - p) * z[i]
				for k := range z {
					h[i][k] += p * (1 - p) * z[i] * z[k]
				}
			}
		}
		for i := range 3 { // Gauss and Jordan
			for k := range 3 {
				if f := h[k][i] / h[i][i]; k != i {
					for j := range 3 {
						h[k][j] -= f * h[i][j]
					}
					g[k] -= f * g[i]
				}
			}
		}
		for i := range w {
			w[i] += g[i] / h[i][i]
		}
	}
	irtest.CloseTo(t, fit.Starts[0].LogP, best, 1e-8)
}

// The same for sequences, against the unrolled network if no variable is real.
func TestConditionalSequences(t *testing.T) {
	for _, seed := range irtest.Cases(t, 8, 40) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			m := irtest.RandomTemplate(seed, irtest.TemplateOptions{Reals: seed%2 == 1})
			s, wide := masked(t, m, 3, 3, .2, seed)
			column, _ := mle.Columns(m, s.Vars)
			targets := []model.VarID{model.VarID(seed % uint64(len(m.Vars)))}
			x := sequencesOf(t, m, s)
			free := &sequences{t: m, static: x.static, est: x.est, set: s, column: without(column, targets)}
			if err := free.prepare(context.Background(), &learner.Job{Cores: 1}); err != nil {
				t.Fatal(err)
			}
			of := &search{m: x.static, est: x.est, by: x.est, expect: x.expect, free: free.expect}
			got := checkGradient(t, of, x.est.Logits(x.static))
			if len(m.Reals()) > 0 {
				return
			}
			flat := m.Unroll(3)
			columns, _ := mle.Columns(flat, wide.Vars)
			var all []model.VarID
			for k := range 3 {
				all = append(all, targets[0]+model.VarID(k*len(m.Vars)))
			}
			irtest.CloseTo(t, got, bruteConditional(flat, wide, columns, all), 1e-9)
		})
	}
}

// star returns a class of three states with three children of two, and rows in which the children
// depend on one another.
func star(t *testing.T) (*model.Model, *data.Set) {
	m := &model.Model{}
	class := m.NewVar("class", "0", "1", "2").ID
	m.Factors = []*model.Factor{{Scope: []model.VarID{class}, Dist: &model.Table{Values: even(3, 3)}}}
	for _, name := range []string{"a", "b", "c"} {
		v := m.NewVar(name, "0", "1").ID
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{class, v}, Child: 1, Dist: &model.Table{Values: even(6, 2)}})
	}
	rng := rand.New(rand.NewPCG(1, 1))
	var rows [][]int
	for range 300 {
		a := rng.IntN(2)
		b, c := a, rng.IntN(2)
		if rng.IntN(5) == 0 {
			b = 1 - b
		}
		y := rng.IntN(3)
		if rng.IntN(2) == 0 {
			y = a + c
		}
		rows = append(rows, []int{y, a, b, c})
	}
	return m, learnertest.New(t, data.VarsOf(m), rows, nil)
}

// regression returns the greatest conditional log-likelihood of the first column of star, and P(0),
// P(1) and P(2) given 1, 1, 0, by gradient ascent of a logistic regression with an L2 penalty.
func regression(s *data.Set, l2 float64) (best float64, p []float64) {
	w := make([]float64, 12) // a constant and three slopes for each class
	softmax := func(x []float64) []float64 {
		p, sum := make([]float64, 3), 0.0
		for y := range p {
			for k, v := range x {
				p[y] += w[4*y+k] * v
			}
			p[y] = math.Exp(p[y])
			sum += p[y]
		}
		for y := range p {
			p[y] /= sum
		}
		return p
	}
	s = s.Merged()
	for range 20000 {
		gradient := make([]float64, len(w))
		best = 0
		for i := range s.Len() {
			x := []float64{1, 0, 0, 0}
			for k := 1; k < 4; k++ {
				col := s.Column(k)
				x[k] = float64(col.At(i))
			}
			col := s.Column(0)
			p := softmax(x)
			best += s.Weight(i) * math.Log(p[col.At(i)])
			p[col.At(i)]--
			for y := range p {
				for k := range x {
					gradient[4*y+k] -= s.Weight(i) * p[y] * x[k]
				}
			}
		}
		for k := range w {
			best -= l2 / 2 * w[k] * w[k]
			w[k] += (gradient[k] - l2*w[k]) / 150
		}
	}
	return best, softmax([]float64{1, 1, 1, 0})
}

// conditionalFit fits by the conditional likelihood of the first variable and returns its
// distribution given 1, 1, 0 by enumeration.
func conditionalFit(t *testing.T, m *model.Model, s *data.Set, opt RunOptions) (*Fit, []float64) {
	t.Helper()
	run := Run
	if m.Kind == model.Markov {
		run = RunMarkov
	}
	opt.Conditional, opt.Tolerance = []model.VarID{0}, 1e-15
	column, err := mle.Columns(m, s.Vars)
	if err != nil {
		t.Fatal(err)
	}
	fit, err := run(context.Background(), m, s, column, opt, &learner.Job{Cores: 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Reals()) > 0 {
		return fit, nil
	}
	p, sum := make([]float64, m.Card(0)), 0.0
	for y := range p {
		p[y] = 1
		for _, f := range fit.Model.Factors {
			p[y] *= fit.Model.Value(f, []int{y, 1, 1, 0})
		}
		sum += p[y]
	}
	for y := range p {
		p[y] /= sum
	}
	return fit, p
}

// The conditional likelihood of the class of a naive Bayes classifier is greatest at the logistic
// regression of the class, and so is that of the Markov network of the same pairs (example 16.1).
func TestConditionalNaiveBayes(t *testing.T) {
	m, s := star(t)
	best, want := regression(s, 0)
	bayes, p := conditionalFit(t, m, s, RunOptions{})
	irtest.CloseTo(t, bayes.Starts[0].LogP, best, 1e-8)
	irtest.Close(t, p, want, 1e-5)
	sum := bayes.Hidden
	for _, x := range bayes.Families {
		sum += x
	}
	irtest.CloseTo(t, sum, best, 1e-8)

	markov, p := conditionalFit(t, pairs(m), s, RunOptions{})
	irtest.CloseTo(t, markov.Starts[0].LogP, best, 1e-8)
	irtest.Close(t, p, want, 1e-5)
}

// pairs returns the star as a Markov network with a feature for each class, and for each class with
// state 1 of each child.
func pairs(m *model.Model) *model.Model {
	out := &model.Model{Kind: model.Markov, Vars: m.Vars}
	for v := range m.Vars {
		d, scope := &model.Features{}, []model.VarID{0}
		for y := range m.Card(0) {
			x := model.Feature{Literals: []model.Literal{{State: int32(y)}}}
			if v > 0 {
				x.Literals = append(x.Literals, model.Literal{Axis: 1, State: 1})
			}
			d.List = append(d.List, x)
		}
		if v > 0 {
			scope = append(scope, model.VarID(v))
		}
		out.Factors = append(out.Factors, &model.Factor{Scope: scope, Child: -1, Dist: d})
	}
	return out
}

// Penalties of weights: L2 gives the penalised regression, and L1 sets weights to 0 where the
// gradient is smaller than it, and all others have a gradient of its size.
func TestConditionalPenalties(t *testing.T) {
	m, s := star(t)
	best, want := regression(s, 3)
	fit, p := conditionalFit(t, pairs(m), s, RunOptions{L2: 3})
	irtest.CloseTo(t, fit.Starts[0].Objective, best, 1e-8)
	irtest.Close(t, p, want, 1e-6)

	const l1 = 12
	fit, _ = conditionalFit(t, pairs(m), s, RunOptions{L1: l1})
	of := conditionalOf(t, fit.Model, s, []model.VarID{0}, maxListed)
	e, err := (&climb{x: of, opt: &RunOptions{}, job: &learner.Job{}}).at(context.Background(), of.m)
	if err != nil {
		t.Fatal(err)
	}
	zeros := 0
	for i, g := range of.gradient(&e, of.m) {
		switch w := of.by.Logits(nil)[i]; {
		case w == 0:
			zeros++
			if math.Abs(g) > l1+1e-3 {
				t.Errorf("a weight of 0 has the gradient %v; want at most %v", g, l1)
			}
		case math.Abs(g-math.Copysign(l1, w)) > 1e-3:
			t.Errorf("a weight of %v has the gradient %v; want %v", w, g, math.Copysign(l1, w))
		}
	}
	if zeros == 0 || zeros != 12-fit.params {
		t.Errorf("%d weights are 0, and there are %d parameters of 12", zeros, fit.params)
	}
}

// Gradient ascent on the likelihood has no penalties.
func TestNoPenalties(t *testing.T) {
	m := twoOf([]float64{.6, .4}, []float64{.5, .5, .6, .4})
	want := run(t, m, gaps(t), RunOptions{Ascent: true}, 1)
	got := run(t, m, gaps(t), RunOptions{Ascent: true, L1: 3, L2: 5}, 1)
	irtest.Close(t, got.Starts[0].Trace, want.Starts[0].Trace, 0)
}

// chain3 returns a template of a class of three states that follows itself and a word of three.
func chain3() *model.Model {
	m := &model.Model{}
	m.NewVar("class", "0", "1", "2")
	m.NewVar("word", "0", "1", "2")
	words := &model.Factor{Scope: []model.VarID{0, 1}, Child: 1, Dist: &model.Table{Values: even(9, 3)}}
	m.Factors = []*model.Factor{{Scope: []model.VarID{0}, Dist: &model.Table{Values: even(3, 3)}}, words}
	next := &model.Factor{Scope: []model.VarID{2, 0}, Child: 1, Dist: &model.Table{Values: even(9, 3)}}
	m.Transition = &model.Transition{Before: []model.VarID{0}, Factors: []*model.Factor{next, words}}
	return m
}

// The conditional fit of a chain has the conditional likelihood of a linear-chain conditional
// random field with its numbers as potentials, by enumeration of all paths of states, and
// coordinate ascent over them finds no greater objective.
func TestConditionalChain(t *testing.T) {
	m := chain3()
	rng := rand.New(rand.NewPCG(3, 1))
	var rows [][]float64
	var first []int
	for range 12 {
		first = append(first, len(rows))
		y := rng.IntN(3)
		for range 2 + rng.IntN(3) {
			if rng.IntN(3) > 0 {
				y = (y + 1) % 3
			}
			w := y
			if rng.IntN(2) == 0 {
				w = rng.IntN(3)
			}
			rows = append(rows, []float64{float64(y), float64(w)})
		}
	}
	s, err := realSet(t, m, rows).InSequences(first)
	if err != nil {
		t.Fatal(err)
	}
	fit := runSequences(t, m, s, template.All, RunOptions{Conditional: []model.VarID{0}, Tolerance: 1e-14, Options: mle.Options{Prior: mle.Prior{Kind: mle.Each, Size: .5}}})
	if fit.Model.Factors[0].Counts != nil {
		t.Error("a conditional fit keeps counts")
	}
	field := fieldOf(s)
	got := [3][]float64{table(fit.Model, 0), table(fit.Model, 2), table(fit.Model, 1)}
	irtest.CloseTo(t, field.log(got), fit.Starts[0].LogP, 1e-9)
	objective := func(x []float64) float64 {
		n := [3][]float64{softmaxRows(x[:3]), softmaxRows(x[3:12]), softmaxRows(x[12:])}
		sum := field.log(n)
		for _, p := range slices.Concat(n[:]...) {
			sum += .5 * math.Log(p)
		}
		return sum
	}
	irtest.CloseTo(t, ascendCoordinates(objective, make([]float64, 21)), fit.Starts[0].Objective, 1e-6)
}

// softmaxRows returns the exponentials of x, normalised in threes.
func softmaxRows(x []float64) (p []float64) {
	for ; len(x) > 0; x = x[3:] {
		sum := math.Exp(x[0]) + math.Exp(x[1]) + math.Exp(x[2])
		p = append(p, math.Exp(x[0])/sum, math.Exp(x[1])/sum, math.Exp(x[2])/sum)
	}
	return p
}

// ascendCoordinates returns the maximum of f that steps along one coordinate after the other find.
func ascendCoordinates(f func(x []float64) float64, x []float64) float64 {
	best := f(x)
	for step := 1.0; step > 1e-5; {
		gained := false
		for i := range x {
			for _, d := range []float64{step, -step} {
				x[i] += d
				if now := f(x); now > best+1e-13 {
					best, gained = now, true
				} else {
					x[i] -= d
				}
			}
		}
		if !gained {
			step /= 2
		}
	}
	return best
}

// field is a linear-chain conditional random field by enumeration of all paths.
type field struct{ states, words [][]int }

func fieldOf(s *data.Set) *field {
	f := &field{}
	y, w := s.Column(0), s.Column(1)
	for k := range s.Sequences() {
		var states, words []int
		for i, end := s.Sequence(k); i < end; i++ {
			states, words = append(states, y.At(i)), append(words, w.At(i))
		}
		f.states, f.words = append(f.states, states), append(f.words, words)
	}
	return f
}

// log returns the sum of the conditional log-likelihoods of the states given the words, with
// potentials of the first state, of pairs of states, and of states and words.
func (f *field) log(n [3][]float64) (total float64) {
	score := func(states, words []int) float64 {
		p := n[0][states[0]]
		for t, y := range states {
			if t > 0 {
				p *= n[1][3*states[t-1]+y]
			}
			p *= n[2][3*y+words[t]]
		}
		return p
	}
	for k, states := range f.states {
		sum, path := 0.0, make([]int, len(states))
		for more := true; more; {
			sum += score(path, f.words[k])
			more = false
			for t := len(path) - 1; t >= 0 && !more; t-- {
				if path[t] = (path[t] + 1) % 3; path[t] > 0 {
					more = true
				}
			}
		}
		total += math.Log(score(states, f.words[k]) / sum)
	}
	return total
}
