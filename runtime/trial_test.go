package pgmrt_test

import (
	"errors"
	"math"
	"testing"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// trialMemory holds the numbers of a run.
type trialMemory [8]float64

func (m *trialMemory) numbers() pgmrt.TrialNumbers {
	return pgmrt.TrialNumbers{Beta: &m[0], Weight: &m[1], Score: &m[2], Best: &m[3], Total: &m[4], Square: &m[5], Count: &m[6], Error: &m[7]}
}

func TestTrialOptions(t *testing.T) {
	d := pgmrt.TrialOptions{Iterations: 10, Chains: 2, Seed: 3, Hot: 4, Cold: 1, Tenure: 5}
	if got, err := (pgmrt.TrialOptions{Chains: 7}).With(d); err != nil || got != (pgmrt.TrialOptions{Iterations: 10, Chains: 7, Seed: 3, Hot: 4, Cold: 1, Tenure: 5}) {
		t.Errorf("%+v, %v", got, err)
	}
	for _, o := range []pgmrt.TrialOptions{{Iterations: -1}, {Chains: -1}, {Tenure: -1}, {Cold: -1}, {Cold: 5}, {Hot: math.Inf(1)}, {Hot: math.NaN()}} {
		if _, err := o.With(d); !errors.Is(err, pgmrt.ErrTrials) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// TestTrialBridge checks that the log-weight of a sample adds the score times each increase of the
// inverse temperature. The inverse temperatures are the squares of 0, 1/2 and 1.
func TestTrialBridge(t *testing.T) {
	var m trialMemory
	run := pgmrt.NewTrialRun(pgmrt.TrialBridge, pgmrt.TrialOptions{Iterations: 2, Chains: 2, Hot: 1, Cold: 1, Tenure: 1}, m.numbers())
	m[1] = 3 // initial log-weight of all samples
	for trial := 0; run.Next(new(pgmrt.Rand)); trial++ {
		var betas []float64
		m[2] = -4
		for run.Step() {
			betas = append(betas, m[0])
			m[2] = -8 // from the first step on
		}
		if len(betas) != 3 || betas[0] != 0 || betas[1] != .25 || betas[2] != 1 || m[1] != 3-8 {
			t.Errorf("trial %d: temperatures %v, weight %v", trial, betas, m[1])
		}
	}
}

// TestTrialClimb checks that a climb continues until a step gains nothing, and that it reports a
// limit that stopped it earlier.
func TestTrialClimb(t *testing.T) {
	for _, c := range []struct {
		mode  pgmrt.TrialMode
		gains int
		steps int
		want  pgmrt.Status
	}{{pgmrt.TrialClimb, 3, 4, pgmrt.Converged}, {pgmrt.TrialClimb, 100, 5, pgmrt.NotConverged}, {pgmrt.TrialCool, 7, 8, pgmrt.Converged}} {
		var m trialMemory
		run := pgmrt.NewTrialRun(c.mode, pgmrt.TrialOptions{Iterations: 5, Chains: 1, Hot: 4, Cold: .25, Tenure: 1}, m.numbers())
		steps := 0
		var betas []float64
		for run.Next(new(pgmrt.Rand)) {
			for run.Step() {
				betas = append(betas, m[0])
				if steps++; steps <= c.gains {
					m[2]++
				}
			}
		}
		if r := run.Report(); steps != c.steps || r.Iterations != steps || r.Status != c.want {
			t.Errorf("%+v: %d steps, %+v", c, steps, r)
		}
		if c.mode == pgmrt.TrialCool && (betas[0] != .25 || betas[2] != 1 || betas[4] != 4 || !math.IsInf(betas[5], 1)) {
			t.Errorf("inverse temperatures %v", betas)
		}
	}
}

// TestTrialReport checks two samples of weights 1 and 3. The mean is 2 and the effective sample
// size 16/10. The standard error of the mean's logarithm is that of the two numbers 1/2 and 3/2,
// whose variance is 1/2: sqrt(1/4).
func TestTrialReport(t *testing.T) {
	var m trialMemory
	run := pgmrt.NewTrialRun(pgmrt.TrialSample, pgmrt.TrialOptions{Iterations: 2, Chains: 1, Hot: 1, Cold: 1, Tenure: 1}, m.numbers())
	if !run.None() {
		t.Error("a run without samples has weights")
	}
	m[3], m[4], m[5] = math.Log(3), 1+1./3, 1+1./9
	if r := run.Report(); math.Abs(r.ESS-1.6) > 1e-12 || math.Abs(r.LogError-.5) > 1e-12 || r.Status != pgmrt.NotConverged || run.None() {
		t.Errorf("%+v", r)
	}
	if got := run.LogP(); math.Abs(got-math.Ln2) > 1e-12 {
		t.Errorf("ln of the mean is %v; want that of 2", got)
	}
	if run.NoneError(0) != pgmrt.ErrImpossible || run.NoneError(1) != pgmrt.ErrWeights || run.NoneError(2) != pgmrt.ErrWeights {
		t.Error("reasons for no weights")
	}
}
