package infer_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/method/belief"
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
	real := newEngine(t, irtest.RandomTemplate(2, irtest.TemplateOptions{Reals: true}))
	if _, err := real.Window(belief.NewOptions(), 2); err == nil {
		t.Error("a window of a network with real variables")
	}
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

// TestWindowAdvice checks that a window of a network with real variables names a method that takes
// the network.
func TestWindowAdvice(t *testing.T) {
	mixed := func(dist model.Dist) *model.Model {
		m := &model.Model{Name: "mixed"}
		mode, x := m.NewVar("mode", "on", "off").ID, m.NewReal("x").ID
		coin := &model.Factor{Scope: []model.VarID{mode}, Dist: &model.Table{Values: []float64{.5, .5}}}
		m.Factors = []*model.Factor{coin, {Scope: []model.VarID{x}, Dist: dist}}
		m.Transition = &model.Transition{Before: []model.VarID{mode}, Factors: m.Factors}
		return m
	}
	for method, m := range map[string]*model.Model{
		"gpb2":     mixed(&model.Gaussian{Mean: []float64{0}, Var: []float64{1}}),
		"particle": mixed(&model.Func{Nodes: []model.FuncNode{{Value: 1}}, Var: []float64{1}}),
	} {
		e, err := infer.New(t.Context(), m, infer.Options{Method: compiler.Named(method)})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Filter(t.Context()); err != nil {
			t.Error(err)
		}
		if _, err := e.Window(belief.Options{}, 3); err == nil || !strings.HasSuffix(err.Error(), "try method "+method) {
			t.Errorf("error %v; want method %s", err, method)
		}
	}
}
