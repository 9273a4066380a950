package bound

import (
	"math"
	"slices"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// sense is the direction of a bound.
type sense int

const (
	upper sense = iota
	lower
)

// minWeight bounds weights away from 0, at which a sum becomes a maximum or a minimum and beliefs
// no longer depend smoothly on the tables.
const minWeight = 1e-3

// elimination is a bound by one set of weights and shifts, with the messages that it leaves.
type elimination struct {
	*tree
	sense    sense
	buckets  pgmrt.Buckets
	weight   []float64   // by box; 0 if the variable is maximised
	shift    [][]float64 // by box and state of its variable; the shifts of one bucket sum to 0
	msg      [][]float64 // by box, over its scope without its variable
	back     [][]float64 // by box: the influence of everything else on its message, a logarithm
	value    float64     // the bound that msg proves, without slack
	momentum bool        // of improve, for upper bounds of sums
	step     float64     // how far a round moves shifts and weights; 0 leaves them
	rate     float64     // what a second of the last round gained, if improve ended before it stalled; else 0
	parts    []part      // scratch of match
	work     []float64   // scratch of boxes of rows: a number for each,
	scratch  []float64   // and for each sum
}

// part is the belief of a box of a split bucket about the bucket's variable.
type part struct {
	belief  []float64 // by state: the logarithm of its probability, or the largest value if maximised
	entropy float64   // of the variable given the rest of the box
}

// newElimination returns an elimination of t with equal weights, and shifts of 0.
func newElimination(t *tree, s sense) *elimination {
	n := len(t.boxes)
	e := &elimination{tree: t, sense: s, buckets: t.buckets, weight: make([]float64, n), shift: make([][]float64, n), msg: make([][]float64, n), back: make([][]float64, n)}
	b := &e.buckets
	b.Weight, b.Shift, b.Message, b.Work = e.weight, make([]float64, len(b.Shift)), make([]float64, len(b.Message)), make([]float64, len(b.Work))
	for i := range t.boxes {
		e.shift[i], e.msg[i] = b.Shift[b.Shifts[i]:][:t.Card[t.boxes[i].v]], b.Message[b.At[i]:b.At[i+1]]
		e.back[i] = make([]float64, len(e.msg[i]))
	}
	for v, boxes := range t.boxesOf {
		e.setWeights(v, boxes)
	}
	return e
}

// setWeights sets the weights of a bucket to begin with: equal ones for an upper bound, and for a
// lower one small negative weights of all boxes but the first.
func (e *elimination) setWeights(v int, boxes []int32) {
	const negative = .1
	for i, b := range boxes {
		switch {
		case e.Max[v]:
			e.weight[b] = 0
		case e.sense == upper:
			e.weight[b] = 1 / float64(len(boxes))
		case i == 0:
			e.weight[b] = 1 + negative*float64(len(boxes)-1)
		default:
			e.weight[b] = -negative
		}
	}
}

// forward eliminates all variables in order, moving the shifts and weights of split buckets by
// e.step, and sets the value of the bound.
func (e *elimination) forward() {
	e.value = e.constant
	for _, v := range e.order {
		if e.step > 0 && len(e.boxesOf[v]) > 1 {
			e.match(v)
		}
		for _, i := range e.boxesOf[v] {
			if e.boxes[i].rows != nil {
				e.eliminateRows(int(i))
			} else {
				e.buckets.Eliminate(int(i))
			}
			if e.boxes[i].parent < 0 {
				e.value += e.msg[i][0]
			}
		}
	}
}

// power returns x/w, and x if w is 0.
func power(x, w float64) float64 {
	if w == 0 {
		return x
	}
	return x / w
}

// backward computes the influence of the rest on each message, from the last variable to the first.
func (e *elimination) backward() {
	for i := len(e.boxes) - 1; i >= 0; i-- {
		b := &e.boxes[i]
		if b.parent < 0 {
			clear(e.back[i])
		}
		if len(b.kids) == 0 {
			continue
		}
		if b.rows != nil {
			e.rowBackward(i)
			continue
		}
		work, n, w := e.buckets.Table(i), e.Card[b.v], e.weight[i]
		for row, x := range e.back[i] {
			for k := range n {
				work[row*n+k] = power(work[row*n+k]+x, w)
				if e.dead(b.v, k) || work[row*n+k] != work[row*n+k] {
					work[row*n+k] = math.Inf(-1)
				}
			}
		}
		for _, k := range b.kids {
			e.influence(b, k, work, w == 0)
		}
	}
}

// influence computes the rest's belief about the message of k from the belief of its receiver.
func (e *elimination) influence(b *box, k kid, belief []float64, largest bool) {
	back, msg, w := e.back[k.box], e.msg[k.box], e.weight[k.box]
	margin(back, b.card, k.stride, belief, largest)
	total := pgmrt.LogSum(back)
	if largest {
		total = slices.Max(back)
		w = 1
	}
	for i, x := range back {
		if math.IsInf(msg[i], -1) || math.IsInf(x, 0) || math.IsInf(total, 0) {
			back[i] = math.Inf(-1)
			continue
		}
		back[i] = w*(x-total) - msg[i]
	}
}
