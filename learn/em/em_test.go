package em

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
	"github.com/pgmc-go/pgmc/learn/mle"
)

// twoOf returns a network of x and its child y, of two states each.
func twoOf(x, y []float64) *model.Model {
	m := &model.Model{}
	m.NewVar("x", "0", "1")
	m.NewVar("y", "0", "1")
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{0}, Dist: &model.Table{Values: x}},
		{Scope: []model.VarID{0, 1}, Child: 1, Dist: &model.Table{Values: y}},
	}
	return m
}

func table(m *model.Model, factor int) []float64 { return m.Factors[factor].Dist.(*model.Table).Values }

// gaps returns the rows of Koller and Friedman, section 19.1.3, with x of one row x0 y1 hidden.
// State 0 is x1 and y1.
func gaps(t testing.TB) *data.Set {
	return learnertest.New(t, learnertest.Vars("x", 2, "y", 2), [][]int{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {data.Missing, 0}}, []float64{13, 16, 9, 4, 1})
}

func expecterOf(t testing.TB, m *model.Model, s *data.Set, opt mle.Options) *expecter {
	t.Helper()
	return expecterBy(t, m, s, opt, maxListed)
}

func expecterBy(t testing.TB, m *model.Model, s *data.Set, opt mle.Options, listed int) *expecter {
	t.Helper()
	est, err := mle.New(m, opt)
	if err != nil {
		t.Fatal(err)
	}
	column, err := mle.Columns(m, s.Vars)
	if err != nil {
		t.Fatal(err)
	}
	x, err := newExpecter(context.Background(), m, est, s, column, limits{1, 0, listed})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func run(t testing.TB, m *model.Model, s *data.Set, opt RunOptions, seed uint64) *Fit {
	t.Helper()
	column, err := mle.Columns(m, s.Vars)
	if err != nil {
		t.Fatal(err)
	}
	fit, err := Run(context.Background(), m, s, column, opt, &learner.Job{Seed: seed, Cores: 1})
	if err != nil {
		t.Fatal(err)
	}
	return fit
}

// Expected counts and the derivative at P(x1)=.6, P(y1|x1)=.5, P(y1|x0)=.6: the hidden x is x1 with
// probability .3/.54 = 5/9. The numbers were computed independently; the derivatives by the three
// parameters are 15.648148, -4.888889 and 5.740741, and those by logits are these times p (1 - p).
func TestExpectedCounts(t *testing.T) {
	m := twoOf([]float64{.6, .4}, []float64{.5, .5, .6, .4})
	x := expecterOf(t, m, gaps(t), mle.Options{})
	n, logP, err := x.expect(context.Background(), m)
	if err != nil {
		t.Fatal(err)
	}
	irtest.CloseTo(t, logP, -55.705770520631, 1e-11)
	irtest.Close(t, n[0], []float64{29 + 5./9, 13 + 4./9}, 1e-12)
	irtest.Close(t, n[1], []float64{13 + 5./9, 16, 9 + 4./9, 4}, 1e-12)
	g := x.est.Gradient(n, m, m)
	irtest.Close(t, g, []float64{15.648148 * .24, -15.648148 * .24, -4.888889 * .25, 4.888889 * .25, 5.740741 * .24, -5.740741 * .24}, 1e-6)
}

// EM and gradient ascent, each from thirty random starts, find the maximum, which has a closed form
// since y is never hidden.
func TestGaps(t *testing.T) {
	m := twoOf([]float64{.6, .4}, []float64{.5, .5, .6, .4})
	for _, ascent := range []bool{false, true} {
		fit := run(t, m, gaps(t), RunOptions{Random: true, Restarts: 29, Tolerance: 1e-14, Ascent: ascent}, 1)
		if len(fit.Starts) != 30 {
			t.Fatalf("%d starts; want 30", len(fit.Starts))
		}
		for _, s := range fit.Starts {
			if math.Abs(s.LogP - -54.592212139) > 1e-9 || !s.Converged {
				t.Errorf("ascent %v: a start ends at %.10f, converged %v; want -54.592212139", ascent, s.LogP, s.Converged)
			}
		}
		irtest.CloseTo(t, table(fit.Model, 0)[0], .688160676533, 1e-6)
		irtest.CloseTo(t, table(fit.Model, 1)[0], .459293394777, 1e-6)
		irtest.CloseTo(t, table(fit.Model, 1)[2], .701694915254, 1e-6)
		sum := fit.Hidden
		for _, x := range fit.Families {
			sum += x
		}
		irtest.CloseTo(t, sum, fit.Starts[fit.Best].LogP, 1e-12)
		w := 13. / 22 // P(x1) of the hidden x
		irtest.CloseTo(t, fit.Hidden, -(w*math.Log(w) + (1-w)*math.Log(1-w)), 1e-5)
	}
}

// A step of EM for a mixture by hand. With P(c=0)=.6, P(a=1|c)=.7 and .2, P(b=1|c)=.6 and .5, the
// row 1 1 has .6*.7*.6 = .252 with class 0 and .4*.2*.5 = .04 with class 1, and the row 0 0 has
// .6*.3*.4 = .072 and .4*.8*.5 = .16. So class 0 has the weights .252/.292 = 63/73 and .072/.232 =
// 9/29. After the step its probability is half their sum, and P(a=1|c) and P(b=1|c) are the share
// of the first row in the weights of the class.
func TestMixtureStep(t *testing.T) {
	vars := learnertest.Vars("a", 2, "b", 2)
	m, err := mixture(vars, 2, 0)
	if err != nil {
		t.Fatal(err)
	}
	m.Factors[0].Dist = &model.Table{Values: []float64{.6, .4}}
	m.Factors[1].Dist = &model.Table{Values: []float64{.3, .7, .8, .2}}
	m.Factors[2].Dist = &model.Table{Values: []float64{.4, .6, .5, .5}}
	s := learnertest.New(t, vars, [][]int{{1, 1}, {0, 0}}, nil)
	fit := run(t, m, s, RunOptions{Steps: 1}, 0)
	u, v := 63./73, 9./29
	irtest.Close(t, table(fit.Model, 0), []float64{(u + v) / 2, 1 - (u+v)/2}, 1e-14)
	p, q := u/(u+v), (1-u)/(2-u-v)
	for i := 1; i <= 2; i++ {
		irtest.Close(t, table(fit.Model, i), []float64{1 - p, p, 1 - q, q}, 1e-14)
	}
	irtest.CloseTo(t, fit.Starts[0].Trace[0], math.Log(.292)+math.Log(.232), 1e-14)
	if best := fit.Starts[0]; best.Steps != 1 || best.Converged {
		t.Errorf("%d steps, converged %v; want 1 that is not the last", best.Steps, best.Converged)
	}
}

// From the expected counts of a mixture, EM finds the mixture, up to the names of its classes.
func TestMixtureIsFound(t *testing.T) {
	vars := learnertest.Vars("a", 2, "b", 2, "c", 3, "d", 2)
	class := []float64{.35, .65}
	p := [][][]float64{{{.9, .1}, {.8, .2}, {.7, .2, .1}, {.6, .4}}, {{.2, .8}, {.3, .7}, {.1, .3, .6}, {.1, .9}}}
	s := learnertest.Expected(t, vars, 1000, func(x []int) float64 {
		sum := 0.0
		for k := range class {
			product := class[k]
			for i, s := range x {
				product *= p[k][i][s]
			}
			sum += product
		}
		return sum
	})
	m, err := mixture(vars, 2, 0)
	if err != nil {
		t.Fatal(err)
	}
	fit := run(t, m, s, RunOptions{Random: true, Restarts: 3, Steps: 5000, Tolerance: 1e-15}, 3)
	first := 0
	if table(fit.Model, 0)[0] > .5 {
		first = 1
	}
	irtest.CloseTo(t, table(fit.Model, 0)[first], .35, 1e-3)
	for i, v := range vars {
		k := len(v.States)
		irtest.Close(t, table(fit.Model, i+1)[first*k:(first+1)*k], p[0][i], 1e-3)
	}
}

// If x2 is hidden by chance that depends on x1 alone, in four rows of five with x1=0 and in one of
// ten with x1=1, the likelihood of the observed values leads to the truth, P(x1=1)=.4 and
// P(x2=1)=.46, in both structures. The complete rows would give .75 and .6.
func TestMissingAtRandom(t *testing.T) {
	vars := learnertest.Vars("x", 2, "y", 2)
	var rows [][]int
	var weights []float64
	for x, px := range []float64{.6, .4} {
		q, hidden := []float64{.3, .7}[x], []float64{.8, .1}[x]
		rows = append(rows, []int{x, 0}, []int{x, 1}, []int{x, data.Missing})
		weights = append(weights, 1000*px*(1-q)*(1-hidden), 1000*px*q*(1-hidden), 1000*px*hidden)
	}
	s := learnertest.New(t, vars, rows, weights)
	m := twoOf([]float64{.5, .5}, []float64{.5, .5, .4, .6})
	fit := run(t, m, s, RunOptions{Tolerance: 1e-14}, 0)
	irtest.Close(t, table(fit.Model, 0), []float64{.6, .4}, 1e-6)
	irtest.Close(t, table(fit.Model, 1), []float64{.7, .3, .3, .7}, 1e-6)
	m.Vars[0].Name, m.Vars[1].Name = "y", "x" // y is the parent
	fit = run(t, m, s, RunOptions{Tolerance: 1e-14}, 0)
	irtest.Close(t, table(fit.Model, 0), []float64{.54, .46}, 1e-4)
	irtest.Close(t, table(fit.Model, 1), []float64{.42 / .54, .12 / .54, .18 / .46, .28 / .46}, 1e-4)
}

// Complete rows are fitted in one step; the second gains nothing.
func TestCompleteRows(t *testing.T) {
	m := twoOf([]float64{.9, .1}, []float64{.5, .5, .6, .4})
	s := learnertest.New(t, learnertest.Vars("x", 2, "y", 2), [][]int{{0, 0}, {0, 1}, {1, 0}, {1, 1}}, []float64{13, 16, 10, 4})
	fit := run(t, m, s, RunOptions{}, 0)
	irtest.Close(t, table(fit.Model, 1), []float64{13. / 29, 16. / 29, 10. / 14, 4. / 14}, 0)
	if trace := fit.Starts[0].Trace; math.Abs(trace[1] - -55.4548153976) > 1e-10 || trace[len(trace)-1] != trace[1] {
		t.Errorf("the objective goes %v; want -55.4548153976 after one step", trace)
	}
}

// random returns a network with every kind of CPD that can be fitted, and incomplete rows drawn
// from it, in some cases with a hidden variable.
func random(t testing.TB, seed uint64) (*model.Model, *data.Set) {
	m := irtest.RandomModel(seed, irtest.Options{Kinds: []model.Kind{model.Bayes}, MaxVars: 6, MaxStates: 3})
	for _, f := range m.Factors {
		if _, ok := f.Dist.(*model.Features); ok {
			values, err := m.Tabulate(f, 1<<16)
			if err != nil {
				t.Fatal(err)
			}
			f.Dist, f.RowPos = &model.Table{Values: values}, nil
		}
	}
	rng := rand.New(rand.NewPCG(seed, 9))
	vars := data.VarsOf(m)
	column, err := mle.Columns(m, vars)
	if err != nil {
		t.Skip(err)
	}
	var rows [][]int
	state := make([]int, len(m.Vars))
	for range 25 {
		for _, v := range m.Topological() {
			f, u := m.CPD(v), rng.Float64()
			for s := range m.Card(v) {
				state[v] = s
				if u -= m.Value(f, state); u < 0 {
					break
				}
			}
		}
		row := make([]int, len(vars))
		for v, c := range column {
			if c < 0 {
				continue
			}
			if row[c] = state[v]; rng.Float64() < .3 || v == int(seed)%7 {
				row[c] = data.Missing
			}
		}
		rows = append(rows, row)
	}
	return m, learnertest.New(t, vars, rows, nil)
}

// The objective never falls, for any CPDs, any prior, and its mean or mode.
func TestNeverFalls(t *testing.T) {
	for seed := range uint64(60) {
		m, s := random(t, seed)
		for _, c := range []struct {
			prior mle.Prior
			mode  bool
		}{{mle.Prior{}, false}, {mle.Prior{Kind: mle.BDeu, Size: 2}, false}, {mle.Prior{Kind: mle.Each, Size: 1.5}, true}} {
			x := expecterOf(t, m, s, mle.Options{Prior: c.prior, Mode: c.mode})
			now := x.est.Random(m, rand.New(rand.NewPCG(seed, 2)))
			last := math.Inf(-1)
			for step := range 12 {
				n, logP, err := x.expect(context.Background(), now)
				if err != nil {
					t.Fatalf("network %d: %v", seed, err)
				}
				objective := logP + x.est.Penalty(now)
				if objective < last-1e-9*math.Abs(last) {
					t.Errorf("network %d, prior %v: step %d leads from %v down to %v", seed, c.prior, step, last, objective)
				}
				now, last = x.est.Fit(n, now), objective
			}
		}
	}
}

// The expected counts minus their expectation under the parameters are the derivative of the
// log-likelihood by logits, compared with finite differences (Koller and Friedman, lemma 19.1). The
// counts of a family sum to the weight of the rows.
func TestGradient(t *testing.T) {
	for seed := range uint64(30) {
		m, s := random(t, seed)
		x := expecterOf(t, m, s, mle.Options{Prior: mle.Prior{Kind: mle.Each, Size: .5}})
		m = x.est.Random(m, rand.New(rand.NewPCG(seed, 3)))
		objective := func(at []float64) float64 {
			m := x.est.FromLogits(m, at)
			_, logP, err := x.expect(context.Background(), m)
			if err != nil {
				t.Fatal(err)
			}
			return logP + x.est.Penalty(m)
		}
		n, _, err := x.expect(context.Background(), m)
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range m.Factors {
			sum := 0.0
			for _, c := range n[i] {
				sum += c
			}
			if _, fixed := f.Dist.(*model.Deterministic); !fixed {
				irtest.CloseTo(t, sum, 25, 1e-10)
			}
		}
		at, gradient := x.est.Logits(m), x.est.Gradient(n, m, m)
		for i := 0; i < len(at); i += 1 + len(at)/8 {
			const h = 1e-4
			up, down := slices.Clone(at), slices.Clone(at)
			up[i], down[i] = at[i]+h, at[i]-h
			if want := (objective(up) - objective(down)) / (2 * h); math.Abs(gradient[i]-want) > 1e-5*max(1, math.Abs(want)) {
				t.Errorf("network %d: derivative %d is %v; differences show %v", seed, i, gradient[i], want)
			}
		}
	}
}

// Expected counts from listed completions equal those of a compiled program.
func TestListed(t *testing.T) {
	for seed := range uint64(40) {
		m, s := random(t, seed)
		x, y := expecterBy(t, m, s, mle.Options{}, 1<<20), expecterBy(t, m, s, mle.Options{}, 0)
		m = x.est.Random(m, rand.New(rand.NewPCG(seed, 4)))
		n, logP, err := x.expect(context.Background(), m)
		if err != nil {
			t.Fatal(err)
		}
		want, wantP, err := y.expect(context.Background(), m)
		if err != nil {
			t.Fatal(err)
		}
		irtest.CloseTo(t, logP, wantP, 1e-11)
		for i := range n {
			irtest.Close(t, n[i], want[i], 1e-10)
		}
	}
}

// A hidden cause of variables each of which has probability .001 or .002: with 400 of them the
// product underflows, but its logarithm is finite.
func TestSmallProbabilities(t *testing.T) {
	smallProbabilities(t, 400, 2)
	smallProbabilities(t, 60, 0)
}

func smallProbabilities(t *testing.T, n, listed int) {
	m := &model.Model{}
	h := m.NewVar("h", "0", "1")
	h.Latent = true
	m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{0}, Dist: &model.Table{Values: []float64{.5, .5}}})
	row := make([]int, n)
	for i := range n {
		v := m.NewVar(fmt.Sprint("x", i), "0", "1").ID
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{0, v}, Child: 1, Dist: &model.Table{Values: []float64{.999, .001, .998, .002}}})
		row[i] = 1
	}
	s := learnertest.New(t, data.VarsOf(m), [][]int{row}, nil)
	counts, logP, err := expecterBy(t, m, s, mle.Options{}, listed).expect(context.Background(), m)
	if err != nil {
		t.Fatal(err)
	}
	irtest.CloseTo(t, logP, math.Log(.5)+float64(n)*math.Log(.002), 1e-12) // 2^-n of the other state is negligible
	irtest.Close(t, counts[0], []float64{0, 1}, 1e-12)
}

