package main

import (
	"context"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/reply"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/rows"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/method/localsearch"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
)

// tabuMAP reports whether the flags ask for nothing but the states of --map, by tabu search.
func (f *queryFlags) tabuMAP() bool {
	return f.Method.Value == localsearch.Tabu.Name && f.mapOf != nil && !f.all && !f.logp && !f.mpe && !f.max && f.targets == nil && f.kmpe == 0 && f.boundable()
}

// answerTabu answers --map by tabu search over the states of its variables.
func (a *app) answerTabu(ctx context.Context, m *model.Model, q *query, policy model.Rows, f *queryFlags) error {
	opt, search := localsearch.NewTabuOptions(), localsearch.Tabu.Answers
	opt.Seed = a.Seed
	if err := options.Set(opt, f.MethodFlags.Settings()...); err != nil {
		return err
	}
	e, err := infer.New(ctx, m, infer.Options{Method: compiler.Named(compiler.Methods[0].Name), Rows: policy, Seed: a.Seed, MaxTable: a.MaxTable, MaxMem: int64(a.MaxMem)})
	if err != nil {
		return err
	}
	defer a.Progress("searching "+q.path, nil).Stop()
	var names []string
	for _, v := range q.want.MAP {
		names = append(names, q.vars[v].Name)
	}
	c, err := cli.Await(ctx, func() (*infer.Completion, error) { return e.TabuMAP(ctx, q.known, opt, names...) })
	if err != nil {
		return a.CompileError(q.path, err)
	}
	x := &rows.Answer{States: rows.Indices(c), StatesLogP: c.LogProb}
	x.SetReport(c.Report)
	q.want.Loop, q.want.Kind = search.GoName, ir.Climb
	return a.writeReply(reply.New(x, q.vars, &q.want, false), f)
}
