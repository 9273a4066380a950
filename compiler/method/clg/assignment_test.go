package clg_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// assigned returns the states and the values of the last assignment.
func (s *subject) assigned(mc *eval.Machine) (state []int, x []float64) {
	for _, v := range s.m.Vars {
		value := mc.Value(v.ID)
		state, x = append(state, value.State), append(x, value.Real)
	}
	return state, x
}

// TestMPE compares the most probable completion with the best joint state of the discrete variables
// and the means of the real ones given that, which are their most probable values.
func TestMPE(t *testing.T) {
	compared := 0
	for _, seed := range irtest.Cases(t, 15, 300) {
		m := irtest.RandomHybrid(seed, irtest.HybridOptions{NoZeros: seed%4 != 0, NoDiscrete: seed%5 == 2})
		res, err := compiler.Compile(t.Context(), m, compiler.Options{Queries: []string{"mpe", "logprob"}, Check: true})
		if err != nil {
			if seed%4 != 0 {
				t.Fatal(err)
			}
			continue // rows of variance 0 beside others
		}
		s := &subject{res.Model, res.Program, 1}
		for k := range uint64(4) {
			e := irtest.HybridEvidence(seed*10+k, m, float64(k)/4)
			h, err := brute.NewHybrid(m, e)
			if err != nil {
				t.Fatal(err)
			}
			mc := s.machine(t, e)
			if err := mc.Run(s.p.Entry("mpe")); err != nil {
				t.Fatal(err)
			}
			best := math.Inf(-1)
			for i := range h.Parts {
				part := &h.Parts[i]
				x := make([]float64, len(m.Vars))
				for _, v := range m.Reals() {
					x[v] = part.Mean(v)
				}
				best = math.Max(best, s.m.LogDensity(part.State, x))
			}
			state, x := s.assigned(mc)
			got := s.m.LogDensity(state, x)
			if math.IsInf(best, 0) || math.IsInf(got, 0) {
				continue // the rounded value of a function
			}
			compared++
			if tol := 1e-9 * math.Max(1, math.Abs(best)); math.Abs(mc.LogP()-best) > tol || math.Abs(got-best) > tol {
				t.Errorf("seed %d, %d: density %v of %v, %v and ln p %v; want %v", seed, k, got, state, x, mc.LogP(), best)
			}
		}
	}
	if compared < 30 {
		t.Errorf("%d completions compared; want more", compared)
	}
}

// TestSamples compares the moments of samples with those of the posterior, within 5 standard
// errors, and repeats a sample.
func TestSamples(t *testing.T) {
	const n = 2000
	for _, seed := range irtest.Cases(t, 10, 60) {
		m := irtest.RandomHybrid(seed, irtest.HybridOptions{})
		s := compile(t, m, "sample")
		e := irtest.HybridEvidence(seed, m, float64(seed%3)/4)
		h, err := brute.NewHybrid(m, e)
		if err != nil {
			t.Fatal(err)
		}
		mc := s.machine(t, e)
		mc.Seed(seed)
		entry := s.p.Entry("sample")
		var states [][]int
		var values [][]float64
		for range n {
			if err := mc.Run(entry); err != nil {
				t.Fatal(err)
			}
			state, x := s.assigned(mc)
			states, values = append(states, state), append(values, x)
		}
		for _, text := range sampleErrors(m, h, states, values) {
			t.Errorf("seed %d: %s", seed, text)
		}
		mc.Seed(seed)
		if err := mc.Run(entry); err != nil {
			t.Fatal(err)
		}
		if _, again := s.assigned(mc); fmt.Sprint(again) != fmt.Sprint(values[0]) {
			t.Errorf("seed %d: %v the second time; want %v", seed, again, values[0])
		}
	}
}

// sampleErrors lists the variables whose samples differ from the posterior.
func sampleErrors(m *model.Model, h *brute.Hybrid, states [][]int, values [][]float64) (list []string) {
	n := float64(len(states))
	for _, v := range m.Vars {
		if !m.IsReal(v.ID) {
			count := make([]float64, m.Card(v.ID))
			for _, s := range states {
				count[s[v.ID]]++
			}
			for k, p := range h.Posterior(v.ID) {
				if math.Abs(count[k]/n-p) > 5*math.Sqrt(p*(1-p)/n)+1e-9 {
					list = append(list, fmt.Sprintf("P(%s): %v of %v; want %v", v.Name, count, n, h.Posterior(v.ID)))
				}
			}
			continue
		}
		mean, variance := h.Moments(v.ID)
		sum, squares, fourth := 0.0, 0.0, 0.0
		for _, x := range values {
			d := x[v.ID] - mean
			sum, squares, fourth = sum+d, squares+d*d, fourth+d*d*d*d
		}
		if math.Abs(sum/n) > 5*math.Sqrt(variance/n)+1e-9*math.Abs(mean) {
			list = append(list, fmt.Sprintf("%s: mean %v; want %v ± %v", v.Name, mean+sum/n, mean, math.Sqrt(variance/n)))
		}
		if spread := math.Sqrt(math.Max(0, fourth/n-squares/n*squares/n) / n); math.Abs(squares/n-variance) > 5*spread+1e-9*math.Max(variance, mean*mean) {
			list = append(list, fmt.Sprintf("%s: variance %v; want %v ± %v", v.Name, squares/n, variance, spread))
		}
	}
	return list
}
