package view

import (
	"fmt"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// varNames returns the names of variables.
func varNames(m *model.Model, vars []model.VarID) []string {
	names := make([]string, len(vars))
	for i, v := range vars {
		names[i] = m.Vars[v].Name
	}
	return names
}

// joinNames lists names, quoted where lists need it.
func joinNames(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = cli.QuoteName(n)
	}
	return strings.Join(quoted, ", ")
}

// nameList parses names separated by commas.
func nameList(text string) ([]string, error) {
	parts, err := diag.SplitNames(text)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, p := range parts {
		if len(p) != 1 {
			return nil, fmt.Errorf("found = after %q; want names of variables", p[0])
		}
		names = append(names, p[0])
	}
	return names, nil
}
