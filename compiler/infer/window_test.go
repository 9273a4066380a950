package infer_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/belief"
	"github.com/pgmc-go/pgmc/compiler/method/clg"
	"github.com/pgmc-go/pgmc/compiler/method/ep"
	"github.com/pgmc-go/pgmc/compiler/method/gibbs"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// windows returns what a window of belief propagation answers about a sequence.
func windows(t *testing.T, e *infer.Engine, length, lag int, given []infer.Given) (list []*infer.Marginals) {
	t.Helper()
	w, err := e.Window(belief.NewOptions(), length)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range given {
		if _, err := w.Step(context.Background(), g); err != nil {
			t.Fatal(err)
		}
		list = append(list, w.Ago(lag))
	}
	return list
}

// sameAnswers compares posteriors and ln P.
func sameAnswers(t *testing.T, what string, got, want *infer.Marginals, tolerance float64) {
	t.Helper()
	if !(math.Abs(got.LogProb-want.LogProb) <= tolerance) {
		t.Errorf("%s: ln P is %v; want %v", what, got.LogProb, want.LogProb)
	}
	for i, d := range got.List {
		for s, p := range d.P {
			if !(math.Abs(p-want.List[i].P[s]) <= tolerance) {
				t.Errorf("%s: P(%s) is %v; want %v", what, d.Var, d.P, want.List[i].P)
			}
		}
	}
}

// TestWindowOfTree checks that windows of a hidden Markov model are exact, whose network has no
// cycles and one variable that persists: filtered, and with a lag.
func TestWindowOfTree(t *testing.T) {
	ctx := context.Background()
	m := chain(1)
	e := newEngine(t, m)
	sequence, _ := irtest.RandomSequence(m, 9, 3)
	var given []infer.Given
	for _, slice := range sequence {
		given = append(given, infer.Evidence(slice))
	}
	f, err := e.Filter(ctx)
	if err != nil {
		t.Fatal(err)
	}
	l, err := e.Lagged(ctx, 2)
	if err != nil {
		t.Fatal(err)
	}
	one, three, late := windows(t, e, 1, 0, given), windows(t, e, 3, 0, given), windows(t, e, 4, 2, given)
	for i, g := range given {
		want, err := f.Step(ctx, g)
		if err != nil {
			t.Fatal(err)
		}
		sameAnswers(t, fmt.Sprintf("slice %d, a window of 1", i), one[i], want, 1e-6)
		sameAnswers(t, fmt.Sprintf("slice %d, a window of 3", i), three[i], want, 1e-6)
		lagged, err := l.Step(ctx, g)
		if err != nil {
			t.Fatal(err)
		}
		if (lagged == nil) != (late[i] == nil) {
			t.Fatalf("slice %d: an answer about two slices ago, %v; want %v", i, late[i], lagged)
		} else if lagged != nil {
			sameAnswers(t, fmt.Sprintf("two slices before %d", i), late[i], lagged, 1e-6)
		}
	}
}

// chain returns a template of chains of two states that a sensor of their sum reads.
func chain(chains int) *model.Model {
	m := &model.Model{Name: "chains", Transition: &model.Transition{}}
	var sensor []model.VarID
	for i := range chains {
		v := m.NewVar(fmt.Sprintf("x%d", i), "low", "high").ID
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{v}, Dist: &model.Table{Values: []float64{.6, .4}}})
		sensor = append(sensor, v)
	}
	y := m.NewVar("y", "quiet", "loud").ID
	show := &model.Table{}
	for joint := range 1 << chains {
		sum := 0
		for i := range chains {
			sum += joint >> i & 1
		}
		p := (.5 + float64(sum)) / (1 + float64(chains))
		show.Values = append(show.Values, 1-p, p)
	}
	f := &model.Factor{Scope: append(sensor, y), Child: chains, Dist: show}
	m.Factors = append(m.Factors, f)
	for i := range chains {
		m.Transition.Before = append(m.Transition.Before, model.VarID(i))
		m.Transition.Factors = append(m.Transition.Factors, &model.Factor{Scope: []model.VarID{model.VarID(chains + 1 + i), model.VarID(i)}, Child: 1,
			Dist: &model.Table{Values: []float64{.9, .1, .2 + .05*float64(i), .8 - .05*float64(i)}}})
	}
	m.Transition.Factors = append(m.Transition.Factors, f)
	return m
}

