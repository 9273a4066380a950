package learn_test

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/mle"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// casino returns the dishonest casino: two dice, of which the loaded one shows a six half the time.
func casino() *model.Model {
	m := &model.Model{}
	die, roll := m.NewVar("die", "Fair", "Loaded").ID, m.NewVar("roll", "1", "2", "3", "4", "5", "6").ID
	sides := &model.Table{Values: []float64{1. / 6, 1. / 6, 1. / 6, 1. / 6, 1. / 6, 1. / 6, .1, .1, .1, .1, .1, .5}}
	m.Factors = []*model.Factor{{Scope: []model.VarID{die}, Dist: &model.Table{Values: []float64{.99, .01}}},
		{Scope: []model.VarID{die, roll}, Child: 1, Dist: sides}}
	m.Transition = &model.Transition{Before: []model.VarID{die}, Factors: []*model.Factor{
		{Scope: []model.VarID{2, die}, Child: 1, Dist: &model.Table{Values: []float64{.95, .05, .1, .9}}},
		{Scope: []model.VarID{die, roll}, Child: 1, Dist: sides}}}
	return m
}

// localLevel returns a level that drifts, measured with noise: its variances begin at 10^4.
func localLevel() *model.Model {
	m := &model.Model{}
	level, flow := m.NewReal("level").ID, m.NewReal("Flow").ID
	m.Vars[level].Latent = true
	measured := &model.Factor{Scope: []model.VarID{level, flow}, Child: 1, Dist: &model.Gaussian{Mean: []float64{0}, Coef: []float64{1}, Var: []float64{1e4}}}
	m.Factors = []*model.Factor{{Scope: []model.VarID{level}, Dist: &model.Gaussian{Mean: []float64{0}, Var: []float64{1e9}}}, measured}
	m.Transition = &model.Transition{Before: []model.VarID{level}, Factors: []*model.Factor{
		{Scope: []model.VarID{2, level}, Child: 1, Dist: &model.Gaussian{Mean: []float64{0}, Coef: []float64{1}, Var: []float64{1e4}}}, measured}}
	return m
}

