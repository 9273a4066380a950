package bound

import (
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/pgmc-go/pgmc/compiler/internal/wcsp"
	"github.com/pgmc-go/pgmc/ir/group"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Without a deadline a search with soft arc consistency looks at so many rows of tables before the
// search over mini-buckets begins. With one, both run beside each other until a share of the time,
// and tell each other their states, after some nodes.
//
// Once the best value is proven, the search for the first of the best states may take as long
// again, and firstGrace more.
const (
	consistentWork  = 1<<31 - 1
	consistentNodes = 1 << 8
	firstGrace      = time.Second
)

// consistent is a search with soft arc consistency for one most probable state of all variables.
type consistent struct {
	p      *Problem
	stop   func() bool
	solver *wcsp.Solver // nil before run
	// discrepancies is the largest limit of limited discrepancy searches; 0 for none.
	discrepancies int

	mu        sync.Mutex
	incumbent Incumbent // what the solver knows
	offered   []int     // states for it; nil of none
}

// fitsConsistency reports whether the question is for one state of all variables.
func fitsConsistency(max []bool, opt *Options) bool {
	return opt.Keep <= 1 && !slices.Contains(max, false)
}

func newConsistent(p *Problem, stop func() bool) *consistent {
	return &consistent{p: p, stop: stop, incumbent: Incumbent{Value: math.Inf(-1), Bound: math.Inf(1)}}
}

// run searches until the first of the best states is known, for a number of nodes and rows, or
// until it has to stop.
func (c *consistent) run(nodes, rows int) {
	c.solver = wcsp.New(c.p.Card, c.p.Factors, c.p.slack(), c.stop)
	c.solver.Discrepancies(c.discrepancies)
	stop := func() bool { return c.solver.Work() > rows || c.stop() }
	for c.exchange(); !c.solver.Done() && c.solver.Nodes() < nodes && !stop(); c.exchange() {
		c.solver.Run(min(consistentNodes, nodes-c.solver.Nodes()), stop)
	}
}

// exchange publishes the solver's findings, and hands it the states of others.
func (c *consistent) exchange() {
	f := Incumbent{Value: math.Inf(-1), Bound: c.solver.Bound() + c.p.slack(), Proven: c.solver.Proven(), Nodes: c.solver.Nodes()}
	if f.States = c.solver.Best(); f.States != nil {
		f.Value = c.p.Value(f.States)
	}
	if f.Proven {
		f.Bound, f.Near = f.Value, !c.solver.Unique()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.incumbent = f
	if c.offered != nil {
		c.solver.Start(c.offered)
		c.offered = nil
	}
}

// best returns the best findings so far, without states if there are none.
func (c *consistent) best() Incumbent {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.incumbent
}

// merge returns f, which may be nil, or the solver's states if they are better, and hands the
// solver the states of f; nil if neither has any.
func (c *consistent) merge(f *Incumbent) *Incumbent {
	c.mu.Lock()
	defer c.mu.Unlock()
	own := c.incumbent
	switch {
	case f == nil && own.States == nil:
		return nil
	case f == nil || own.Proven && own.States != nil && !f.Proven:
		return own.merge(f)
	}
	c.offer(f)
	own.Nodes = 0
	return f.merge(&own)
}

// offer leaves the states of f for the solver, if they are better than its own.
func (c *consistent) offer(f *Incumbent) {
	if f.Value > c.incumbent.Value {
		c.offered = f.States
	}
}

// searchConsistent returns before, which may be nil, with the findings of the search that comes
// first without a deadline, and reports whether it is the answer.
func (a *query) searchConsistent(p *Problem, before *Incumbent) (*Incumbent, bool) {
	c := newConsistent(p, func() bool { return a.ctx.Err() != nil })
	c.discrepancies = a.Discrepancies
	c.run(a.Nodes, consistentWork)
	f := c.merge(before)
	if f == nil && c.incumbent.Proven {
		f = &Incumbent{States: make([]int, len(p.Card)), Value: c.incumbent.Value, Bound: c.incumbent.Bound, Proven: true, Nodes: c.incumbent.Nodes}
	}
	return f, c.incumbent.Proven
}

// bestConcurrently is [Best] with a deadline for one state of all variables: both searches run at
// the same time, and end when one has the proof.
func bestConcurrently(ctx context.Context, m *model.Model, all []bool, opt Options) (*Incumbent, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	a := newQuery(ctx, opt)
	p, err := FromModel(m, all, a.MaxTable)
	if err != nil {
		return nil, err
	}
	var c *consistent
	end, proof := a.deadlineAt(consistentUntil), time.Duration(0)
	c = newConsistent(p, func() bool {
		if proof == 0 && c.incumbent.Proven {
			proof = time.Since(a.begin)
		}
		return end() || proof > 0 && time.Since(a.begin) > 2*proof+firstGrace
	})
	c.discrepancies = a.Discrepancies
	var done group.Group
	done.Go(func() {
		if c.run(math.MaxInt, math.MaxInt); c.incumbent.Proven {
			cancel()
		}
	})
	if report := opt.Report; report != nil {
		opt.Report = func(p Progress) { f := c.best(); report(p.merge(&f)) }
	}
	f, err := bestInAttempts(ctx, m, all, opt, c)
	if err != nil || f.Proven {
		cancel()
	}
	done.Wait()
	if err != nil || f.Proven {
		return f, err
	}
	if c.incumbent.Proven && c.incumbent.States == nil { // nothing is possible
		f.Value, f.Bound, f.Proven = c.incumbent.Value, c.incumbent.Value, true
		return f, nil
	}
	return c.merge(f), nil
}
