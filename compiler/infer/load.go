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
// names, or a real variable to a number. [Jeffrey] sets the distribution of a variable, and
// [Measurement] the normal one of a real variable. The CPD of such a variable no longer depends on
// its parents (Pearl 2009, section 3.2.1). The model must be a Bayesian network; the error is a
// [KindError] otherwise.
func Do(m *model.Model, set Evidence) (*model.Model, error) {
	if m.Kind != model.Bayes {
		return nil, &KindError{Want: model.Bayes, Got: m.Kind}
	}
	vars := newVariables(m)
	by := map[model.VarID]model.Dist{}
	for _, name := range set.names() {
		v, err := vars.find(name)
		if err != nil {
			return nil, err
		}
		f := NewFindings(len(m.Vars))
		if err := f.add(vars, v, set[name]); err != nil {
			return nil, err
		}
		if by[v] = f.dist(m, v); by[v] == nil || m.Vars[v].Given {
			return nil, &ValueError{Var: name, Found: set[name], Want: "the name of a state, or the number of a real variable, or a distribution, of one that has a CPD"}
		}
	}
	return m.DoBy(by), nil
}

// dist returns the distribution to which an intervention sets v; nil of other findings.
func (f *Findings) dist(m *model.Model, v model.VarID) model.Dist {
	x, known := f.Observed(m.Vars[v])
	switch {
	case known:
		return m.Certain(v, x)
	case f.Jeffrey != nil && f.Jeffrey[v] != nil:
		return &model.Table{Values: f.Jeffrey[v]}
	case m.IsReal(v) && f.Soft[v] != nil:
		return &model.Gaussian{Mean: f.Soft[v][:1], Var: f.Soft[v][1:]}
	}
	return nil
}
