package infer_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestHistoryPath compares most probable paths of random templates of real and discrete variables
// with the most probable completion of the unrolled network.
func TestHistoryPath(t *testing.T) {
	ctx := context.Background()
	const n = 4
	compared := 0
	for name, opt := range map[string]irtest.TemplateOptions{
		"mixed": {Reals: true, Mixed: true}, "latent": {Reals: true, Mixed: true, Latent: true}, "given": {Reals: true, Mixed: true, Givens: true}, "apart": {Reals: true},
	} {
		for _, seed := range irtest.Cases(t, 6, 100) {
			what := fmt.Sprintf("%s, seed %d", name, seed)
			m := irtest.RandomTemplate(seed, opt)
			sequence, all := irtest.RandomSequence(m, n, seed)
			var given []infer.Given
			for _, slice := range sequence {
				given = append(given, infer.Evidence(slice))
			}
			flat, err := infer.New(ctx, shown(m.Unroll(n)), infer.Options{})
			if err != nil {
				t.Fatal(what, err)
			}
			want, err := flat.MPE(ctx, infer.Evidence(all))
			if err != nil {
				t.Log(what, err) // a variance of 0 leaves no common measure
				continue
			}
			e, err := infer.New(ctx, m, infer.Options{})
			if err != nil {
				t.Fatal(what, err)
			}
			path, err := e.Viterbi(ctx, given)
			if err != nil {
				t.Log(what, err)
				continue
			}
			compared++
			comparePath(t, what, path, want)
		}
	}
	if compared < 6 {
		t.Errorf("%d paths were compared", compared)
	}
}

// shown returns m with no variable latent.
func shown(m *model.Model) *model.Model {
	out := *m
	out.Vars = nil
	for _, v := range m.Vars {
		w := *v
		w.Latent = false
		out.Vars = append(out.Vars, &w)
	}
	return &out
}

// comparePath compares a path with a completion of the unrolled network.
func comparePath(t *testing.T, what string, path *infer.Path, want *infer.Completion) {
	t.Helper()
	if !(math.Abs(path.LogProb-want.LogProb) <= 1e-9*(1+math.Abs(want.LogProb))) {
		t.Errorf("%s: ln P is %v; want %v", what, path.LogProb, want.LogProb)
	}
	right := map[string]infer.Assignment{}
	for _, a := range want.States {
		right[a.Var] = a
	}
	for i := range path.Slices {
		for _, a := range path.Slices[i].States {
			w := right[fmt.Sprintf("%s@%d", a.Var, i)]
			if a.Index != w.Index || !(math.Abs(a.Value-w.Value) <= 1e-7*(1+math.Abs(w.Value))) {
				t.Errorf("%s, slice %d: %s is %s; want %s", what, i, a.Var, a.State, w.State)
			}
		}
	}
}

// TestObservedPath compares the most probable modes of a long sequence whose real variables are
// observed with the algorithm of Viterbi on the densities of their steps. The histories are as many
// as modes.
func TestObservedPath(t *testing.T) {
	ctx := context.Background()
	m := reversing()
	e, err := infer.New(ctx, m, infer.Options{MaxTable: 64})
	if err != nil {
		t.Fatal(err)
	}
	var given []infer.Given
	log := [2]float64{} // by mode: ln of the largest density of a path to it
	var from [][2]int
	step, x := m.Step(), .7
	for i := range 60 {
		next, by := [2]float64{math.Inf(-1), math.Inf(-1)}, [2]int{}
		y := -.5*x + math.Sin(float64(i*i))
		for mode := range 2 {
			if i == 0 { // the best value of the sensor is its mean
				next[mode] = m.LogDensity([]int{mode, 0, 0}, []float64{0, y, y})
			}
			for before := range 2 {
				if w := log[before] + step.LogDensity([]int{mode, 0, 0, before, 0}, []float64{0, y, y, 0, x}); i > 0 && w > next[mode] {
					next[mode], by[mode] = w, before
				}
			}
		}
		log, x = next, y
		given, from = append(given, infer.Evidence{"x": y}), append(from, by)
	}
	path, err := e.Viterbi(ctx, given)
	if err != nil {
		t.Fatal(err)
	}
	irtest.CloseTo(t, path.LogProb, max(log[0], log[1]), 1e-10)
	mode, both := 0, 0
	if log[1] > log[0] {
		mode = 1
	}
	for i := len(path.Slices) - 1; i >= 0; i-- {
		if got := path.Slices[i].States[0].Index; got != mode {
			t.Errorf("slice %d: mode %d; want %d", i, got, mode)
		}
		both += mode
		mode = from[i][mode]
	}
	if both == 0 || both == len(given) {
		t.Errorf("the path has one mode")
	}
}
