package cli

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// QuoteName quotes a name if a flag such as --evidence needs it quoted.
func QuoteName(s string) string {
	return diag.QuoteName(s)
}

// UnknownVariable returns the error for a name in the value of a flag that is no variable of m,
// with the nearest one.
func UnknownVariable(flag, name string, m *model.Model) error {
	var known []string
	for _, v := range m.Vars {
		if !v.Latent {
			known = append(known, v.Name)
		}
	}
	return fmt.Errorf("%s: unknown variable %q%s", flag, name, diag.DidYouMean(name, known))
}

// NamedVars returns the variables that the value of a flag names, each once. None may be latent.
func NamedVars(m *model.Model, flag string, names []string) ([]model.VarID, error) {
	var list []model.VarID
	for _, name := range names {
		v, ok := m.VarByName(name)
		switch {
		case !ok:
			return nil, UnknownVariable(flag, name, m)
		case v.Latent:
			return nil, fmt.Errorf("%s: variable %q is latent", flag, name)
		case !slices.Contains(list, v.ID):
			list = append(list, v.ID)
		}
	}
	return list, nil
}

// plural returns one for 1 thing, and otherwise many.
func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
