package clg_test

import (
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// TestRange compares ln p, probabilities and means with exact rationals on random networks and
// chains whose means, coefficients and variances range from 1e-6 to 1e6: ln p to 1e-11, relative to
// it and to 1, and means to 1e-11 of a posterior standard deviation or to the last digits. A
// network may miss that by 2^-50 for each unit of its condition number, and 5 % of them may. In one
// of 2,500 a mean may miss it by 8 times as much: that of a variable which depends steeply on its
// separator given precise evidence, of which 2 of the first 5,000 have one.
func TestRange(t *testing.T) {
	n := irtest.Count(t, 300, 5000)
	missed, lnP, steep := 0, 0, 0
	for seed := range uint64(n) {
		m := irtest.RandomHybrid(seed, irtest.HybridOptions{NoDiscrete: seed%3 == 0, NoZeros: true, NoGivens: true, MaxVars: 6})
		irtest.Widen(seed, m)
		e := irtest.HybridEvidence(seed, m, .4)
		s := compile(t, m, "marginals")
		off := s.off(t, e)
		if !(off.most() > tightly) {
			continue
		}
		missed++
		if off.logP > tightly {
			lnP++
		}
		c := s.condition(t, e)
		wide := off.mean > tightly && off.mean > c.mean*0x1p-50
		if wide {
			steep++
		}
		if off.logP > tightly && off.logP > c.logP*0x1p-50 || wide && off.mean > c.mean*0x1p-47 {
			t.Errorf("seed %d: ln p is off by %.2g, means by %.2g; condition numbers %.2g and %.2g", seed, off.logP, off.mean, c.logP, c.mean)
		}
	}
	if steep > n/2500 {
		t.Errorf("the means of %d of %d networks miss their condition numbers; want at most one in 2,500", steep, n)
	}
	t.Logf("%d of %d networks need their condition numbers, %d for ln p; %d means miss them", missed, n, lnP, steep)
	if missed > n/20 {
		t.Errorf("%d of %d networks need their condition numbers; want at most 5 %%", missed, n)
	}
}

// tightly is the largest error of TestRange.
const tightly = 1e-11

// misses holds the largest error of ln p, relative to it and to 1, and of a mean, in standard
// deviations.
type misses struct{ logP, mean float64 }

func (d misses) most() float64 { return math.Max(d.logP, d.mean) }

// off returns the errors of the answers about marginals.
func (s *subject) off(t *testing.T, e brute.HybridEvidence) (d misses) {
	t.Helper()
	want, err := brute.NewHybrid(s.m, e)
	if err != nil {
		t.Fatal(err)
	}
	mc := s.machine(t, e)
	entry := s.p.Entry("marginals")
	if err := mc.Run(entry); err != nil {
		t.Fatal(err)
	}
	got := &brute.Hybrid{LogDensity: mc.LogP()}
	d.logP = math.Abs(got.LogDensity-want.LogDensity) / math.Max(1, math.Abs(want.LogDensity))
	for k, id := range entry.Outs {
		v, x := s.p.Spans[id].Var, mc.Posterior(k)
		if !s.m.IsReal(v) {
			continue
		}
		mean, variance := want.Moments(v)
		if _, seen := e.Reals[v]; seen {
			if x[0] != mean || x[1] != 0 {
				t.Errorf("%s: %v; want %v", s.m.Vars[v].Name, x, mean)
			}
			continue
		}
		if x[1] < 0 {
			t.Errorf("%s: variance %v", s.m.Vars[v].Name, x[1])
		}
		off := math.Max(0, math.Abs(x[0]-mean)-0x1p-51*math.Abs(mean))
		d.mean = math.Max(d.mean, off/math.Sqrt(variance))
	}
	return d
}

// condition returns how much ln p and the means change, in the units of off, if each number of a
// Gaussian CPD and each observed value changes by its own size, to first order.
func (s *subject) condition(t *testing.T, e brute.HybridEvidence) (c misses) {
	t.Helper()
	want, err := brute.NewHybrid(s.m, e)
	if err != nil {
		t.Fatal(err)
	}
	means := make([]float64, len(s.m.Vars))
	change := func(x float64, set func(float64)) {
		const step = 0x1p-40
		set(x * (1 + step))
		h, err := brute.NewHybrid(s.m, e)
		if err != nil {
			t.Fatal(err)
		}
		set(x)
		c.logP += math.Abs(h.LogDensity-want.LogDensity) / step / math.Max(1, math.Abs(want.LogDensity))
		for _, v := range s.m.Reals() {
			a, variance := want.Moments(v)
			b, _ := h.Moments(v)
			if variance > 0 {
				means[v] += math.Abs(a-b) / step / math.Sqrt(variance)
			}
		}
	}
	for _, f := range s.m.Factors {
		if d := f.Gaussian(); d != nil {
			for _, list := range [][]float64{d.Mean, d.Coef, d.Var} {
				for i := range list {
					change(list[i], func(x float64) { list[i] = x })
				}
			}
		}
	}
	for _, v := range s.m.Reals() {
		if x, ok := e.Reals[v]; ok {
			change(x, func(x float64) { e.Reals[v] = x })
		}
	}
	for _, x := range means {
		c.mean = math.Max(c.mean, x)
	}
	return c
}
