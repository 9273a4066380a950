package clg_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// opposed returns two components with densities that prefer different states of one variable by
// more than 1000 nats.
func opposed() (b builder, d, x, y model.VarID) {
	b = newBuilder(model.Bayes)
	d = b.binary("d", .5)
	x = b.normal("x", &model.Gaussian{Mean: []float64{0, 50}, Var: []float64{1, 1}}, d)
	y = b.normal("y", &model.Gaussian{Mean: []float64{60, 0}, Var: []float64{1, 1}}, d)
	return b, d, x, y
}

// TestOpposed checks components that exclude each other's states if each is relative to its own
// largest density.
func TestOpposed(t *testing.T) {
	b, _, x, y := opposed()
	e := real(map[model.VarID]float64{x: 0, y: 0})
	logp := -1250 - math.Log(2) - math.Log(2*math.Pi) // of state d1; d0 has 550 nats less
	s := compile(t, b.Model, "marginals", "logprob", "mpe")
	of, got := s.posteriors(t, e)
	want(t, "ln p", 9, []float64{got}, logp)
	want(t, "d", 15, of["d"], 0, 1)
	mc := s.machine(t, e)
	if err := mc.Run(s.p.Entry("mpe")); err != nil {
		t.Fatal(err)
	}
	if got := mc.LogP(); !near(got, logp, 1, 1e-14) {
		t.Errorf("best completion %v; want %v", got, logp)
	}
}

// TestLost checks that possible evidence is not called impossible if a CPD over other variables too
// excludes the state that the largest density has.
func TestLost(t *testing.T) {
	for _, mean := range []float64{30, 50} { // 450 and 1250 nats
		b := newBuilder(model.Bayes)
		d := b.binary("d", .5)
		e := b.NewVar("e", "e0", "e1").ID
		b.Factors = append(b.Factors, &model.Factor{Scope: []model.VarID{d, e}, Child: 1, Dist: &model.Table{Values: []float64{1, 0, .5, .5}}})
		x := b.normal("x", &model.Gaussian{Mean: []float64{0, mean}, Var: []float64{1, 1}}, d)
		s := compile(t, b.Model, "logprob", "mpe")
		at := real(map[model.VarID]float64{x: 0})
		at.States = map[model.VarID]int{e: 1}
		for i := range s.p.Entries {
			mc := s.machine(t, at)
			err := mc.Run(&s.p.Entries[i])
			logp := -mean*mean/2 - math.Log(4) - math.Log(2*math.Pi)/2
			switch name := s.p.Entries[i].Query.Name; {
			case mean == 50 && !lost(err):
				t.Errorf("%s: %v; want numbers out of range", name, err)
			case mean == 30 && (err != nil || !near(mc.LogP(), logp, 1, 1e-13)):
				t.Errorf("%s: ln p %v, %v; want %v", name, mc.LogP(), err, logp)
			}
		}
	}
}

// lost reports whether err says that numbers are out of range.
func lost(err error) bool {
	return errors.Is(err, pgmrt.ErrState) && strings.Contains(err.Error(), "out of range")
}

