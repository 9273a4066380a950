package decide

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/internal/heap"
)

// rounding is the share of the sum of all utilities below which two bounds count as equal.
const rounding = 1e-12

// node is a set of strategies that agree on the choices in some cases.
type node struct {
	up                     *node
	decision, given, state int     // the last of these choices; none in the root
	bound                  float64 // no strategy of the node has more
	number                 int     // in the order in which nodes are made
	on, at                 int     // the decision, and its case, that best divides the strategies
}

// Before reports whether n is searched before another node.
func (n *node) Before(other *node) bool {
	return n.bound > other.bound || n.bound == other.bound && n.number < other.number
}

// proof is a search by branch and bound for a best strategy with limited memory.
type proof struct {
	*solver         // of the diagram
	relaxed *solver // of the same with more memory: decisions forget nothing
	best    *strategy
	nodes   heap.Heap[*node]
	made    int // the number of nodes
}

// prove returns a strategy that no other exceeds by more than rounding, and the bound that says so.
// At the deadline of the context it returns the best one so far, and what bounds the others. Nodes
// are searched by their bounds, which are the solutions of a diagram in which each decision knows
// what all earlier ones knew; a node divides by the case of a decision in which that solution most
// depends on what the decision does not know.
func (s *solver) prove(x *strategy) (*strategy, float64, error) {
	p := &proof{solver: s, best: x}
	first := &node{bound: math.Inf(1)}
	err := p.relax()
	if err == nil {
		err = p.judge(first)
	}
	for err == nil && p.open(first) {
		if err = p.divide(first); err != nil || len(p.nodes) == 0 {
			break
		}
		first = p.nodes.Pop()
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return p.best, max(first.bound, p.best.utility), nil
	case err != nil:
		return nil, 0, err
	}
	return p.best, p.best.utility, nil
}

// relax makes the diagram of more memory.
func (p *proof) relax() (err error) {
	m, own := *p.m, *p.m.Diagram
	m.Diagram, own.Decisions = &own, nil
	for i, d := range p.solver.open {
		known := d.Known
		if i > 0 && !slices.Contains(known, p.solver.open[i-1].Var) {
			known = append(slices.Clip(known), p.solver.open[i-1].Var)
		}
		m.Diagram.Decisions = append(m.Diagram.Decisions, d.Knowing(known))
	}
	for _, d := range p.m.Diagram.Decisions {
		if p.fixed[d.Var] {
			m.Diagram.Decisions = append(m.Diagram.Decisions, d)
		}
	}
	p.relaxed, err = newSolver(p.ctx, &m, p.likelihood, Options{MaxTable: p.most, RiskTolerance: p.risk})
	return err
}

// open reports whether a node may hold a better strategy than the best one so far.
func (p *proof) open(n *node) bool { return n.bound > p.best.utility+rounding*p.size }

// divide judges the parts of a node, and keeps those that may hold a better strategy.
func (p *proof) divide(n *node) error {
	for state := range p.m.Card(p.solver.open[n.on].Var) {
		p.made++
		part := &node{up: n, decision: n.on, given: n.at, state: state, bound: n.bound, number: p.made}
		if err := p.judge(part); err != nil {
			return err
		}
		if p.open(part) {
			p.nodes.Push(part)
		}
	}
	return nil
}

// judge finds the bound of a node, a strategy near its solution, and the case that divides it.
func (p *proof) judge(n *node) error {
	c, x := p.relaxed.with(nil, -1), &Solution{}
	for _, r := range p.restrictions(n) {
		c.chances.add(r)
	}
	bound, err := c.solve(x)
	if errors.Is(err, ErrImpossible) { // no strategy of the node has the evidence
		n.bound = math.Inf(-1)
		return nil
	}
	if err != nil {
		return fmt.Errorf("the diagram with more memory, which bounds the strategies: %w", err)
	}
	n.bound = min(n.bound, bound)
	near, whole, err := p.near(n, x)
	if whole {
		n.bound = near.utility
	}
	if err != nil || near.utility <= p.best.utility+nearly*p.size {
		return err
	}
	if err = p.climb(near); err == nil {
		near.utility, err = p.achieved(near.tables)
	}
	if err == nil {
		p.best = near
	}
	return err
}

// restrictions returns the choices of a node: 0 for what they exclude.
func (p *proof) restrictions(n *node) []*potential {
	list := make([]*potential, len(p.solver.open))
	for ; n.up != nil; n = n.up {
		if list[n.decision] == nil {
			t := p.best.tables[n.decision]
			list[n.decision] = newPotential(p.m, t.scope, slices.Repeat([]float64{1}, len(t.values)))
		}
		k := p.m.Card(p.solver.open[n.decision].Var)
		row := list[n.decision].values[n.given*k : (n.given+1)*k]
		clear(row)
		row[n.state] = 1
	}
	return slices.DeleteFunc(list, func(r *potential) bool { return r == nil })
}

// near returns the strategy that chooses in each case what the solution of the diagram with more
// memory chooses most, and finds the case that divides the node; whole reports that there is none,
// since the two are the same.
func (p *proof) near(n *node, x *Solution) (out *strategy, whole bool, err error) {
	var tables []*potential
	for _, q := range x.Policies {
		tables = append(tables, p.relaxed.table(q))
	}
	out = &strategy{}
	most := 0.0
	for i, d := range p.solver.open {
		scope := p.best.tables[i].scope
		b, err := p.relaxed.about(scope, tables, -1)
		if err != nil {
			return nil, false, err
		}
		t := newPotential(p.m, scope, make([]float64, len(p.best.tables[i].values)))
		state := make([]int, len(p.m.Vars))
		for at := range t.values {
			t.values[at], _ = b.value(state)
			p.m.Next(scope, state)
		}
		k := p.m.Card(d.Var)
		for at := range len(t.values) / k {
			row := t.values[at*k : (at+1)*k]
			if rest := decided(row); rest > most {
				most, n.on, n.at = rest, i, at
			}
		}
		out.tables, out.policies = append(out.tables, t), append(out.policies, nil)
	}
	out.utility, err = p.achieved(out.tables)
	return out, most == 0, err
}

// decided gives the largest number of a row all probability, or if there is none, all the same. It
// returns the sum of the others.
func decided(row []float64) (rest float64) {
	best := 0
	for k, q := range row {
		if rest += q; q > row[best] {
			best = k
		}
	}
	rest -= row[best]
	none := row[best] == 0
	for k := range row {
		switch {
		case none:
			row[k] = 1 / float64(len(row))
		case k == best:
			row[k] = 1
		default:
			row[k] = 0
		}
	}
	return rest
}
