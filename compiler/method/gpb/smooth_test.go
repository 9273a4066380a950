package gpb_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// smooth smooths a sequence by a method, and again with a lag of all its slices, which must give
// the same.
func smooth(t *testing.T, m *model.Model, method string, sequence []infer.Given) []infer.Marginals {
	t.Helper()
	ctx := context.Background()
	e, err := infer.New(ctx, m, infer.Options{Method: compiler.Named(method)})
	if err != nil {
		t.Fatal(err)
	}
	list, err := e.Smooth(ctx, sequence)
	if err != nil {
		t.Fatal(err)
	}
	l, err := e.Lagged(ctx, len(sequence))
	if err != nil {
		t.Fatal(err)
	}
	for _, given := range sequence {
		if _, err := l.Step(ctx, given); err != nil {
			t.Fatal(err)
		}
	}
	rest, err := l.Rest(ctx)
	if err != nil || fmt.Sprint(rest) != fmt.Sprint(list) {
		t.Errorf("%s: a lag of all slices gives others than smoothing, or error %v", method, err)
	}
	return list
}

// jump is a switching system in one dimension: x' is slope·x but for a variance, by mode.
type jump struct {
	prior, slope, spread [2]float64
	next                 [2][2]float64
	mean, variance       float64 // of the first x
	noise                float64
}

// model returns it as a template.
func (j *jump) model() *model.Model {
	return switching(j.prior[:], []float64{j.next[0][0], j.next[0][1], j.next[1][0], j.next[1][1]},
		&model.Gaussian{Mean: []float64{j.mean}, Var: []float64{j.variance}},
		&model.Gaussian{Mean: []float64{0, 0}, Coef: j.slope[:], Var: j.spread[:]}, j.noise)
}

// bell is a weight, a mean and a variance.
type bell struct{ p, mean, variance float64 }

// merged returns one bell with the moments of several.
func merged(list []bell) (out bell) {
	for _, b := range list {
		out.p += b.p
		out.mean += b.p * b.mean
	}
	out.mean /= out.p
	for _, b := range list {
		out.variance += b.p / out.p * (b.variance + (b.mean-out.mean)*(b.mean-out.mean))
	}
	return out
}

// observe returns the bell given a measurement, its weight times the density of that.
func (b bell) observe(y, noise float64) bell {
	s := b.variance + noise
	return bell{b.p * math.Exp(-(y-b.mean)*(y-b.mean)/(2*s)) / math.Sqrt(2*math.Pi*s), b.mean + b.variance/s*(y-b.mean), b.variance * noise / s}
}

// step returns what the bells of modes before lead to: by mode before and mode.
func (j *jump) step(before [2]bell, y float64) (after [2][2]bell) {
	total := 0.0
	for i, b := range before {
		for k := range 2 {
			after[i][k] = bell{b.p * j.next[i][k], j.slope[k] * b.mean, j.slope[k]*j.slope[k]*b.variance + j.spread[k]}.observe(y, j.noise)
			total += after[i][k].p
		}
	}
	for i := range after {
		for k := range after[i] {
			after[i][k].p /= total
		}
	}
	return after
}

// filter returns the bells by mode after each slice, merged after it, or before it if early.
func (j *jump) filter(ys []float64, early bool) (list [][2]bell) {
	var now [2]bell
	total := 0.0
	for k := range now {
		now[k] = bell{j.prior[k], j.mean, j.variance}.observe(ys[0], j.noise)
		total += now[k].p
	}
	for k := range now {
		now[k].p /= total
	}
	list = append(list, now)
	for _, y := range ys[1:] {
		var next [2]bell
		if !early {
			all := j.step(now, y)
			for k := range next {
				next[k] = merged([]bell{all[0][k], all[1][k]})
			}
		} else {
			total := 0.0
			for k := range next {
				one := merged([]bell{{now[0].p * j.next[0][k], now[0].mean, now[0].variance}, {now[1].p * j.next[1][k], now[1].mean, now[1].variance}})
				next[k] = bell{one.p, j.slope[k] * one.mean, j.slope[k]*j.slope[k]*one.variance + j.spread[k]}.observe(y, j.noise)
				total += next[k].p
			}
			for k := range next {
				next[k].p /= total
			}
		}
		now = next
		list = append(list, now)
	}
	return list
}

