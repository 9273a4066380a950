package pgmrt

import (
	"errors"
	"math"
)

// The errors of a query by trials, besides ErrImpossible and ErrStart.
var (
	// ErrTrials reports options that a query by trials cannot run with.
	ErrTrials = errors.New("want at least one trial of at least one step, temperatures that fall and stay above 0, and a tenure of at least 1")
	// ErrWeights reports that no sample agrees with the evidence, although it may be possible.
	ErrWeights = errors.New("no sample agrees with the evidence; take more samples, or another method")
)

// TrialOptions are the options of a query by trials. A zero field stands for its default.
type TrialOptions struct {
	Iterations int    // steps of a trial: samples, temperatures, sweeps or moves
	Chains     int    // the number of trials, each from a start of its own
	Seed       uint64 // trial i draws from the generator of seed Seed+i
	Hot, Cold  float64
	Tenure     int // the number of moves for which a state that was left is not taken again
}

// With sets zero fields to d's, and reports whether a run with the result is possible.
func (o TrialOptions) With(d TrialOptions) (TrialOptions, error) {
	if o.Iterations == 0 {
		o.Iterations = d.Iterations
	}
	if o.Chains == 0 {
		o.Chains = d.Chains
	}
	if o.Seed == 0 {
		o.Seed = d.Seed
	}
	if o.Hot == 0 {
		o.Hot = d.Hot
	}
	if o.Cold == 0 {
		o.Cold = d.Cold
	}
	if o.Tenure == 0 {
		o.Tenure = d.Tenure
	}
	if o.Iterations < 1 || o.Chains < 1 || o.Tenure < 1 || !(o.Cold > 0 && o.Hot >= o.Cold && o.Hot <= math.MaxFloat64) {
		return d, ErrTrials
	}
	return o, nil
}

// TrialZero is the logarithm of 0. Sums of it and of numbers that occur stay below half of it.
const TrialZero = -1e300

// TrialReport is the report of a query by weighted samples. A run has converged if its effective
// sample size is at least TrialEnough. Residual is the largest standard error of a probability.
type TrialReport struct {
	Report
	ESS      float64 // effective sample size: the number of samples of equal weight with the same standard error
	LogError float64 // the standard error of LogP; +Inf for a single sample
}

// TrialEnough is the effective sample size from which on standard errors, which are estimated from
// the same samples, can be relied on.
const TrialEnough = 100

// TrialNumbers are the numbers that a run shares with the blocks of its program.
type TrialNumbers struct {
	Beta   *float64 // the inverse temperature
	Weight *float64 // the logarithm of the weight of the trial
	Score  *float64 // the logarithm of the product of all factors for the present states
	Best   *float64 // the largest score so far; for samples the largest weight, relative to which weights are summed
	Total  *float64 // the sum of the weights; for tabu search the tenure
	Square *float64 // the sum of their squares
	Count  *float64 // the moves of this trial
	Error  *float64 // the largest standard error
}

// TrialMode is the kind of a run's trials.
type TrialMode uint8

// The modes: samples drawn from parents to children, samples at a falling temperature, hill
// climbing, hill climbing after cooling, and tabu search.
const (
	TrialSample TrialMode = iota
	TrialBridge
	TrialClimb
	TrialCool
	TrialMove
)

// TrialRun counts the steps of a run.
type TrialRun struct {
	TrialOptions
	TrialNumbers
	mode        TrialMode
	trial, step int
	steps       int     // of all trials
	base        float64 // the weight with which a trial begins
	before      float64 // the score, or the best score, before the last step
	improving   bool    // a trial ended while it still improved
}

// NewTrialRun begins a run with the options that With returned.
func NewTrialRun(mode TrialMode, o TrialOptions, n TrialNumbers) TrialRun {
	for _, x := range [...]*float64{n.Beta, n.Weight, n.Score, n.Total, n.Square, n.Count, n.Error} {
		*x = 0
	}
	*n.Best = math.Inf(-1)
	if mode == TrialMove {
		*n.Total = float64(o.Tenure)
	}
	return TrialRun{TrialOptions: o, TrialNumbers: n, mode: mode}
}

