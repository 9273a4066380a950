package infer_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// wear holds P(worn | ok) in three regimes, for a transition that depends on the slice: the regime
// of slice 1, of slice 2, and of later ones.
var wear = []float64{.2, .02, .5}

// changing returns a network in which a pump wears out and noise shows that. The regime is given, or
// is a clock: a state that advances with each slice and stays at the last one.
func changing(clock bool) *model.Model {
	m := &model.Model{Name: "changing"}
	regime, pump, noise := m.NewVar("regime", "0", "1", "2").ID, m.NewVar("pump", "ok", "worn").ID, m.NewVar("noise", "low", "high").ID
	m.Vars[regime].Given = !clock
	shows := &model.Factor{Scope: []model.VarID{pump, noise}, Child: 1, Dist: &model.Table{Values: []float64{.9, .1, .4, .6}}}
	m.Factors = []*model.Factor{{Scope: []model.VarID{pump}, Dist: &model.Table{Values: []float64{.9, .1}}}, shows}
	m.Transition = &model.Transition{Before: []model.VarID{pump}}
	from := regime
	if clock {
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{regime}, Dist: &model.Table{Values: []float64{1, 0, 0}}})
		m.Transition.Before = append(m.Transition.Before, regime)
		from = 4 // of the slice before
		m.Transition.Factors = []*model.Factor{{Scope: []model.VarID{4, regime}, Child: 1, Dist: &model.Table{Values: []float64{0, 1, 0, 0, 0, 1, 0, 0, 1}}}}
	}
	var table []float64
	for _, p := range wear {
		table = append(table, 1-p, p, 0, 1)
	}
	m.Transition.Factors = append(m.Transition.Factors, &model.Factor{Scope: []model.VarID{from, 3, pump}, Child: 2, Dist: &model.Table{Values: table}}, shows)
	return m
}

// unrolled returns the network of n slices of changing, with the table of each slice.
func unrolled(n int) *model.Model {
	flat := &model.Model{Name: "flat"}
	for i := range n {
		pump, noise := flat.NewVar(fmt.Sprint("pump", i), "ok", "worn").ID, flat.NewVar(fmt.Sprint("noise", i), "low", "high").ID
		flat.Factors = append(flat.Factors, &model.Factor{Scope: []model.VarID{pump, noise}, Child: 1, Dist: &model.Table{Values: []float64{.9, .1, .4, .6}}})
		if i == 0 {
			flat.Factors = append(flat.Factors, &model.Factor{Scope: []model.VarID{pump}, Dist: &model.Table{Values: []float64{.9, .1}}})
			continue
		}
		p := wear[min(i-1, 2)]
		flat.Factors = append(flat.Factors, &model.Factor{Scope: []model.VarID{pump - 2, pump}, Child: 1, Dist: &model.Table{Values: []float64{1 - p, p, 0, 1}}})
	}
	return flat
}

// TestChanging compares a transition that depends on the slice, by a given variable and by a clock,
// with a network of all slices that has the table of each: filtered and smoothed beliefs, the most
// probable path, and draws.
func TestChanging(t *testing.T) {
	heard := []string{"low", "high", "", "low", "high"}
	whole := newEngine(t, unrolled(len(heard)))
	worn := func(ev infer.Evidence, i int) float64 {
		m, err := whole.Marginals(t.Context(), ev)
		if err != nil {
			t.Fatal(err)
		}
		return m.Of(fmt.Sprint("pump", i)).P[1]
	}
	for _, clock := range []bool{false, true} {
		e := newEngine(t, changing(clock))
		f, err := e.Filter(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var given []infer.Given
		all := infer.Evidence{}
		for i, noise := range heard {
			ev := infer.Evidence{}
			if noise != "" {
				ev["noise"], all[fmt.Sprint("noise", i)] = noise, noise
			}
			if !clock {
				ev["regime"] = fmt.Sprint(min(max(i-1, 0), 2))
			}
			given = append(given, ev)
			now, err := f.Step(t.Context(), ev)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := now.Of("pump").P[1], worn(all, i); !irtest.Near(got, want, 1e-12) {
				t.Errorf("clock %v, slice %d: P(worn) is %v; want %v", clock, i, got, want)
			}
		}
		smooth, err := e.Smooth(t.Context(), given)
		if err != nil {
			t.Fatal(err)
		}
		drawn := make([]float64, len(heard))
		const draws = 4000
		n := 0
		for path, err := range e.Trajectories(t.Context(), given) {
			if err != nil {
				t.Fatal(err)
			}
			for i := range path {
				drawn[i] += float64(path[i][1].State) / draws
			}
			if n++; n == draws {
				break
			}
		}
		for i := range smooth {
			want := worn(all, i)
			if got := smooth[i].Of("pump").P[1]; !irtest.Near(got, want, 1e-12) {
				t.Errorf("clock %v, smoothed slice %d: P(worn) is %v; want %v", clock, i, got, want)
			}
			if e := 5 * math.Sqrt(want*(1-want)/draws); math.Abs(drawn[i]-want) > e {
				t.Errorf("clock %v, draws of slice %d: worn in %v of them; want %v within %v", clock, i, drawn[i], want, e)
			}
		}
		path, err := e.Viterbi(t.Context(), given)
		if err != nil {
			t.Fatal(err)
		}
		best, err := whole.MPE(t.Context(), all)
		if err != nil {
			t.Fatal(err)
		}
		if !irtest.Near(path.LogProb, best.LogProb, 1e-12) {
			t.Errorf("clock %v: the path has ln P %v; want %v", clock, path.LogProb, best.LogProb)
		}
	}
}
