package learning

import (
	"context"
	"fmt"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/score"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// testReport is how the learned model scores the rows that --split holds out.
type testReport struct {
	Rows int `json:"rows"`
	// Sequences is the number of sequences that the rows are, over which the score is the mean; 0
	// if they are none.
	Sequences int    `json:"sequences,omitempty"`
	Score     string `json:"score"`  // "ll" or "pll", the pseudo-log-likelihood
	Mean      any    `json:"mean"`   // in nats a row; "-inf" if one is impossible
	StdErr    any    `json:"stderr"` // "inf" if a row is impossible
}

// scoreTest scores rows that a model was not learned from, by the circuit if there is one.
func scoreTest(ctx context.Context, a *cli.App, f *Options, rows *data.Set, r *learner.Result) (*testReport, error) {
	if rows.Sequential() {
		return scoreSequences(ctx, rows, r)
	}
	opt := compiler.Options{Seed: a.Seed, MaxTable: a.MaxTable, MaxMem: int64(a.MaxMem), Machine: cli.MachineMemory()}
	how := rate.ScorerOptions{Measure: measureOf(r), Engine: score.Engine(a, f.Out, opt), Warn: a.Warn}
	m := r.Models[len(r.Models)-1]
	s, err := rate.NewScorer(m, how)
	if err != nil {
		return nil, err
	}
	if err := s.AddSet(ctx, rows.For(data.VarsOf(m))); err != nil {
		return nil, fmt.Errorf("the rows of --split for tests: %w", err)
	}
	t := &testReport{Rows: rows.Len(), Score: "ll"}
	tally, ok := s.LL()
	if !ok {
		t.Score = "pll"
		tally, _ = s.PLL()
	}
	t.Mean, t.StdErr = score.MeanOrText(&tally)
	return t, nil
}

// scoreSequences scores sequences that a template was not learned from.
func scoreSequences(ctx context.Context, s *data.Set, r *learner.Result) (*testReport, error) {
	logs, err := rate.Sequences(ctx, r.Models[0], s)
	if err != nil {
		return nil, err
	}
	var tally rate.Tally
	for _, x := range logs {
		tally.Add(diag.Pos{}, x, 1)
	}
	t := &testReport{Rows: s.Len(), Sequences: s.Sequences(), Score: "ll"}
	t.Mean, t.StdErr = score.MeanOrText(&tally)
	return t, nil
}

// String returns the report as a line of text.
func (t *testReport) String() string {
	return fmt.Sprintf("%d other rows: %s %s nats a %s, standard error %s", t.Rows, measureName(t.Score), score.Digits(t.Mean), unit(t.Sequences > 0), score.Digits(t.StdErr))
}

// measureName returns the name of a score in texts.
func measureName(score string) string {
	if score == "pll" {
		return "pseudo-log-likelihood"
	}
	return "log-likelihood"
}
