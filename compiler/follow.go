package compiler

import (
	"context"
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/decide"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// follow is what a query about the best strategy takes: the diagram in which decisions follow it,
// the query about that, and networks of moments.
type follow struct {
	m       *model.Model
	query   *ir.Query
	moments []*decide.Network // of each utility, and at last of their sum; nil for those among query.Utilities
}

// followOf returns what a query about the solution of a diagram takes. The moments of one table
// follow from the joint posterior of its scope. A sum of several tables, which may depend on many
// variables together, takes a network of moments.
func followOf(ctx context.Context, x *decide.Solution, maxTable int) (*follow, error) {
	f := &follow{m: x.Follow(), query: &ir.Query{Name: ir.Follow.String(), Kind: ir.Follow}}
	for _, p := range x.Policies {
		f.query.Targets = append(f.query.Targets, p.Decision)
	}
	for i := range len(f.m.Diagram.Utilities) + 1 {
		of := []int{i}
		if i == len(f.m.Diagram.Utilities) {
			of = f.m.Diagram.Roots()
		}
		terms, err := f.m.Terms(of, maxTable)
		if err != nil {
			return nil, err
		}
		if len(terms) == 1 && len(terms[0].Scope) > 0 {
			f.query.Utilities, f.moments = append(f.query.Utilities, terms[0]), append(f.moments, nil)
			continue
		}
		part := *f.m
		part.Diagram = &model.Diagram{Utilities: terms}
		n, err := decide.NewMoments(ctx, &part, maxTable)
		if err != nil {
			return nil, err
		}
		f.moments = append(f.moments, n)
	}
	return f, nil
}

// addFollow adds a query about the diagram in which decisions follow the best strategy: all
// marginals of that network, and the moments of each utility and of their sum.
func (r *Result) addFollow(ctx context.Context, opt Options, x *decide.Solution) error {
	f, err := followOf(ctx, x, opt.withDefaults().MaxTable)
	if err != nil {
		return err
	}
	first := len(r.Program.Entries)
	p, err := r.compile(ctx, f.m, byItself(opt, f.query))
	if err != nil {
		return err
	}
	if err := r.join(p); err != nil {
		return err
	}
	outs, tables := slices.Clip(r.Program.Entries[first].Outs), r.Program.Entries[first].Utilities
	var moments []ir.Moments
	for i, n := range f.moments {
		if n == nil {
			moments, tables = append(moments, tables[0]), tables[1:]
			continue
		}
		if err := r.addNetwork(ctx, opt, fmt.Sprint("moments ", i), n); err != nil {
			return err
		}
		e := &r.Program.Entries[len(r.Program.Entries)-1]
		moments = append(moments, ir.Moments{In: e.Outs[0], Values: ir.NoSpan, Least: e.Least, Scale: n.Scale})
	}
	e := r.merged(first)
	e.Outs, e.Utilities, r.Followed = outs, moments, f.m
	return nil
}
