package acbn

import (
	"container/heap"
	"context"
	"slices"
	"time"

	"github.com/pgmc-go/pgmc/learn/graph"
	"github.com/pgmc-go/pgmc/learn/growing"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/rowset"
)

// candidate is a split that may be made.
type candidate struct {
	gain     float64 // in log-likelihood
	node     int32   // the leaf
	v, state int32
	cost     int32 // edges that it adds: the last measured, or a bound from below
	measured bool  // the cost is that of now
}

// step is a split that was made.
type step struct {
	node     int32
	v, state int
	cost     int
	gain     float64
	valid    float64 // gain on the validation data
}

// search is the state of a search. It is a heap of candidates.
type search struct {
	l     *instance
	job   *learner.Job
	rows  *rowset.Data
	valid *rowset.Data // nil without validation data

	c     *growing.Circuit
	p     *growing.Planner
	nodes []node // the roots of the variables first
	above *graph.Closure
	edge  float64 // penalty
	queue []candidate
	steps []step
}

func newSearch(l *instance, job *learner.Job) *search {
	s := &search{l: l, job: job, rows: rowset.New(job.Train), edge: l.edge}
	if job.Valid != nil {
		s.valid = rowset.New(job.Valid)
	}
	s.begin()
	return s
}

// begin makes independent variables.
func (s *search) begin() {
	s.c = growing.New(s.rows.Cards)
	s.p = s.c.Planner()
	s.nodes, s.steps = nil, nil
	s.above = graph.NewClosure(len(s.rows.Cards))
	params := int32(0)
	for x, card := range s.rows.Cards {
		s.nodes = append(s.nodes, s.leaf(x, nil, params))
		params += int32(card)
	}
}

func (s *search) Len() int { return len(s.queue) }

// Less puts the best first, of equals the one of the first leaf, variable and state.
func (s *search) Less(i, j int) bool {
	a, b := &s.queue[i], &s.queue[j]
	if x, y := s.score(a), s.score(b); x != y {
		return x > y
	}
	if a.node != b.node {
		return a.node < b.node
	}
	if a.v != b.v {
		return a.v < b.v
	}
	return a.state < b.state
}

func (s *search) Swap(i, j int) { s.queue[i], s.queue[j] = s.queue[j], s.queue[i] }

func (s *search) Push(c any) { s.queue = append(s.queue, c.(candidate)) }

func (s *search) Pop() any {
	last := s.queue[len(s.queue)-1]
	s.queue = s.queue[:len(s.queue)-1]
	return last
}

// score is what a candidate is worth by its cost as far as that is known.
func (s *search) score(c *candidate) float64 {
	return c.gain - s.l.split - s.edge*float64(c.cost)
}

// leastEdge is where the penalty of an edge stops to fall.
const leastEdge = 1e-20

// run makes splits until none is worth it, or ctx ends.
func (s *search) run(ctx context.Context) {
	for x := range s.rows.Cards {
		if ctx.Err() != nil {
			return
		}
		s.queue = append(s.queue, s.offers(int32(x))...)
	}
	heap.Init(s)
	last := time.Now()
	for ctx.Err() == nil && len(s.queue) > 0 && (s.l.maxSplits == 0 || len(s.steps) < s.l.maxSplits) {
		top := &s.queue[0]
		switch {
		case s.nodes[top.node].v >= 0 || s.above.Has(int(top.v), s.nodes[top.node].of):
			heap.Pop(s)
		case s.score(top) <= 0:
			if !s.l.shrink || s.edge <= leastEdge || float64(s.c.Edges()) >= 0.99*float64(s.l.maxEdges) {
				return
			}
			s.edge /= 2
			heap.Init(s)
		case !top.measured:
			s.measure(top)
		default:
			s.make(heap.Pop(s).(candidate))
			if time.Since(last) > 100*time.Millisecond {
				s.job.Tell(learner.Event{Done: len(s.steps), Score: s.edge})
				last = time.Now()
			}
		}
	}
}

// offers lists the splits of a leaf that may bring something.
func (s *search) offers(id int32) []candidate {
	n := &s.nodes[id]
	rows := s.rows.Where(n.tests)
	byState := make([][]uint64, len(n.counts))
	for k := range byState {
		byState[k] = slices.Clone(rows)
		s.rows.And(byState[k], rowset.Test{Var: n.of, State: k})
	}
	lists := make([][]candidate, len(s.rows.Cards))
	learner.Each(s.job.Cores, len(lists), func(v int) {
		card := s.rows.Cards[v]
		if card < 2 || v == n.of || s.above.Has(v, n.of) {
			return
		}
		for state := range card {
			test := rowset.Test{Var: v, State: state}
			if slices.ContainsFunc(n.tests, func(t rowset.Test) bool { return t.Var == v && (!t.Not || t.State == state) }) {
				continue
			}
			if gain := s.gain(n, byState, test); gain > s.l.split+leastGain {
				lists[v] = append(lists[v], candidate{gain: gain, node: id, v: int32(v), state: int32(state)})
			}
			if card == 2 { // the other state makes the same split
				break
			}
		}
	})
	return slices.Concat(lists...)
}