// smooth returns P(mode 1), the mean and the variance of x in each slice, with the formulas of Kim
// 1994: the gain of the smoother is slope·variance before over predicted variance.
func (j *jump) smooth(ys []float64, early bool) [][3]float64 {
	list := j.filter(ys, early)
	out := make([][3]float64, len(list))
	now := list[len(list)-1]
	for t := len(list) - 1; ; t-- {
		all := merged(now[:])
		out[t] = [3]float64{now[1].p, all.mean, all.variance}
		if t == 0 {
			return out
		}
		before, after := list[t-1], j.step(list[t-1], ys[t])
		var back [2]bell
		for i, b := range before {
			var each []bell
			for k := range 2 {
				predicted := j.slope[k]*j.slope[k]*b.variance + j.spread[k]
				gain := j.slope[k] * b.variance / predicted
				share := after[i][k].p / (after[0][k].p + after[1][k].p)
				each = append(each, bell{now[k].p * share, b.mean + gain*(now[k].mean-j.slope[k]*b.mean), b.variance + gain*gain*(now[k].variance-predicted)})
			}
			back[i] = merged(each)
		}
		now = back
	}
}

// TestKim compares smoothing with Kim's formulas in one dimension.
func TestKim(t *testing.T) {
	for name, j := range map[string]*jump{
		"slow and fast": {[2]float64{.5, .5}, [2]float64{1, 1}, [2]float64{.1, 4}, [2][2]float64{{.95, .05}, {.1, .9}}, 0, 1, 1},
		"reversing":     {[2]float64{.3, .7}, [2]float64{1, -.5}, [2]float64{.1, 1}, [2][2]float64{{.9, .1}, {.2, .8}}, 2, .2, .5},
	} {
		ys := []float64{.1, -.2, .3, 3, 6, 5.5, 1, .4}
		var given []infer.Given
		for _, y := range ys {
			given = append(given, infer.Evidence{"y": y})
		}
		for method, early := range map[string]bool{"gpb2": false, "imm": true} {
			want := j.smooth(ys, early)
			for i, m := range smooth(t, j.model(), method, given) {
				got := of(&m)
				for k, what := range []string{"P(mode)", "mean", "variance"} {
					near(t, fmt.Sprintf("%s, %s, slice %d: %s", name, method, i, what), got[k], want[i][k], 1e-10*(1+math.Abs(want[i][k])))
				}
			}
		}
	}
}

