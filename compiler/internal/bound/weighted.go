package bound

import (
	"math"
	"slices"
)

// sense is the direction of a bound.
type sense int

const (
	upper sense = iota
	lower
)

// leastWeight bounds weights away from 0, at which a sum becomes a maximum or a minimum and beliefs
// no longer depend smoothly on the tables.
const leastWeight = 1e-3

// elimination is a bound by one set of weights and shifts, with the messages that it leaves.
type elimination struct {
	*tree
	sense  sense
	weight []float64   // by box; 0 if the variable is maximised
	shift  [][]float64 // by box and state of its variable; the shifts of one bucket sum to 0
	msg    [][]float64 // by box, over its scope without its variable
	back   [][]float64 // by box: the influence of everything else on its message, a logarithm
	value  float64     // the bound that msg proves, without slack
	work   []float64   // the table of one box
	step   float64     // how far a round moves shifts and weights; 0 leaves them
	parts  []part      // scratch of match
}

// part is what a box of a split bucket believes about the bucket's variable.
type part struct {
	belief  []float64 // by state: the logarithm of its probability, or the largest value if maximised
	entropy float64   // of the variable given the rest of the box
}

// newElimination returns an elimination of t with equal weights, and shifts of 0.
func newElimination(t *tree, s sense) *elimination {
	n := len(t.boxes)
	e := &elimination{tree: t, sense: s, weight: make([]float64, n), shift: make([][]float64, n), msg: make([][]float64, n), back: make([][]float64, n)}
	most := 0
	for i := range t.boxes {
		b := &t.boxes[i]
		most = max(most, b.size)
		e.shift[i] = make([]float64, t.Card[b.v])
		e.msg[i], e.back[i] = make([]float64, b.size/t.Card[b.v]), make([]float64, b.size/t.Card[b.v])
	}
	e.work = make([]float64, most)
	for v, boxes := range t.of {
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

// table computes the product of what box b holds and receives from below, with its shift.
func (e *elimination) table(i int32) []float64 {
	b := &e.boxes[i]
	work := e.work[:b.size]
	if b.base != nil {
		copy(work, b.base)
	} else {
		clear(work)
	}
	for _, k := range b.kids {
		add(work, b.card, k.stride, e.msg[k.box])
	}
	n := len(e.shift[i])
	for first := 0; first < len(work); first += n {
		for k, x := range e.shift[i] {
			work[first+k] += x
		}
	}
	return work
}

// forward eliminates all variables in order, moving the shifts and weights of split buckets by
// e.step, and sets the value of the bound.
func (e *elimination) forward() {
	e.value = e.alone
	for _, v := range e.order {
		if e.step > 0 && len(e.of[v]) > 1 {
			e.match(v)
		}
		for _, i := range e.of[v] {
			b := &e.boxes[i]
			work, n := e.table(i), e.Card[v]
			for row := range e.msg[i] {
				e.msg[i][row] = powerSum(work[row*n:row*n+n], e.dead[v], e.weight[i])
			}
			if b.parent < 0 {
				e.value += e.msg[i][0]
			}
		}
	}
}

// powerSum returns w ln of the sum of exp(x/w) over the states that are not dead, and the largest x
// if w is 0.
func powerSum(x []float64, dead []bool, w float64) float64 {
	most := math.Inf(-1)
	for k, y := range x {
		if !dead[k] {
			most = max(most, power(y, w))
		}
	}
	switch {
	case math.IsInf(most, 0): // a negative power of 0 is infinite, and the bound is 0
		return math.Inf(-1)
	case w == 0:
		return most
	}
	sum := 0.0
	for k, y := range x {
		if !dead[k] {
			sum += math.Exp(y/w - most)
		}
	}
	return w * (most + math.Log(sum))
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
		work, n, w := e.table(int32(i)), e.Card[b.v], e.weight[i]
		for row, x := range e.back[i] {
			for k := range n {
				work[row*n+k] = power(work[row*n+k]+x, w)
				if e.dead[b.v][k] || work[row*n+k] != work[row*n+k] {
					work[row*n+k] = math.Inf(-1)
				}
			}
		}
		for _, k := range b.kids {
			e.influence(b, k, work, w == 0)
		}
	}
}

// influence computes what the rest says about the message of k from the belief of its receiver.
func (e *elimination) influence(b *box, k kid, belief []float64, largest bool) {
	back, msg, w := e.back[k.box], e.msg[k.box], e.weight[k.box]
	margin(back, b.card, k.stride, belief, largest)
	total := logSum(back)
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
