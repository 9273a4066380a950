package compiler

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
)

// prior returns the joint distribution of vars without evidence, row-major. It compiles a program
// for that by the first method, through the same passes, and runs it. Of a Bayesian network it
// compiles only the ancestors of vars, since the other CPDs sum to one.
func (b *build) prior(vars []model.VarID) ([]float64, error) {
	m := b.problem.Model
	if m.Kind == model.Bayes {
		m = ancestors(m, vars)
	}
	var names []string
	for _, v := range vars {
		names = append(names, strconv.Quote(b.problem.Model.Vars[v].Name))
	}
	opt := *b.opt
	opt.Queries, opt.Method = []string{"joint(" + strings.Join(names, ", ") + ")"}, Named(byTables().Name)
	opt.Order, opt.Interpreted = nil, true
	r, err := b.compile(m, opt)
	if err != nil {
		return nil, err
	}
	machine := eval.New(r.Program, r.Model)
	if err := machine.Run(&r.Program.Entries[0]); err != nil {
		return nil, fmt.Errorf("the joint distribution of %s: %w", strings.Join(names, ", "), err)
	}
	return slices.Clone(machine.Posterior(0)), nil
}

// ancestors returns the part of a Bayesian network on which the marginals of vars depend: vars and
// their ancestors.
func ancestors(m *model.Model, vars []model.VarID) *model.Model {
	graph := model.NewGraph(m)
	kept := make([]bool, len(m.Vars))
	for todo := slices.Clone(vars); len(todo) > 0; {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !kept[v] {
			kept[v] = true
			todo = append(todo, graph.Parents[v]...)
		}
	}
	out := &model.Model{Name: m.Name, Kind: m.Kind, File: m.File}
	to := make([]model.VarID, len(m.Vars))
	for _, v := range m.Vars {
		if kept[v.ID] {
			w := *v
			w.ID = model.VarID(len(out.Vars))
			to[v.ID] = w.ID
			out.Vars = append(out.Vars, &w)
		}
	}
	for _, f := range m.Factors {
		if !kept[f.ChildVar()] {
			continue
		}
		g := *f
		g.Scope = make([]model.VarID, len(f.Scope))
		for i, v := range f.Scope {
			g.Scope[i] = to[v]
		}
		out.Factors = append(out.Factors, &g)
	}
	return out
}
