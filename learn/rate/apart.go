package rate

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
)

// openForm is the part of a CPD over which no engine integrates in closed form, a softmax function
// or an expression.
const openForm = model.SoftChildren | model.Funcs

// Integrated returns the network that the engine of a [Scorer] computes for m, a model without
// transition: m, or a network without CPDs that are softmax functions and expressions. A row has
// all values of their families, so that their children are given in the network, and a row's
// log-likelihood is the network's plus these CPDs' logarithms.
func Integrated(m *model.Model) *model.Model {
	rest, _ := apart(m)
	return rest
}

// apart returns [Integrated] and the CPDs that it leaves out.
func apart(m *model.Model) (rest *model.Model, factors []*model.Factor) {
	if m.Kind != model.Bayes || m.Transition != nil || m.Traits()&openForm == 0 {
		return m, nil
	}
	own := *m
	own.Vars, own.Factors, own.Tied = slices.Clone(m.Vars), nil, nil
	for _, f := range m.Factors {
		if one := (&model.Model{Vars: m.Vars, Factors: []*model.Factor{f}}); one.Traits()&openForm == 0 {
			own.Factors = append(own.Factors, f)
			continue
		}
		factors = append(factors, f)
		child := *m.Vars[f.ChildVar()]
		child.Given = true
		own.Vars[child.ID] = &child
	}
	return &own, factors
}

// open returns ln of the CPDs that the engine leaves out, for a row in the scratch of d. It returns
// an error if the row misses a value of their families.
func (d *denseScorer) open(pos diag.Pos) (log float64, err error) {
	for _, f := range d.apart {
		for _, v := range f.Scope {
			if d.states[v] == data.Missing {
				return 0, diag.Diagnostic{Pos: pos, Msg: fmt.Sprintf("this row misses a value of %q, and the %s has no integral in closed form without it", d.m.Vars[v].Name, d.m.FactorName(f))}
			}
		}
		log += d.m.LogFactor(f, d.states, d.values)
	}
	return log, nil
}
