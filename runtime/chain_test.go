package pgmrt

import (
	"errors"
	"math"
	"testing"
)

// stats updates the statistics of one probability by batch means, each the mean of one sweep, as a
// run of several chains does.
func stats(chains int, means func(batch int) float64) (rhat, ess, residual, p float64) {
	one := func() []float64 { return make([]float64, 1) }
	s := ChainStats{one(), one(), one(), one(), one(), one()}
	s.Batch[0] = 7
	s.Clear()
	rhat, ess = 1, math.Inf(1)
	for b := range chains * ChainBatches {
		s.Batch[0] = means(b)
		s.EndBatch(1)
		if b%(ChainBatches/2) == ChainBatches/2-1 {
			s.EndHalf()
		}
	}
	s.EndRun(float64(chains), 1, &rhat, &ess, &residual)
	return rhat, ess, residual, s.Total[0] / float64(chains*ChainBatches)
}

// TestChainStats checks alternating batch means of .4 and .6 by hand. Their mean is .5 and their
// variance .01 * 20/19. The mean of 20 thus has the variance .01/19, which is that of .25 * 19/.01
// = 475 independent draws. Both halves have the mean .5.
func TestChainStats(t *testing.T) {
	rhat, ess, residual, p := stats(1, func(b int) float64 { return .4 + .2*float64(b%2) })
	if math.Abs(p-.5) > 1e-12 || math.Abs(ess-475) > 1e-6 || math.Abs(residual-math.Sqrt(.01/19)) > 1e-12 || rhat != 1 {
		t.Errorf("p %v, ESS %v, error %v, R-hat %v", p, ess, residual, rhat)
	}
}

// TestRHat checks two chains with the means .2 and .6 in both halves. W is (.16+.24)/2 = .2. B/n is
// the variance of .2, .2, .6, .6, which is .16/3. With halves of ten sweeps, R-hat is the root of
// .9 + .16/3/.2.
func TestRHat(t *testing.T) {
	rhat, _, _, _ := stats(2, func(b int) float64 { return .2 + .4*float64(b/ChainBatches) })
	if want := math.Sqrt(.9 + .16/3/.2); math.Abs(rhat-want) > 1e-12 {
		t.Errorf("R-hat %v; want %v", rhat, want)
	}
	if rhat, _, _, _ := stats(2, func(b int) float64 { return float64(b / ChainBatches) }); !math.IsInf(rhat, 1) {
		t.Errorf("R-hat %v of chains that stand still apart", rhat)
	}
	if rhat, ess, residual, _ := stats(2, func(int) float64 { return 1 }); rhat != 1 || !math.IsInf(ess, 1) || residual != 0 {
		t.Errorf("R-hat %v, ESS %v, error %v of what is certain", rhat, ess, residual)
	}
}

// TestChainStatsReal checks a real variable with alternating batch means of 3 and 5, and means of
// squares that add a variance of 2.25 to each. The mean is 4, the variance 1 + 2.25, and the
// standard error of the mean, in standard deviations, the root of (1/19)/3.25, so that the
// effective sample size is 3.25 · 19. Two chains at 3 and at 5 have W = 2.25 and B/n = 4/3.
func TestChainStatsReal(t *testing.T) {
	run := func(chains int, mean func(b int) float64) (rhat, ess, residual float64, total []float64) {
		two := func() []float64 { return make([]float64, 2) }
		s := ChainStats{two(), two(), two(), two(), two(), two()}
		rhat, ess = 1, math.Inf(1)
		for b := range chains * ChainBatches {
			m := mean(b)
			s.Batch[0], s.Batch[1] = m, m*m+2.25
			s.EndBatch(1)
			if b%(ChainBatches/2) == ChainBatches/2-1 {
				s.EndHalfReal()
			}
		}
		s.EndRunReal(float64(chains), 1, &rhat, &ess, &residual)
		return rhat, ess, residual, s.Total
	}
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*max(1, math.Abs(b)) }
	rhat, ess, residual, total := run(1, func(b int) float64 { return 3 + 2*float64(b%2) })
	if !near(total[0], 4) || !near(total[1], 3.25) || !near(ess, 3.25*19) || !near(residual, math.Sqrt(1./19/3.25)) || rhat != 1 {
		t.Errorf("mean and variance %v, ESS %v, error %v, R-hat %v", total, ess, residual, rhat)
	}
	if rhat, _, _, _ := run(2, func(b int) float64 { return 3 + 2*float64(b/ChainBatches) }); !near(rhat, math.Sqrt(.9+4./3/2.25)) {
		t.Errorf("R-hat %v; want %v", rhat, math.Sqrt(.9+4./3/2.25))
	}
}

// TestChainRun checks a run of 2 chains of 30 sweeps after a burn-in of 3. Batches of 2 sweeps make
// 40 sweeps a chain.
func TestChainRun(t *testing.T) {
	opt, err := ChainOptions{Iterations: 30, Chains: 2}.With(ChainOptions{Iterations: 1000, BurnIn: 3, Chains: 4, Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	run := NewChainRun(opt)
	var r Rand
	sweeps, batches, halves, discarded := 0, 0, 0, 0
	for chain := uint64(0); run.Next(&r); chain++ {
		if r != *NewRand(5 + chain) {
			t.Errorf("chain %d has the generator %v", chain, r)
		}
		for run.Sweep() {
			sweeps++
			if share, ends := run.Batch(); ends && share == 0 {
				discarded++
			} else if ends && share == .5 {
				batches++
			}
			if run.Half() {
				halves++
			}
		}
	}
	if sweeps != 2*43 || batches != 40 || halves != 4 || discarded != 2 {
		t.Errorf("%d sweeps, %d batches, %d halves, %d discarded", sweeps, batches, halves, discarded)
	}
	if got := run.Report(1.005, math.Inf(1), .1); got.Status != Converged || got.Iterations != 80 || got.ESS != 80 || got.Residual != .1 {
		t.Errorf("report %+v", got)
	}
	if got := run.Report(1.02, 7, .1).With(run.Report(1, 9, .2)); got.Status != NotConverged || got.Iterations != 160 || got.ESS != 7 || got.Residual != .2 || got.RHat != 1.02 {
		t.Errorf("report of two %+v", got)
	}
	for _, o := range []ChainOptions{{Iterations: -1}, {Chains: -1}, {Iterations: math.MaxInt}} {
		if _, err := o.With(opt); !errors.Is(err, ErrChain) {
			t.Errorf("%+v gives %v", o, err)
		}
	}
}

func TestRedraw(t *testing.T) {
	r := NewRand(1)
	w, tally, count := []float64{1, 0, 3, 0}, make([]float64, 4), [4]int{}
	for range 40_000 {
		count[Redraw(w, tally, 0, r)]++
	}
	if count[1] != 0 || count[3] != 0 || math.Abs(float64(count[0])-10_000) > 5*math.Sqrt(40_000*.25*.75) {
		t.Errorf("drawn %v times", count)
	}
	if tally[0] != 10_000 || tally[1] != 0 || tally[2] != 30_000 {
		t.Errorf("tally %v", tally)
	}
	if got := Redraw([]float64{0, 0, 0, 0}, tally, 3, r); got != 3 || tally[3] != 1 {
		t.Errorf("without weights, state %d and tally %v", got, tally)
	}
}
