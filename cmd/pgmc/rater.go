package main

import (
	"context"
	"errors"
	"math"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// rater gives log-probabilities of rows in memory by a model, eight at a time where its program has a form for that.
type rater struct {
	vars  []model.VarID
	lanes *laneMachine
	in    inference // where there are no lanes
}

// newRater compiles a model, which name stands for in errors.
func (a *app) newRater(ctx context.Context, name string, m *model.Model) (*rater, error) {
	opt := compiler.Options{Seed: a.seed, MaxTable: a.maxTable, MaxMem: int64(a.maxMem), Machine: machineMemory(), Queries: []string{"logprob"}}
	r, err := a.compile(ctx, name, m, opt, nil)
	if err != nil {
		return nil, err
	}
	x := &rater{vars: observable(r.Model)}
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
			if err != nil && !errors.Is(err, errImpossible) {
				return nil, err
			}
			out = append(out, log)
			continue
		}
		some := rows[len(out):min(len(rows), len(out)+pgmrt.Lanes)]
		for i, row := range some {
			x.lanes.set(i, x.vars, row)
		}
		x.lanes.run()
		for i := range some {
			out = append(out, x.lanes.logP(i))
		}
	}
	return out, nil
}

// mean is the mean of numbers of which none is -Inf, else -Inf, and its standard error.
func meanOf(logs []float64) (mean, stderr float64) {
	var t tally
	for _, x := range logs {
		t.add(waiting{weight: 1}, x)
	}
	if t.impossible > 0 {
		return math.Inf(-1), math.Inf(1)
	}
	return t.Value, t.StdErr()
}