// TestFar compares ln p and posteriors of discrete variables with exact rationals on networks of
// two to four components with means up to 10,000 deviations apart, observed at the means of states
// that are drawn for each on its own. Errors of ln p are relative to it; differences of logarithms
// have the same errors, so that posteriors have them too. Numbers may be lost in networks with
// components of which none includes the others, or with discrete CPDs over variables besides.
func TestFar(t *testing.T) {
	seeds := irtest.Cases(t, 120, 10000)
	n, refused, far, impossible := len(seeds), 0, 0, 0
	for _, seed := range seeds {
		m, e, nested := farNetwork(seed)
		s := compile(t, m, "marginals")
		exact, err := brute.NewHybrid(m, e)
		if err != nil {
			t.Fatal(err)
		}
		mc, entry := s.machine(t, e), s.p.Entry("marginals")
		err = mc.Run(entry)
		switch {
		case lost(err) && !nested:
			refused++
			continue
		case len(exact.Parts) == 0:
			impossible++
			if !errors.Is(err, eval.ErrImpossible) {
				t.Errorf("seed %d: %v; want impossible", seed, err)
			}
			continue
		case err != nil:
			t.Errorf("seed %d: %v; want ln p %v", seed, err, exact.LogDensity)
			continue
		}
		if exact.LogDensity < -1000 {
			far++
		}
		if !near(mc.LogP(), exact.LogDensity, 1, 1e-13) {
			t.Errorf("seed %d: ln p %v; want %v", seed, mc.LogP(), exact.LogDensity)
		}
		tol := 1e-14 * math.Max(100, -exact.LogDensity)
		for k, id := range entry.Outs {
			if v := s.p.Spans[id].Var; !m.IsReal(v) {
				for i, p := range exact.Posterior(v) {
					if got := mc.Posterior(k)[i]; !near(got, p, 1, tol) {
						t.Errorf("seed %d: P(%s) %v; want %v", seed, m.Vars[v].Name, got, p)
					}
				}
			}
		}
	}
	t.Logf("%d of %d networks have ln p below -1000, %d impossible evidence, %d lose numbers", far, n, impossible, refused)
	if far < n/2 || impossible < n/100 || refused > n/4 {
		t.Errorf("%d of %d networks have ln p below -1000, %d impossible evidence, %d lose numbers; want half, 1 %% and at most 25 %%", far, n, impossible, refused)
	}
}

// farNetwork returns a network of TestFar. It is nested if all components have the discrete
// variables as parents or only the first, and no numbers can be lost.
func farNetwork(seed uint64) (m *model.Model, e brute.HybridEvidence, nested bool) {
	r := rand.New(rand.NewPCG(seed, 31))
	nested = r.IntN(2) == 0
	b := newBuilder(model.Bayes)
	e = brute.HybridEvidence{States: map[model.VarID]int{}, Reals: map[model.VarID]float64{}}
	var discrete []model.VarID
	for i := range 1 + r.IntN(3) {
		v := b.NewVar("d"+string(rune('0'+i)), "a", "b", "c").ID
		scope := append([]model.VarID{}, discrete[max(0, i-1):]...)
		f := &model.Factor{Scope: append(scope, v), Child: len(scope), Dist: &model.Table{}}
		for range int(math.Pow(3, float64(len(scope)))) {
			row := []float64{.5, .25, .25}
			if r.IntN(2) == 0 {
				row = []float64{0, .25, .75}
			}
			r.Shuffle(3, func(i, j int) { row[i], row[j] = row[j], row[i] })
			f.Dist.(*model.Table).Values = append(f.Dist.(*model.Table).Values, row...)
		}
		b.Factors, discrete = append(b.Factors, f), append(discrete, v)
		if r.IntN(4) == 0 {
			e.States[v] = r.IntN(3)
		}
	}
	for i := range 2 + r.IntN(3) {
		parents := append([]model.VarID{}, discrete...)
		switch {
		case i > 0 && nested && r.IntN(2) == 0:
			parents = parents[:1]
		case !nested:
			k := r.IntN(len(parents))
			parents = parents[k : k+1+r.IntN(len(parents)-k)]
		}
		d := &model.Gaussian{}
		for range int(math.Pow(3, float64(len(parents)))) {
			d.Mean = append(d.Mean, math.Round(math.Pow(10, 1+3*r.Float64())*r.NormFloat64()))
			d.Var = append(d.Var, math.Pow(4, float64(r.IntN(3)-1)))
		}
		x := b.normal("x"+string(rune('0'+i)), d, parents...)
		e.Reals[x] = d.Mean[r.IntN(len(d.Mean))] + r.NormFloat64()
	}
	return b.Model, e, nested
}
