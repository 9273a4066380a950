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

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/model"
)

// cores is how many goroutines are at work at once.
func (x *ldfmExperiment) cores() int {
	if x.cpu > 0 {
		return x.cpu
	}
	return runtime.GOMAXPROCS(0)
}

// ask asks a model all queries of a share.
func (x *ldfmExperiment) ask(ctx context.Context, s *ldfmScore, spec *ldfmModel, m *model.Model, coding *binary, rows [][]int) error {
	list := x.queriesOf(s.Share, rows)
	start := time.Now()
	var err error
	if spec.method == "" {
		err = x.exactly(ctx, s, spec, m, coding, list)
	} else {
		err = x.sampled(ctx, s, spec, m, list)
	}
	if err != nil {
		return err
	}
	per := len(list)
	if spec.method != "" {
		per *= x.sweeps + x.burnIn()
		per = max(1, per/x.cores())
	}
	s.Query = time.Since(start).Seconds() * 1e6 / float64(per)
	s.CMLL, s.StdErr = meanOf(s.each)
	s.Best = s.CMLL
	if s.CLL != nil {
		s.Best = max(s.Best, *s.CLL)
	}
	x.done.Add(1)
	return nil
}

// exactly takes the probabilities of states by the model of binary data: of the evidence, of that with each state, and of that with all.
func (x *ldfmExperiment) exactly(ctx context.Context, s *ldfmScore, spec *ldfmModel, m *model.Model, coding *binary, list []ldfmQuery) error {
	rate, err := x.newRater(ctx, spec.name, m)
	if err != nil {
		return err
	}
	cll := 0.0
	for _, q := range list {
		rows := [][]int{coding.row(q.given)}
		all := slices.Clone(q.given)
		for _, v := range q.asked {
			one := slices.Clone(q.given)
			one[v], all[v] = q.row[v], q.row[v]
			rows = append(rows, coding.row(one))
		}
		logs, err := rate.logs(ctx, append(rows, coding.row(all)))
		if err != nil {
			return err
		}
		sum := 0.0
		for _, log := range logs[1 : 1+len(q.asked)] {
			sum += log - logs[0]
		}
		s.each = append(s.each, sum/float64(len(q.asked)))
		cll += (logs[1+len(q.asked)] - logs[0]) / float64(len(q.asked)) / float64(len(list))
	}
	s.CLL, _ = finiteMean(cll, 0)
	return nil
}

// burnIn is how many sweeps do not count.
func (x *ldfmExperiment) burnIn() int { return x.sweeps / 10 }

// sampled estimates posteriors by one chain a query. A state of K gets 1/K of a sweep more than it has, so that no estimate is 0.
func (x *ldfmExperiment) sampled(ctx context.Context, s *ldfmScore, spec *ldfmModel, m *model.Model, list []ldfmQuery) error {
	options := []string{"iterations=" + strconv.Itoa(x.sweeps), "burn-in=" + strconv.Itoa(x.burnIn()), "chains=1"}
	if spec.sampler != "" {
		options = append(options, "sampler="+spec.sampler)
	}
	opt := compiler.Options{Seed: x.seed, MaxTable: x.maxTable, MaxMem: int64(x.maxMem), Machine: machineMemory(), Method: spec.method, MethodOptions: options, Queries: []string{"gibbs"}}
	r, err := x.compile(ctx, spec.name, m, opt, nil)
	if err != nil {
		return err
	}
	s.each = make([]float64, len(list))
	errs := make([]error, x.cores())
	var next atomic.Int64
	var wg sync.WaitGroup
	for core := range errs {
		wg.Go(func() {
			by := inference{in: newInterpreter(r), loop: true}
			by.q = newQuestion(len(by.in.vars))
			by.q.ctx = ctx
			for n := int(next.Add(1)) - 1; n < len(list) && errs[core] == nil; n = int(next.Add(1)) - 1 {
				errs[core] = x.guard(func() error { return x.one(&by, &list[n], &s.each[n]) })
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

// one answers a query.
func (x *ldfmExperiment) one(by *inference, q *ldfmQuery, cmll *float64) error {
	posteriors, err := by.Posteriors(q.given)
	if err != nil {
		return err
	}
	sum := 0.0
	for _, v := range q.asked {
		p := posteriors[v]
		n := float64(x.sweeps)
		sum += math.Log((p[q.row[v]]*n + 1/float64(len(p))) / (n + 1))
	}
	*cmll = sum / float64(len(q.asked))
	return nil
}
