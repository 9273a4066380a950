package pgmrt

import (
	"errors"
	"math"
)

// The errors of a query by sampling, besides ErrImpossible.
var (
	// ErrChain reports options that a query by sampling cannot run with.
	ErrChain = errors.New("want at least one chain of at least one iteration")
	// ErrStart reports that a bounded search found neither a state of all variables that agrees
	// with the evidence, nor a proof that there is none.
	ErrStart = errors.New("no joint state that agrees with the evidence was found to start from; it may be impossible")
)

// ChainOptions are the options of a query by sampling. A zero field stands for its default.
type ChainOptions struct {
	Iterations int    // sweeps of a chain that count, rounded up to a multiple of ChainBatches
	BurnIn     int    // sweeps of a chain before those that count; negative: none
	Chains     int    // the number of chains, each from a start of its own
	Seed       uint64 // chain i draws from the generator of seed Seed+i
}

// With sets zero fields to d's, and reports whether a run with the result is possible.
func (o ChainOptions) With(d ChainOptions) (ChainOptions, error) {
	if o.Iterations == 0 {
		o.Iterations = d.Iterations
	}
	switch {
	case o.BurnIn == 0:
		o.BurnIn = d.BurnIn
	case o.BurnIn < 0:
		o.BurnIn = 0
	}
	if o.Chains == 0 {
		o.Chains = d.Chains
	}
	if o.Seed == 0 {
		o.Seed = d.Seed
	}
	if o.Iterations < 1 || o.Iterations > math.MaxInt-ChainBatches || o.Chains < 1 {
		return d, ErrChain
	}
	return o, nil
}

// StartError returns the error for an outcome of the search for a start; the outcome 1 is no error.
func StartError(outcome float64) error {
	if outcome == 0 {
		return ErrImpossible
	}
	return ErrStart
}

// ChainBatches is the number of batches into which the sweeps of a chain are divided, half of them
// in each half. Batch means of a few dozen batches in all give standard errors within some 20 %.
const ChainBatches = 20

// SampleReport is the report of a query by sampling. A run has converged if its RHat is at most
// 1.01 (Vehtari, Gelman, Simpson, Carpenter and Bürkner 2021). Residual is the largest standard
// error of a probability, or of the mean of a real variable in its standard deviations.
type SampleReport struct {
	Report
	RHat float64 // split R-hat: the spread of all chains relative to that within their halves; the largest of all probabilities, +Inf if halves are constant and differ
	ESS  float64 // effective sample size: the number of independent draws with the same standard error; the smallest of all probabilities
	// Refused is the share of the Metropolis steps of a variable that were refused, the largest of
	// all variables; 0 without such steps. The acceptance rate is 1 minus this.
	Refused float64
	// Rejected is the share of the draws of a variable by rejection with all tries refused, so that
	// Metropolis steps took their place, the largest of all variables; 0 without such draws.
	Rejected float64
}

// With returns the report of two runs that together give an answer: the worse of the two, and the
// sweeps of both.
func (r SampleReport) With(next SampleReport) SampleReport {
	if r.Iterations == 0 {
		return next
	}
	r.Status = min(r.Status, next.Status)
	r.Iterations += next.Iterations
	r.Residual = max(r.Residual, next.Residual)
	r.RHat, r.ESS = max(r.RHat, next.RHat), min(r.ESS, next.ESS)
	r.Refused, r.Rejected = max(r.Refused, next.Refused), max(r.Rejected, next.Rejected)
	return r
}

// ChainRun counts the sweeps of a run.
type ChainRun struct {
	ChainOptions
	Length       int // sweeps of a batch
	chain, sweep int
}

// NewChainRun begins a run with the options that With returned.
func NewChainRun(o ChainOptions) ChainRun {
	return ChainRun{ChainOptions: o, Length: (o.Iterations + ChainBatches - 1) / ChainBatches}
}

// Next begins the next chain and seeds r for it. It reports whether there is one.
func (c *ChainRun) Next(r *Rand) bool {
	if c.chain == c.Chains {
		return false
	}
	reseed(r, c.Seed+uint64(c.chain))
	c.chain++
	c.sweep = 0
	return true
}

// reseed sets r to the state that NewRand returns.
func reseed(r *Rand, seed uint64) {
	hi, seed := randSplitMix(seed)
	lo, _ := randSplitMix(seed)
	*r = Rand{hi, lo}
}

// Sweep reports whether the chain needs another sweep.
func (c *ChainRun) Sweep() bool {
	c.sweep++
	return c.sweep <= c.BurnIn+c.Length*ChainBatches
}

// Batch reports whether the sweep ended a batch, and returns the weight of a sweep in the batch,
// which is 0 for burn-in.
func (c *ChainRun) Batch() (share float64, ends bool) {
	n := c.sweep - c.BurnIn
	if n <= 0 {
		return 0, n == 0
	}
	return 1 / float64(c.Length), n%c.Length == 0
}

// Half reports whether the sweep ended a half of the chain.
func (c *ChainRun) Half() bool {
	n := c.sweep - c.BurnIn
	return n > 0 && n%(c.Length*(ChainBatches/2)) == 0
}

