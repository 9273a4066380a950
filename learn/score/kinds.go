package score

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/learn/data"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Kind is a scoring function.
type Kind struct {
	Name, Doc  string
	Equivalent bool // networks with the same independences have the same score
	// family returns the score of one family. The counts n have the states of the variable fastest.
	// The pseudo-counts prior have the same layout, if the kind has a prior. The natural logarithm
	// of the weight of all rows is logRows.
	// It is nil for kinds that take no discrete variables.
	family func(n, prior []float64, card int, logRows float64) float64
	prior  bool
	// gaussian returns the score of the family of a real variable; nil for kinds that take none.
	gaussian func(s *Scorer, f *gaussian) float64
}

// Kinds lists the scores.
var Kinds = []Kind{
	{"loglik", "log-likelihood", true, logLikelihood, false, gaussianLogLikelihood},
	{"aic", "log-likelihood minus the number of free parameters", true, aic, false, gaussianAIC},
	{"bic", "log-likelihood minus ln(rows)/2 for each free parameter", true, bic, false, gaussianBIC},
	{"k2", "marginal likelihood under Dirichlet priors of ones", false, marginalLikelihood, true, nil},
	{"bdeu", "marginal likelihood under a uniform prior of an equivalent sample size", true, marginalLikelihood, true, nil},
	{"bde", "marginal likelihood under a prior network", true, marginalLikelihood, true, nil},
	{"loocv", "leave-one-out log-likelihood under the prior of bdeu", true, leaveOneOut, true, nil},
	{"loglik-g", "loglik of real variables", true, nil, false, gaussianLogLikelihood},
	{"aic-g", "aic of real variables", true, nil, false, gaussianAIC},
	{"bic-g", "bic of real variables", true, nil, false, gaussianBIC},
	{"bge", "marginal likelihood of real variables under a normal-Wishart prior", true, nil, false, marginalGaussian},
	{"loglik-cg", "loglik of discrete and real variables", true, logLikelihood, false, gaussianLogLikelihood},
	{"aic-cg", "aic of discrete and real variables", true, aic, false, gaussianAIC},
	{"bic-cg", "bic of discrete and real variables", true, bic, false, gaussianBIC},
}

// Default returns the name of the kind to take for variables if no other is chosen: discrete, or
// the bic of real ones or of both.
func Default(discrete string, vars []data.Var) string {
	reals := 0
	for _, v := range vars {
		if v.Real {
			reals++
		}
	}
	switch reals {
	case 0:
		return discrete
	case len(vars):
		return "bic-g"
	}
	return "bic-cg"
}

// refuses returns an error if the kind does not take one of the variables.
func (k *Kind) refuses(vars []data.Var) error {
	for _, v := range vars {
		if v.Real && k.gaussian == nil {
			return fmt.Errorf("score %s takes no real variables, and %q is one; want one of %s", k.Name, v.Name, names(func(k *Kind) bool { return k.gaussian != nil }))
		}
		if !v.Real && k.family == nil {
			return fmt.Errorf("score %s takes no discrete variables, and %q is one; want one of %s", k.Name, v.Name, names(func(k *Kind) bool { return k.family != nil }))
		}
	}
	return nil
}

func names(of func(*Kind) bool) string {
	var list []string
	for i := range Kinds {
		if of(&Kinds[i]) {
			list = append(list, Kinds[i].Name)
		}
	}
	return strings.Join(list, ", ")
}

func sum(x []float64) float64 {
	total := 0.0
	for _, v := range x {
		total += v
	}
	return total
}

// logLikelihood returns the sum of n ln(n/N) over a family, where N is the sum over the states of
// the child.
func logLikelihood(n, _ []float64, card int, _ float64) float64 {
	total := 0.0
	for row := range slices.Chunk(n, card) {
		all := sum(row)
		for _, x := range row {
			if x > 0 {
				total += x * pgmrt.Ln(x/all)
			}
		}
	}
	return total
}

func aic(n, _ []float64, card int, logRows float64) float64 {
	return logLikelihood(n, nil, card, logRows) - float64(len(n)/card*(card-1))
}

func bic(n, _ []float64, card int, logRows float64) float64 {
	return logLikelihood(n, nil, card, logRows) - logRows/2*float64(len(n)/card*(card-1))
}

// impossible is the score of rows that a prior network calls impossible. It is finite, so that
// differences of scores are numbers.
const impossible = -1e100

// marginalLikelihood returns the logarithm of the probability of the states of the rows, one after
// the other. Parent states without counts contribute nothing.
func marginalLikelihood(n, prior []float64, card int, _ float64) float64 {
	total := 0.0
	for i := 0; i < len(n); i += card {
		row, a := n[i:i+card], prior[i:i+card]
		all := sum(row)
		if all == 0 {
			continue
		}
		if sum(a) == 0 {
			return impossible
		}
		total -= rising(sum(a), all)
		for k, x := range row {
			switch {
			case x > 0 && a[k] == 0:
				return impossible
			case x > 0:
				total += rising(a[k], x)
			}
		}
	}
	return total
}

// rising returns ln of Γ(a+n)/Γ(a).
func rising(a, n float64) float64 {
	x, _ := math.Lgamma(a + n)
	y, _ := math.Lgamma(a)
	return x - y
}

// leaveOneOut returns the sum over rows of the logarithm of the probability of the row's state,
// estimated from the counts without that row.
func leaveOneOut(n, prior []float64, card int, _ float64) float64 {
	total := 0.0
	for i := 0; i < len(n); i += card {
		row, a := n[i:i+card], prior[i:i+card]
		all, size := sum(row), sum(a)
		for k, x := range row {
			if x > 0 {
				total += x * pgmrt.Ln((x-1+a[k])/(all-1+size))
			}
		}
	}
	return total
}
