package em

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/mle"
)

// RunOptions configure the search for the maximum.
type RunOptions struct {
	mle.Options
	Ascent    bool    // gradient ascent instead of EM
	Random    bool    // the first start is random too
	Restarts  int     // further starts, from random parameters
	Steps     int     // most steps of a start; 0 is DefaultSteps
	Tolerance float64 // the run ends if further steps would gain less than this share of the objective; 0 is DefaultTolerance

	Earlier mle.Counts // counts of complete rows that are fitted too; nil for none

	// Conditional lists the variables whose conditional likelihood given all others is maximised,
	// by gradient ascent, in place of the likelihood of all; nil for the likelihood. L1 and L2 are
	// penalties of the logits of CPDs and the standardised numbers of Gaussian ones, or of the
	// weights of a Markov network: L1 times their absolute values and L2 / 2 times their squares.
	// The likelihood has none.
	Conditional []model.VarID
	L1, L2      float64
}

// Defaults of RunOptions.
const (
	DefaultSteps     = 500
	DefaultTolerance = 1e-8
)

// Fit is the best result of all starts.
type Fit struct {
	Model  *model.Model
	Counts mle.Counts // expected counts under the model
	Starts []learner.Start
	Best   int // the start that found it

	Families []float64 // by factor: its part of the expected log-likelihood
	Hidden   float64   // entropy of the missing values given the observed ones; with Families it sums to the log-likelihood
	Stopped  bool      // stopped before convergence
	// Approximate is set if the log-likelihood and the counts come from an approximate smoother.
	Approximate bool
	// Least holds, by real variable, the number of rows of its CPDs in which the variance is the
	// least that EM gives: the likelihood has no maximum.
	Least       map[model.VarID]int
	params      int
	conditional bool // the log-likelihood is of some variables given the others
}

// Run fits the parameters of m to the rows of s. column holds the column of each variable, or -1.
// If ctx ends, Run returns the best result so far with the error of ctx, or nil if there is none
// yet.
func Run(ctx context.Context, m *model.Model, s *data.Set, column []int, opt RunOptions, job *learner.Job) (*Fit, error) {
	opt, err := opt.withDefaults()
	if err != nil {
		return nil, err
	}
	m, rows := m.NormalizeRows(model.RowsUniform)
	if rows.HasErrors() {
		return nil, rows.Err()
	}
	rest, soft, err := apart(m, s, column, &opt)
	if err != nil {
		return nil, err
	}
	fit, err := fitRest(ctx, rest, s, column, opt, job)
	if fit != nil {
		soft.join(m, fit)
	}
	return fit, err
}

// fitRest is Run for a network without softmax CPDs.
func fitRest(ctx context.Context, m *model.Model, s *data.Set, column []int, opt RunOptions, job *learner.Job) (*Fit, error) {
	real := len(m.Reals()) > 0
	if real && opt.Ascent {
		return nil, fmt.Errorf("gradient ascent takes no real variables, and %q is one; want EM", m.Vars[m.Reals()[0]].Name)
	}
	if real {
		opt.Marginals = marginals(m, s, column)
	}
	est, err := mle.New(m, opt.Options)
	if err != nil {
		return nil, err
	}
	if opt.Mode && est.Least() < 1 {
		return nil, fmt.Errorf("a prior with a pseudo-count of %v has no mode to climb to; want pseudo-counts of at least 1, as of prior k2, or the posterior mean", est.Least())
	}
	if real {
		if m, err = positive(m, est); err != nil {
			return nil, err
		}
	}
	if opt.Conditional != nil {
		if err := checkTargets(m, s, column, opt.Conditional); err != nil {
			return nil, err
		}
	}
	most := limits{job.Cores, job.MaxMem, maxListed}
	x, err := newExpecter(ctx, m, est, s, column, most)
	if err != nil {
		return nil, err
	}
	if opt.Earlier != nil {
		est.Add(x.whole, opt.Earlier)
	}
	of := &search{m: m, est: est, by: est, expect: x.expect}
	if opt.Conditional != nil {
		free, err := newExpecter(ctx, m, est, s, without(column, opt.Conditional), most)
		if err != nil {
			return nil, err
		}
		if err := of.discriminate(ctx, free.expect, &opt); err != nil {
			return nil, err
		}
	}
	return of.starts(ctx, opt, job)
}

// search climbs to maxima of the likelihood of a model, by its expected counts.
type search struct {
	m      *model.Model
	est    *mle.Estimator
	by     coordinates
	expect expectation
	free   expectation // of rows without the variables of RunOptions.Conditional; nil without them
}

// expectation returns the expected counts of all rows under the parameters of m, and their
// log-likelihood.
type expectation func(ctx context.Context, m *model.Model) (mle.Counts, float64, error)