// The same rows give the same numbers on any number of cores.
func TestCores(t *testing.T) {
	m, s := random(t, 4)
	column, err := mle.Columns(m, s.Vars)
	if err != nil {
		t.Fatal(err)
	}
	var first *Fit
	for cores := 1; cores <= 3; cores++ {
		fit, err := Run(context.Background(), m, s, column, RunOptions{Random: true, Restarts: 2, Steps: 5}, &learner.Job{Seed: 7, Cores: cores})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = fit
		} else if !reflect.DeepEqual(fit, first) {
			t.Errorf("on %d cores the result is another", cores)
		}
	}
}

// If the context ends in the second start, the result is the best so far.
func TestStopped(t *testing.T) {
	m, s := random(t, 4)
	column, err := mle.Columns(m, s.Vars)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	job := &learner.Job{Cores: 1, Progress: func(e learner.Event) {
		if e.Done == 12 {
			cancel()
		}
	}}
	fit, err := Run(ctx, m, s, column, RunOptions{Random: true, Restarts: 5, Steps: 10, Tolerance: 1e-300}, job)
	if !errors.Is(err, context.Canceled) || fit == nil || !fit.Stopped || len(fit.Starts) != 2 || fit.Starts[1].Steps != 2 {
		t.Fatalf("got %+v, %v; want two starts, the second of two steps", fit, err)
	}
	if list := fit.Model.Check(); list.HasErrors() {
		t.Error(list.Err())
	}
}