// Next begins the next trial and seeds r for it. It reports whether there is one.
func (t *TrialRun) Next(r *Rand) bool {
	if t.trial == t.Chains {
		return false
	}
	if t.trial == 0 {
		t.base = *t.Weight
	}
	reseed(r, t.Seed+uint64(t.trial))
	t.trial++
	t.step = 0
	*t.Weight, *t.Count = t.base, 0
	return true
}

// Step reports whether the trial needs another step, and prepares the numbers for it.
func (t *TrialRun) Step() bool {
	more := t.step < t.Iterations
	switch t.mode {
	case TrialBridge:
		more = t.bridge()
	case TrialClimb, TrialCool:
		more = t.climb()
	case TrialMove:
		t.improving = t.improving || !more && *t.Best > t.before
		t.before = *t.Best
	}
	if more {
		t.step++
		t.steps++
	}
	return more
}

// bridge advances to the next temperature and adds the gain of the present states to the weight
// (Neal 2001). The first step is at an infinite temperature, at which all states have the same
// weight. Inverse temperatures are the squares of equal steps, because most of the gain is at low
// ones.
func (t *TrialRun) bridge() bool {
	if t.step > t.Iterations {
		return false
	}
	share := float64(t.step) / float64(t.Iterations)
	beta, old := float64(share*share), *t.Beta
	if t.step == 0 {
		old = 0
	}
	*t.Weight += float64((beta - old) * *t.Score)
	*t.Beta = beta
	return true
}

// climb advances to the next temperature, and finally to zero, at which states change only for
// better ones, until none does.
func (t *TrialRun) climb() bool {
	cooling := 0
	if t.mode == TrialCool {
		cooling = t.Iterations
	}
	if t.step < cooling {
		at := float64(t.step) / float64(max(1, cooling-1))
		*t.Beta = 1 / float64(t.Hot*math.Pow(t.Cold/t.Hot, at))
		return true
	}
	*t.Beta = math.Inf(1)
	moved := t.step == cooling || *t.Score > t.before
	t.before = *t.Score
	if moved && t.step == cooling+t.Iterations {
		t.improving = true
		return false
	}
	return moved
}

// None reports whether no sample has any weight.
func (t *TrialRun) None() bool { return t.mode <= TrialBridge && *t.Total == 0 }

// NoneError returns the reason why no sample has any weight, by the outcome of a search for states
// that agree with the evidence.
func (t *TrialRun) NoneError(outcome float64) error {
	if outcome == 0 {
		return ErrImpossible
	}
	return ErrWeights
}

// LogP returns the logarithm of the estimate of the sum of all products, or of the product for the
// best states.
func (t *TrialRun) LogP() float64 {
	if t.mode > TrialBridge {
		return *t.Score
	}
	return *t.Best + Ln(*t.Total/t.samples())
}

// samples returns the number of samples so far.
func (t *TrialRun) samples() float64 {
	if t.mode == TrialBridge {
		return float64(t.Chains)
	}
	return float64(t.Iterations) * float64(t.Chains)
}

// Report returns the report of a run that has ended.
func (t *TrialRun) Report() TrialReport {
	r := TrialReport{Report: Report{Iterations: t.steps}}
	if t.mode > TrialBridge {
		if !t.improving {
			r.Status = Converged
		}
		return r
	}
	n := t.samples()
	r.Residual = *t.Error
	r.ESS = *t.Total / *t.Square * *t.Total
	r.LogError = math.Inf(1)
	if n > 1 {
		r.LogError = math.Sqrt(max(0, n/r.ESS-1) / (n - 1))
	}
	if r.ESS >= TrialEnough {
		r.Status = Converged
	}
	return r
}