func shared(t *testing.T, m *model.Model, name string) *data.Set {
	t.Helper()
	s, err := rowfile.Load(filepath.Join(irtest.Shared(t), "data", "temporal", name), rowfile.Auto, rowfile.LoadOptions{Vars: data.VarsOf(m), Slices: true})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func fitSequences(t *testing.T, m *model.Model, s *data.Set, opt learn.ParameterOptions) *learner.Result {
	t.Helper()
	r, err := learn.FitParameters(context.Background(), &learner.Job{Train: s, Init: m, Seed: 1, Cores: 2}, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The first value of the objective is ln P of the rolls, -516.4525 by the package aphid of R. EM is
// the loop of Baum and Welch, with the rolls of all slices together.
func TestCasino(t *testing.T) {
	m := casino()
	s := shared(t, m, "casino.csv")
	var rolls []int
	for i := range s.Len() {
		column := s.Column(1)
		rolls = append(rolls, column.At(i))
	}
	hidden := casino()
	hidden.Vars[0].Latent = true
	only := shared(t, hidden, "casino.csv")
	opt := learn.ParameterOptions{EM: true}
	opt.Steps, opt.Tolerance = 10, 1e-300
	r := fitSequences(t, hidden, only, opt)
	trace := r.Report.Starts[0].Trace
	irtest.CloseTo(t, trace[0], -516.4525, 5e-5)
	irtest.Close(t, trace, baumWelch(rolls, 10), 1e-8)
}

// baumWelch returns ln P of the rolls before each of some steps of EM, and after them.
func baumWelch(rolls []int, steps int) (trace []float64) {
	start, move := [2]float64{.99, .01}, [2][2]float64{{.95, .05}, {.1, .9}}
	show := [2][6]float64{{1. / 6, 1. / 6, 1. / 6, 1. / 6, 1. / 6, 1. / 6}, {.1, .1, .1, .1, .1, .5}}
	n := len(rolls)
	for range steps + 1 {
		alpha, beta, scale := make([][2]float64, n), make([][2]float64, n), make([]float64, n)
		logP := 0.0
		for t, x := range rolls {
			for k := range 2 {
				alpha[t][k] = start[k]
				if t > 0 {
					alpha[t][k] = alpha[t-1][0]*move[0][k] + alpha[t-1][1]*move[1][k]
				}
				alpha[t][k] *= show[k][x]
			}
			scale[t] = alpha[t][0] + alpha[t][1]
			alpha[t][0], alpha[t][1] = alpha[t][0]/scale[t], alpha[t][1]/scale[t]
			logP += math.Log(scale[t])
		}
		trace = append(trace, logP)
		beta[n-1] = [2]float64{1, 1}
		for t := n - 2; t >= 0; t-- {
			for k := range 2 {
				for l := range 2 {
					beta[t][k] += move[k][l] * show[l][rolls[t+1]] * beta[t+1][l] / scale[t+1]
				}
			}
		}
		var moves [2][2]float64
		var shows [2][6]float64
		for t, x := range rolls {
			for k := range 2 {
				shows[k][x] += alpha[t][k] * beta[t][k]
				for l := range 2 {
					if t > 0 {
						moves[k][l] += alpha[t-1][k] * move[k][l] * show[l][x] * beta[t][l] / scale[t]
					}
				}
			}
		}
		for k := range 2 {
			start[k] = alpha[0][k] * beta[0][k]
			total := 0.0
			for _, c := range shows[k] {
				total += c
			}
			for x := range show[k] {
				show[k][x] = shows[k][x] / total
			}
			for l := range 2 {
				move[k][l] = moves[k][l] / (moves[k][0] + moves[k][1])
			}
		}
	}
	return trace
}

// EM of the variances of the Nile's local level, from 10^4 each under a broad prior, comes within 1
// % of the maximum with a diffuse one, 15099 and 1469.1 (Durbin and Koopman 2012, section 2.10.3).
func TestNile(t *testing.T) {
	m := localLevel()
	opt := learn.ParameterOptions{EM: true}
	opt.Fixed, opt.FixedMean = []model.VarID{0}, []model.VarID{1, 2, 3}
	r := fitSequences(t, m, shared(t, m, "nile.csv"), opt)
	if !r.Report.Starts[0].Converged || r.Report.Params != 2 {
		t.Errorf("converged %v with %d parameters; want 2", r.Report.Starts[0].Converged, r.Report.Params)
	}
	fit := r.Models[0]
	irtest.CloseTo(t, fit.Transition.Factors[1].Gaussian().Var[0], 15099, 151)
	irtest.CloseTo(t, fit.Transition.Factors[0].Gaussian().Var[0], 1469.1, 14.7)
	irtest.CloseTo(t, fit.Factors[1].Gaussian().Var[0], fit.Transition.Factors[1].Gaussian().Var[0], 0)
	irtest.CloseTo(t, fit.Factors[0].Gaussian().Var[0], 1e9, 0)
}

// With a diffuse start, ln P at the published variances is -632.5456251157, and EM ends at the
// maximum: 15098.518853 and 1469.176070, with ln P -632.545625103 (MANIFEST.md of temporal2).
func TestNileDiffuse(t *testing.T) {
	m := localLevel()
	m.Factors[0].Dist = &model.Diffuse{}
	s := shared(t, m, "nile.csv")
	opt := learn.ParameterOptions{EM: true}
	opt.FixedMean = []model.VarID{1, 2, 3}
	opt.Tolerance, opt.Steps = 1e-15, 5000
	r := fitSequences(t, m, s, opt)
	fit := r.Models[0]
	irtest.CloseTo(t, r.Report.Total, -632.545625103, 1e-8)
	irtest.CloseTo(t, fit.Transition.Factors[1].Gaussian().Var[0], 15098.518853, 1)
	irtest.CloseTo(t, fit.Transition.Factors[0].Gaussian().Var[0], 1469.176070, 1)

	fit.Factors[1].Dist = &model.Gaussian{Mean: []float64{0}, Coef: []float64{1}, Var: []float64{15099}}
	fit.Transition.Factors[1].Dist = fit.Factors[1].Dist
	fit.Transition.Factors[0].Dist = &model.Gaussian{Mean: []float64{0}, Coef: []float64{1}, Var: []float64{1469.1}}
	opt.Steps = 1
	irtest.CloseTo(t, fitSequences(t, fit, s, opt).Report.Starts[0].Trace[0], -632.5456251157, 1e-9)
}

// A level whose scale is free has no most probable parameters: EM ends each start at the last
// numbers that are in range, and says that it did not converge.
func TestUnboundedLikelihood(t *testing.T) {
	m := localLevel()
	m.Factors[0].Dist = &model.Diffuse{}
	s := shared(t, m, "nile.csv")
	opt := learn.ParameterOptions{EM: true}
	opt.Restarts, opt.Steps = 4, 500
	r := fitSequences(t, m, s, opt)
	if list := r.Models[0].Check(); list.HasErrors() || r.Report.Starts[0].Converged {
		t.Errorf("converged %v, and the model has %v", r.Report.Starts[0].Converged, list)
	}
}

// A level and its slope, both diffuse: ln P is that of the compiled filter, with missing values,
// and never falls. The expected counts are those under a prior of large variance.
func TestDiffuseTrend(t *testing.T) {
	diffuse, broad := trend(&model.Diffuse{}), trend(&model.Gaussian{Mean: []float64{0}, Var: []float64{1e7}})
	values := [][]float64{{1}, {math.NaN()}, {3.5}, {5}, {4.5}, {math.NaN()}, {8}, {2}, {2.5}, {1}, {4}}
	s, err := data.NewReal(data.VarsOf(diffuse), values, nil)
	if err != nil {
		t.Fatal(err)
	}
	if s, err = s.InSequences([]int{0, 7}); err != nil {
		t.Fatal(err)
	}
	logs, err := rate.Sequences(context.Background(), diffuse, s)
	if err != nil {
		t.Fatal(err)
	}
	opt := learn.ParameterOptions{EM: true}
	opt.Steps, opt.Tolerance = 20, 1e-300
	r := fitSequences(t, diffuse, s, opt)
	trace := r.Report.Starts[0].Trace
	irtest.CloseTo(t, trace[0], logs[0]+logs[1], 1e-9)
	for i := range trace[1:] {
		if trace[i+1] < trace[i]-1e-9 {
			t.Errorf("ln P falls from %v to %v", trace[i], trace[i+1])
		}
	}
	opt.Steps, opt.Fixed = 1, []model.VarID{0, 1}
	got, want := fitSequences(t, diffuse, s, opt).Models[0], fitSequences(t, broad, s, opt).Models[0]
	for i := range got.Transition.Factors {
		a, b := got.Transition.Factors[i].Gaussian(), want.Transition.Factors[i].Gaussian()
		irtest.Close(t, append(a.Mean, a.Var...), append(b.Mean, b.Var...), 1e-4)
	}
}

// trend returns a level that a slope moves, measured with noise, with the given prior of both.
func trend(prior model.Dist) *model.Model {
	m := &model.Model{}
	level, slope, y := m.NewReal("level").ID, m.NewReal("slope").ID, m.NewReal("y").ID
	m.Vars[level].Latent, m.Vars[slope].Latent = true, true
	normal := func(variance float64, coef ...float64) *model.Gaussian {
		return &model.Gaussian{Mean: []float64{0}, Coef: coef, Var: []float64{variance}}
	}
	seen := &model.Factor{Scope: []model.VarID{level, y}, Child: 1, Dist: normal(1, 1)}
	m.Factors = []*model.Factor{{Scope: []model.VarID{level}, Dist: prior}, {Scope: []model.VarID{slope}, Dist: prior}, seen}
	m.Transition = &model.Transition{Before: []model.VarID{level, slope}, Factors: []*model.Factor{
		{Scope: []model.VarID{3, 4, level}, Child: 2, Dist: normal(.5, 1, 1)},
		{Scope: []model.VarID{4, slope}, Child: 1, Dist: normal(.1, 1)}, seen}}
	return m
}

// days returns two sequences of the template casino with a known die, in which the die changes
// once.
func days(t *testing.T, m *model.Model) *data.Set {
	s, err := data.New(data.VarsOf(m), [][]int{{0, 2}, {0, 5}, {1, 5}, {1, 5}, {0, 0}, {0, 1}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if s, err = s.InSequences([]int{0, 4}); err != nil {
		t.Fatal(err)
	}
	return s
}

// Complete sequences are counted: first slices, steps, and what is tied in all slices.
func TestSequenceCounts(t *testing.T) {
	m := casino()
	r := fitSequences(t, m, days(t, m), learn.ParameterOptions{})
	fit := r.Models[0]
	tables := func(fs []*model.Factor) (out [][]float64) {
		for _, f := range fs {
			values, _ := f.Table()
			out = append(out, values)
		}
		return out
	}
	first, next := tables(fit.Factors), tables(fit.Transition.Factors)
	irtest.Close(t, first[0], []float64{1, 0}, 0)
	irtest.Close(t, next[0], []float64{2. / 3, 1. / 3, 0, 1}, 1e-15)
	irtest.Close(t, next[1], []float64{.25, .25, .25, 0, 0, .25, 0, 0, 0, 0, 0, 1}, 1e-15)
	irtest.Close(t, first[1], next[1], 0)
	irtest.CloseTo(t, r.Report.Total, 2*math.Log(1)+2*math.Log(2./3)+math.Log(1./3)+4*math.Log(.25), 1e-12)

	untied := fitSequences(t, m, days(t, m), learn.ParameterOptions{Ties: learn.TieNone}).Models[0]
	irtest.Close(t, tables(untied.Factors)[1][:6], []float64{.5, 0, .5, 0, 0, 0}, 1e-15)

	sticky := fitSequences(t, m, days(t, m), learn.ParameterOptions{Sticky: 3}).Models[0]
	irtest.Close(t, tables(sticky.Transition.Factors)[0], []float64{5. / 6, 1. / 6, 0, 1}, 1e-15)

	// What was counted before is added.
	again := learn.ParameterOptions{Update: true}
	again.Prior = mle.Prior{}
	twice := fitSequences(t, fit, days(t, m), again).Models[0]
	irtest.Close(t, twice.Transition.Factors[0].Counts, []float64{4, 2, 0, 2}, 0)
}

// A chain whose transition goes to the right alone stays so, from random starts and with a prior.
func TestLeftToRight(t *testing.T) {
	m := casino()
	m.Vars[0].Latent = true
	m.Factors[0].Dist = &model.Table{Values: []float64{1, 0}}
	m.Transition.Factors[0].Dist = &model.Table{Values: []float64{.9, .1, 0, 1}}
	s, err := data.New(data.VarsOf(m), [][]int{{0}, {1}, {0}, {5}, {5}, {1}, {0}, {5}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if s, err = s.InSequences([]int{0, 5}); err != nil {
		t.Fatal(err)
	}
	opt := learn.ParameterOptions{EM: true}
	opt.Restarts, opt.Prior = 3, mle.Prior{Kind: mle.Each, Size: 1}
	fit := fitSequences(t, m, s, opt).Models[0]
	move, _ := fit.Transition.Factors[0].Table()
	start, _ := fit.Factors[0].Table()
	if move[2] != 0 || start[1] != 0 || move[1] == 0 {
		t.Errorf("start %v, transition %v; want no start in the second state and no way back", start, move)
	}
}

func TestSequenceRefusals(t *testing.T) {
	m := casino()
	independent, err := data.New(data.VarsOf(m), [][]int{{0, 2}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	switching := &model.Model{}
	mode, x := switching.NewVar("mode", "a", "b").ID, switching.NewReal("x").ID
	coin := &model.Factor{Scope: []model.VarID{mode}, Dist: &model.Table{Values: []float64{.5, .5}}}
	switching.Factors = []*model.Factor{coin, {Scope: []model.VarID{x}, Dist: &model.Gaussian{Mean: []float64{0}, Var: []float64{1}}}}
	switching.Transition = &model.Transition{Before: []model.VarID{x}, Factors: []*model.Factor{coin,
		{Scope: []model.VarID{mode, 2, x}, Child: 2, Dist: &model.Gaussian{Mean: []float64{0, 0}, Coef: []float64{1, .5}, Var: []float64{1, 1}}}}}
	missing, err := data.NewReal(data.VarsOf(switching), [][]float64{{0, 1}, {1, math.NaN()}, {1, 2}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if missing, err = missing.InOneSequence(); err != nil {
		t.Fatal(err)
	}
	if _, err := learn.FitParameters(context.Background(), &learner.Job{Train: missing, Init: switching, Cores: 1}, learn.ParameterOptions{EM: true}); err != nil {
		t.Errorf("EM of a switching system: error %v", err)
	}
	levels, err := data.NewReal([]data.Var{{Name: "x", Real: true}}, [][]float64{{0}, {math.NaN()}, {2}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if levels, err = levels.InOneSequence(); err != nil {
		t.Fatal(err)
	}
	wide := &model.Model{}
	level := wide.NewReal("x").ID
	first := &model.Factor{Scope: []model.VarID{level}, Dist: &model.Gaussian{Mean: []float64{0}, Var: []float64{1}}}
	const coins = 17
	wide.Transition = &model.Transition{Before: []model.VarID{level}, Factors: []*model.Factor{
		{Scope: []model.VarID{coins + 1, level}, Child: 1, Dist: &model.Gaussian{Mean: []float64{0}, Coef: []float64{1}, Var: []float64{1}}}}}
	wide.Factors = []*model.Factor{first}
	for i := range coins {
		f := &model.Factor{Scope: []model.VarID{wide.NewVar(fmt.Sprint("coin", i), "a", "b").ID}, Dist: &model.Table{Values: []float64{.5, .5}}}
		wide.Factors, wide.Transition.Factors = append(wide.Factors, f), append(wide.Transition.Factors, f)
	}
	for _, c := range []struct {
		m    *model.Model
		s    *data.Set
		em   bool
		want string
	}{
		{m, independent, false, "the rows are independent; want them in sequences"},
		{wide, levels, true, "EM goes through the joint states of the 17 discrete variables of two slices"},
	} {
		_, err := learn.FitParameters(context.Background(), &learner.Job{Train: c.s, Init: c.m, Cores: 1}, learn.ParameterOptions{EM: c.em})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v; want %s", err, c.want)
		}
	}
}
