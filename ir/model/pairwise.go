package model

import (
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/ir/diag"
)

// Pairwise is a potential of two discrete variables with equally many states. Its value is
// exp(-energy), where the energy is Weight times the difference between the numbers of the two
// states as Metric measures it. The difference is at most Cap, unless Cap is 0.
//
// Source: Boykov, Veksler and Zabih 2001, "Fast approximate energy minimization via graph cuts".
type Pairwise struct {
	Metric Metric
	Weight float64
	Cap    float64
}

// Metric measures the difference between the numbers i and j of two states.
type Metric uint8

// The metrics.
const (
	Potts     Metric = iota // 1 if they differ
	Linear                  // |i - j|
	Quadratic               // (i - j)²
)

var metrics = []string{"potts", "linear", "quadratic"}

// String returns the name of the metric in files.
func (k Metric) String() string { return metrics[k] }

// ParseMetric returns the metric with the given name.
func ParseMetric(name string) (Metric, error) {
	for i, s := range metrics {
		if s == name {
			return Metric(i), nil
		}
	}
	return 0, fmt.Errorf("found %q; want one of %q", name, metrics)
}

// Energy returns the energy of two states.
func (d *Pairwise) Energy(i, j int) float64 {
	x := math.Abs(float64(i - j))
	switch d.Metric {
	case Potts:
		x = min(x, 1)
	case Quadratic:
		x *= x
	}
	if d.Cap > 0 {
		x = min(x, d.Cap)
	}
	return d.Weight * x
}

// Kind returns "pairwise".
func (*Pairwise) Kind() string { return "pairwise" }

// Numbers returns the weight, and the cap if there is one.
func (d *Pairwise) Numbers() []float64 {
	if d.Cap == 0 {
		return []float64{d.Weight}
	}
	return []float64{d.Weight, d.Cap}
}

// Size returns the number of numbers.
func (d *Pairwise) Size() int { return len(d.Numbers()) }

// HasZeros returns false.
func (*Pairwise) HasZeros() bool { return false }

// Work returns one step for each variable.
func (*Pairwise) Work(*Model, *Factor) int { return 2 }

func (d *Pairwise) value(_ *Model, f *Factor, state []int) float64 {
	return math.Exp(-d.Energy(state[f.Scope[0]], state[f.Scope[1]]))
}

func (*Pairwise) fits(cpd bool) bool { return !cpd }

func (d *Pairwise) normalized(*Model, *Factor) Dist { return d }

// maxEnergy bounds energies, so that values are positive and finite: exp(708) is the largest
// number.
const maxEnergy = 700

func (d *Pairwise) check(c *checker, f *Factor, pos diag.Pos, what string) (rows [][]float64, ok bool) {
	m := c.m
	switch {
	case int(d.Metric) >= len(metrics):
		c.Errorf(pos, "%s has the metric number %d; want one of %q", what, d.Metric, metrics)
	case len(f.Scope) != 2 || m.Card(f.Scope[0]) != m.Card(f.Scope[1]):
		c.Errorf(pos, "%s is of kind pairwise; want two variables with equally many states", what)
	case !(d.Cap >= 0) || math.IsInf(d.Cap, 0):
		c.Errorf(pos, "%s has the cap %v; want a positive number, or 0 for none", what, d.Cap)
	case !(math.Abs(d.Energy(0, m.Card(f.Scope[0])-1)) <= maxEnergy):
		c.Errorf(pos, "%s has energies up to %v; want at most %d in size", what, d.Energy(0, m.Card(f.Scope[0])-1), maxEnergy)
	default:
		return nil, true
	}
	return nil, false
}
