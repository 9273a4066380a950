package meanfield

import (
	"context"
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/experiment"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/depnet"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/rate"
	"github.com/pgmc-go/pgmc/learn/treebn"
)

// learning holds the options of both learners: leaves by their marginal likelihood under Beta(1,1),
// at least ten rows a leaf, and of these kappas (the prior odds of a parameter) the one that the
// validation data choose.
const learning = "score=marginal prior=1 min-count=10 kappa=0.1,0.01,0.001,0.0001,0.00001"

// Network is a learned network.
type Network struct {
	model *model.Model
	rows  *rate.Rows
	pll   []float64 // pseudo-log-likelihood by row of the test data
}

// learn learns both networks and computes the scores of the test data that need no inference.
func (s *dataSet) learn(ctx context.Context) error {
	for _, x := range []struct {
		algo   string
		into   **Network
		report *Learned
	}{{treebn.Learner.Name, &s.bn, &s.report.BN}, {depnet.Learner.Name, &s.dn, &s.report.DN}} {
		l, err := s.Learn(ctx, x.algo, learning, &learner.Job{Train: s.Train, Valid: s.Valid, MaxMem: int64(s.MaxMem)})
		if err != nil {
			return fmt.Errorf("%s: %w", x.algo, err)
		}
		x.report.Seconds, x.report.Parameters = l.Seconds, l.Report.Params
		n := &Network{model: l.Model}
		*x.into = n
		if n.rows, err = rate.NewRows(n.model); err != nil {
			return err
		}
		var logs []float64
		for _, row := range experiment.RowsOf(s.Test, s.Test.Len()) {
			n.pll, logs = append(n.pll, n.rows.Pseudo(row)), append(logs, n.rows.Log(row))
		}
		x.report.PLL, x.report.PLLStdErr = mean(n.pll)
		if n.model.Kind == model.Bayes {
			s.report.WholeLL, _ = mean(logs)
		}
	}
	_, s.report.PLLTest = rate.Paired(s.dn.pll, s.bn.pll)
	return ctx.Err()
}

// mean returns the mean of numbers and its standard error.
func mean(list []float64) (value, stderr float64) {
	var m rate.Mean
	for _, x := range list {
		m.Add(x, 1)
	}
	return m.Value, m.StdErr()
}

// likelihoods computes the log-likelihoods of some rows by both networks; for the dependency
// network by Gibbs sampling, variable by variable.
func (s *dataSet) likelihoods(ctx context.Context) error {
	rows := s.rows[:max(1, int(math.Round(llShare*float64(len(s.rows)))))]
	if len(s.Test.Vars) > manyVariables {
		rows = rows[:min(len(rows), fewRows)]
	}
	turns := rate.Turns(s.dn.model)
	var bn, dn []float64
	for i, n := range rows {
		row := make([]int, len(s.Test.Vars))
		s.Test.Row(n, row)
		x, err := s.inTurn(ctx, turns, row, uint64(i))
		if err != nil {
			return err
		}
		dn, bn = append(dn, x), append(bn, s.bn.rows.Log(row))
	}
	s.report.LLRows = len(rows)
	s.report.BN.LL, s.report.BN.LLStdErr = mean(bn)
	s.report.DN.LL, s.report.DN.LLStdErr = mean(dn)
	_, s.report.LLTest = rate.Paired(dn, bn)
	return nil
}

// inTurn returns the log-likelihood of a row by the dependency network. It collects the queries
// first and answers them together.
func (s *dataSet) inTurn(ctx context.Context, turns []rate.Turn, row []int, number uint64) (float64, error) {
	logs := make([]float64, len(row))
	s.dn.rows.Conditionals(row, logs)
	var qs []Query
	if _, err := rate.InTurn(turns, logs, func(_ model.VarID, given []model.VarID) (float64, error) {
		q := Query{Row: row, Seed: s.chainSeed(number<<20 + uint64(len(qs)))}
		for _, u := range given {
			q.Known = append(q.Known, int(u))
		}
		qs = append(qs, q)
		return 1, nil
	}); err != nil {
		return 0, err
	}
	answers, err := s.ask(ctx, named(s.programs, "DN.Gibbs"), qs, Effort{})
	if err != nil {
		return 0, err
	}
	return rate.InTurn(turns, logs, func(v model.VarID, _ []model.VarID) (float64, error) {
		p := answers[0].P[v]
		answers = answers[1:]
		return p, nil
	})
}
