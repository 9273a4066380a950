package main

import (
	"context"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// engine compiles a query of a model, which name stands for in errors.
func (a *app) engine(ctx context.Context, name string, m *model.Model, query string) (*infer.Engine, error) {
	opt := compiler.Options{Seed: a.Seed, MaxTable: a.MaxTable, MaxMem: int64(a.MaxMem), Machine: cli.MachineMemory(), Queries: []string{query},
		IgnoreUnderflow: query == "logprob" && infer.ScoresInLogSpace(m)}
	r, err := a.Compile(ctx, name, m, opt, nil)
	if err != nil {
		return nil, err
	}
	return infer.Of(r, a.Seed), nil
}

// divergenceBy estimates the Kullback-Leibler divergence of q from p, in nats, by rows of p: the mean
// difference of their log-probabilities. It is +Inf if q, for which to translates the rows, gives one
// of them no probability.
func divergenceBy(ctx context.Context, rows [][]int, p, q *infer.Engine, to rate.Translation) (mean, stderr float64, err error) {
	own, err := p.LogProbs(ctx, rows)
	if err != nil {
		return 0, 0, err
	}
	others := make([][]int, len(rows))
	for i, row := range rows {
		others[i] = to.Row(row)
	}
	logs, err := q.LogProbs(ctx, others)
	if err != nil {
		return 0, 0, err
	}
	for i := range logs {
		logs[i] -= own[i]
	}
	mean, stderr = rate.MeanOf(logs)
	return -mean, stderr, nil
}