// TestNearUnrolled compares smoothing of the small switching system of the reference collection
// with exact numbers, those of the unrolled network: the modes are right within .03, and means
// within a tenth of a standard deviation.
func TestNearUnrolled(t *testing.T) {
	ctx := context.Background()
	j := &jump{[2]float64{.5, .5}, [2]float64{1, 1}, [2]float64{.1, 4}, [2][2]float64{{.95, .05}, {.1, .9}}, 0, 1, 1}
	var given []infer.Given
	all := infer.Evidence{}
	for i, y := range []float64{.1, -.2, .3, 3, 6, 5.5} {
		given = append(given, infer.Evidence{"y": y})
		all[fmt.Sprintf("y@%d", i)] = y
	}
	flat, err := infer.New(ctx, j.model().Unroll(len(given)), infer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := flat.Marginals(ctx, all)
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range []string{"gpb2", "imm"} {
		for i, m := range smooth(t, j.model(), method, given) {
			mode, x := want.Of(fmt.Sprintf("mode@%d", i)), want.Of(fmt.Sprintf("x@%d", i))
			got := of(&m)
			near(t, fmt.Sprintf("%s, slice %d: P(mode)", method, i), got[0], mode.P[1], .03)
			near(t, fmt.Sprintf("%s, slice %d: mean", method, i), got[1], x.Mean, .1*math.Sqrt(x.Variance))
		}
	}
}

// TestSmoothedExact compares with the exact smoother if no real variable persists, if all variables
// are real or discrete, and with the unrolled network if the real variables that persist are
// observed.
func TestSmoothedExact(t *testing.T) {
	for name, opt := range map[string]irtest.TemplateOptions{
		"within": {Reals: true, Latent: true}, "within, given": {Reals: true, Givens: true}, "real": {All: true}, "discrete": {},
	} {
		for _, seed := range irtest.Cases(t, 2, 60) {
			m := irtest.RandomTemplate(seed, opt)
			sequence, _ := irtest.RandomSequence(m, 5, seed)
			var given []infer.Given
			for _, slice := range sequence {
				given = append(given, infer.Evidence(slice))
			}
			want := smooth(t, m, "filter", given)
			for _, method := range []string{"gpb2", "imm"} {
				sameSlices(t, fmt.Sprintf("%s, %s, seed %d", name, method, seed), smooth(t, m, method, given), func(i int, v string) []float64 { return want[i].Of(v).Numbers() })
			}
		}
	}
	seen := 0 // of templates whose real variables persist beside discrete ones
	for _, seed := range irtest.Cases(t, 24, 200) {
		m := irtest.RandomTemplate(seed, irtest.TemplateOptions{Reals: true, Mixed: true, Givens: seed%2 == 0})
		if compareObserved(t, m, seed) {
			seen++
		}
	}
	if seen < 3 {
		t.Errorf("%d templates have real variables that persist beside discrete ones; want 3", seen)
	}
}

// compareObserved compares smoothing of a template whose real variables that persist are observed
// with the unrolled network. It reports whether there are such variables.
func compareObserved(t *testing.T, m *model.Model, seed uint64) bool {
	t.Helper()
	ctx := context.Background()
	const n = 4
	sequence, all := irtest.RandomSequence(m, n, seed)
	var given []infer.Given
	mixed := false
	for i := range sequence {
		for _, v := range m.Transition.Before {
			if name := m.Vars[v].Name; m.IsReal(v) {
				mixed = mixed || len(m.Reals()) < len(m.Vars)
				if _, ok := sequence[i][name]; !ok {
					sequence[i][name] = float64(i) / 3
					all[fmt.Sprintf("%s@%d", name, i)] = sequence[i][name]
				}
			}
		}
		given = append(given, infer.Evidence(sequence[i]))
	}
	if !mixed {
		return false
	}
	flat, err := infer.New(ctx, m.Unroll(n), infer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := flat.Marginals(ctx, infer.Evidence(all))
	if err != nil {
		t.Fatal(err)
	}
	sameSlices(t, fmt.Sprintf("observed, seed %d", seed), smooth(t, m, "gpb2", given), func(i int, v string) []float64 { return want.Of(fmt.Sprintf("%s@%d", v, i)).Numbers() })
	return true
}

// sameSlices compares the numbers of posteriors.
func sameSlices(t *testing.T, name string, got []infer.Marginals, want func(i int, v string) []float64) {
	t.Helper()
	for i := range got {
		for _, d := range got[i].List {
			exact := want(i, d.Var)
			for k, x := range d.Numbers() {
				near(t, fmt.Sprintf("%s, slice %d: number %d of %s", name, i, k, d.Var), x, exact[k], 1e-9*(1+math.Abs(exact[k])))
			}
		}
	}
}

// TestOneMode checks that filtering and smoothing of a system with one mode are those of the exact
// filter bit by bit, which has one history then, and those without the mode to rounding.
func TestOneMode(t *testing.T) {
	m, plain := oneMode(true), oneMode(false)
	var given []infer.Given
	for _, y := range []float64{.1, -.2, .3, 3, 6, 5.5, 1, .4} {
		given = append(given, infer.Evidence{"y": y})
	}
	given[4] = nil
	want, alone := smooth(t, m, "filter", given), smooth(t, plain, "filter", given)
	for _, method := range []string{"gpb2", "imm"} {
		for i, got := range smooth(t, m, method, given) {
			for k, what := range []string{"mean", "variance"} {
				x, exact, kalman := got.Of("x").Numbers()[k], want[i].Of("x").Numbers()[k], alone[i].Of("x").Numbers()[k]
				if x != exact {
					t.Errorf("%s, slice %d: the %s of x is %v; want %v", method, i, what, x, exact)
				}
				near(t, fmt.Sprintf("%s, slice %d: %s without a mode", method, i, what), x, kalman, 1e-12*(1+math.Abs(kalman)))
			}
			near(t, method+": ln P", got.LogProb, want[i].LogProb, 0)
		}
	}
}

// oneMode returns a walk that is measured, beside a mode that has one state if it has one.
func oneMode(mode bool) *model.Model {
	m := &model.Model{Name: "walk"}
	x, y := m.NewReal("x").ID, m.NewReal("y").ID
	sensor := &model.Factor{Scope: []model.VarID{x, y}, Child: 1, Dist: &model.Gaussian{Mean: []float64{0}, Coef: []float64{1}, Var: []float64{.7}}}
	m.Factors = []*model.Factor{{Scope: []model.VarID{x}, Dist: &model.Gaussian{Mean: []float64{1}, Var: []float64{2}}}, sensor}
	m.Transition = &model.Transition{Before: []model.VarID{x}}
	if !mode {
		m.Transition.Factors = []*model.Factor{{Scope: []model.VarID{2, x}, Child: 1, Dist: &model.Gaussian{Mean: []float64{.1}, Coef: []float64{.9}, Var: []float64{.3}}}, sensor}
		return m
	}
	s := m.NewVar("mode", "only").ID
	m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{s}, Dist: &model.Table{Values: []float64{1}}})
	m.Transition.Before = append(m.Transition.Before, s)
	m.Transition.Factors = []*model.Factor{{Scope: []model.VarID{4, s}, Child: 1, Dist: &model.Table{Values: []float64{1}}},
		{Scope: []model.VarID{s, 3, x}, Child: 2, Dist: &model.Gaussian{Mean: []float64{.1}, Coef: []float64{.9}, Var: []float64{.3}}}, sensor}
	return m
}
