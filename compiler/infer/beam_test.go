package infer_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// beamEvidence returns a random sequence of evidence, with likelihoods if soft is set.
func beamEvidence(m *model.Model, n int, seed uint64, soft bool) (list []infer.Given) {
	sequence, _ := irtest.RandomSequence(m, n, seed)
	r := rand.New(rand.NewPCG(seed, 5))
	for _, slice := range sequence {
		given := infer.Evidence(slice)
		for _, v := range m.Vars {
			if _, known := given[v.Name]; soft && !known && !v.Latent && !v.Given && r.IntN(2) == 0 {
				var l infer.Likelihood
				for range m.Card(v.ID) {
					l = append(l, 3*r.Float64())
				}
				given[v.Name] = l
			}
		}
		list = append(list, given)
	}
	return list
}

// TestBeam compares beams of random templates with the exact path: a beam that leaves nothing out
// finds it to the bit, and a narrow one finds none that is better, says an upper bound that holds,
// and proves none that is worse.
func TestBeam(t *testing.T) {
	const tolerance = 1e-12 // of sums of logarithms in another order
	open, proven := 0, 0
	for _, seed := range irtest.Cases(t, 25, 400) {
		m := irtest.RandomTemplate(seed, irtest.TemplateOptions{Latent: seed%3 == 1, Givens: seed%4 == 3})
		given := beamEvidence(m, 6, seed, seed%2 == 0)
		e := newEngine(t, m)
		want, err := e.Viterbi(t.Context(), given)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		all, err := e.Beam(t.Context(), given, infer.MaxBeam)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if all.LogProb != want.LogProb && math.Abs(all.LogProb-want.LogProb) > tolerance || !all.Proven() {
			t.Errorf("seed %d: a beam with room for all states finds ln P %v, proven: %v; want %v", seed, all.LogProb, all.Proven(), want.LogProb)
		}
		if same(&all.Path, want) && all.LogProb != want.LogProb {
			t.Errorf("seed %d: the same path has ln P %v and %v", seed, all.LogProb, want.LogProb)
		}
		for width := range 3 {
			got, err := e.Beam(t.Context(), given, width+1)
			if err != nil {
				if !strings.Contains(err.Error(), "want a wider one") {
					t.Errorf("seed %d, %d states: %v", seed, width+1, err)
				}
				continue
			}
			switch {
			case got.LogProb > want.LogProb+tolerance:
				t.Errorf("seed %d, %d states: ln P is %v, above the largest, %v", seed, width+1, got.LogProb, want.LogProb)
			case got.Bound < want.LogProb-tolerance:
				t.Errorf("seed %d, %d states: the bound is %v, below %v", seed, width+1, got.Bound, want.LogProb)
			case got.Proven() && got.LogProb < want.LogProb-tolerance:
				t.Errorf("seed %d, %d states: ln P %v is called proven; the largest is %v", seed, width+1, got.LogProb, want.LogProb)
			case got.Proven():
				proven++
			default:
				open++
			}
		}
	}
	if open == 0 || proven == 0 {
		t.Errorf("%d narrow beams were proven and %d were not; want some of both", proven, open)
	}
}

// same reports whether two paths have the same states.
func same(a, b *infer.Path) bool {
	for t := range a.Slices {
		for i := range a.Slices[t].States {
			if a.Slices[t].States[i] != b.Slices[t].States[i] {
				return false
			}
		}
	}
	return true
}

// TestBeamRefused checks the messages of beams that find no path.
func TestBeamRefused(t *testing.T) {
	m := &model.Model{Name: "chain"}
	x, y := m.NewVar("x", "a", "b").ID, m.NewVar("y", "0", "1").ID
	sensor := &model.Factor{Scope: []model.VarID{x, y}, Child: 1, Dist: &model.Table{Values: []float64{1, 0, .5, .5}}}
	m.Factors = []*model.Factor{{Scope: []model.VarID{x}, Dist: &model.Table{Values: []float64{.9, .1}}}, sensor}
	m.Transition = &model.Transition{Before: []model.VarID{x}, Factors: []*model.Factor{
		{Scope: []model.VarID{2, x}, Child: 1, Dist: &model.Table{Values: []float64{1, 0, 0, 1}}}, sensor}}
	e := newEngine(t, m)
	given := []infer.Given{infer.Evidence{"y": "0"}, infer.Evidence{"y": "1"}}
	if _, err := e.Beam(t.Context(), given, 1); err == nil || !strings.Contains(err.Error(), "slice 1: none of the histories that the beam kept allows the evidence on the slice: y=1; want a wider one") {
		t.Errorf("a beam of one state that lost the only path: %v", err)
	}
	var impossible *infer.ImpossibleError
	if _, err := e.Beam(t.Context(), append(given, infer.Evidence{"x": "a"}), 2); !errors.As(err, &impossible) {
		t.Errorf("impossible evidence: %v", err)
	}
	if _, err := e.Beam(t.Context(), given, 0); err == nil || !strings.Contains(err.Error(), "the beam has 0 states; want 1 to") {
		t.Errorf("no states: %v", err)
	}
	real := irtest.RandomTemplate(2, irtest.TemplateOptions{Reals: true})
	if _, err := newEngine(t, real).Beam(t.Context(), nil, 1); err == nil || !strings.Contains(err.Error(), "is a real variable") {
		t.Errorf("real variables: %v", err)
	}
}
