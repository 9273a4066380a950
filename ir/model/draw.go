package model

import (
	"fmt"
	"math"
)

// Source is a source of random numbers.
type Source interface {
	Float64() float64 // uniform in [0, 1)
	Normal() float64  // normal with mean 0 and variance 1
}

// normally is a CPD of a real child that is normal given its parents.
type normally interface {
	// normal returns the mean and the variance of the child at the states of discrete and the
	// values of real parents, by variable. The mean is not finite outside the domain of a function.
	normal(m *Model, f *Factor, state []int, x []float64) (mean, variance float64)
}

// Draw sets the state or the value of the child of the CPD f to one drawn from its distribution
// given the parents. States and values are by variable. The error names a child without a value:
// its function, or its row, is not defined at the values of the parents.
func (m *Model) Draw(f *Factor, r Source, state []int, x []float64) error {
	v := f.ChildVar()
	if d, ok := f.Dist.(normally); ok {
		mean, variance := d.normal(m, f, state, x)
		if x[v] = mean + float64(math.Sqrt(variance)*r.Normal()); !(math.Abs(x[v]) <= MaxReal) {
			return fmt.Errorf("variable %q has the value %v; want a number of a size of at most %g", m.Vars[v].Name, x[v], float64(MaxReal))
		}
		if period := m.Period(v); period > 0 {
			x[v] = math.Remainder(x[v], period)
		}
		return nil
	}
	weight := func(k int) float64 {
		state[v] = k
		if d, ok := f.Dist.(dense); ok {
			return math.Exp(d.logDensity(m, f, state, x))
		}
		return m.Value(f, state)
	}
	choice := -1
	u := r.Float64()
	for k := range m.Card(v) {
		if w := weight(k); w > 0 {
			choice = k // the last one if rounding leaves u above 0
			if u -= w; u < 0 {
				break
			}
		}
	}
	if choice < 0 {
		return fmt.Errorf("no state of variable %q has a positive probability given its parents", m.Vars[v].Name)
	}
	state[v] = choice
	return nil
}

func (d *Gaussian) normal(m *Model, f *Factor, state []int, x []float64) (mean, variance float64) {
	discrete, real := m.SplitParents(f)
	mean, coef, variance := d.Row(m.Index(discrete, state))
	for k, v := range real {
		mean += float64(coef[k] * x[v])
	}
	return mean, variance
}

func (d *Func) normal(m *Model, f *Factor, state []int, x []float64) (mean, variance float64) {
	discrete, _ := m.SplitParents(f)
	return d.Eval(f, state, x, make([]float64, len(d.Nodes))), d.Var[m.Index(discrete, state)]
}
