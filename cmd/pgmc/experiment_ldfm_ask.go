package main

import (
	"context"
	"math"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/rows"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/rate"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// cores is how many goroutines are at work at once.
func (x *ldfmExperiment) cores() int {
	if x.CPU > 0 {
		return x.CPU
	}
	return runtime.GOMAXPROCS(0)
}

// ask asks a model all queries of a share.
func (x *ldfmExperiment) ask(ctx context.Context, s *ldfmScore, spec *ldfmModel, m *model.Model, coding *binary, rows [][]int) error {
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
		per = max(1, per*sweeps/x.cores())
	}
	s.Query = time.Since(start).Seconds() * 1e6 / float64(per)
	s.tally()
	x.done.Add(1)
	return nil
}

// tally takes the means over queries.
func (s *ldfmScore) tally() {
	s.CMLL, s.StdErr = rate.MeanOf(s.each)
	s.Best, s.ByQuery = s.CMLL, s.CMLL
	if s.together != nil {
		cll, _ := rate.MeanOf(s.together)
		s.CLL, s.Best = &cll, max(s.CMLL, cll)
		s.ByQuery, _ = rate.MeanOf(s.larger())
	}
}

// ldfmLeast stands for the logarithm of a probability of 0.
const ldfmLeast = -700

// exactly takes the probabilities of states by a model, as rows of which they are coded: of the evidence, of that with each state, and of that
// with all.
func (x *ldfmExperiment) exactly(ctx context.Context, s *ldfmScore, spec *ldfmModel, m *model.Model, code func(row []int) []int, list []ldfmQuery) error {
	by, err := x.engine(ctx, spec.name, m, "logprob")
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
			sum += max(log-logs[0], ldfmLeast)
		}
		s.each = append(s.each, sum/float64(len(q.asked)))
		s.together = append(s.together, max(logs[1+len(q.asked)]-logs[0], ldfmLeast)/float64(len(q.asked)))
	}
	return nil
}

// burnIn is how many sweeps do not count.
func (x *ldfmExperiment) burnIn() int { return x.sweeps / 10 }

// together is how many sweeps each of the variables that are asked about gets, for the probability of all their states together: as many
// again as for that of each alone. It reports false where that is less than a batch each.
func (x *ldfmExperiment) together(asked int) (sweeps int, enough bool) {
	return x.sweeps / asked, x.sweeps/asked >= pgmrt.ChainBatches
}

// sampled estimates posteriors by one chain a query, and where sweeps suffice the probability of all states together, in a chain for each
// variable after the first given those before it. A state of K gets 1/K of a sweep more than it has, so that no estimate is 0.
func (x *ldfmExperiment) sampled(ctx context.Context, s *ldfmScore, spec *ldfmModel, m *model.Model, list []ldfmQuery) error {
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
	errs := make([]error, x.cores())
	var next atomic.Int64
	var wg sync.WaitGroup
	for core := range errs {
		wg.Go(func() {
			machine := eval.New(r.Program, r.Model)
			for n := int(next.Add(1)) - 1; n < len(list) && errs[core] == nil; n = int(next.Add(1)) - 1 {
				errs[core] = cli.Guard(func() (err error) {
					cmll, cll, err := x.one(ctx, machine, r, &list[n])
					if s.each[n] = cmll; s.together != nil {
						s.together[n] = cll
					}
					return err
				})
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// one answers a query. The CLL is none where sweeps do not suffice for it.
func (x *ldfmExperiment) one(ctx context.Context, machine *eval.Machine, r *compiler.Result, q *ldfmQuery) (cmll, cll float64, err error) {
	e, vars := &r.Program.Entries[0], rows.Observable(r.Model)
	known := slices.Clone(q.given)
	run := func(sweeps int) error {
		machine.ClearEvidence()
		for v, s := range known {
			if s == data.Missing {
				continue
			}
			if err := machine.Observe(vars[v], s); err != nil {
				return err
			}
		}
		_, err := machine.RunChain(ctx, e, pgmrt.ChainOptions{Iterations: sweeps, BurnIn: max(1, sweeps/10)})
		return err
	}
	log := func(v, sweeps int) float64 {
		at := slices.IndexFunc(e.Outs, func(id ir.SpanID) bool { return r.Program.Spans[id].Var == vars[v] })
		p, n := machine.Posterior(at), float64(sweeps)
		return math.Log((p[q.row[v]]*n + 1/float64(len(p))) / (n + 1))
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
