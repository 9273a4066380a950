package json

import (
	"fmt"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Format is pgmc's JSON.
var Format = format.Format{
	Name:      "json",
	Doc:       "pgmc's own: all that a model can hold",
	Exts:      []string{".pgmc.json", ".json"},
	Counts:    true,
	Described: true,
	Diagrams:  true,
	Plates:    true,
	Takes: model.Circulars | model.Cycles | model.Forests | model.Reals | model.Gaussians | model.Mixed | model.Givens | model.Slices |
		model.Funcs | model.SoftChildren | model.Canonicals | model.Diffuses,
	Read:      read,
	Write:     write,
	Undefined: true,
}

// version is the newest version of the format. A file has the lowest version whose readers know all
// that it holds, see since.
const version = 2

// since returns the lowest version of the format that can hold m and, above 1, the reason.
func since(m *model.Model) (version int32, why string) {
	if m.Described() {
		return 2, "it has a description"
	}
	for _, v := range m.Vars {
		if v.Given {
			return 2, fmt.Sprintf("the variable %q is given", v.Name)
		}
	}
	for _, f := range m.Factors {
		if n := kindOf(f.Dist.Kind()).since; n > 1 {
			return n, fmt.Sprintf("the %s is of kind %s", m.FactorName(f), f.Dist.Kind())
		}
	}
	for _, v := range m.Vars {
		if m.Kind != model.Forest && m.IsReal(v.ID) {
			return 2, fmt.Sprintf("the variable %q is real", v.Name)
		}
	}
	if len(m.Tied) > 0 {
		return 2, "it has tied groups"
	}
	if m.Transition != nil {
		return 2, "it has a transition"
	}
	if m.Diagram != nil {
		return 2, "it has decisions or utilities"
	}
	return 1, ""
}

// kinds lists the names of the kinds of model, by [model.Kind].
var kinds = []string{"bayes", "markov", "dependency", "forest"}
