package rate

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/pgmc-go/pgmc/compiler/infer"
)

// Divergence returns the Kullback-Leibler divergence KL(p, q) of two distributions over the same
// states, in nats: +Inf if q rules out a state that p does not.
func Divergence(p, q []float64) float64 {
	return max(0, stat.KullbackLeibler(p, q)) // rounding may bring it below 0
}

// Flipped reports whether the most probable state of q differs from each most probable state of p.
// States whose probabilities differ by rounding alone are equally probable.
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
func ModelDivergence(ctx context.Context, rows [][]int, p, q *infer.Engine, to Translation) (mean, stderr float64, err error) {
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
	mean, stderr = MeanOf(logs)
	return -mean, stderr, nil
}
