package skeleton

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
)

// TwoStates are the states of variables for which the text has none.
var TwoStates = []string{"yes", "no"}

// Model returns a network with the structure, uniform tables of at most maxTable numbers, and for
// the variables named in real and their children CPDs without influence. A variable has the states
// of the text, the ones in states by name, or TwoStates.
func (s *Structure) Model(states map[string][]string, real []string, maxTable int) (*model.Model, error) {
	m := &model.Model{Kind: model.Bayes}
	for v, name := range s.Names {
		list := s.States[v]
		if list == nil {
			list = states[name]
		}
		switch {
		case slices.Contains(real, name):
			m.NewReal(name)
		case list == nil:
			m.NewVar(name, TwoStates...)
		default:
			m.NewVar(name, slices.Clone(list)...)
		}
	}
	for v := range s.Names {
		f, err := s.factor(m, v, maxTable)
		if err != nil {
			return nil, err
		}
		m.Factors = append(m.Factors, f)
	}
	if list := m.Check(); list.HasErrors() {
		return nil, fmt.Errorf("%s", strings.TrimPrefix(list.Err().Error(), "-: "))
	}
	return m, nil
}

// factor returns the CPD of variable v. Its scope has the discrete parents, then the real ones.
func (s *Structure) factor(m *model.Model, v, maxTable int) (*model.Factor, error) {
	f := &model.Factor{Child: len(s.Parents[v])}
	reals := 0
	for _, real := range []bool{false, true} {
		for _, u := range s.Parents[v] {
			if id := model.VarID(u); m.IsReal(id) == real {
				f.Scope = append(f.Scope, id)
				if real {
					reals++
				}
			}
		}
	}
	discrete := slices.Clone(f.Scope[:len(f.Scope)-reals])
	f.Scope = append(f.Scope, model.VarID(v))
	if !m.IsReal(model.VarID(v)) {
		discrete = append(discrete, model.VarID(v))
	}
	n, ok := m.TableSize(discrete)
	if !ok || n > maxTable/(1+reals) {
		return nil, fmt.Errorf("the table of %q with %d parents has more than %d entries; want fewer parents or states", s.Names[v], len(s.Parents[v]), maxTable)
	}
	switch {
	case m.IsReal(model.VarID(v)):
		f.Dist = &model.Gaussian{Mean: make([]float64, n), Coef: make([]float64, n*reals), Var: slices.Repeat([]float64{1}, n)}
	case reals > 0:
		f.Dist = &model.Softmax{Bias: make([]float64, n), Coef: make([]float64, n*reals)}
	default:
		f.Dist = &model.Table{Values: slices.Repeat([]float64{1 / float64(m.Card(model.VarID(v)))}, n)}
	}
	return f, nil
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
