package rate

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Divergence returns the Kullback-Leibler divergence KL(p, q) of two distributions over the same
// states, in nats: +Inf if q rules out a state that p does not.
func Divergence(p, q []float64) float64 {
	return max(0, stat.KullbackLeibler(p, q)) // rounding may bring it below 0
}

// Flipped reports whether the most probable state of q differs from each most probable state of p.
// States are equally probable if their probabilities differ only by rounding.
func Flipped(p, q []float64) bool {
	const rounding = 1e-9
	best := 0
	for k := range q {
		if q[k] > q[best] {
			best = k
		}
	}
	return p[best] < slices.Max(p)-rounding
}

// ModelDivergence estimates the Kullback-Leibler divergence of model q from model p, in nats, by
// rows drawn from p: the mean difference of their log-probabilities, and its standard error. It is
// +Inf if q gives one of the rows no probability. The translation turns rows of p into rows of q.
func ModelDivergence(ctx context.Context, rows [][]model.Value, p, q *infer.Engine, to Translation) (mean, stderr float64, err error) {
	own, err := logsOf(ctx, p, rows)
	if err != nil {
		return 0, 0, err
	}
	others := make([][]model.Value, len(rows))
	for i, row := range rows {
		others[i] = to.Row(row)
	}
	logs, err := logsOf(ctx, q, others)
	if err != nil {
		return 0, 0, err
	}
	for i := range logs {
		logs[i] -= own[i]
	}
	mean, stderr = MeanOf(logs)
	return 0 - mean, stderr, nil
}

// logsOf returns the log-probabilities of rows, or their log-densities if some variable is real.
func logsOf(ctx context.Context, e *infer.Engine, rows [][]model.Value) ([]float64, error) {
	vars := e.Vars()
	if logs := products(e, rows); logs != nil {
		return logs, ctx.Err()
	}
	if len(e.Model().Reals()) == 0 {
		states := make([][]int, len(rows))
		for i, row := range rows {
			for _, x := range row {
				states[i] = append(states[i], x.State)
			}
		}
		return e.LogProbs(ctx, states)
	}
	logs, f := make([]float64, len(rows)), infer.NewFindings(len(e.Model().Vars))
	for i, row := range rows {
		for k, v := range vars {
			f.Observe(v, row[k])
		}
		var err error
		if logs[i], err = e.LogProb(ctx, f); err != nil {
			return nil, err
		}
	}
	return logs, nil
}

// products returns the log-probabilities of rows as sums over CPDs; nil if that does not give them.
func products(e *infer.Engine, rows [][]model.Value) (logs []float64) {
	for _, row := range rows {
		log, ok := e.Product(row)
		if !ok {
			return nil
		}
		logs = append(logs, log)
	}
	return logs
}
