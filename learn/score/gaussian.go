package score

import (
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/learn/data"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// gaussian is the family of a real variable.
type gaussian struct {
	discrete, real []int         // parents, ascending
	moments        []data.Moment // by joint state of the discrete parents: of the real parents and the variable
	pooled, least  float64       // variances, see data.Regression.Variance
	parents        int
}

// size returns the number of moments of a joint state.
func (f *gaussian) size() int {
	n := len(f.real) + 1
	return 1 + n + n*(n+1)/2
}

// parameters returns the number of free parameters of a joint state: the intercept, the
// coefficients and the variance.
func (f *gaussian) parameters() int { return len(f.real) + 2 }

// leastShare is the least residual variance as a share of the variance over all rows. An exact
// linear function, with a likelihood without bound, is scored with this variance, which is above
// the rounding of moments.
const leastShare = 1e-12

// leastVariance is the least residual variance of a constant, see model.MaxReal.
const leastVariance = 1e-30

// prepare computes what real variables need.
func (s *Scorer) prepare() error {
	set := s.Counter.Set()
	if !slices.ContainsFunc(set.Vars, func(v data.Var) bool { return v.Real }) {
		return nil
	}
	o := &s.opt
	if o.PriorMean == 0 {
		o.PriorMean = 1
	}
	if o.PriorFreedom == 0 {
		o.PriorFreedom = float64(len(set.Vars) + 2)
	}
	if !(o.PriorMean > 0) || !(o.PriorFreedom > float64(len(set.Vars)+1)) || math.IsInf(o.PriorMean+o.PriorFreedom, 0) {
		return fmt.Errorf("the prior has the weight %v and %v degrees of freedom; want numbers above 0 and %d", o.PriorMean, o.PriorFreedom, len(set.Vars)+1)
	}
	s.moments = data.NewMoments(set, max(1, o.Cores))
	s.least, s.pooled = make([]float64, len(set.Vars)), make([]float64, len(set.Vars))
	for v, x := range set.Vars {
		if x.Real {
			s.pooled[v] = s.moments.Variance(v)
			s.least[v] = max(leastVariance, leastShare*s.pooled[v])
		}
	}
	return nil
}

// isReal reports whether a variable is real.
func (s *Scorer) isReal(v int) bool { return s.Counter.Set().Vars[v].Real }

// LeastVariance returns the least residual variance with which a real variable is scored.
func (s *Scorer) LeastVariance(x int) float64 { return s.least[x] }

// Moments returns the moments of the data, or nil if it has no real variables.
func (s *Scorer) Moments() *data.Moments { return s.moments }

// split returns the family of a real variable without its moments.
func (s *Scorer) split(x int, parents []int) *gaussian {
	f := &gaussian{pooled: s.pooled[x], least: s.least[x], parents: len(parents)}
	f.discrete, f.real = s.splitParents(parents)
	return f
}

// splitParents returns the discrete and the real ones of parents, each ascending.
func (s *Scorer) splitParents(parents []int) (discrete, real []int) {
	for _, u := range slices.Sorted(slices.Values(parents)) {
		if s.isReal(u) {
			real = append(real, u)
		} else {
			discrete = append(discrete, u)
		}
	}
	return discrete, real
}

// real returns the score of a real variable with parents.
func (s *Scorer) real(x int, parents []int) float64 {
	f := s.split(x, parents)
	f.moments = s.moments.Of(f.discrete, append(f.real, x))
	total := s.Kind.gaussian(s, f)
	if s.gaps(parents) {
		total += s.regainReal(x, f.moments)
	}
	return total + s.edges(x, parents) + s.opt.Param*float64(len(f.moments)*f.parameters())
}

// gaussianLogLikelihood returns the maximum of the log-likelihood, a regression for each joint
// state of the discrete parents.
func gaussianLogLikelihood(s *Scorer, f *gaussian) float64 {
	total := 0.0
	for i := range f.moments {
		if f.moments[i].Weight > 0 {
			r := f.moments[i].Regress()
			total += r.LogLikelihood(r.Variance(s.opt.Unbiased, f.pooled, f.least))
		}
	}
	return total
}

func gaussianAIC(s *Scorer, f *gaussian) float64 {
	return gaussianLogLikelihood(s, f) - float64(len(f.moments)*f.parameters())
}

func gaussianBIC(s *Scorer, f *gaussian) float64 {
	return gaussianLogLikelihood(s, f) - s.logRows/2*float64(len(f.moments)*f.parameters())
}

// marginalGaussian returns the difference of the logarithms of two marginal likelihoods: the one of
// the variable with its parents and the one of only the parents. The prior of all n variables is
// normal-Wishart with the scale matrix t I. With l parents, N rows, a = PriorFreedom - n and the
// matrix R = t I + S of the scale and the cross products S, only the last pivot of R and its
// determinant over the parents remain of the ratio.
//
// Source: Kuipers, Moffa and Heckerman 2014, "Addendum on the scoring of Gaussian directed acyclic
// graphical models".
func marginalGaussian(s *Scorer, f *gaussian) float64 {
	x, mean, l := &f.moments[0], s.opt.PriorMean, float64(len(f.real))
	if x.Weight == 0 {
		return 0
	}
	n := float64(len(s.Counter.Set().Vars))
	a := s.opt.PriorFreedom - n
	t := mean * (a - 1) / (mean + 1)
	scaled := data.Moment{Weight: x.Weight, Mean: x.Mean, Cross: slices.Clone(x.Cross)}
	for i := range x.Mean {
		scaled.Cross[data.Packed(i, i)] += t
	}
	r := scaled.Regress()
	r.LogDet += float64(len(r.Dropped)) * pgmrt.Ln(t) // what the scale leaves of the pivots of linear functions
	half := (a + l + 1) / 2
	return (pgmrt.Ln(mean/(x.Weight+mean))-x.Weight*pgmrt.Ln(math.Pi)+(a+2*l+1)*pgmrt.Ln(t)-r.LogDet)/2 +
		rising(half, x.Weight/2) - (half+x.Weight/2)*pgmrt.Ln(r.Residual)
}
