package skeleton

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
)

// TwoStates are the states of variables for which the text has none.
var TwoStates = []string{"yes", "no"}

// Model returns a network with the structure and uniform tables of at most maxTable numbers. A
// variable has the states of the text, the ones in states by name, or TwoStates.
func (s *Structure) Model(states map[string][]string, maxTable int) (*model.Model, error) {
	m := &model.Model{Kind: model.Bayes}
	for v, name := range s.Names {
		list := s.States[v]
		if list == nil {
			list = states[name]
		}
		if list == nil {
			list = TwoStates
		}
		m.NewVar(name, slices.Clone(list)...)
	}
	for v := range s.Names {
		f := &model.Factor{Child: len(s.Parents[v])}
		for _, u := range s.Parents[v] {
			f.Scope = append(f.Scope, model.VarID(u))
		}
		f.Scope = append(f.Scope, model.VarID(v))
		n, ok := m.TableSize(f.Scope)
		if !ok || n > maxTable {
			return nil, fmt.Errorf("the table of %q with %d parents has more than %d entries; want fewer parents or states", s.Names[v], len(s.Parents[v]), maxTable)
		}
		card := m.Card(model.VarID(v))
		f.Dist = &model.Table{Values: slices.Repeat([]float64{1 / float64(card)}, n)}
		m.Factors = append(m.Factors, f)
	}
	if list := m.Check(); list.HasErrors() {
		return nil, fmt.Errorf("%s", strings.TrimPrefix(list.Err().Error(), "-: "))
	}
	return m, nil
}

// Stated returns the name of a variable with states, or "".
func (s *Structure) Stated() string {
	for v, list := range s.States {
		if list != nil {
			return s.Names[v]
		}
	}
	return ""
}
