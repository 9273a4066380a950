package pgmrt

import "math"

// Priorities is the queue of a loop with items that run by priority: the largest residual among the
// items that pushed an item since it last ran. Residuals are compared by their powers of two, so
// that rounding hardly ever decides the order. Ties go to the item that has waited longest.
type Priorities struct {
	heap  []int32 // of items, the first to run on top
	place []int32 // by item: its index in the heap; -1 if it does not wait
	power []int32 // by item: the power of two of its residual
	since []int   // by item: the time at which it got that power
	clock int
	runs  int
	last  float64 // the residual of the last run of an item that pushes others
	item  int32   // the last one that ran
}

// everything is the initial power of two of all items.
const everything = math.MaxInt32

// NewPriorities returns a queue for n items.
func NewPriorities(items int) *Priorities {
	return &Priorities{heap: make([]int32, items), place: make([]int32, items), power: make([]int32, items), since: make([]int, items)}
}

// Start puts all items into the queue, in order.
func (q *Priorities) Start() {
	items := len(q.place)
	q.heap = q.heap[:items]
	q.clock, q.runs, q.last = items, 0, 0
	for i := range items {
		q.heap[i], q.place[i], q.power[i], q.since[i] = int32(i), int32(i), everything, i
	}
}

// Next removes the first item from the queue. If the loop is over, ok is false and r is its report:
// the residual is the largest that an item waits for, up to a factor of two, or if none waits the
// last run's. An iteration is as many runs as there are items.
func (q *Priorities) Next(o *LoopOptions, r *Report) (item int, ok bool) {
	items := len(q.place)
	if len(q.heap) == 0 || q.runs/items >= o.Iterations {
		r.Iterations = (q.runs + items - 1) / items
		r.Residual = q.last
		if len(q.heap) == 0 {
			r.Status = Converged
		} else {
			r.Residual = math.Ldexp(1, int(q.power[q.heap[0]]))
		}
		return 0, false
	}
	top := q.heap[0]
	end := len(q.heap) - 1
	q.set(0, q.heap[end])
	q.heap = q.heap[:end]
	q.down(0)
	q.place[top] = -1
	q.runs++
	q.item = top
	return int(top), true
}

// Ran records the residual of an item's run. The items that it pushes then wait for it, and so does
// the item itself if damping left more than the tolerance of its way.
func (q *Priorities) Ran(o *LoopOptions, residual float64, push []int32) {
	if len(push) > 0 {
		q.last = residual
	}
	if residual <= o.Tolerance {
		return
	}
	for _, x := range push {
		q.wait(x, powerOf(residual))
	}
	if left := residual * o.Damping; left > 0 && left > o.Tolerance {
		q.wait(q.item, powerOf(left))
	}
}

// powerOf returns the least p such that x is below 2^p.
func powerOf(x float64) int32 {
	if x == 0 {
		return math.MinInt32
	}
	_, p := math.Frexp(x)
	return int32(p)
}

// wait puts item x into the queue with a residual, unless it waits there with a larger one.
func (q *Priorities) wait(x, power int32) {
	at := int(q.place[x])
	if at >= 0 && q.power[x] >= power {
		return
	}
	q.power[x], q.since[x] = power, q.clock
	q.clock++
	if at < 0 {
		at = len(q.heap)
		q.heap = q.heap[:at+1]
		q.set(at, x)
	}
	for at > 0 && q.before(q.heap[at], q.heap[(at-1)/2]) {
		above := (at - 1) / 2
		x, y := q.heap[at], q.heap[above]
		q.set(at, y)
		q.set(above, x)
		at = above
	}
}

func (q *Priorities) set(at int, x int32) {
	q.heap[at], q.place[x] = x, int32(at)
}

// before reports whether x runs before y.
func (q *Priorities) before(x, y int32) bool {
	if q.power[x] != q.power[y] {
		return q.power[x] > q.power[y]
	}
	return q.since[x] < q.since[y]
}

// down moves the item at an index of the heap below those that run before it.
func (q *Priorities) down(at int) {
	for {
		next := 2*at + 1
		if next >= len(q.heap) {
			return
		}
		if next+1 < len(q.heap) && q.before(q.heap[next+1], q.heap[next]) {
			next++
		}
		if q.before(q.heap[at], q.heap[next]) {
			return
		}
		x, y := q.heap[at], q.heap[next]
		q.set(at, y)
		q.set(next, x)
		at = next
	}
}
