package clg_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// joints returns queries of joint posteriors and mixtures about random variables of m.
func joints(m *model.Model, seed uint64) (list []string) {
	r := rand.New(rand.NewPCG(seed, 5))
	var vars []model.VarID
	for _, v := range m.Vars {
		if !v.Latent {
			vars = append(vars, v.ID)
		}
	}
	for range 3 {
		r.Shuffle(len(vars), func(i, k int) { vars[i], vars[k] = vars[k], vars[i] })
		q := &ir.Query{Kind: ir.Joint, Targets: slices.Clone(vars[:min(len(vars), 1+r.IntN(4))])}
		list = append(list, compiler.Specification(m, q))
	}
	for _, v := range vars {
		if m.IsReal(v) && len(list) < 5 {
			list = append(list, compiler.Specification(m, &ir.Query{Kind: ir.Mixture, Targets: []model.VarID{v}}))
		}
	}
	return list
}

// jointDifferences lists the differences of a joint posterior, or of the moments and the densities
// of a mixture.
func (s *subject) jointDifferences(got []float64, q *ir.Query, want, prior *brute.Hybrid, tol float64) (list []string) {
	discrete, real := s.m.SplitReal(q.Targets)
	n := len(real)
	if q.Kind == ir.Mixture {
		return s.mixtureDifferences(got, real[0], want, prior, tol)
	}
	states, _ := s.m.TableSize(discrete)
	width := model.JointParts(n)
	if n == 0 {
		width = 1
	}
	if len(got) != states*width {
		return []string{fmt.Sprintf("%d numbers; want %d", len(got), states*width)}
	}
	at := make([]int, len(s.m.Vars))
	for d := range states {
		part := want.Given(discrete, at)
		s.m.Next(discrete, at)
		if !near(got[d], part.P, 1, tol) {
			list = append(list, fmt.Sprintf("P is %v; want %v", got[d], part.P))
		}
		if part.P < 1e-200 {
			continue
		}
		for i, v := range real {
			_, before := prior.Moments(v)
			mean, _ := part.Moments(v)
			if x := got[(1+i)*states+d]; !near(x, mean, math.Sqrt(before), tol) {
				list = append(list, fmt.Sprintf("%s: mean %v; want %v", s.m.Vars[v].Name, x, mean))
			}
			for k, w := range real[:i+1] {
				_, other := prior.Moments(w)
				unit := spread(math.Sqrt(before*other), got[(1+i)*states+d]*got[(1+k)*states+d])
				if x, c := got[(1+n+i*(i+1)/2+k)*states+d], part.Cov(v, w); !near(x, c, unit, tol) {
					list = append(list, fmt.Sprintf("covariance of %s and %s: %v; want %v", s.m.Vars[v].Name, s.m.Vars[w].Name, x, c))
				}
			}
		}
	}
	return list
}

// spread returns the unit of a variance: prior, or if that is 0, what means of the given square
// that are equal up to rounding have.
func spread(prior, square float64) float64 {
	if prior > 0 {
		return prior
	}
	return 1e-15 * math.Max(1, square)
}

// mixtureDifferences compares a mixture by its distribution function, and its moments.
func (s *subject) mixtureDifferences(got []float64, v model.VarID, want, prior *brute.Hybrid, tol float64) (list []string) {
	n := len(got) / 3
	var m pgmrt.Mixture
	for i := range n {
		m = append(m, pgmrt.Component{P: got[i], Mean: got[n+i], Var: got[2*n+i]})
	}
	mean, variance := want.Moments(v)
	_, before := prior.Moments(v)
	sd := math.Sqrt(before)
	if x := m.Mean(); !near(x, mean, sd, tol) {
		list = append(list, fmt.Sprintf("mean %v; want %v", x, mean))
	}
	if x := m.Variance(); !near(x, variance, spread(before, mean*mean), tol) {
		list = append(list, fmt.Sprintf("variance %v; want %v", x, variance))
	}
	for _, z := range []float64{-2, -.3, 0, .7, 3} {
		x, cdf := mean+z*sd, 0.0
		smooth := true
		for i := range want.Parts {
			p := &want.Parts[i]
			m, s := p.Mean(v), math.Sqrt(p.Cov(v, v))
			smooth = smooth && s > 1e-3*sd
			cdf += p.P * math.Erfc((m-x)/s/math.Sqrt2) / 2
		}
		if y := m.CDF(x); smooth && !near(y, cdf, 1, 1e3*tol) {
			list = append(list, fmt.Sprintf("the probability up to %v is %v; want %v", x, y, cdf))
		}
	}
	return list
}