// leastGain keeps out gains that are rounding.
const leastGain = 1e-9

// gain is how much the log-likelihood rises by a split of a leaf, whose rows are given by state.
func (s *search) gain(n *node, byState [][]uint64, t rowset.Test) float64 {
	yes, no, both := make([]float64, len(byState)), make([]float64, len(byState)), make([]float64, len(byState))
	for k, rows := range byState {
		yes[k] = s.rows.WeightOf(rows, t.Var, t.State)
		known, all := s.rows.WeightKnown(rows, t.Var)
		if all {
			known = n.counts[k]
		}
		both[k], no[k] = known, max(0, known-yes[k])
	}
	return s.l.rate(yes) + s.l.rate(no) - s.l.rate(both)
}

// slack is by how many edges a measure may go on after which a candidate is no longer on top.
const slack = 16

// measure finds out what the candidate on top costs now, as far as it takes to see that it is worth less than the next one.
func (s *search) measure(top *candidate) {
	room := s.l.maxEdges - s.c.Edges()
	limit := float64(room)
	if s.edge > 0 {
		next := 0.0
		for i := 1; i <= 2 && i < len(s.queue); i++ {
			next = max(next, s.score(&s.queue[i]))
		}
		even := (top.gain - s.l.split) / s.edge
		limit = min(limit, even, slack+2*(even-next/s.edge))
	}
	cost, exact := s.p.Cost(s.splitOf(top.node, int(top.v), int(top.state)), int(limit))
	if cost > room {
		heap.Pop(s)
		return
	}
	top.cost, top.measured = int32(max(0, cost)), exact
	heap.Fix(s, 0)
}

func (s *search) splitOf(id int32, v, state int) growing.Split {
	return growing.Split{Params: s.nodes[id].params, Var: v, State: state}
}

// make makes a split, and offers those of the new leaves.
func (s *search) make(c candidate) {
	yes := s.apply(step{node: c.node, v: int(c.v), state: int(c.state), gain: c.gain, cost: int(c.cost)})
	if s.l.quick {
		for i := range s.queue {
			s.queue[i].measured = false
		}
	} else {
		s.forget()
	}
	for _, id := range []int32{yes, yes + 1} {
		for _, c := range s.offers(id) {
			heap.Push(s, c)
		}
	}
}

// apply makes a split in the tree and in the circuit, and gives the first of the two new leaves.
func (s *search) apply(x step) int32 {
	old := s.nodes[x.node]
	n := int32(s.c.Params())
	s.p.Apply(s.splitOf(x.node, x.v, x.state))
	s.above.Add(x.v, old.of)
	id := int32(len(s.nodes))
	at := &s.nodes[x.node]
	at.v, at.state, at.yes, at.no = x.v, x.state, id, id+1
	for i, not := range []bool{false, true} {
		tests := append(slices.Clip(old.tests), rowset.Test{Var: x.v, State: x.state, Not: not})
		s.nodes = append(s.nodes, s.leaf(old.of, tests, n+int32(i*len(old.params))))
	}
	if s.valid != nil {
		x.valid = s.validGain(&old, id)
	}
	s.steps = append(s.steps, x)
	return id
}

// validGain is how much the log-likelihood of the validation data rises where a leaf becomes the nodes id and id + 1.
func (s *search) validGain(old *node, id int32) float64 {
	gain := 0.0
	for i, n := range []*node{old, &s.nodes[id], &s.nodes[id+1]} {
		rows := s.valid.Where(n.tests)
		counts := make([]float64, len(n.counts))
		for k := range counts {
			counts[k] = s.valid.WeightOf(rows, n.of, k)
		}
		if x := logLik(counts, s.l.estimate(n.counts)); i == 0 {
			gain -= x
		} else {
			gain += x
		}
	}
	return gain
}

// forget takes for unknown what those splits cost whose part of the circuit was touched by the last one.
func (s *search) forget() {
	group := make([]int32, s.c.Params())
	for i := range group {
		group[i] = -1
	}
	for id := range s.nodes {
		if n := &s.nodes[id]; n.v < 0 {
			for _, x := range n.params {
				group[x] = int32(id)
			}
		}
	}
	changed := s.p.Touched(group, len(s.nodes))
	for i := range s.queue {
		if c := &s.queue[i]; s.nodes[c.node].v < 0 && changed(int(c.node), int(c.v)) {
			c.cost, c.measured = 0, false
		}
	}
	heap.Init(s)
}
