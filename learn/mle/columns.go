package mle

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
)

// Columns returns the column of each variable of m in data, by name, or -1 if there is none. The
// states must be m's, in the same order.
func Columns(m *model.Model, vars []data.Var) ([]int, error) {
	column := slices.Repeat([]int{-1}, len(m.Vars))
	found := 0
	for i, x := range vars {
		v, ok := m.VarByName(x.Name)
		if !ok {
			continue
		}
		if !slices.Equal(x.States, m.States(v.ID)) {
			return nil, fmt.Errorf("variable %q has the states %q in the data and %q in the model; want the same", x.Name, x.States, m.States(v.ID))
		}
		column[v.ID] = i
		found++
	}
	if found == 0 {
		return nil, fmt.Errorf("no column of the data is a variable of the model")
	}
	return column, nil
}
