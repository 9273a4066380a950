package infer_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// wideMode returns a random system with a mode of two states, a real variable that persists and one
// that is measured. Means, coefficients and variances are from 1e-6 to 1e6, and differ by mode.
func wideMode(r *rand.Rand) *model.Model {
	m := &model.Model{Name: "wide", Transition: &model.Transition{Before: []model.VarID{0, 1}}}
	m.NewVar("mode", "a", "b")
	m.NewReal("x")
	m.NewReal("y")
	size := func() float64 { return math.Pow(10, 12*r.Float64()-6) }
	number := func() float64 { return size() * float64(2*r.IntN(2)-1) }
	normal := func(scope []model.VarID, coefs int) *model.Factor {
		d := &model.Gaussian{}
		for range 2 {
			d.Mean, d.Var = append(d.Mean, number()), append(d.Var, size())
			for range coefs {
				d.Coef = append(d.Coef, number())
			}
		}
		return &model.Factor{Scope: scope, Child: len(scope) - 1, Dist: d}
	}
	y := normal([]model.VarID{0, 1, 2}, 1)
	m.Factors = []*model.Factor{{Scope: []model.VarID{0}, Dist: &model.Table{Values: []float64{.3, .7}}}, normal([]model.VarID{0, 1}, 0), y}
	m.Transition.Factors = []*model.Factor{
		{Scope: []model.VarID{3, 0}, Child: 1, Dist: &model.Table{Values: []float64{.9, .1, .2, .8}}}, normal([]model.VarID{0, 4, 1}, 1), y}
	return m
}

// TestFilterMode compares filters of systems with a mode, whose numbers span 12 decades, with exact
// rationals in the network of all slices: ln P to 1e-11 of its size, and means to 1e-11 of a
// deviation, or to what changes by 2^-50 of the model's numbers and the values amount to. One
// system in 250 may miss that: a mean that is far larger than the posterior one is subtracted from
// it.
func TestFilterMode(t *testing.T) {
	const slices, nudge = 3, 0x1p-50
	var missed []string
	n := irtest.Count(t, 10, 500)
	for seed := range uint64(n) {
		r := rand.New(rand.NewPCG(seed, 12))
		m := wideMode(r)
		x, state := make([]float64, 3), 0
		e, err := infer.New(t.Context(), m, infer.Options{Method: compiler.Named("filter")})
		if err != nil {
			t.Fatal(err)
		}
		f, err := e.Filter(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		all, means, coefs := m.Unroll(slices), changedBy(m, nudge, 0).Unroll(slices), changedBy(m, 0, nudge).Unroll(slices)
		seen, near := brute.HybridEvidence{Reals: map[model.VarID]float64{}}, brute.HybridEvidence{Reals: map[model.VarID]float64{}}
		text := ""
		for i := range slices {
			from := m.Factors
			if i > 0 {
				from = m.Transition.Factors
			}
			state = r.IntN(2)
			mean, coef, variance := from[1].Gaussian().Row(state)
			x[1] = mean + r.NormFloat64()*math.Sqrt(variance) + dotOf(coef, x[1])
			mean, coef, variance = from[2].Gaussian().Row(state)
			y := mean + r.NormFloat64()*math.Sqrt(variance) + dotOf(coef, x[1])
			seen.Reals[model.VarID(3*i+2)], near.Reals[model.VarID(3*i+2)] = y, y*(1+nudge)
			got, err := f.Step(t.Context(), infer.Evidence{"y": y})
			if err != nil {
				t.Fatalf("seed %d, slice %d: %v", seed, i, err)
			}
			want, err := brute.NewHybrid(all, seen)
			if err != nil {
				t.Fatal(err)
			}
			mean, variance = want.Moments(model.VarID(3*i + 1))
			p := want.Posterior(model.VarID(3 * i))
			var logSlop, meanSlop, modeSlop float64
			for _, near := range []struct {
				m    *model.Model
				seen brute.HybridEvidence
			}{{all, near}, {means, seen}, {coefs, seen}} {
				other, err := brute.NewHybrid(near.m, near.seen)
				if err != nil {
					t.Fatal(err)
				}
				moved, _ := other.Moments(model.VarID(3*i + 1))
				logSlop += math.Abs(other.LogDensity - want.LogDensity)
				meanSlop += math.Abs(moved - mean)
				modeSlop += math.Abs(other.Posterior(model.VarID(3 * i))[0] - p[0])
			}
			if off := math.Abs(got.LogProb - want.LogDensity); off > 1e-11*max(1, math.Abs(want.LogDensity))+logSlop {
				text = fmt.Sprintf("slice %d: ln P is %v; want %v", i, got.LogProb, want.LogDensity)
			}
			if d := got.Of("x"); math.Abs(d.Mean-mean) > 1e-11*math.Sqrt(variance)+nudge*math.Abs(mean)+meanSlop {
				text = fmt.Sprintf("slice %d: x is %v; want %v, deviation %v", i, d.Mean, mean, math.Sqrt(variance))
			}
			if math.Abs(got.Of("mode").P[0]-p[0]) > 1e-11+modeSlop {
				text = fmt.Sprintf("slice %d: the mode is %v; want %v", i, got.Of("mode").P, p)
			}
		}
		if text != "" {
			missed = append(missed, fmt.Sprintf("seed %d, %s", seed, text))
		}
	}
	if len(missed) > n/250 {
		t.Errorf("%d of %d systems miss: %s", len(missed), n, strings.Join(missed, "; "))
	}
}

// changedBy returns m with means and coefficients that differ by parts of themselves.
func changedBy(m *model.Model, means, coefs float64) *model.Model {
	change := func(list []*model.Factor) (out []*model.Factor) {
		for _, f := range list {
			g := *f
			if d, ok := f.Dist.(*model.Gaussian); ok {
				other := model.Gaussian{Var: d.Var}
				for _, x := range d.Mean {
					other.Mean = append(other.Mean, x*(1+means))
				}
				for _, x := range d.Coef {
					other.Coef = append(other.Coef, x*(1+coefs))
				}
				g.Dist = &other
			}
			out = append(out, &g)
		}
		return out
	}
	out, next := *m, *m.Transition
	out.Factors, next.Factors = change(m.Factors), change(m.Transition.Factors)
	out.Transition = &next
	return &out
}

func dotOf(coef []float64, x float64) float64 {
	if len(coef) == 0 {
		return 0
	}
	return coef[0] * x
}
