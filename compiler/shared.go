package compiler

import (
	"context"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/internal/pass"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
)

// Compile compiles m for the queries of opt. It runs the passes of [Pipeline] in order. The same
// model and options give the same program. The error is a diag.Errors if the model is at fault. Of
// a dependency network, queries for a most probable completion maximise the pseudo-likelihood, see
// [model.Model.PseudoLikelihood].
func Compile(ctx context.Context, m *model.Model, opt Options) (*Result, error) {
	m, opt = posed(m, opt)
	if a := aboutDecisions(m, &opt); a != nil {
		return compileDecisions(ctx, m, opt, a)
	}
	if queries := sharing(m, &opt); queries != nil {
		return compileShared(ctx, m, opt, queries)
	}
	return compileQueries(ctx, m, opt)
}

// compileShared compiles each of several approximate queries by its method, and joins the programs.
// Each method takes those of the named settings that it has.
func compileShared(ctx context.Context, m *model.Model, opt Options, queries []*ir.Query) (*Result, error) {
	var out *Result
	for i, q := range queries {
		one := opt
		one.Queries = []string{q.Word()}
		if q.Best {
			one.Queries = append(one.Queries, ir.MaxMarginals.String())
		}
		if n, ok := opt.Method.(named); ok {
			one.Method = Named(q.Method, settingsOf(queries, i, n.settings)...)
		}
		if i > 0 {
			one.Dump = nil
		}
		r, err := compileQueries(ctx, m, one)
		if err != nil {
			return nil, err
		}
		if out == nil {
			out = r
			continue
		}
		if err := join(out.Program, r.Program); err != nil {
			var list diag.List
			list.Errorf(diag.Pos{File: m.File}, "query %s cannot share a package with %s, since %v; compile each into a package of its own", q.Word(), queries[0].Word(), err)
			return nil, list.Err()
		}
		out.warn(r)
		out.Claim = max(out.Claim, r.Claim)
		if r.Note != "" {
			out.Note += r.Note
		}
	}
	return out, nil
}

// join adds the program other to p. If only one of them is laid out for vectors, the other is laid
// out again.
func join(p, other *ir.Program) error {
	align := max(p.Align, other.Align)
	pass.ProgramAlign(p, align)
	pass.ProgramAlign(other, align)
	return p.Join(other)
}

// settingsOf returns the settings that the method of query i has. The first query also gets those
// that no query's method has, so that its method refuses them.
func settingsOf(queries []*ir.Query, i int, settings []string) (list []string) {
	has := func(q *ir.Query, setting string) bool {
		name, _, _ := strings.Cut(setting, "=")
		x, err := FindMethod(q.Method)
		return err == nil && options.Flags(x.New()).Lookup(name) != nil
	}
	for _, s := range settings {
		if has(queries[i], s) || i == 0 && !slices.ContainsFunc(queries, func(q *ir.Query) bool { return has(q, s) }) {
			list = append(list, s)
		}
	}
	return list
}
