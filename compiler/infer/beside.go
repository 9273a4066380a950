package infer

import (
	"context"
	"math"
	"time"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/internal/bound"
	"github.com/pgmc-go/pgmc/ir/group"
	"github.com/pgmc-go/pgmc/ir/model"
)

// compileShare is the share of the time until a deadline that compiling beside bounds may take.
const compileShare = .95

// sum bounds ln Z of m, and with each set every marginal. Under a deadline it compiles m beside the
// bounds if a method suits that, each with half of the memory, and the first exact value ends both.
func (e *Engine) sum(ctx context.Context, m *model.Model, each bool) (*bound.Total, error) {
	opt := e.boundOptions()
	opt.Each = each
	deadline, timed := ctx.Deadline()
	by := compiler.Patient(m)
	if !timed || by == nil || time.Until(deadline) <= 0 {
		return bound.Sum(ctx, m, opt)
	}
	if opt.MaxMem == 0 {
		opt.MaxMem = compiler.DefaultMaxMem
	}
	opt.MaxMem /= 2
	bounding, ended := context.WithCancel(ctx)
	defer ended()
	compiling, cancel := context.WithTimeout(ctx, time.Duration(compileShare*float64(time.Until(deadline))))
	defer cancel()
	done := make(chan *compiled, 1)
	var g group.Group
	g.Go(func() {
		defer close(done)
		x := compileSum(compiling, m, compiler.Options{Method: compiler.Named(by.Name), Seed: e.opt.Seed, MaxTable: opt.MaxTable, MaxMem: opt.MaxMem}, each)
		done <- x
		if x != nil {
			ended()
		}
	})
	t, err := bound.Sum(bounding, m, opt)
	if err != nil || t.Exact {
		return t, err
	}
	select {
	case x := <-done:
		g.Wait()
		x.settle(t)
	case <-compiling.Done(): // the goroutine ends soon, and its result is dropped
	}
	return t, nil
}

// compiled is the exact answer of a compiled program.
type compiled struct {
	log       float64
	marginals [][]float64 // by variable; nil of latent ones, and if they were not asked for
	unsure    bool        // of a log of -Inf: the numbers may have been too small
}

// compileSum computes ln Z of m by the method of opt, and with each set all marginals. It returns
// nil if that exceeds the limits or ctx ends.
func compileSum(ctx context.Context, m *model.Model, opt compiler.Options, each bool) *compiled {
	opt.Queries, opt.Unnormalised, opt.Rows = []string{"logprob"}, true, model.RowsAsIs
	if each {
		opt.Queries = []string{"marginals"}
	}
	r, err := compiler.Compile(ctx, m, opt)
	if err != nil {
		return nil
	}
	out, e := &compiled{unsure: len(r.Warnings) > 0, marginals: make([][]float64, len(m.Vars))}, Of(r, 0)
	if !each {
		if out.log, err = e.LogProb(ctx, nil); err != nil {
			return nil
		}
		return out
	}
	all, err := e.Marginals(ctx, nil)
	if err != nil {
		return nil
	}
	out.log = all.LogProb
	for i, v := range e.vars.seen {
		out.marginals[v] = all.List[i].P
	}
	return out
}

// settle makes x, which may be nil, the answer of t, unless the numbers of the program were too
// small, or large, for a float64.
func (x *compiled) settle(t *bound.Total) {
	if x == nil || math.IsNaN(x.log) || math.IsInf(x.log, 1) || math.IsInf(x.log, -1) && x.unsure {
		return
	}
	if x.log < t.Lower || x.log > t.Upper {
		return // bounds allow for their rounding, so that the program lost numbers
	}
	t.Log, t.Lower, t.Upper, t.Exact, t.Samples = x.log, x.log, x.log, true, bound.Estimate{}
	for v, list := range x.marginals {
		for k, p := range list {
			t.Marginals[v][k], t.Bounds[v][k] = p, bound.Bound{Lower: p, Upper: p}
		}
	}
}
