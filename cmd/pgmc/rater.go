package main

import (
	"context"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/rate"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// rater gives log-probabilities of rows in memory by a model, eight at a time where its program has a form for that.
type rater struct {
	vars  []model.VarID
	lanes *laneMachine
	in    inference // where there are no lanes
	deep  *deep
}

// newRater compiles a model, which name stands for in errors.
func (a *app) newRater(ctx context.Context, name string, m *model.Model) (*rater, error) {
	x := &rater{deep: newDeep(m)}
	opt := compiler.Options{Seed: a.Seed, MaxTable: a.MaxTable, MaxMem: int64(a.MaxMem), Machine: cli.MachineMemory(), Queries: []string{"logprob"}, Reviewed: x.deep != nil}
	r, err := a.Compile(ctx, name, m, opt, nil)
	if err != nil {
		return nil, err
	}
	x.vars = observable(r.Model)
	if x.lanes, err = newLaneMachine(r, "logprob"); err != nil {
		x.lanes, x.in.in, x.in.q = nil, newInterpreter(r), newQuestion(len(x.vars))
	}
	return x, nil
}

// logs gives ln of the probability of each row, of states or data.Missing by variable that is not latent; -Inf where it is impossible.
func (x *rater) logs(ctx context.Context, rows [][]int) ([]float64, error) {
	out := make([]float64, 0, len(rows))
	for len(out) < len(rows) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if x.lanes == nil {
			log, err := x.in.LogProb(rows[len(out)])
			if err != nil {
				return nil, err
			}
			out = append(out, x.deep.rate(log, rows[len(out)]))
			continue
		}
		some := rows[len(out):min(len(rows), len(out)+pgmrt.Lanes)]
		for i, row := range some {
			x.lanes.set(i, x.vars, row)
		}
		x.lanes.run()
		for i, row := range some {
			out = append(out, x.deep.rate(x.lanes.logP(i), row))
		}
	}
	return out, nil
}

// draw samples rows of a model, which name stands for in errors.
func (a *app) draw(ctx context.Context, name string, m *model.Model, n int) ([][]int, error) {
	opt := compiler.Options{Seed: a.Seed, MaxTable: a.MaxTable, MaxMem: int64(a.MaxMem), Machine: cli.MachineMemory(), Queries: []string{"sample"}}
	r, err := a.Compile(ctx, name, m, opt, nil)
	if err != nil {
		return nil, err
	}
	in := newInterpreter(r)
	in.machine.Rand = pgmrt.NewRand(a.Seed)
	q := newQuestion(len(in.vars))
	if err := in.enter(&q); err != nil {
		return nil, err
	}
	rows := make([][]int, n)
	for i := range rows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := in.run("sample"); err != nil {
			return nil, err
		}
		for _, v := range in.vars {
			rows[i] = append(rows[i], int(in.machine.State()[v]))
		}
	}
	return rows, nil
}

// divergenceBy estimates the Kullback-Leibler divergence of q from p, in nats, by rows of p: the mean of how much better p foretells them. It is +Inf
// where q, whose rows to makes of them, gives one of them no probability.
func divergenceBy(ctx context.Context, rows [][]int, p, q *rater, to rate.Translation) (mean, stderr float64, err error) {
	own, err := p.logs(ctx, rows)
	if err != nil {
		return 0, 0, err
	}
	others := make([][]int, len(rows))
	for i, row := range rows {
		others[i] = to.Row(row)
	}
	logs, err := q.logs(ctx, others)
	if err != nil {
		return 0, 0, err
	}
	for i := range logs {
		logs[i] -= own[i]
	}
	mean, stderr = rate.MeanOf(logs)
	return -mean, stderr, nil
}
