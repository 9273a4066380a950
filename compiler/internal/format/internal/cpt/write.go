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
	if err != nil {
		return nil, err
	}
	return m.Rearrange(values, f.Scope, append(f.Parents(), f.ChildVar())), nil
}
