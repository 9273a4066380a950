package compiler

import (
	"context"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// sharing returns the queries of opt if they are several approximate ones that can share a program:
// of methods that iterate to beliefs or decode states. Otherwise it returns nil.
func sharing(m *model.Model, opt *Options) []*ir.Query {
	if len(opt.Queries) == 0 || opt.MethodName() != "" && opt.MethodName() != Auto {
		return nil
	}
	queries, err := ParseQueries(opt.Queries, m)
	if err != nil {
		return nil // as Compile will report
	}
	queries = withMaxMarginals(nil, queries)
	maxima := 0
	for _, q := range queries {
		if q.MaxMarginals() {
			maxima++
		}
		if q.Kind != ir.Beliefs && q.Kind != ir.Decoding {
			return nil
		}
	}
	if len(queries) < 2 || maxima > 1 {
		return nil
	}
	return queries
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
		r, err := Compile(ctx, m, one)
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
