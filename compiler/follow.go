package compiler

import (
	"context"
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/decide"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// addFollow adds a query about the diagram in which decisions follow the best strategy: all
// marginals of that network, and the moments of each utility and of their sum. Those of a table
// follow from the joint posterior of its scope. A sum of several tables, which may depend on many
// variables together, takes a network of moments.
func (r *Result) addFollow(ctx context.Context, opt Options, x *decide.Solution) error {
	m, first := x.Follow(), len(r.Program.Entries)
	sums, err := sumsOf(m, opt.withDefaults().MaxTable)
	if err != nil {
		return err
	}
	q := &ir.Query{Name: ir.Follow.String(), Kind: ir.Follow}
	for _, terms := range sums {
		if isTable(terms) {
			q.Utilities = append(q.Utilities, terms[0])
		}
	}
	p, err := r.compile(ctx, m, opt, q)
	if err != nil {
		return err
	}
	if err := r.join(p); err != nil {
		return err
	}
	outs, tables := slices.Clip(r.Program.Entries[first].Outs), r.Program.Entries[first].Utilities
	var moments []ir.Moments
	for _, terms := range sums {
		if isTable(terms) {
			moments, tables = append(moments, tables[0]), tables[1:]
			continue
		}
		sum, err := r.addMoments(ctx, opt, m, terms)
		if err != nil {
			return err
		}
		moments = append(moments, sum)
	}
	e := r.merged(first)
	e.Outs, e.Utilities = outs, moments
	return nil
}

// sumsOf returns the terms of each utility of m, and at last those of their sum.
func sumsOf(m *model.Model, maxTable int) (list [][]*model.Utility, err error) {
	for i := range len(m.Diagram.Utilities) + 1 {
		of := []int{i}
		if i == len(m.Diagram.Utilities) {
			of = m.Diagram.Roots()
		}
		terms, err := m.Terms(of, maxTable)
		if err != nil {
			return nil, err
		}
		list = append(list, terms)
	}
	return list, nil
}

// isTable reports whether a sum is one table over some variables.
func isTable(terms []*model.Utility) bool { return len(terms) == 1 && len(terms[0].Scope) > 0 }

// addMoments adds an entry for the moments of a sum of utilities of m, which has no open decisions.
func (r *Result) addMoments(ctx context.Context, opt Options, m *model.Model, terms []*model.Utility) (ir.Moments, error) {
	of := *m
	of.Diagram = &model.Diagram{Utilities: terms}
	n, err := decide.NewMoments(ctx, &of, opt.withDefaults().MaxTable)
	if err == nil {
		err = r.addNetwork(ctx, opt, fmt.Sprint("moments ", len(r.Program.Entries)), n)
	}
	if err != nil {
		return ir.Moments{}, err
	}
	e := &r.Program.Entries[len(r.Program.Entries)-1]
	return ir.Moments{In: e.Outs[0], Values: ir.NoSpan, Least: e.Least, Scale: n.Scale}, nil
}
