package pgmrt

import (
	"errors"
	"math"
)

// ErrOptions reports options that an iterative query cannot run with.
var ErrOptions = errors.New("want at least one iteration, a tolerance of at least 0, and a damping of at least 0 and below 1")

// LoopOptions are the options of an iterative query. A zero field stands for its default.
type LoopOptions struct {
	Iterations int     // the most iterations
	Tolerance  float64 // the loop ends if an iteration changes no number by more; negative: run all iterations
	Damping    float64 // the weight of the old value in a new one, below 1; negative: none
}

// With sets zero fields to d's, and reports whether a run with the result is possible.
func (o LoopOptions) With(d LoopOptions) (LoopOptions, error) {
	if o.Iterations == 0 {
		o.Iterations = d.Iterations
	}
	if o.Tolerance == 0 {
		o.Tolerance = d.Tolerance
	}
	switch {
	case o.Damping == 0:
		o.Damping = d.Damping
	case o.Damping < 0:
		o.Damping = 0
	}
	if o.Iterations < 1 || o.Tolerance != o.Tolerance || !(o.Damping < 1) {
		return d, ErrOptions
	}
	return o, nil
}

// Round records in r that an iteration ended with a residual, and reports whether another one has
// to follow.
func (o *LoopOptions) Round(r *Report, residual float64) (again bool) {
	r.Iterations++
	r.Residual = residual
	if residual <= o.Tolerance {
		r.Status = Converged
		return false
	}
	return r.Iterations < o.Iterations
}

// LoopBound returns a bound from the number that a loop leaves, in which the largest float64 means
// none.
func LoopBound(x float64) float64 {
	if x >= math.MaxFloat64 {
		return math.Inf(1)
	}
	return x
}

// Worklist is the queue of a loop with items that run in an order that the data decide.
type Worklist struct {
	queue   []int32 // a ring
	waiting []bool
	head, n int
	runs    int
	item    int32   // the last one that ran
	last    float64 // the residual of the last run of an item that pushes others; other items are done after one run
}

// NewWorklist returns a list for n items.
func NewWorklist(items int) *Worklist {
	return &Worklist{queue: make([]int32, items), waiting: make([]bool, items)}
}

// Start puts all items into the queue, in order.
func (w *Worklist) Start() {
	w.head, w.n, w.runs, w.last = 0, len(w.queue), 0, 0
	for i := range w.queue {
		w.queue[i], w.waiting[i] = int32(i), true
	}
}

// Next removes the next item from the queue. If the loop is over, ok is false and r is its report.
// An iteration is as many runs as there are items.
func (w *Worklist) Next(o *LoopOptions, r *Report) (item int, ok bool) {
	items := len(w.queue)
	if w.n == 0 || w.runs/items >= o.Iterations {
		r.Iterations = (w.runs + items - 1) / items
		r.Residual = w.last
		if w.n == 0 {
			r.Status = Converged
		}
		return 0, false
	}
	item = int(w.queue[w.head])
	w.head, w.n = (w.head+1)%items, w.n-1
	w.waiting[item] = false
	w.runs++
	w.item = int32(item)
	return item, true
}

// Ran records the residual of an item's run and appends the items that it pushes. It appends the
// item itself if damping left more than the tolerance of its way.
func (w *Worklist) Ran(o *LoopOptions, residual float64, push []int32) {
	if len(push) > 0 {
		w.last = residual
	}
	if residual <= o.Tolerance {
		return
	}
	for _, x := range push {
		w.push(x)
	}
	if left := residual * o.Damping; left > 0 && left > o.Tolerance {
		w.push(w.item)
	}
}

// push appends an item that is not in the queue.
func (w *Worklist) push(x int32) {
	if w.waiting[x] {
		return
	}
	w.waiting[x] = true
	w.queue[(w.head+w.n)%len(w.queue)] = x
	w.n++
}

// Damp moves old towards next: to rate times old plus 1-rate times next. It returns the largest
// difference between the two before, or residual if that is larger.
func Damp(old, next []float64, rate, residual float64) float64 {
	next = next[:len(old)]
	for i, x := range old {
		y := next[i]
		residual = max(residual, math.Abs(y-x))
		if rate != 0 {
			y = float64(rate*x) + float64((1-rate)*y)
		}
		old[i] = y
	}
	return residual
}

// Boltzmann sets out to exp(-E), normalised, where E is the sum of energies; with a weight that is
// not nil, to weight*exp(-E). The smallest energy of positive weight is subtracted first. If no
// weight is positive, out is zero.
func Boltzmann(out, weight []float64, energies ...[]float64) {
	least := math.Inf(1)
	for i := range out {
		sum := 0.0
		for _, e := range energies {
			sum += e[i]
		}
		out[i] = sum
		if weight == nil || weight[i] > 0 {
			least = min(least, sum)
		}
	}
	for i, sum := range out {
		switch {
		case weight == nil:
			out[i] = math.Exp(least - sum)
		case weight[i] > 0:
			out[i] = float64(weight[i] * math.Exp(least-sum))
		default:
			out[i] = 0
		}
	}
	Normalize(out)
}

// leastPower is the logarithm of 2^-200, the least non-zero result of Powers relative to the
// largest. Messages that never converge may drift apart without end, and a zero would mean that a
// state is impossible.
const leastPower = -200 * math.Ln2

// Powers sets out to the product of powers of in, normalised. If one of the numbers is 0, with any
// power, so is the result; otherwise the result is at least 2^-200 of the largest number of out.
func Powers(out, powers []float64, in ...[]float64) {
	clear(out)
	for k, x := range in {
		addPower(out, x, powers[k])
	}
	ofLogarithms(out)
}

// addPower adds power times the logarithm of x to out. A logarithm of -Inf stays.
func addPower(out, x []float64, power float64) {
	x = x[:len(out)]
	for i, v := range x {
		if v > 0 {
			out[i] += float64(power * Ln(v))
		} else {
			out[i] = math.Inf(-1)
		}
	}
}

// ofLogarithms replaces logarithms by their exponentials, normalised.
func ofLogarithms(out []float64) {
	largest := math.Inf(-1)
	for _, x := range out {
		largest = max(largest, x)
	}
	for i, x := range out {
		if math.IsInf(x, -1) {
			out[i] = 0
		} else {
			out[i] = math.Exp(max(x-largest, leastPower))
		}
	}
	Normalize(out)
}

// TallyLog adds factor times ln of the sum of x to *total. If the sum is 0, it sets *possible to 0
// instead.
func TallyLog(total, possible *float64, factor float64, x []float64) {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	if sum == 0 {
		*possible = 0
		return
	}
	*total += float64(factor * Ln(sum))
}

// TallySum adds to *total factor times the sum of x.
func TallySum(total *float64, factor float64, x []float64) {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	*total += float64(factor * sum)
}

// TallyEntropy adds factor times the sum of x ln (ref/x) to *total, where 0 ln anything is 0, and a
// nil ref is 1.
func TallyEntropy(total *float64, factor float64, x, ref []float64) {
	sum := 0.0
	for i, v := range x {
		if v <= 0 {
			continue
		}
		log := -Ln(v)
		if ref != nil {
			log += Ln(ref[i])
		}
		sum += float64(v * log)
	}
	*total += float64(factor * sum)
}
