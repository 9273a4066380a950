package pseudo

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/rowset"
	"github.com/pgmc-go/pgmc/learn/learner"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Model returns the Markov network of the features with weights that are not zero, with a factor
// for each.
func (f *Fit) Model(name string, vars []data.Var) *model.Model {
	m := &model.Model{Name: name, Kind: model.Markov}
	for _, v := range vars {
		m.NewVar(v.Name, v.States...)
	}
	for _, x := range f.Features {
		if x.Weight != 0 {
			m.Factors = append(m.Factors, factor(x))
		}
	}
	return m
}

// factor returns a feature as a potential.
func factor(x Feature) *model.Factor {
	f := &model.Factor{Child: -1}
	out := model.Feature{Weight: x.Weight}
	for _, t := range x.Tests {
		axis := slices.Index(f.Scope, model.VarID(t.Var))
		if axis < 0 {
			axis = len(f.Scope)
			f.Scope = append(f.Scope, model.VarID(t.Var))
		}
		out.Literals = append(out.Literals, model.Literal{Axis: axis, State: int32(t.State), Not: t.Not})
	}
	f.Dist = &model.Features{List: []model.Feature{out}}
	return f
}

// Result returns a network with its report. In the report, the parents of a variable are the
// earlier variables that share a feature of nonzero weight with it.
func (f *Fit) Result(m *model.Model, vars []data.Var, points []learner.Point, remarks []string) (*learner.Result, error) {
	if list := m.Check(); list.HasErrors() {
		return nil, list.Err()
	}
	r := learner.Report{Score: "pll", Params: f.Params(), Steps: f.Steps, Path: points, Remarks: remarks, Stopped: f.Stopped}
	before := make([][]int, len(vars))
	for _, x := range f.Features {
		for _, a := range x.Tests {
			for _, b := range x.Tests {
				if x.Weight != 0 && b.Var < a.Var {
					before[a.Var] = append(before[a.Var], b.Var)
				}
			}
		}
	}
	for v, x := range vars {
		family := learner.Family{Variable: x.Name, Parents: []string{}, Score: f.Parts[v]}
		slices.Sort(before[v])
		for _, u := range slices.Compact(before[v]) {
			family.Parents = append(family.Parents, vars[u].Name)
		}
		r.Total += family.Score
		r.Families = append(r.Families, family)
	}
	return &learner.Result{Models: []*model.Model{m}, Report: r}, nil
}

// States returns one feature for each state of each variable but its first. Their weights are the
// log-odds in the rows, with one pseudo-count a state: the model of independent variables.
func States(s *data.Set) []Feature {
	var list []Feature
	for v, x := range s.Vars {
		n := slices.Repeat([]float64{1}, len(x.States))
		for col, i := s.Column(v), 0; i < s.Len(); i++ {
			if k := col.At(i); k != data.Missing {
				n[k] += s.Weight(i)
			}
		}
		for k := 1; k < len(n); k++ {
			list = append(list, Feature{Tests: []rowset.Test{{Var: v, State: k}}, Weight: pgmrt.Ln(n[k] / n[0])})
		}
	}
	return list
}

// Pairs returns one feature for each pair of states of u and v, without the first states.
func Pairs(vars []data.Var, u, v int) []Feature {
	var list []Feature
	for a := 1; a < len(vars[u].States); a++ {
		for b := 1; b < len(vars[v].States); b++ {
			list = append(list, Feature{Tests: []rowset.Test{{Var: u, State: a}, {Var: v, State: b}}})
		}
	}
	return list
}
