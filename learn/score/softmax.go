package score

import (
	"math"
	"strings"

	"github.com/pgmc-go/pgmc/learn/data"
)

// fitsSoftmax reports whether a discrete variable with real parents may be considered: softmax CPDs
// are allowed, and the CPD is not too large.
func (s *Scorer) fitsSoftmax(x int, parents []int) bool {
	discrete, real := s.splitParents(parents)
	n, ok := s.Counter.Size(discrete)
	weights := s.Counter.Card(x) * (len(real) + 1)
	return s.opt.Softmax > 0 && ok && weights <= data.MaxSoftmax && n <= MaxFamily/weights
}

// Softmax fits the softmax CPD of a discrete variable with the given discrete and real parents.
func (s *Scorer) Softmax(x int, discrete, real []int) (*data.Softmax, error) {
	return s.Counter.Set().FitSoftmax(x, discrete, real, s.opt.Softmax)
}

// softmax returns the score of a discrete variable with real parents: the log-likelihood of the
// fitted CPD less the kind's price for each parameter. It is -Inf if the fit fails.
func (s *Scorer) softmax(x int, parents []int) float64 {
	discrete, real := s.splitParents(parents)
	fit, err := s.Softmax(x, discrete, real)
	if err != nil {
		return math.Inf(-1)
	}
	n := float64(s.Parameters(x, parents...))
	each := 0.0
	switch name, _, _ := strings.Cut(s.Kind.Name, "-"); name {
	case "aic":
		each = 1
	case "bic":
		each = s.logRows / 2
	}
	total := fit.LogLikelihood - n*each
	if s.gaps(parents) {
		total += s.regain(x, s.countWith(x, parents))
	}
	return total + s.edges(x, parents) + s.opt.Param*n
}