// positive returns the model with positive variances, which replaceable numbers of a program must
// have.
func positive(m *model.Model, est *mle.Estimator) (*model.Model, error) {
	m = est.Positive(m)
	for _, f := range m.Factors {
		if d := f.Gaussian(); d != nil && slices.Contains(d.Var, 0) {
			return nil, fmt.Errorf("the %s is fixed with a variance of 0, under which EM does not infer; want a small one", m.FactorName(f))
		}
	}
	return m, nil
}

// marginals returns the means and variances of real variables in the data. A hidden variable has a
// mean of 0 and a variance of 1, and so have variables without a value or with only one value,
// except for the mean.
func marginals(m *model.Model, s *data.Set, column []int) []mle.Marginal {
	out := make([]mle.Marginal, len(m.Vars))
	moments := data.NewMoments(s, 1)
	for v, c := range column {
		out[v].Var = 1
		if c < 0 || !s.Vars[c].Real {
			continue
		}
		x := moments.Of(nil, []int{c})[0]
		if x.Weight == 0 {
			continue
		}
		out[v].Mean = x.Mean[0]
		if variance := x.Cross[0] / x.Weight; variance > 0 {
			out[v].Var = variance
		}
	}
	return out
}

// mostCount is the most restarts and steps: their product does not overflow.
const mostCount = 1_000_000_000

func (o RunOptions) withDefaults() (RunOptions, error) {
	if o.Steps == 0 {
		o.Steps = DefaultSteps
	}
	if o.Tolerance == 0 {
		o.Tolerance = DefaultTolerance
	}
	if o.Conditional == nil {
		o.L1, o.L2 = 0, 0
	}
	switch {
	case o.Restarts < 0 || o.Steps < 0:
		return o, fmt.Errorf("%d restarts, %d steps; want numbers from 0", o.Restarts, o.Steps)
	case o.Restarts > mostCount || o.Steps > mostCount:
		return o, fmt.Errorf("%d restarts, %d steps; want at most %d", o.Restarts, o.Steps, mostCount)
	case !(o.Tolerance > 0) || math.IsInf(o.Tolerance, 0):
		return o, fmt.Errorf("tolerance %v; want a number above 0", o.Tolerance)
	case !(o.L1 >= 0 && o.L2 >= 0) || math.IsInf(o.L1+o.L2, 0):
		return o, fmt.Errorf("penalties %v and %v; want finite numbers from 0", o.L1, o.L2)
	case len(o.NormalGamma) > 0 && o.Conditional != nil:
		return o, fmt.Errorf("a conditional fit takes no normal-gamma priors; want pseudo-rows, as of prior k2")
	case len(o.NormalGamma) > 0:
		return o, fmt.Errorf("EM takes no normal-gamma priors; want pseudo-rows, as of prior k2")
	case o.Prior.OfCounts() != "" && o.Conditional != nil:
		return o, fmt.Errorf("prior %s depends on counts, and a conditional likelihood has none; want another prior", o.Prior.OfCounts())
	case o.Prior.OfCounts() != "":
		return o, fmt.Errorf("prior %s depends on counts, which EM changes; want another prior", o.Prior.OfCounts())
	}
	return o, nil
}

// starts climbs from each start and keeps the best result.
func (x *search) starts(ctx context.Context, opt RunOptions, job *learner.Job) (*Fit, error) {
	fit := &Fit{}
	var best *climb
	for k := 0; k <= opt.Restarts; k++ {
		begin := x.m
		if k > 0 || opt.Random {
			begin = x.est.Random(x.m, rand.New(rand.NewPCG(job.Seed, uint64(k))))
		}
		c := &climb{x: x, opt: &opt, job: job, before: k * opt.Steps, total: (opt.Restarts + 1) * opt.Steps}
		if best != nil {
			c.best = best.Objective
		}
		err := c.run(ctx, begin)
		if err != nil && ctx.Err() == nil {
			return nil, err
		}
		if c.Trace != nil {
			fit.Starts = append(fit.Starts, c.Start)
			if best == nil || c.Objective > best.Objective {
				best, fit.Best = c, len(fit.Starts)-1
			}
		}
		if err != nil {
			fit.Stopped = true
			break
		}
	}
	if best == nil {
		return nil, ctx.Err()
	}
	if x.free != nil {
		return x.discriminative(fit, best), ctx.Err()
	}
	fit.Model, fit.Counts, fit.params = best.m, best.n, x.est.Params()
	fit.Least = x.est.AtLeast(fit.Model)
	x.est.Keep(fit.Model, fit.Counts)
	fit.Families, fit.Hidden = x.entropy(best.m, best.n, best.LogP)
	return fit, ctx.Err()
}

