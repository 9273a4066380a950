package infer

import (
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Load reads a model from a file. The extension of its name decides the format; ".gz" after that
// means that the file is compressed. A model with warnings is usable. The error is a [diag.Errors]
// if the file is at fault.
func Load(path string) (m *model.Model, warnings []diag.Diagnostic, err error) {
	m, list := format.Read(compiler.Formats, path, "", format.ReadOptions{})
	if err := list.Err(); err != nil {
		return nil, list.Warnings(), err
	}
	return m, list.Warnings(), nil
}

// Do returns the model after an intervention that sets each variable of set to the state that it
// names, or a real variable to a number. The CPD of such a variable no longer depends on its
// parents (Pearl 2009, section 3.2.1). The model must be a Bayesian network; the error is a
// [KindError] otherwise.
func Do(m *model.Model, set Evidence) (*model.Model, error) {
	if m.Kind != model.Bayes {
		return nil, &KindError{Want: model.Bayes, Got: m.Kind}
	}
	vars := newVariables(m)
	values := map[model.VarID]model.Value{}
	for _, name := range set.names() {
		v, err := vars.find(name)
		if err != nil {
			return nil, err
		}
		f := NewFindings(len(m.Vars))
		if err := f.add(vars, v, set[name]); err != nil {
			return nil, err
		}
		x, known := f.Observed(m.Vars[v])
		if !known || m.Vars[v].Given {
			return nil, &ValueError{Var: name, Found: set[name], Want: "the name of a state, or the number of a real variable, of one that has a CPD"}
		}
		values[v] = x
	}
	return m.Do(values), nil
}
