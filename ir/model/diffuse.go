package model

import (
	"math"

	"github.com/pgmc-go/pgmc/ir/diag"
)

// Diffuse is the prior of an unknown real variable without parents: the limit of a normal
// distribution with mean 0 and variance κ as κ grows. It is improper. ln of the density of evidence
// is then the limit of ln of that density plus ln(2πκ)/2 for each diffuse variable that the
// evidence determines.
//
// Source: Durbin and Koopman 2012, "Time Series Analysis by State Space Methods", chapter 5.
type Diffuse struct{}

// Kind returns "diffuse".
func (*Diffuse) Kind() string { return "diffuse" }

// Numbers returns nil.
func (*Diffuse) Numbers() []float64 { return nil }

// Size returns 0.
func (*Diffuse) Size() int { return 0 }

// HasZeros returns false.
func (*Diffuse) HasZeros() bool { return false }

// Work returns 1.
func (*Diffuse) Work(*Model, *Factor) int { return 1 }

func (*Diffuse) value(m *Model, f *Factor, _ []int) float64 { return noValue(m, f) }

// logDensity returns 0: the density is constant.
func (*Diffuse) logDensity(*Model, *Factor, []int, []float64) float64 { return 0 }

// normal returns an infinite variance, from which nothing can be drawn.
func (*Diffuse) normal(*Model, *Factor, []int, []float64) (mean, variance float64) {
	return 0, math.Inf(1)
}

func (*Diffuse) fits(cpd bool) bool { return cpd }

func (d *Diffuse) normalized(*Model, *Factor) Dist { return d }

func (*Diffuse) check(c *checker, f *Factor, pos diag.Pos, what string) (rows [][]float64, ok bool) {
	if len(f.Scope) != 1 || !c.m.IsReal(f.Scope[0]) {
		c.Errorf(pos, "%s is of kind diffuse; want a real variable alone in its scope", what)
		return nil, false
	}
	return nil, true
}

func (*Diffuse) list(m *Model, f *Factor, l *lister) {
	l.line("%s is diffuse: of infinite variance", m.Vars[f.ChildVar()].Name)
}