// climb is the ascent from one start.
type climb struct {
	x             *search
	opt           *RunOptions
	job           *learner.Job
	before, total int     // steps, for the progress report
	best          float64 // best objective of earlier starts
	gain          float64 // of the last step

	learner.Start
	evaluation // of the current model
}

// evaluation is a model with its expected counts, log-likelihood and objective.
type evaluation struct {
	m               *model.Model
	n               mle.Counts
	logP, objective float64
	free            mle.Counts // see search.free
	point           []float64  // the coordinates of the model in a conditional fit
}

// inRange reports whether the numbers of e are those that a model and its counts may have. A
// likelihood without a maximum leaves them, as if the scale of a hidden variable is free.
func (e *evaluation) inRange() bool {
	finite := func(x float64) bool { return math.Abs(x) <= math.MaxFloat64 }
	factors := e.m.Factors
	if e.m.Transition != nil {
		factors = slices.Concat(factors, e.m.Transition.Factors)
	}
	for _, f := range factors {
		g := f.Gaussian()
		if g == nil {
			continue
		}
		if slices.ContainsFunc(slices.Concat(g.Mean, g.Coef, g.Var), func(x float64) bool { return !(math.Abs(x) <= model.MaxReal) }) ||
			slices.ContainsFunc(g.Var, func(x float64) bool { return x > 0 && x < 1/model.MaxReal }) {
			return false
		}
	}
	for _, list := range e.n {
		if slices.ContainsFunc(list, func(x float64) bool { return !finite(x) }) {
			return false
		}
	}
	return !math.IsNaN(e.objective) && !math.IsInf(e.objective, 1)
}

// at computes the expected counts and the objective of a model.
func (c *climb) at(ctx context.Context, m *model.Model) (evaluation, error) {
	if err := ctx.Err(); err != nil {
		return evaluation{}, err
	}
	n, logP, err := c.x.expect(ctx, m)
	e := evaluation{m: m, n: n, logP: logP, objective: logP + c.x.est.Penalty(m)}
	if err == nil && c.x.free != nil {
		e.free, logP, err = c.x.free(ctx, m)
		e.logP, e.objective = e.logP-logP, e.objective-logP
	}
	return e, err
}

// take makes an evaluated model the current one.
func (c *climb) take(e evaluation) {
	c.evaluation, c.LogP, c.Objective = e, e.logP, e.objective
	if math.IsInf(e.objective, -1) { // a parameter of zero at the start, which the next step leaves
		return
	}
	c.Trace = append(c.Trace, e.objective)
	best := e.objective
	if c.best != 0 {
		best = max(best, c.best)
	}
	c.job.ReportProgress(learner.Event{Done: c.before + c.Steps, Total: c.total, Score: best})
}

// run climbs to a maximum. The model is nil if ctx ended before the first objective was known.
func (c *climb) run(ctx context.Context, begin *model.Model) error {
	first, err := c.at(ctx, begin)
	if err != nil {
		return err
	}
	if c.x.free != nil {
		return c.discriminate(ctx, first)
	}
	c.take(first)
	if c.opt.Ascent {
		return c.ascend(ctx)
	}
	for c.Steps < c.opt.Steps {
		next, err := c.step(ctx)
		if err != nil {
			return err
		}
		if !next.inRange() { // the likelihood grows without bound
			return nil
		}
		c.Steps++
		was := c.Objective
		if next.objective >= was {
			c.take(next)
		}
		if c.ended(next.objective-was, math.Abs(was)) {
			c.Converged = true
			return nil
		}
	}
	return nil
}

// step evaluates the model after a step of EM.
func (c *climb) step(ctx context.Context) (evaluation, error) {
	next, err := c.at(ctx, c.x.est.Fit(c.n, c.m))
	if err == nil && math.IsInf(next.objective, -1) {
		err = fmt.Errorf("rows have probability 0 whatever numbers are fitted: they contradict deterministic CPDs, or rows of a noisy-max that are certain")
	}
	return next, err
}

// ended reports whether the last step gained so little that all later ones together would gain no
// more than the tolerance.
func (c *climb) ended(gain, size float64) bool {
	before := c.gain
	c.gain = gain
	return !math.IsInf(size, 1) && learner.Settled(gain, before, c.opt.Tolerance*size)
}

// entropy returns the entropy of the missing values given the observed ones. It is the difference
// between the log-likelihood and the expected log-likelihood of the families.
func (x *search) entropy(m *model.Model, n mle.Counts, logP float64) (families []float64, entropy float64) {
	entropy = logP
	for i := range m.Factors {
		families = append(families, x.est.LogLikelihood(i, n, m))
		entropy -= families[i]
	}
	if math.IsInf(logP, -1) {
		entropy = 0
	}
	return families, entropy
}
