package growing

import (
	"container/heap"
	"math"
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

// Score is what a candidate is worth by its gain and cost as far as they are known.
func (q *Queue) Score(c *Candidate) float64 { return c.Gain - q.Split - q.Edge*float64(c.Cost) }

// Top is the best candidate.
func (q *Queue) Top() *Candidate { return &q.List[0] }

// Next is the best score but that of the top, at least 0.
func (q *Queue) Next() float64 {
	next := 0.0
	for i := 1; i <= 2 && i < len(q.List); i++ {
		next = max(next, q.Score(&q.List[i]))
	}
	return next
}

// Fall halves the penalty of an edge.
func (q *Queue) Fall() {
	q.Edge /= 2
	q.Order()
}

// Order puts the queue in order after changes to many candidates.
func (q *Queue) Order() { heap.Init((*order)(q)) }

// Fix puts the queue in order after a change to the candidate on top.
func (q *Queue) Fix() { heap.Fix((*order)(q), 0) }

// Take takes the best candidate out.
func (q *Queue) Take() Candidate { return heap.Pop((*order)(q)).(Candidate) }

// Add adds candidates.
func (q *Queue) Add(list ...Candidate) {
	for _, c := range list {
		heap.Push((*order)(q), c)
	}
}

// slack is by how many edges a measure may go on after which a candidate is no longer on top.
const slack = 16

// Measure finds out what the split of a candidate costs now, as far as it takes to see that it is worth less than next, the score of
// another, and no further than until it breaks even. It is false where the split takes more edges than there is room for.
func (q *Queue) Measure(p *Planner, s Split, c *Candidate, next float64, room int) bool {
	limit := float64(room)
	if q.Edge > 0 {
		even := (c.Gain - q.Split) / q.Edge
		limit = min(limit, even, slack+2*(even-next/q.Edge))
	}
	cost, exact := p.Cost(s, int(max(0, limit)))
	c.Cost, c.Measured = int32(max(0, min(cost, math.MaxInt32))), exact
	return cost <= room
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
