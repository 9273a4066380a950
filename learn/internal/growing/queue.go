package growing

import (
	"container/heap"

	"github.com/pgmc-go/pgmc/learn/learner"
)

// Candidate is a possible split.
type Candidate struct {
	Gain     float64 `json:"g"` // gain in log-likelihood, as last computed, in nats
	Of       int32   `json:"o"` // the thing to split, by the learner's number
	Var      int32   `json:"v"`
	State    int32   `json:"s"`
	Cost     int32   `json:"c,omitempty"` // edges that the split adds: as last measured, or a lower bound
	Version  int32   `json:"n,omitempty"` // the model's version at which the gain was computed, if gains change
	Measured bool    `json:"m,omitempty"` // Cost is the current cost
}

// Queue is a priority queue of the candidates of a search, the best score on top.
//
// Costs are as last measured, at first 0, and gains are as last computed. Whatever reaches the top
// must be measured again.
type Queue struct {
	Split float64     `json:"split"` // penalty of a split
	Edge  float64     `json:"edge"`  // penalty of an edge
	List  []Candidate `json:"list"`
}

// StartEdge returns the initial penalty of an edge: the given one, or if that is negative, 0.1, the
// usual value. If the penalty is to fall, the default is high instead, so that the splits with the
// best gain for their edges come first.
func StartEdge(given, high float64, falls bool) float64 {
	switch {
	case given >= 0:
		return given
	case falls:
		return high
	}
	return 0.1
}

// Score returns the candidate's gain less the penalties, as far as they are known.
func (q *Queue) Score(c *Candidate) float64 { return c.Gain - q.Split - q.Edge*float64(c.Cost) }

// Top returns the best candidate.
func (q *Queue) Top() *Candidate { return &q.List[0] }

// leastEdge is the penalty of an edge below which it falls no further.
const leastEdge = 1e-20

// Full reports whether there is hardly room for another edge.
func (q *Queue) Full(edges, maxEdges int) bool { return float64(edges) >= 0.99*float64(maxEdges) }

// Fall halves the penalty of an edge. It returns false, and changes nothing, if the penalty is
// negligible or the circuit is nearly full.
func (q *Queue) Fall(edges, maxEdges int) bool {
	if q.Edge <= leastEdge || q.Full(edges, maxEdges) {
		return false
	}
	q.Edge /= 2
	q.Order()
	return true
}

// Order restores the heap order after changes to many candidates.
func (q *Queue) Order() { heap.Init((*order)(q)) }

// Stale marks all costs as outdated. It sets them to 0, unless keep is set: then they remain as
// lower bounds.
func (q *Queue) Stale(keep bool) {
	for i := range q.List {
		q.List[i].Measured = false
		if !keep {
			q.List[i].Cost = 0
		}
	}
	if !keep {
		q.Order()
	}
}

// Take removes and returns the best candidate.
func (q *Queue) Take() Candidate { return heap.Pop((*order)(q)).(Candidate) }

// Remove removes and returns the candidate at an index of the list.
func (q *Queue) Remove(at int) Candidate { return heap.Remove((*order)(q), at).(Candidate) }

// Before reports whether the candidate at index a is better than the one at b.
func (q *Queue) Before(a, b int) bool { return (*order)(q).Less(a, b) }

// Add adds candidates.
func (q *Queue) Add(list ...Candidate) {
	for _, c := range list {
		heap.Push((*order)(q), c)
	}
}

// Gauge measures candidates of a queue, several at once on all cores.
type Gauge struct {
	c        *Circuit
	planners [measures]*Planner
	cores    int
	batch    []Candidate
	room     [measures]bool // whether the candidate's edges fit below the limit
}

// measures is the number of candidates that are measured at once. It does not depend on the number
// of cores, so the results do not either.
const measures = 4

// Gauge returns a gauge of the circuit.
func (c *Circuit) Gauge(cores int) *Gauge {
	g := &Gauge{c: c, cores: cores}
	for i := range g.planners {
		g.planners[i] = c.Planner()
	}
	return g
}

// slack is the number of edges beyond which a measured candidate counts as no longer on top.
const slack = 16

// Measure computes the current costs of the best candidates of the queue, down to one that is
// measured or not open. A measurement stops early once the candidate is worth less than those that
// follow, but no earlier than at break-even. Candidates are dropped if their splits would exceed
// maxEdges. The best candidate must be open.
func (g *Gauge) Measure(q *Queue, maxEdges int, open func(*Candidate) bool, split func(*Candidate) Split) {
	g.batch = g.batch[:0]
	for len(g.batch) < measures && len(q.List) > 0 && !q.Top().Measured && q.Score(q.Top()) > 0 && open(q.Top()) {
		g.batch = append(g.batch, q.Take())
	}
	next := 0.0
	if len(q.List) > 0 {
		next = max(next, q.Score(q.Top()))
	}
	room := maxEdges - g.c.edges
	learner.Each(g.cores, measures, func(i int) {
		if i >= len(g.batch) {
			return
		}
		c := &g.batch[i]
		limit := float64(room)
		if q.Edge > 0 {
			even := (c.Gain - q.Split) / q.Edge
			limit = min(limit, even, slack+2*(even-next/q.Edge))
		}
		cost, exact := g.planners[i].Cost(split(c), int(max(0, limit)))
		c.Cost, c.Measured, g.room[i] = int32(max(0, cost)), exact, cost <= room
	})
	for i, c := range g.batch {
		if g.room[i] {
			q.Add(c)
		}
	}
}

// order implements heap.Interface on a queue.
type order Queue

// Len returns the number of candidates.
func (o *order) Len() int { return len(o.List) }

// Less orders by score, best first; ties go to the smaller Of, then to the first variable and
// state.
func (o *order) Less(i, j int) bool {
	a, b := &o.List[i], &o.List[j]
	if x, y := (*Queue)(o).Score(a), (*Queue)(o).Score(b); x != y {
		return x > y
	}
	if a.Of != b.Of {
		return a.Of < b.Of
	}
	if a.Var != b.Var {
		return a.Var < b.Var
	}
	return a.State < b.State
}

// Swap exchanges two candidates.
func (o *order) Swap(i, j int) { o.List[i], o.List[j] = o.List[j], o.List[i] }

// Push appends a Candidate.
func (o *order) Push(c any) { o.List = append(o.List, c.(Candidate)) }

// Pop removes the last candidate and returns it.
func (o *order) Pop() any {
	last := o.List[len(o.List)-1]
	o.List = o.List[:len(o.List)-1]
	return last
}
