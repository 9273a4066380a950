package model

// Parameter is a number of each row of a CPD of real variables.
type Parameter struct {
	Kind   ParameterKind
	Parent VarID // of a Coefficient
}

// ParameterKind says what a Parameter is.
type ParameterKind uint8

// The kinds of parameter.
const (
	Mean ParameterKind = iota
	Variance
	Bias
	Coefficient
)

// String returns the name of the kind.
func (k ParameterKind) String() string {
	return [...]string{"mean", "variance", "bias", "coefficient"}[k]
}

// Parametric is a CPD of parameters that are no probabilities. It has a row of them for each joint
// state of its discrete parents and of a discrete child.
type Parametric interface {
	Dist
	// Parameters returns the columns of ParameterRows.
	Parameters(m *Model, f *Factor) []Parameter
	// ParameterRows returns the numbers, row by row, in a new slice.
	ParameterRows() []float64
	// WithParameterRows returns a CPD of the same kind with other rows, for n real parents.
	WithParameterRows(rows []float64, n int) Dist
}

// Regression is a CPD in which the real parents occur in a linear function. Its rows are a
// constant, the coefficient of each real parent and, if the child is real, a variance.
type Regression interface {
	Parametric
	regression()
}

// linearParameters returns a constant and the coefficients of f.
func (m *Model) linearParameters(f *Factor, constant ParameterKind) []Parameter {
	list := []Parameter{{Kind: constant}}
	_, real := m.SplitParents(f)
	for _, v := range real {
		list = append(list, Parameter{Coefficient, v})
	}
	return list
}
