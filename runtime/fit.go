package pgmrt

import (
	"context"
	"errors"
	"math"
	"strconv"
)

// ErrInconsistent reports that no distribution with the given posteriors was found.
var ErrInconsistent = errors.New("the distributions are inconsistent with the model and the evidence")

// FitError is the reason why [Fit] gave up. Var is the variable at fault, if there is one.
type FitError struct {
	Var    string
	Reason string
}

// Error returns a text such as `variable "smoke": state 2 has to have probability 0.3, and is
// impossible`, where states count from 1.
func (e *FitError) Error() string {
	if e.Var == "" {
		return e.Reason
	}
	return "variable " + strconv.Quote(e.Var) + ": " + e.Reason
}

// Unwrap returns ErrInconsistent.
func (e *FitError) Unwrap() error { return ErrInconsistent }

// FitGoal is a variable with a given distribution for its posterior. The slices have one number a
// state.
type FitGoal struct {
	Var    string
	Want   []float64 // its distribution, which satisfies IsDistribution
	Got    []float64 // its posterior under the weights of all goals, in the last run
	Weight []float64 // a likelihood that enters the next run; Fit multiplies it
}

// Fitter is inference with likelihoods that Fit may change.
type Fitter interface {
	Goals() int
	Goal(i int) FitGoal
	Run() bool // computes all posteriors; false if the evidence is impossible
}

// FitTolerance is the largest difference between a fitted posterior and its distribution, and
// FitRounds the largest number of times that each is fitted.
const (
	FitTolerance = 1e-12
	FitRounds    = 10_000
)

// Fit multiplies the weights until every posterior is what its goal wants: the distribution that is
// nearest to the one at the start, by Kullback-Leibler divergence from it, of all that have these
// margins. m must have run. One goal takes one iteration, which is Jeffrey's rule; several are
// fitted in turn, round by round, which is iterative proportional fitting. Where weights spread
// over more than bits bits together, unless that is 0, the numbers of m leave their range.
//
// The error is a FitError, ErrLikelihood of the first round's weights, or the context's, which is
// asked before each round.
//
// Sources: Jeffrey 1983, The Logic of Decision, chapter 11; Deming and Stephan 1940; Csiszár 1975,
// I-divergence geometry of probability distributions and minimization problems (convergence, and
// that the limit is nearest).
func Fit(ctx context.Context, m Fitter, bits float64) (r Report, err error) {
	for {
		r.Residual = 0
		for i := range m.Goals() {
			g := m.Goal(i)
			r.Residual = max(r.Residual, g.residual())
		}
		if r.Residual <= FitTolerance {
			r.Status = Converged
			return r, nil
		}
		if r.Iterations == FitRounds {
			return r, notFound(&r)
		}
		if err := ctx.Err(); err != nil {
			return r, err
		}
		r.Iterations++
		if err := fitRound(m, bits, &r); err != nil {
			return r, err
		}
	}
}

// fitRound fits each goal once.
func fitRound(m Fitter, bits float64, r *Report) error {
	for i := range m.Goals() {
		g := m.Goal(i)
		if g.residual() <= FitTolerance {
			continue
		}
		if err := g.fit(); err != nil {
			return err
		}
		if bits > 0 && spreadOf(m) > bits {
			if r.Iterations == 1 {
				return &LikelihoodError{Var: g.Var, Reason: "that would give it its distribution is too small beside its largest number"}
			}
			return notFound(r)
		}
		if !m.Run() {
			return &FitError{Reason: "the distributions rule out every joint state"}
		}
	}
	return nil
}

func notFound(r *Report) error {
	return &FitError{Reason: "no distribution was found that has all of the given ones: after " + strconv.Itoa(r.Iterations) +
		" rounds one differs by " + strconv.FormatFloat(r.Residual, 'g', 3, 64)}
}

func spreadOf(m Fitter) float64 {
	bits := 0.0
	for i := range m.Goals() {
		bits += Spread(m.Goal(i).Weight)
	}
	return bits
}

// residual returns the largest difference between a probability of the posterior and of the
// distribution.
func (g *FitGoal) residual() float64 {
	total, far := sumOf(g.Want), 0.0
	for s, p := range g.Want {
		far = max(far, math.Abs(p/total-g.Got[s]))
	}
	return far
}

// fit multiplies the weights by the distribution over the posterior, and scales the largest to 1.
func (g *FitGoal) fit() error {
	top := 0.0
	for s, p := range g.Want {
		switch {
		case p == 0:
			g.Weight[s] = 0
		case g.Got[s] == 0:
			return &FitError{g.Var, "state " + strconv.Itoa(s+1) + " has to have probability " + strconv.FormatFloat(p, 'g', 6, 64) + ", and is impossible"}
		default:
			g.Weight[s] *= p / g.Got[s]
		}
		top = max(top, g.Weight[s])
	}
	if !(top > 0 && top <= math.MaxFloat64) {
		return &FitError{g.Var, "its weights leave the range of numbers"}
	}
	for s := range g.Weight {
		g.Weight[s] /= top
	}
	return nil
}

// IsDistribution reports whether x is a distribution: finite numbers of at least 0 that sum to 1,
// up to 1e-9 for rounded numbers.
func IsDistribution(x []float64) bool {
	for _, p := range x {
		if !(p >= 0 && p <= math.MaxFloat64) {
			return false
		}
	}
	return math.Abs(sumOf(x)-1) <= 1e-9
}

func sumOf(x []float64) float64 {
	sum := 0.0
	for _, p := range x {
		sum += p
	}
	return sum
}
