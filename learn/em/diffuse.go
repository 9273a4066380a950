package em

import (
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// likelihood is ln of the density of evidence as a function of the values δ of diffuse variables:
// log + linear·δ - δ'·square·δ/2. Without any it is log.
//
// Source: de Jong 1991, The diffuse Kalman filter.
type likelihood struct {
	log    float64
	linear []float64
	square [][]float64
}

func newLikelihood(d int) *likelihood {
	l := &likelihood{linear: make([]float64, d)}
	for range d {
		l.square = append(l.square, make([]float64, d))
	}
	return l
}

// add adds an observation that differs from its mean by off - slope·δ, with the given variance.
func (l *likelihood) add(off float64, slope []float64, variance float64) {
	l.log -= (pgmrt.Ln(2*math.Pi*variance) + off*off/variance) / 2
	for i, h := range slope {
		l.linear[i] += h * off / variance
		for j, g := range slope {
			l.square[i][j] += h * g / variance
		}
	}
}

// integrate returns the distribution of δ under a flat prior of density 1, and ln of the integral
// (see [model.Diffuse]).
func (l *likelihood) integrate() (*joint, float64, error) {
	d := len(l.linear)
	out, log := newJoint(d, 0), l.log
	rest := make([][]float64, d) // [square | 1], which becomes [1 | inverse]
	for i := range rest {
		rest[i] = append(slices.Clone(l.square[i]), make([]float64, d)...)
		rest[i][d+i] = 1
	}
	for k := range d {
		pivot := rest[k][k]
		if pivot <= collinear*l.square[k][k] {
			return nil, 0, fmt.Errorf("the observed values do not determine the variables with a diffuse prior, and EM needs a likelihood; want more observed values, or a prior of large variance")
		}
		log += (pgmrt.Ln(2*math.Pi) - pgmrt.Ln(pivot)) / 2
		for j := range rest[k] {
			rest[k][j] /= pivot
		}
		for i := range rest {
			if share := rest[i][k]; i != k && share != 0 {
				for j := range rest[i] {
					rest[i][j] -= share * rest[k][j]
				}
			}
		}
	}
	for i := range d {
		for j := range d {
			out.cov[i][j] = rest[i][d+j]
			out.mean[i] += out.cov[i][j] * l.linear[j]
		}
		log += out.mean[i] * l.linear[i] / 2
	}
	return out, log, nil
}

// given returns the distribution x with δ integrated out.
func (x *joint) given(delta *joint) *joint {
	if len(delta.mean) == 0 {
		return x
	}
	out := newJoint(len(x.mean), 0)
	for i, h := range x.diffuse {
		out.mean[i] = x.mean[i] + dot(h, delta.mean)
		for j, g := range x.diffuse {
			out.cov[i][j] = x.cov[i][j]
			for k := range h {
				out.cov[i][j] += h[k] * dot(delta.cov[k], g)
			}
		}
	}
	return out
}

func dot(a, b []float64) (sum float64) {
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

// certain is the share of the square of a value up to which a difference from a variable of
// variance 0 counts as rounding.
const certain = 1e-20

// condition conditions on a value of v, and adds its density to l. A variable of variance 0 must
// have that value.
func (x *joint) condition(v model.VarID, value float64, l *likelihood) error {
	off, spread, slope := value-x.mean[v], x.cov[v][v], slices.Clone(x.diffuse[v])
	if spread <= 0 {
		switch {
		case slices.ContainsFunc(slope, func(h float64) bool { return h != 0 }):
			return fmt.Errorf("a variable with a diffuse prior is observed without noise, for which EM has no likelihood; want noise, or a prior of large variance")
		case off*off > certain*(1+value*value):
			return eval.ErrImpossible
		}
		return nil
	}
	l.add(off, slope, spread)
	with := slices.Clone(x.cov[v])
	for i, c := range with {
		if c == 0 {
			continue
		}
		x.mean[i] += c / spread * off
		for k, h := range slope {
			x.diffuse[i][k] -= c / spread * h
		}
		for j := range with {
			x.cov[i][j] -= c / spread * with[j]
		}
	}
	x.mean[v] = value
	clear(x.diffuse[v])
	for i := range x.cov[v] {
		x.cov[v][i], x.cov[i][v] = 0, 0
	}
	return nil
}