// TestWindowOfChains checks windows of a factorial hidden Markov model: as long as the sequence
// they are belief propagation in the network of all slices, and longer ones come nearer to the
// exact filter here.
func TestWindowOfChains(t *testing.T) {
	ctx := context.Background()
	m := chain(3)
	e := newEngine(t, m)
	const n = 12
	var given []infer.Given
	all := infer.Evidence{}
	for i := range n {
		y := []string{"quiet", "loud"}[i*i%5%2]
		given = append(given, infer.Evidence{"y": y})
		if i < 5 {
			all[fmt.Sprintf("y@%d", i)] = y
		}
	}
	flat, err := infer.New(ctx, m.Unroll(5), infer.Options{Method: belief.NewOptions()})
	if err != nil {
		t.Fatal(err)
	}
	want, err := flat.Marginals(ctx, all)
	if err != nil {
		t.Fatal(err)
	}
	got := windows(t, e, 5, 0, given[:5])[4]
	last := &infer.Marginals{List: want.List[4*4:], LogProb: want.LogProb}
	sameAnswers(t, "a window of all slices", got, last, 1e-12)

	f, err := e.Filter(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var exact []*infer.Marginals
	for _, g := range given {
		x, err := f.Step(ctx, g)
		if err != nil {
			t.Fatal(err)
		}
		exact = append(exact, x)
	}
	off := func(length int) (worst float64) {
		for i, x := range windows(t, e, length, 0, given) {
			for k := range x.List {
				worst = max(worst, math.Abs(x.List[k].P[0]-exact[i].List[k].P[0]))
			}
		}
		return worst
	}
	one, six := off(1), off(6)
	t.Logf("a window of one slice is off by up to %.4f, of six by %.4f", one, six)
	if !(one < .05 && six < .05) {
		t.Errorf("windows of 1 and 6 slices are off by up to %v and %v", one, six)
	}
}

// TestWindowRefused checks what windows do not take, and that a step that fails changes nothing.
func TestWindowRefused(t *testing.T) {
	ctx := context.Background()
	e := newEngine(t, chain(2))
	if _, err := e.Window(belief.NewOptions(), 0); err == nil {
		t.Error("a window of no slices")
	}
	w, err := e.Window(belief.NewOptions(), 2)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := w.Step(ctx, infer.Evidence{"y": "loud"}); err != nil {
			t.Fatal(err)
		}
	}
	before := w.Ago(1)
	if _, err := w.Step(ctx, infer.Evidence{"y": "silent"}); err == nil {
		t.Error("a state that there is not")
	}
	if w.Len() != 3 {
		t.Errorf("%d slices after an error; want 3", w.Len())
	}
	sameAnswers(t, "after an error", w.Ago(1), before, 0)
	if w.Ago(2) != nil {
		t.Error("an answer about a slice before the window")
	}
}