// Zero parameters of the model make the first objective -Inf, but not the next.
func TestZeroToBeginWith(t *testing.T) {
	m := twoOf([]float64{1, 0}, []float64{.5, .5, .6, .4})
	fit := run(t, m, gaps(t), RunOptions{Options: mle.Options{Prior: mle.Prior{Kind: mle.Each, Size: 1}}}, 0)
	if s := fit.Starts[0]; !s.Converged || len(s.Trace) != s.Steps || math.IsInf(s.Trace[0], -1) {
		t.Errorf("got %+v; want a trace without its beginning", s)
	}
	m, prior := twoOf([]float64{.5, .5}, []float64{1, 0, .5, .5}), mle.Prior{Kind: mle.BDeu, Size: 1}
	seen := learnertest.New(t, learnertest.Vars("x", 2, "y", 2), [][]int{{data.Missing, 0}, {data.Missing, 1}, {0, 0}, {1, 0}, {1, 1}}, []float64{29, 11, 96, 31, 33})
	for _, ascent := range []bool{false, true} {
		fit := run(t, m, seen, RunOptions{Options: mle.Options{Prior: prior}, Ascent: ascent}, 0)
		irtest.CloseTo(t, fit.Starts[0].Objective, -178.7382, 1e-6)
	}
}

// Gradient ascent from a network with zeros ends at a maximum, and with a prior at that of EM; the
// likelihood has others. Both refuse rows that are impossible.
func TestAscentFromZeros(t *testing.T) {
	compared, refused := 0, 0
	for seed := range uint64(60) {
		m, s := random(t, seed)
		rng := rand.New(rand.NewPCG(seed, 5))
		for _, f := range m.Factors {
			d, ok := f.Dist.(*model.Table)
			if !ok {
				continue
			}
			values := slices.Clone(d.Values)
			for row := range slices.Chunk(values, m.Card(f.ChildVar())) {
				if k := rng.IntN(len(row)); f.Child == len(f.Scope)-1 && len(row) > 1 && rng.Float64() < .4 {
					rest := 1 - row[k]
					for i := range row {
						row[i] /= rest
					}
					row[k] = 0
				}
			}
			f.Dist = &model.Table{Values: values}
		}
		column, err := mle.Columns(m, s.Vars)
		if err != nil {
			t.Fatal(err)
		}
		for _, prior := range []mle.Prior{{}, {Kind: mle.BDeu, Size: 1}, {Kind: mle.Each, Size: 1}} {
			opt := RunOptions{Options: mle.Options{Prior: prior}, Steps: 20_000, Tolerance: 1e-13}
			climbed, failed := Run(context.Background(), m, s, column, opt, &learner.Job{Cores: 1})
			opt.Ascent = true
			ascended, err := Run(context.Background(), m, s, column, opt, &learner.Job{Cores: 1})
			if failed != nil {
				if refused++; err == nil || err.Error() != failed.Error() {
					t.Errorf("network %d, prior %v: error %v; want %v", seed, prior, err, failed)
				}
				continue
			}
			if err != nil {
				t.Fatalf("network %d, prior %v: %v", seed, prior, err)
			}
			compared++
			got, want := ascended.Starts[0], climbed.Starts[0]
			near := func(x float64) bool { return math.Abs(got.Objective-x) <= 1e-6*max(1, math.Abs(want.Objective)) }
			if prior.Kind != mle.None && !near(want.Objective) {
				t.Errorf("network %d, prior %v: ascent ends at %v after %d steps, EM at %v after %d", seed, prior, got.Objective, got.Steps, want.Objective, want.Steps)
			}
			opt.Ascent = false
			if again, err := Run(context.Background(), ascended.Model, s, column, opt, &learner.Job{Cores: 1}); err != nil || !near(again.Starts[0].Objective) {
				t.Errorf("network %d, prior %v: ascent ends at %v, where EM finds more: %v, %v", seed, prior, got.Objective, again.Starts, err)
			}
		}
	}
	if compared < 100 || refused < 50 {
		t.Errorf("%d fits and %d refusals; want more", compared, refused)
	}
}

