package model

import pgmrt "github.com/pgmc-go/pgmc/runtime"

// dense is a distribution over variables that may be real.
type dense interface {
	// logDensity returns ln of the density of f: of the values x of real variables and of the
	// states of discrete ones, both by variable.
	logDensity(m *Model, f *Factor, state []int, x []float64) float64
}

// LogFactor returns ln of the value or density of f at the states of discrete and the values of
// real variables, both indexed by VarID. The model must have passed Check.
func (m *Model) LogFactor(f *Factor, state []int, x []float64) float64 {
	if d, ok := f.Dist.(dense); ok {
		return d.logDensity(m, f, state, x)
	}
	return pgmrt.Ln(m.Value(f, state))
}

// LogDensity returns ln of the product of the factors of m at the states of discrete and the values
// of real variables, both indexed by VarID. The entries of state for real variables and the entries
// of x for discrete ones are not used. In a Bayesian network the result is ln of a probability
// times a density, given the given variables; it may be positive. A row of variance 0 contributes
// nothing if the child has the value of its function, see [Gaussian], and makes the result -Inf
// otherwise. In the other kinds of model it is not normalised. The model must have passed Check.
func (m *Model) LogDensity(state []int, x []float64) float64 {
	sum := 0.0
	for _, f := range m.Factors {
		sum += m.LogFactor(f, state, x)
	}
	return sum
}
