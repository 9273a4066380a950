package edit

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Parameter is a value for one parameter in each row of a Gaussian, softmax or func CPD: its mean,
// variance or bias, or the coefficient of a real parent.
type Parameter struct {
	Kind   ParameterKind
	Parent model.VarID // of a Coefficient
	Value  float64
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

// SetParameters sets parameters of the CPD of v in the rows that have the states of given, which
// may leave out discrete parents. A softmax CPD has parameters for each state of v, and takes the
// one in state.
func SetParameters(m *model.Model, v model.VarID, state int, given []State, list []Parameter) (*model.Model, []Effect, error) {
	i, err := cpd(m, v)
	if err == nil {
		err = parents(m, m.Factors[i], given)
	}
	if err != nil {
		return nil, nil, err
	}
	f := m.Factors[i]
	discrete, real := m.SplitParents(f)
	rows := matching(m, discrete, given)
	var d model.Dist
	switch was := f.Dist.(type) {
	case *model.Gaussian:
		own := &model.Gaussian{Mean: slices.Clone(was.Mean), Coef: slices.Clone(was.Coef), Var: slices.Clone(was.Var)}
		d, err = own, setColumns(m, f, rows, real, map[ParameterKind][]float64{Mean: own.Mean, Variance: own.Var}, own.Coef, list)
	case *model.Softmax:
		own := &model.Softmax{Bias: slices.Clone(was.Bias), Coef: slices.Clone(was.Coef)}
		for r := range rows {
			rows[r] = rows[r]*m.Card(v) + state
		}
		d, err = own, setColumns(m, f, rows, real, map[ParameterKind][]float64{Bias: own.Bias}, own.Coef, list)
	case *model.Func:
		own := &model.Func{Nodes: was.Nodes, Var: slices.Clone(was.Var)}
		d, err = own, setColumns(m, f, rows, nil, map[ParameterKind][]float64{Variance: own.Var}, nil, list)
	default:
		err = fmt.Errorf("the CPD of %s is of kind %s, and has probabilities in place of a %v", name(m, v), f.Dist.Kind(), list[0].Kind)
	}
	if err != nil {
		return nil, nil, err
	}
	out, g := copyOf(m), *f
	g.Dist, g.Counts = d, nil
	out.Factors[i] = &g
	return checked(out, []Effect{{Of: m.FactorName(f), Text: counted(len(rows), "row", "set")}})
}

// setColumns sets parameters in rows: in one of columns by their kind, or in coef, which has a
// number of each real parent in each row.
func setColumns(m *model.Model, f *model.Factor, rows []int, real []model.VarID, columns map[ParameterKind][]float64, coef []float64, list []Parameter) error {
	for _, p := range list {
		column, step, at := columns[p.Kind], 1, 0
		if p.Kind == Coefficient {
			column, step, at = coef, len(real), slices.Index(real, p.Parent)
		}
		switch {
		case p.Kind == Coefficient && at < 0:
			return fmt.Errorf("%s has no coefficient in the CPD of %s; its real parents: %s", name(m, p.Parent), name(m, f.ChildVar()), names(m, real))
		case column == nil:
			return fmt.Errorf("the CPD of %s is of kind %s, and has no %v to set", name(m, f.ChildVar()), f.Dist.Kind(), p.Kind)
		}
		for _, r := range rows {
			column[r*step+at] = p.Value
		}
	}
	return nil
}
