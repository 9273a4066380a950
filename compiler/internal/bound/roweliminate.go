package bound

import (
	"math"
	"runtime"

	"github.com/pgmc-go/pgmc/ir/group"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// newRowElimination returns an upper bound by lists of rows, with equal weights and shifts of 0.
func newRowElimination(t *rowTree) *elimination {
	n := len(t.boxes)
	e := &elimination{tree: t.tree, sense: upper, weight: make([]float64, n), shift: make([][]float64, n), msg: make([][]float64, n), back: make([][]float64, n)}
	most := 0
	for i := range t.boxes {
		b := &t.boxes[i]
		e.shift[i] = make([]float64, t.Card[b.v])
		e.msg[i], e.back[i] = make([]float64, b.rows.sums), make([]float64, b.rows.sums)
		most = max(most, len(b.rows.base))
	}
	e.work, e.scratch = make([]float64, most), make([]float64, most)
	for v, boxes := range t.boxesOf {
		e.setWeights(v, boxes)
	}
	return e
}

// rowValues returns the logarithms of the rows of box i, divided by its weight.
func (e *elimination) rowValues(i int) []float64 {
	b, r := &e.boxes[i], e.boxes[i].rows
	work, shift, evidence := e.work[:len(r.base)], e.shift[i], e.evidence[b.v]
	for row, x := range r.base {
		s := r.state[row]
		work[row] = x + shift[s] + evidence[s]
	}
	for j, k := range b.kids {
		msg := e.msg[k.box]
		for row, at := range r.from[j] {
			work[row] += msg[at]
		}
	}
	w := e.weight[i]
	for row := range work {
		work[row] /= w
	}
	return work
}

// eliminateRows computes the message of box i.
func (e *elimination) eliminateRows(i int) {
	msg := e.msg[i]
	e.logSums(msg, e.boxes[i].rows.group, e.rowValues(i))
	for j := range msg {
		msg[j] *= e.weight[i]
	}
}

// logSums sets dst to ln of the sums of the exponentials of x by their places in dst.
func (e *elimination) logSums(dst []float64, at []int32, x []float64) {
	sum := e.scratch[:len(dst)]
	for j := range dst {
		dst[j], sum[j] = math.Inf(-1), 0
	}
	for i, j := range at {
		dst[j] = max(dst[j], x[i])
	}
	for i, j := range at {
		if !math.IsInf(x[i], -1) {
			sum[j] += math.Exp(x[i] - dst[j])
		}
	}
	for j, s := range sum {
		if s > 0 {
			dst[j] += pgmrt.Ln(s)
		}
	}
}

// rowBackward computes the influence of the rest on the messages that box i receives.
func (e *elimination) rowBackward(i int) {
	b, r, w := &e.boxes[i], e.boxes[i].rows, e.weight[i]
	work := e.rowValues(i)
	for row, g := range r.group {
		work[row] += e.back[i][g] / w
	}
	for j, k := range b.kids {
		back, msg := e.back[k.box], e.msg[k.box]
		e.logSums(back, r.from[j], work)
		total := pgmrt.LogSum(back)
		for at, x := range back {
			if back[at] = math.Inf(-1); !math.IsInf(msg[at], -1) && !math.IsInf(x, 0) {
				back[at] = e.weight[k.box]*(x-total) - msg[at]
			}
		}
	}
}

// rowBelieve computes what box i believes about its variable: the logarithms of probabilities, and
// the entropy.
func (e *elimination) rowBelieve(p *part, i int32) {
	b, r, w := &e.boxes[i], e.boxes[i].rows, e.weight[i]
	n := e.Card[b.v]
	work := e.rowValues(int(i))
	whole := make([]float64, r.sums)
	e.logSums(whole, r.group, work)
	p.belief, p.entropy = make([]float64, n), 0
	for k := range p.belief {
		p.belief[k] = math.Inf(-1)
	}
	sum, entropy := make([]float64, n), make([]float64, n)
	for row, g := range r.group {
		p.belief[r.state[row]] = max(p.belief[r.state[row]], work[row]+e.back[i][g]/w)
	}
	for row, g := range r.group {
		k := r.state[row]
		if x := work[row] + e.back[i][g]/w; !math.IsInf(x, -1) {
			q := math.Exp(x - p.belief[k])
			sum[k] += q
			entropy[k] += q * (whole[g] - work[row])
		}
	}
	p.conclude(sum, entropy)
}

// byRows bounds the sum by lists of rows, on a core of its own beside everything else. wait returns
// the bound after a share of the time; +Inf without a deadline, with one core or with few zeros.
func (a *query) byRows(t *tree) (wait func() float64) {
	out := math.Inf(1)
	var g group.Group
	wait = func() float64 {
		g.Wait()
		return out
	}
	if a.deadline.IsZero() || runtime.GOMAXPROCS(0) < 2 || !t.splits() || !t.manyZeros() {
		return wait
	}
	g.Go(func() {
		r := planRows(t.Problem, t.order, a.rowBudget(t), a.deadlineAt(rowPlanUntil))
		if r == nil {
			return
		}
		e := newRowElimination(r)
		e.momentum = true
		e.improve(math.MaxInt, a.deadlineAt(rowsUntil))
		out = e.value
	})
	return wait
}

// bytesARow is what a row takes at most while boxes are planned and joined, its part of the
// messages included.
const bytesARow = 48

// rowBudget returns the most rows beside the tables of t. A pass over a row takes as long as one
// over a number of a table, and rows have the memory that tables leave of their half.
func (a *query) rowBudget(t *tree) int {
	return int(max(0, min(a.numbers, (float64(a.MaxMem)/2-bytesANumber*t.total)/bytesARow)))
}

// withUpper returns what another upper bound leaves of an interval.
func (x Interval) withUpper(upper float64) Interval {
	if upper < x.Upper && !x.Exact {
		x.Upper = max(x.Lower, upper)
	}
	return x
}
