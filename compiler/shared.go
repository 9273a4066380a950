package compiler

import (
	"context"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Compile compiles m for the queries of opt. It runs the passes of [Pipeline] in order. The same
// model and options give the same program. The error is a diag.Errors if the model is at fault. Of
// a dependency network, queries for a most probable completion maximise the pseudo-likelihood, see
// [model.Model.PseudoLikelihood].
func Compile(ctx context.Context, m *model.Model, opt Options) (*Result, error) {
	m, opt = posed(m, opt)
	if queries := sharing(m, &opt); queries != nil {
		return compileShared(ctx, m, opt, queries)
	}
	return compileQueries(ctx, m, opt)
}

// compileShared compiles each of several approximate queries by its method, and joins the programs.
// Options of methods are those of the first query's method.
func compileShared(ctx context.Context, m *model.Model, opt Options, queries []*ir.Query) (*Result, error) {
	var out *Result
	for i, q := range queries {
		one := opt
		one.Queries = []string{q.Word()}
		if q.Best {
			one.Queries = append(one.Queries, ir.MaxMarginals.String())
		}
		if i > 0 {
			one.Method, one.Dump = Named(q.Method), nil
		}
		r, err := compileQueries(ctx, m, one)
		if err != nil {
			return nil, err
		}
		if out == nil {
			out = r
			continue
		}
		if err := out.Program.Join(r.Program); err != nil {
			var list diag.List
			list.Errorf(diag.Pos{File: m.File}, "query %s cannot share a package with %s, since %v; compile each into a package of its own", q.Word(), queries[0].Word(), err)
			return nil, list.Err()
		}
		for _, w := range r.Warnings {
			if !slices.Contains(out.Warnings, w) {
				out.Warnings = append(out.Warnings, w)
			}
		}
		out.Claim, out.Underflows = max(out.Claim, r.Claim), out.Underflows || r.Underflows
		if r.Note != "" {
			out.Note += r.Note
		}
	}
	return out, nil
}
