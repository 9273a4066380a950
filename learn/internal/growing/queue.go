package growing

import (
	"container/heap"

	"github.com/pgmc-go/pgmc/learn/learner"
)

// Candidate is a split that may be made.
type Candidate struct {
	Gain     float64 `json:"g"` // in log-likelihood, when it was last found
	Of       int32   `json:"o"` // what is split: the learner's number of it
	Var      int32   `json:"v"`
	State    int32   `json:"s"`
	Cost     int32   `json:"c,omitempty"` // edges that it adds: the last measured, or a bound from below
	Version  int32   `json:"n,omitempty"` // of the model by which the gain was found, where gains change
	Measured bool    `json:"m,omitempty"` // the cost is that of now
}

// Queue holds the candidates of a search, the one of the best score on top.
//
// Costs are what they were when last measured, at first 0, and so are gains: what comes to the top is to be looked at again.
type Queue struct {
	Split float64     `json:"split"` // the penalty of a split
	Edge  float64     `json:"edge"`  // and that of an edge
	List  []Candidate `json:"list"`
}

// StartEdge is the penalty of an edge at first: what is given, and where that is negative 0.1, which is usual, or where it is to fall, a
// high one, so that what brings most for its edges comes first.
func StartEdge(given, high float64, falls bool) float64 {
	switch {
	case given >= 0:
		return given
	case falls:
		return high
	}
	return 0.1
}

// Score is what a candidate is worth by its gain and cost as far as they are known.
func (q *Queue) Score(c *Candidate) float64 { return c.Gain - q.Split - q.Edge*float64(c.Cost) }

// Top is the best candidate.
func (q *Queue) Top() *Candidate { return &q.List[0] }

// leastEdge is where the penalty of an edge stops to fall.
const leastEdge = 1e-20

// Full reports whether there is hardly room for another edge.
func (q *Queue) Full(edges, maxEdges int) bool { return float64(edges) >= 0.99*float64(maxEdges) }

// Fall halves the penalty of an edge; it is false where that is of no use, since there is hardly a penalty, or hardly room for another edge.
func (q *Queue) Fall(edges, maxEdges int) bool {
	if q.Edge <= leastEdge || q.Full(edges, maxEdges) {
		return false
	}
	q.Edge /= 2
	q.Order()
	return true
}

// Order puts the queue in order after changes to many candidates.
func (q *Queue) Order() { heap.Init((*order)(q)) }

// Stale takes no cost for one of now any more. All are unknown then, unless they are to be kept as bounds from below.
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

// Take takes the best candidate out.
func (q *Queue) Take() Candidate { return heap.Pop((*order)(q)).(Candidate) }

// Remove takes out the candidate at a place of the list.
func (q *Queue) Remove(at int) Candidate { return heap.Remove((*order)(q), at).(Candidate) }

// Before reports whether the candidate at one place is better than that at another.
func (q *Queue) Before(a, b int) bool { return (*order)(q).Less(a, b) }

// Add adds candidates.
func (q *Queue) Add(list ...Candidate) {
	for _, c := range list {
		heap.Push((*order)(q), c)
	}
}

// Gauge measures candidates of a queue, several at once on as many cores as there are.
type Gauge struct {
	c        *Circuit
	planners [measures]*Planner
	cores    int
	batch    []Candidate
	room     [measures]bool // whether there is, for what a candidate adds
}

// measures is how many candidates are measured at once. It does not depend on the number of cores, so that neither do results.
const measures = 4

// Gauge gives a gauge of the circuit.
func (c *Circuit) Gauge(cores int) *Gauge {
	g := &Gauge{c: c, cores: cores}
	for i := range g.planners {
		g.planners[i] = c.Planner()
	}
	return g
}

// slack is by how many edges a measure may go on after which a candidate is no longer on top.
const slack = 16

// Measure finds out what the best candidates of the queue cost now, down to one that is measured or not open: as far as it takes to see
// that one is worth less than those that follow, and no further than until it breaks even. Candidates whose splits take the circuit beyond
// maxEdges go. The best must be open.
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

// order is a queue as a heap.
type order Queue

func (o *order) Len() int { return len(o.List) }

// Less puts the best first, of equals what is split first, then the first variable and state.
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

func (o *order) Swap(i, j int) { o.List[i], o.List[j] = o.List[j], o.List[i] }

func (o *order) Push(c any) { o.List = append(o.List, c.(Candidate)) }

func (o *order) Pop() any {
	last := o.List[len(o.List)-1]
	o.List = o.List[:len(o.List)-1]
	return last
}