// Report returns the report of a run that has ended. If every probability was the same in all
// sweeps, as when the evidence determines all states, the effective sample size is the number of
// sweeps.
func (c *ChainRun) Report(rhat, ess, residual float64) SampleReport {
	r := SampleReport{RHat: rhat, ESS: ess}
	r.Iterations = c.Length * ChainBatches * c.Chains
	r.Residual = residual
	if math.IsInf(ess, 1) {
		r.ESS = float64(r.Iterations)
	}
	if rhat <= 1.01 {
		r.Status = Converged
	}
	return r
}

// Redraw draws a state in proportion to the weights w, where state is the present one, and adds
// each weight's share to tally, which is as long as w. If rounding has left no weight, the state
// stays.
func Redraw(w, tally []float64, state int32, r *Rand) int32 {
	total := 0.0
	for _, x := range w {
		total += x
	}
	tally = tally[:len(w)]
	if total < chainLeast {
		tally[state]++
		return state
	}
	share, u, below := 1/total, float64(r.Float64()*total), 0.0
	for i, x := range w {
		if x > 0 && below <= u {
			state = int32(i)
		}
		below += x
		tally[i] += float64(x * share)
	}
	return state
}

// chainLeast is the least total that is safe to divide by.
const chainLeast = 0x1p-1000

// ChainStats holds the statistics of a variable's probabilities, one number a state. For a real
// variable they belong to its mean and to the mean of its square, in units in which neither is
// large.
type ChainStats struct {
	Batch   []float64 // the sum of the sweeps of this batch
	Half    []float64 // the sum of the batch means of this half
	Total   []float64 // the sum of all batch means
	Square  []float64 // the sum of their squares
	Within  []float64 // the sum over halves of p(1-p), the variance of being in the state
	Between []float64 // the sum over halves of p*p
}

// Clear begins a run.
func (c *ChainStats) Clear() {
	for _, x := range [...][]float64{c.Batch, c.Half, c.Total, c.Square, c.Within, c.Between} {
		clear(x)
	}
}

// EndBatch adds the mean of a batch, in which each sweep has the given weight, and begins the next.
func (c *ChainStats) EndBatch(share float64) {
	for i, x := range c.Batch {
		mean := float64(x * share)
		c.Half[i] += mean
		c.Total[i] += mean
		c.Square[i] += float64(mean * mean)
		c.Batch[i] = 0
	}
}

// EndHalf adds the mean of half a chain, and begins the next half.
func (c *ChainStats) EndHalf() {
	for i, x := range c.Half {
		p := x / (ChainBatches / 2)
		c.Within[i] += float64(p * (1 - p))
		c.Between[i] += float64(p * p)
		c.Half[i] = 0
	}
}

// chainStill is the variance below which numbers of up to 1 count as equal. The variance is a
// difference of squares, which are rounded.
const chainStill = 1e-14

// EndRun updates rhat and residual, which grow, and ess, which shrinks, by the statistics of one
// variable, after a run of the given numbers of chains, batches and sweeps a batch. The variance of
// a mean is estimated from the batches; that within a chain is p(1-p).
func (c *ChainStats) EndRun(chains, length float64, rhat, ess, residual *float64) {
	batches, halves, n := ChainBatches*chains, 2*chains, length*(ChainBatches/2)
	for i := range c.Total {
		p := c.Total[i] / batches
		if v := c.Square[i]/batches - float64(p*p); v > chainStill {
			v /= batches - 1
			*residual = max(*residual, math.Sqrt(v))
			*ess = min(*ess, float64(p*(1-p))/v)
		}
		mean := float64(p * p)
		between := (c.Between[i] - float64(halves*mean)) / (halves - 1)
		if between <= chainStill {
			continue
		}
		within := c.Within[i] / halves
		if within <= chainStill {
			*rhat = math.Inf(1)
			continue
		}
		*rhat = max(*rhat, math.Sqrt((n-1)/n+between/within))
	}
}

// EndHalfReal is EndHalf for a real variable. The variance within a half is the variance of its
// value.
func (c *ChainStats) EndHalfReal() {
	mean, square := c.Half[0]/(ChainBatches/2), c.Half[1]/(ChainBatches/2)
	c.Within[0] += max(0, square-float64(mean*mean))
	c.Between[0] += float64(mean * mean)
	clear(c.Half)
}

// EndRunReal is EndRun for a real variable, and leaves its mean and its variance in Total. The
// standard error of the mean is in standard deviations of the variable.
func (c *ChainStats) EndRunReal(chains, length float64, rhat, ess, residual *float64) {
	batches, halves, n := ChainBatches*chains, 2*chains, length*(ChainBatches/2)
	mean := c.Total[0] / batches
	square := float64(mean * mean)
	variance, still := max(0, c.Total[1]/batches-square), float64(chainStill*max(1, square))
	c.Total[0], c.Total[1] = mean, variance
	if variance <= still {
		return
	}
	if v := c.Square[0]/batches - square; v > still {
		v /= batches - 1
		*residual = max(*residual, math.Sqrt(v/variance))
		*ess = min(*ess, variance/v)
	}
	between := (c.Between[0] - float64(halves*square)) / (halves - 1)
	if between <= still {
		return
	}
	within := c.Within[0] / halves
	if within <= still {
		*rhat = math.Inf(1)
		return
	}
	*rhat = max(*rhat, math.Sqrt((n-1)/n+between/within))
}