// Models that data cannot distinguish have the same likelihood (Koller and Friedman, examples 19.6
// to 19.8): a hidden coin that chooses between two others, which may be equal or .8 and .2; two
// coins that are never seen together; exchanged states of a hidden variable.
func TestNotIdentified(t *testing.T) {
	y := learnertest.Vars("y", 2)
	choice := learnertest.New(t, y, [][]int{{0}, {1}}, []float64{7, 5})
	apart := learnertest.New(t, learnertest.Vars("x", 2, "y", 2), [][]int{{0, data.Missing}, {1, data.Missing}, {data.Missing, 0}, {data.Missing, 1}}, []float64{4, 6, 3, 7})
	for _, c := range []struct {
		name string
		s    *data.Set
		a, b *model.Model
	}{
		{"19.6", choice, twoOf([]float64{.5, .5}, []float64{.5, .5, .5, .5}), twoOf([]float64{.5, .5}, []float64{.8, .2, .2, .8})},
		{"19.7", apart, twoOf([]float64{.4, .6}, []float64{.3, .7, .3, .7}), twoOf([]float64{.4, .6}, []float64{.75, .25, 0, 1})},
		{"19.8", choice, twoOf([]float64{.3, .7}, []float64{.9, .1, .2, .8}), twoOf([]float64{.7, .3}, []float64{.2, .8, .9, .1})},
	} {
		var logP [2]float64
		for i, m := range []*model.Model{c.a, c.b} {
			x := expecterOf(t, m, c.s, mle.Options{})
			var err error
			if _, logP[i], err = x.expect(context.Background(), m); err != nil {
				t.Fatal(err)
			}
		}
		irtest.CloseTo(t, logP[0], logP[1], 1e-12)
		if c.name == "19.6" {
			irtest.CloseTo(t, logP[0], 12*math.Log(.5), 1e-12)
		}
	}
}

