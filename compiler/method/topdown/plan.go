package topdown

import (
	"errors"
	"fmt"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/factors"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// planner plans the queries of a problem.
type planner struct {
	ctx      *method.Context
	p        *ir.Problem
	steps    int64           // most steps of a search
	within   int             // most operations of P(evidence); 0 means any number
	more     method.MoreFunc // nil if all queries are known
	compared bool            // the caller compares sizes
}

// plan returns the plan of all queries.
func (b *planner) plan() (*ir.Plan, error) {
	p := b.p
	plan := &ir.Plan{Schedule: &ir.Schedule{Model: p.Model, Params: p.Params}}
	var sums, maxima, others []*ir.Query
	for _, q := range p.Queries {
		switch {
		case answers(q.Kind), q.Kind == ir.Sample:
			sums = append(sums, q)
		case q.Kind == ir.MPE:
			maxima = append(maxima, q)
		default:
			others = append(others, q)
		}
	}
	m := factors.Decompose(p) // correct for sums only
	var d *model.Circuit
	if len(sums) > 0 {
		var err error
		if d, plan.Note, err = b.compile(m); err != nil {
			return nil, err
		}
		if plan.Circuit, _, err = b.take(d, sums); err != nil {
			return nil, err
		}
		size := plan.Circuit.RootSize()
		if b.within > 0 && size.Ops > b.within {
			return nil, errTooLarge
		}
		if b.more != nil {
			draws, best := b.more(size)
			maxima = append(maxima, best...)
			if len(draws) > 0 {
				if plan.Circuit, _, err = b.take(d, append(sums, draws...)); err != nil {
					return nil, err
				}
			}
		}
	}
	if len(maxima) > 0 {
		err := b.best(plan, maxima, m, d)
		switch {
		case err != nil && (!b.compared || b.ctx.Err() != nil):
			return nil, err
		case err != nil:
			others = append(others, maxima...)
		}
	}
	if len(others) > 0 {
		rest, _, err := b.ctx.Use(method.Tables, &ir.Problem{Model: p.Model, Queries: others, Params: p.Params})
		if err != nil {
			return plan, err // the circuit is complete, and its size is of use
		}
		plan.Schedule = rest.Schedule
	}
	return plan, nil
}

// best adds the circuit of most probable completions: the circuit of sums with maxima instead, if
// it is of a model in which they are correct. d is the circuit of m, or nil.
func (b *planner) best(plan *ir.Plan, maxima []*ir.Query, m *model.Model, d *model.Circuit) (err error) {
	if of := factors.DecomposeTrees(b.p); d == nil || m != b.p.Model || of != b.p.Model {
		if d, _, err = b.compile(of); err != nil {
			return err
		}
	}
	_, plan.Max, err = b.take(d, maxima)
	return err
}

// take plans queries by the circuit d over the variables of the problem.
func (b *planner) take(d *model.Circuit, queries []*ir.Query) (sums, maxima *ir.Circuit, err error) {
	of := *b.p.Model
	of.Factors = []*model.Factor{{Scope: scopeOf(len(of.Vars)), Child: -1, Dist: d}}
	plan, _, err := b.ctx.Use(method.Circuit, &ir.Problem{Model: &of, Queries: queries, Params: b.p.Params})
	if err != nil {
		return nil, nil, err
	}
	for _, out := range []*ir.Circuit{plan.Circuit, plan.Max} {
		if out != nil {
			out.Model = b.p.Model
		}
	}
	return plan.Circuit, plan.Max, nil
}

// Shares of the memory for planning: one in so many bytes is for the circuit, for the rests of
// factors, and for the cache.
const (
	nodesShare  = 8 // the circuit of the plan takes more
	tablesShare = 4
	cacheShare  = 4
)

// The memory of a circuit that is compared with another: bytes for each operation that it may have,
// and others for parts of it that come to nothing.
const (
	operationBytes = 128
	spareBytes     = 4 << 20
)

// trialSteps are the steps of the attempts by each way to branch, before one of them is chosen.
var trialSteps = []int64{4_000_000, 16_000_000}

// limits returns the limits of all attempts.
func (b *planner) limits() limits {
	most := b.ctx.MaxMem
	l := limits{nodes: most / nodesShare, tables: most / tablesShare, cache: most / cacheShare}
	if b.within > 0 {
		l.nodes = min(l.nodes, operationBytes*int64(b.within)+spareBytes)
	}
	return l
}

// compile returns the decision circuit of m over the variables of the problem, and a note for
// people.
func (b *planner) compile(m *model.Model) (d *model.Circuit, note string, err error) {
	e, err := encode(b.ctx, m)
	if err != nil {
		return nil, "", err
	}
	if !e.begin(b.steps) {
		return &model.Circuit{Nodes: []model.CircuitNode{{Op: model.CircuitSum}}}, "", nil
	}
	c, err := b.search(e, m)
	if err != nil {
		return nil, "", err
	}
	d = c.out.circuit(c.root, e.numbers)
	return d, fmt.Sprintf("a decision circuit of %d nodes by %d branches in %d steps: %d components found again, %d conflicts",
		len(d.Nodes), c.branches, c.steps, c.hits, c.conflicts), nil
}

// search returns the compiler of the attempt that compiled m, or of the last one. Ways to branch
// are tried in turn, since one may take a thousand times the steps of another. The way that came
// furthest has half of the steps that are left then, and another one the rest.
func (b *planner) search(e *encoded, m *model.Model) (*compiler, error) {
	hidden := make([]bool, len(m.Vars))
	for v := len(b.p.Model.Vars); v < len(hidden); v++ {
		hidden[v] = true
	}
	ways, limit := b.heuristics(e, m), b.limits()
	run := func(w heuristic, most int64) (c *compiler, last bool, err error) {
		limit.steps = min(e.steps+most, b.steps)
		c = newCompiler(b.ctx, e, w, hidden, limit)
		err = c.run()
		return c, !errors.Is(err, errWork) || limit.steps == b.steps, err
	}
	progress := make([]float64, len(ways))
	for _, most := range trialSteps {
		for i, w := range ways {
			c, last, err := run(w, most)
			if last {
				return c, err
			}
			progress[i] = c.progress
		}
	}
	if progress[1] > progress[0] {
		ways[0], ways[1] = ways[1], ways[0]
	}
	if c, last, err := run(ways[0], (b.steps-e.steps)/2); last {
		return c, err
	}
	c, _, err := run(ways[1], b.steps)
	return c, err
}

// heuristics returns two ways to branch, the more promising first. A caller that compares sizes has
// searched for an order of the whole model already, which has to do.
func (b *planner) heuristics(e *encoded, m *model.Model) []heuristic {
	left := e.left(m)
	of := left
	if b.compared {
		of = m
	}
	for list := range b.ctx.Orders(of, 1) {
		byOrder, mild, strong := weights(left, list, e.open())
		if strong {
			return []heuristic{byOrder, mild}
		}
		return []heuristic{mild, byOrder}
	}
	none := heuristic{rank: make([]int32, len(m.Vars)), weight: make([]float64, len(m.Vars))}
	return []heuristic{none, none}
}
