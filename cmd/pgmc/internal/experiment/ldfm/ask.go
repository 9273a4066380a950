package ldfm

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/experiment"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/rate"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// ask answers all queries of a share with a model and sets the score.
func (x *Experiment) ask(ctx context.Context, s *Score, spec *Spec, m *model.Model, coding *binary, rows [][]int) error {
	list := x.queriesOf(s.Share, rows)
	start := time.Now()
	var err error
	switch {
	case spec.binary:
		err = x.exactly(ctx, s, spec, m, coding.row, list)
	case spec.method == "":
		err = x.exactly(ctx, s, spec, m, func(row []int) []int { return row }, list)
	default:
		err = x.sampled(ctx, s, spec, m, list)
	}
	if err != nil {
		return err
	}
	per := len(list)
	if spec.method != "" {
		sweeps := x.sweeps + x.burnIn()
		if each, enough := x.together(len(list[0].asked)); enough {
			sweeps += (len(list[0].asked) - 1) * (each + max(1, each/10))
		}
		per = max(1, per*sweeps/x.Cores())
	}
	s.Query = time.Since(start).Seconds() * 1e6 / float64(per)
	s.tally()
	x.Done.Add(1)
	return nil
}

// tally sets the means over queries.
func (s *Score) tally() {
	s.CMLL, s.StdErr = rate.MeanOf(s.each)
	s.Best, s.ByQuery = s.CMLL, s.CMLL
	if s.together != nil {
		cll, _ := rate.MeanOf(s.together)
		s.CLL, s.Best = &cll, max(s.CMLL, cll)
		s.ByQuery, _ = rate.MeanOf(s.larger())
	}
}

// leastLog replaces the logarithm of a probability of 0.
const leastLog = -700

// exactly computes the probabilities of states exactly: of the evidence, of the evidence with each
// asked state, and with all of them. code converts a row to the variables of m.
func (x *Experiment) exactly(ctx context.Context, s *Score, spec *Spec, m *model.Model, code func(row []int) []int, list []Query) error {
	by, err := x.Engine(ctx, spec.name, m, "logprob")
	if err != nil {
		return err
	}
	for _, q := range list {
		rows := [][]int{code(q.given)}
		all := slices.Clone(q.given)
		for _, v := range q.asked {
			one := slices.Clone(q.given)
			one[v], all[v] = q.row[v], q.row[v]
			rows = append(rows, code(one))
		}
		logs, err := by.LogProbs(ctx, append(rows, code(all)))
		if err != nil {
			return err
		}
		sum := 0.0
		for _, log := range logs[1 : 1+len(q.asked)] {
			sum += max(log-logs[0], leastLog)
		}
		s.each = append(s.each, sum/float64(len(q.asked)))
		s.together = append(s.together, max(logs[1+len(q.asked)]-logs[0], leastLog)/float64(len(q.asked)))
	}
	return nil
}

// burnIn returns the number of sweeps before those that count.
func (x *Experiment) burnIn() int { return x.sweeps / 10 }

// together returns the number of sweeps for each asked variable in estimating the probability of
// all their states together; the total is that of the single posteriors. enough is false if that is
// less than one batch for each.
func (x *Experiment) together(asked int) (sweeps int, enough bool) {
	return x.sweeps / asked, x.sweeps/asked >= pgmrt.ChainBatches
}

// sampled estimates posteriors by one chain for each query. If there are enough sweeps, it also
// estimates the probability of all states together, by a chain for each variable given the ones
// before it. Each of K states gets an extra count of 1/K, so that no estimate is 0.
func (x *Experiment) sampled(ctx context.Context, s *Score, spec *Spec, m *model.Model, list []Query) error {
	options := []string{"iterations=" + strconv.Itoa(x.sweeps), "burn-in=" + strconv.Itoa(x.burnIn()), "chains=1"}
	if spec.sampler != "" {
		options = append(options, "sampler="+spec.sampler)
	}
	opt := compiler.Options{Seed: x.Seed, MaxTable: x.MaxTable, MaxMem: int64(x.MaxMem), Machine: cli.MachineMemory(), Method: compiler.Named(spec.method, options...), Queries: []string{"gibbs"}}
	r, err := x.Compile(ctx, spec.name, m, opt, nil)
	if err != nil {
		return err
	}
	s.each = make([]float64, len(list))
	if _, enough := x.together(len(list[0].asked)); enough {
		s.together = make([]float64, len(list))
	}
	return experiment.Parallel(ctx, len(list), x.Cores(), func() func(context.Context, int) error {
		in := newSampler(r)
		return func(ctx context.Context, n int) error {
			cmll, cll, err := x.one(ctx, in, &list[n])
			if s.each[n] = cmll; s.together != nil {
				s.together[n] = cll
			}
			return err
		}
	})
}

// one answers a query. cll is 0 if there are too few sweeps for it.
func (x *Experiment) one(ctx context.Context, in *sampler, q *Query) (cmll, cll float64, err error) {
	known := slices.Clone(q.given)
	run := func(sweeps int) error { return in.run(ctx, known, sweeps) }
	log := func(v, sweeps int) float64 {
		p, n := in.estimates[v].P, float64(sweeps)
		return pgmrt.Ln((p[q.row[v]]*n + 1/float64(len(p))) / (n + 1))
	}
	if err := run(x.sweeps); err != nil {
		return 0, 0, err
	}
	asked := len(q.asked)
	for _, v := range q.asked {
		cmll += log(v, x.sweeps) / float64(asked)
	}
	each, enough := x.together(asked)
	if !enough {
		return cmll, 0, nil
	}
	cll = log(q.asked[0], x.sweeps) / float64(asked)
	for i, v := range q.asked[1:] {
		before := q.asked[i]
		known[before] = q.row[before]
		if err := run(each); err != nil {
			return 0, 0, err
		}
		cll += log(v, each) / float64(asked)
	}
	return cmll, cll, nil
}

// sampler runs the chains of a model without latent variables.
type sampler struct {
	engine    *infer.Engine
	evidence  *infer.Findings
	estimates []infer.Distribution // marginals of the last run, by variable
}

func newSampler(r *compiler.Result) *sampler {
	return &sampler{engine: infer.Of(r, 0), evidence: infer.NewFindings(len(r.Model.Vars))}
}

// run enters the known states and samples.
func (s *sampler) run(ctx context.Context, known []int, sweeps int) error {
	copy(s.evidence.State, known)
	s.engine.SetRunOptions(infer.RunOptions{Iterations: sweeps, BurnIn: max(1, sweeps/10)})
	m, err := s.engine.Marginals(ctx, s.evidence)
	if err == nil {
		s.estimates = m.List
	}
	return err
}
