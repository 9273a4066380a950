package edit

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Parameter is a value for one parameter in each row of a Gaussian, softmax or func CPD.
type Parameter struct {
	Kind   model.ParameterKind
	Parent model.VarID // of a coefficient
	Value  float64
}

// SetParameters sets parameters of the CPD of v in the rows that have the states of given, which
// may leave out discrete parents. A softmax CPD has parameters for each state of v, and takes the
// one in state.
func SetParameters(m *model.Model, v model.VarID, state int, given []State, list []Parameter) (*model.Model, []Effect, error) {
	i, err := cpdGiven(m, v, given)
	if err != nil {
		return nil, nil, err
	}
	f := m.Factors[i]
	d, ok := f.Dist.(model.Parametric)
	if !ok {
		return nil, nil, fmt.Errorf("the CPD of %s is of kind %s, and has probabilities in place of a %v", name(m, v), f.Dist.Kind(), list[0].Kind)
	}
	over, real := m.SplitParents(f)
	at := statesOf(m, given)
	if !m.IsReal(v) {
		over, at[v] = append(over, v), state
	}
	rows, numbers, columns := m.Matching(over, at), d.ParameterRows(), d.Parameters(m, f)
	for _, p := range list {
		k := slices.IndexFunc(columns, func(c model.Parameter) bool {
			return c.Kind == p.Kind && (c.Parent == p.Parent || c.Kind != model.Coefficient)
		})
		switch {
		case k < 0 && p.Kind == model.Coefficient:
			return nil, nil, fmt.Errorf("%s has no coefficient in the CPD of %s; its real parents: %s", name(m, p.Parent), name(m, v), names(m, real))
		case k < 0:
			return nil, nil, fmt.Errorf("the CPD of %s is of kind %s, and has no %v to set", name(m, v), f.Dist.Kind(), p.Kind)
		}
		for _, r := range rows {
			numbers[r*len(columns)+k] = p.Value
		}
	}
	out, g := copyOf(m), *f
	g.Dist, g.Counts = d.WithParameterRows(numbers, len(real)), nil
	out.Factors[i] = &g
	return checked(out, []Effect{{Of: m.FactorName(f), Text: counted(len(rows), "row", "set")}})
}