// window returns the answers of a window of a method, and those of a filter.
func window(t *testing.T, m *model.Model, by method.Options, length int, filter infer.Options, given []infer.Given) (got, want []*infer.Marginals) {
	t.Helper()
	ctx := context.Background()
	w, err := newEngine(t, m).Window(by, length)
	if err != nil {
		t.Fatal(err)
	}
	e, err := infer.New(ctx, m, filter)
	if err != nil {
		t.Fatal(err)
	}
	f, err := e.Filter(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for i, g := range given {
		x, err := w.Step(ctx, g)
		if err != nil {
			t.Fatalf("slice %d, a window of %d: %v", i, length, err)
		}
		y, err := f.Step(ctx, g)
		if err != nil {
			t.Fatal(err)
		}
		got, want = append(got, x), append(want, y)
	}
	return got, want
}

// TestWindowOfReals checks windows of method clg: of a linear Gaussian network they are the Kalman
// filter, and if discrete variables persist too a window of one slice is gpb2, and one of all
// slices exact.
func TestWindowOfReals(t *testing.T) {
	compared := map[bool]int{}
	for _, seed := range irtest.Cases(t, 40, 120) {
		all := seed%4 == 0
		m := irtest.RandomTemplate(seed, irtest.TemplateOptions{Reals: true, Mixed: true, All: all, Givens: seed%3 == 0})
		sequence, _ := irtest.RandomSequence(m, 5, seed)
		var given []infer.Given
		for _, slice := range sequence {
			given = append(given, infer.Evidence(slice))
		}
		persists := false
		for _, v := range m.Transition.Before {
			persists = persists || m.IsReal(v)
		}
		if !persists || !all && len(m.Reals()) == len(m.Vars) {
			continue
		}
		compared[all]++
		by := clg.NewOptions()
		for length, filter := range map[int]infer.Options{1: {Method: compiler.Named("gpb2")}, 2: {}, 5: {}} {
			if length == 2 && !all {
				continue
			}
			got, want := window(t, m, by, length, filter, given)
			for i := range got {
				sameNumbers(t, fmt.Sprintf("seed %d, slice %d, a window of %d", seed, i, length), got[i], want[i], 1e-8)
				if x, y := got[i].LogProb, want[i].LogProb; !(math.Abs(x-y) <= 1e-8*(1+math.Abs(y))) {
					t.Errorf("seed %d, slice %d, a window of %d: ln P is %v; want %v", seed, i, length, x, y)
				}
			}
		}
	}
	if compared[true] < 3 || compared[false] < 3 {
		t.Errorf("%v networks; want three of each kind at least", compared)
	}
}

// thermostat is a room that a heater warms, which is a softmax function of its temperature.
func thermostat() *model.Model {
	m := &model.Model{Name: "thermostat"}
	x, a, y := m.NewReal("T").ID, m.NewVar("A", "off", "on").ID, m.NewReal("Y").ID
	soft := &model.Factor{Scope: []model.VarID{x, a}, Child: 1, Dist: &model.Softmax{Bias: []float64{0, 40}, Coef: []float64{0, -2}}}
	seen := &model.Factor{Scope: []model.VarID{x, y}, Child: 1, Dist: &model.Gaussian{Mean: []float64{0}, Coef: []float64{1}, Var: []float64{1}}}
	m.Factors = []*model.Factor{{Scope: []model.VarID{x}, Dist: &model.Gaussian{Mean: []float64{18}, Var: []float64{4}}}, soft, seen}
	m.Transition = &model.Transition{Before: []model.VarID{a, x}, Factors: []*model.Factor{
		{Scope: []model.VarID{3, 4, x}, Child: 2, Dist: &model.Gaussian{Mean: []float64{1, 4}, Coef: []float64{.9, .9}, Var: []float64{.3, .3}}}, soft, seen}}
	return m
}

// TestWindowOfThermostat checks windows of expectation propagation against a grid of the exact
// belief: in slice 4, T is 19.3771, P(on) .7207 and ln P -7.7711.
func TestWindowOfThermostat(t *testing.T) {
	var given []infer.Given
	for _, y := range []float64{18.2, 19.5, 20.9, 20.1, 19} {
		given = append(given, infer.Evidence{"Y": y})
	}
	for length, tolerance := range map[int]float64{1: .005, 2: .01, 5: .01} {
		got, _ := window(t, thermostat(), ep.NewOptions(), length, infer.Options{Method: compiler.Named("gpb2")}, given)
		last := got[4]
		for what, x := range map[string][2]float64{"T": {last.Of("T").Mean, 19.3771}, "P(on)": {last.Of("A").P[1], .7207}, "ln P": {last.LogProb, -7.7711}} {
			if !(math.Abs(x[0]-x[1]) <= tolerance) {
				t.Errorf("a window of %d: %s is %v; want %v", length, what, x[0], x[1])
			}
		}
	}
}

// TestWindowOfRealsRefused checks errors about real variables.
func TestWindowOfRealsRefused(t *testing.T) {
	ctx := context.Background()
	w, err := newEngine(t, thermostat()).Window(clg.NewOptions(), 2)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Step(ctx, nil); err == nil || !strings.Contains(err.Error(), "method clg takes no discrete variables with real parents") {
		t.Errorf("error %v", err)
	}
	if w, err = newEngine(t, thermostat()).Window(gibbs.NewOptions(), 2); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Step(ctx, nil); err == nil || !strings.Contains(err.Error(), "a window with real variables needs ln P of the evidence, which method gibbs does not compute") {
		t.Errorf("error %v", err)
	}
	// The discrete variables that persist have many joint states.
	m := thermostat()
	for i := range 6 {
		v := m.NewVar(fmt.Sprint("b", i), "0", "1").ID
		coin := &model.Factor{Scope: []model.VarID{v}, Dist: &model.Table{Values: []float64{.5, .5}}}
		m.Factors, m.Transition.Factors = append(m.Factors, coin), append(m.Transition.Factors, coin)
		m.Transition.Before = append(m.Transition.Before, v)
	}
	m.Transition.Factors[0].Scope = []model.VarID{9, 10, 0}
	if w, err = newEngine(t, m).Window(ep.NewOptions(), 2); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Step(ctx, nil); err == nil || !strings.Contains(err.Error(), "a window with method ep runs for each of e^4.9 joint states of the discrete variables that persist; want at most 64") {
		t.Errorf("error %v", err)
	}
	m = thermostat()
	u := m.NewReal("u")
	u.Given = true
	m.Transition.Factors[0].Scope = []model.VarID{4, 5, 0}
	m.Transition.Before = append(m.Transition.Before, u.ID)
	if _, err := newEngine(t, m).Window(ep.NewOptions(), 2); err == nil || !strings.Contains(err.Error(), `real variable "u" is given and has an effect on the next slice`) {
		t.Errorf("error %v", err)
	}
}
