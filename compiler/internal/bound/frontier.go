package bound

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/internal/heap"
)

// component is the part of a root of the pseudo tree: it is independent of the others.
type component struct {
	root     int
	sequence []int // the maximised variables that tasks may fix, ancestors first
	vars     []int // all maximised variables, in the order of the file
	queue    heap.Heap[*task]
	tasks    int // so far
	best     []solutionStates
	minValue float64 // states of a smaller value are not asked for
}

// solutionStates is a joint state of the maximised variables of a component, in the order of its
// vars.
type solutionStates struct {
	value  float64
	states []int
}

// task is a subspace that has yet to be searched: the first variables of the component's sequence
// have states.
type task struct {
	upper     float64
	states    []int32
	number    int // tasks with equal bounds follow each other by it
	nodeLimit int // nodes of the next attempt
}

// Before reports whether t is to be searched before another task: if its bound is larger.
func (t *task) Before(other *task) bool {
	if t.upper != other.upper {
		return t.upper > other.upper
	}
	return t.number < other.number
}

func newComponent(s *pseudo, e *elimination, root int) *component {
	c := &component{root: root, minValue: math.Inf(-1)}
	for _, v := range s.part(root) {
		if s.Max[v] {
			c.vars = append(c.vars, v)
		}
		if s.Max[v] && !s.exact[v] {
			c.sequence = append(c.sequence, v)
		}
	}
	slices.Sort(c.vars)
	c.push(&task{upper: s.root(e, root), nodeLimit: initialTaskNodes})
	return c
}

func (c *component) push(t *task) {
	if !math.IsInf(t.upper, -1) {
		t.number = c.tasks
		c.tasks++
		c.queue.Push(t)
	}
}

// floor returns the value that states must have to be among the best.
func (c *component) floor(keep int) float64 {
	if len(c.best) < keep {
		return c.minValue
	}
	return c.best[keep-1].value
}

// value returns the value of the best states; -Inf without any.
func (c *component) value() float64 { return c.floor(1) }

// bound returns the largest value that states may have.
func (c *component) bound() float64 {
	if len(c.queue) > 0 {
		return max(c.value(), c.queue[0].upper)
	}
	return c.value()
}

// offer puts states among the best if they are better, or as good and earlier in the order of the
// file.
func (c *component) offer(x solutionStates, keep int, precedes func(x, y *solutionStates) bool) {
	at := len(c.best)
	for at > 0 && precedes(&x, &c.best[at-1]) {
		at--
	}
	if at > 0 && slices.Equal(c.best[at-1].states, x.states) {
		return
	}
	if c.best = slices.Insert(c.best, at, x); len(c.best) > keep {
		c.best = c.best[:keep]
	}
}

// hopeless reports whether no states of a task are better than the best, or as good and earlier,
// and whether states that are may be better by rounding. only[v] is the state that the task gives
// v, or negative.
func (c *component) hopeless(t *task, keep int, tie float64, only func(v int) int) (hopeless, near bool) {
	floor := c.floor(keep)
	if math.IsInf(t.upper, -1) || t.upper < floor-tie {
		return true, false
	}
	if t.upper > floor+tie || len(c.best) < keep {
		return false, true
	}
	for i, v := range c.vars {
		if k := max(0, only(v)); k != c.best[keep-1].states[i] {
			return k > c.best[keep-1].states[i], true
		}
	}
	return true, true
}