func TestRefused(t *testing.T) {
	m := twoOf([]float64{.6, .4}, []float64{1, 0, 1, 0})
	s := learnertest.New(t, learnertest.Vars("x", 2, "y", 2), [][]int{{data.Missing, 1}}, nil)
	for _, c := range []struct {
		opt  RunOptions
		want string
	}{
		{RunOptions{}, "a row has probability 0 under the numbers of the model, from which no fit can begin: y=1; want numbers above 0 to begin with, as random ones are"},
		{RunOptions{Options: mle.Options{Mode: true, Prior: mle.Prior{Kind: mle.BDeu, Size: 1}}},
			"a prior with a pseudo-count of 0.25 has no mode to climb to; want pseudo-counts of at least 1, as of prior k2, or the posterior mean"},
		{RunOptions{Options: mle.Options{Prior: mle.Prior{Kind: mle.Pooled, Size: 1}}}, "prior pooled depends on counts, which EM changes; want another prior"},
		{RunOptions{Tolerance: math.NaN()}, "tolerance NaN; want a number above 0"},
		{RunOptions{Restarts: -1}, "-1 restarts, 500 steps; want numbers from 0"},
	} {
		_, err := Run(context.Background(), m, s, []int{0, 1}, c.opt, &learner.Job{Cores: 1})
		if err == nil || err.Error() != c.want {
			t.Errorf("got %v; want %s", err, c.want)
		}
	}
}

// TestEnded checks that gains which shrink by a constant factor end when those to come add up to
// the tolerance, that a rising gain ends nothing, and that one of the size of rounding does.
func TestEnded(t *testing.T) {
	const tolerance, objective = 1e-8, 1000.
	for _, r := range []float64{.6, .9, .99, .999} {
		c := climb{opt: &RunOptions{Tolerance: tolerance}, gain: 2}
		gain := 1.
		for !c.ended(gain, objective) {
			gain *= r
		}
		if rest := gain * r / (1 - r); rest > tolerance*objective*(1+1e-9) || rest < r*tolerance*objective*(1-1e-6) {
			t.Errorf("gains shrink by %v: %v are to come; want at most %v and not much less", r, rest, tolerance*objective)
		}
	}
	c := climb{opt: &RunOptions{Tolerance: tolerance}, gain: 1e-7}
	if c.ended(2e-7, objective) || !c.ended(1e-10, objective) || !c.ended(-1, objective) || c.ended(math.Inf(1), math.Inf(1)) {
		t.Error("a gain that rises, of rounding, below 0 or of an infinite objective ends the run, or does not, as it should not")
	}
}
