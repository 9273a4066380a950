package cpt

import "github.com/pgmc-go/pgmc/ir/model"

// maxTable bounds the numbers that a distribution of another kind may have as a table: about 50 MB
// of text.
const maxTable = 1 << 22

// Values returns the numbers of the CPD f for all joint states of its parents, in the order of its
// scope, and of its child, which is fastest. It returns an error if a distribution of another kind
// would become too large a table.
func Values(m *model.Model, f *model.Factor) ([]float64, error) {
	values, err := m.Tabulate(f, maxTable)
	if err != nil || f.Child == len(f.Scope)-1 {
		return values, err
	}
	out := make([]float64, 0, len(values))
	scope := append(f.Parents(), f.ChildVar())
	state := make([]int, len(m.Vars))
	for more := true; more; more = m.Next(scope, state) {
		at := 0
		for _, v := range f.Scope {
			at = at*m.Card(v) + state[v]
		}
		out = append(out, values[at])
	}
	return out, nil
}
