package acmn

import (
	"context"
	"time"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// pseudo measures a model by Gibbs sampling, as the poster does for its baselines: the mean log
// posterior of each unobserved variable.
func (x *Experiment) pseudo(ctx context.Context, s *Score, m *model.Model, rows [][]int) error {
	opt := compiler.Options{Method: compiler.Named("gibbs", "chains=1", "burn-in=100", "iterations=1000"), Seed: x.Seed, MaxTable: x.MaxTable, MaxMem: int64(x.MaxMem)}
	r, err := x.Compile(ctx, s.Model, m, opt, nil)
	if err != nil {
		return err
	}
	by := rate.NewEngine(ctx, infer.Of(r, x.Seed), nil)
	for _, f := range allFractions {
		parts, _ := x.evidenceOf(rows, f)
		start := time.Now()
		var logs []float64
		for i, part := range parts {
			evidence := make([]bool, len(part))
			for v, state := range part {
				evidence[v] = state >= 0
			}
			log, err := rate.Marginal(by, rows[i], evidence)
			if err != nil {
				return err
			}
			logs = append(logs, log)
		}
		cmll, _ := table.FiniteMean(rate.MeanOf(logs))
		s.Given = append(s.Given, Fraction{Evidence: f, CMLL: cmll, Microseconds: time.Since(start).Seconds() * 1e6 / float64(len(rows))})
	}
	return nil
}
