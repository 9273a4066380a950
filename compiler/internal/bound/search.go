package bound

import (
	"context"
	"math"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/pgmc-go/pgmc/ir/group"
)

// Incumbent is the result of a search.
type Incumbent struct {
	States []int   // the best states so far, by variable; those of summed variables are meaningless
	Value  float64 // ln of their value; -Inf if no possible states were found
	Bound  float64 // no states have a larger ln
	Proven bool    // Value is the largest up to rounding, and of several the best are known
	Near   bool    // other states may be better, by rounding at most
	Nodes  int
	More   []Assignment // the next best states that were found, if more than one were asked for
	Guess  *Assignment  // states of a search that found none, with a lower bound of their value; nil if unknown
}

// Assignment is a joint state of all variables, such as Found has.
type Assignment struct {
	States []int
	Value  float64
}

// A search goes on in waves of several tasks, each a depth-first search with a limit. A task that
// reaches its limit is split by the states of one more variable. All tasks of a wave begin with the
// results before it, so that the answer depends neither on the number of cores nor on timing. The
// limits grow while most tasks reach them, so that splitting takes a small share of the work.
const (
	waveTasks        = 8
	initialTaskNodes = 1 << 10
	minTaskNodes     = 1 << 8
	maxTaskNodes     = 1 << 16
)

// search is a best-first search with depth-first searches as steps (Allouche et al. 2015, Anytime
// hybrid best-first search), over an AND/OR tree.
type search struct {
	*pseudo
	e           *elimination
	ctx         context.Context
	limits      Limits
	parts       []*component
	memo        []map[uint64]memoEntry
	entries     int
	workers     []*branch
	nodes       int
	taskNodes   int                        // nodes of an attempt
	near        bool                       // see branch
	localSearch *improvement               // local search beside it; nil without
	report      func(value, bound float64) // after each wave
}

// taskResult is what an attempt at a task finds.
type taskResult struct {
	solutions []solutionStates
	memo      map[int]map[uint64]memoEntry
	entries   int
	nodes     int
	stopped   bool
	near      bool
}

func newSearch(ctx context.Context, s *pseudo, e *elimination, limits Limits) *search {
	if limits.Entries == 0 {
		limits.Entries = 1 << 21
	}
	if limits.Nodes == 0 {
		limits.Nodes = math.MaxInt
	}
	limits.Keep = max(limits.Keep, 1)
	x := &search{pseudo: s, e: e, ctx: ctx, limits: limits, memo: make([]map[uint64]memoEntry, len(s.Card)), taskNodes: initialTaskNodes, report: func(float64, float64) {}}
	for _, v := range s.roots {
		x.parts = append(x.parts, newComponent(s, e, v))
	}
	for range min(waveTasks, runtime.GOMAXPROCS(0)) {
		x.workers = append(x.workers, newBranch(ctx, s, e, limits.Keep, x.memo))
	}
	return x
}

// tie returns how far rounding may part equal values.
func (x *search) tie() float64 { return x.workers[0].tie }

// run searches until all is proven, or a limit is reached. start has states to begin with, or is
// nil.
func (x *search) run(start []int) Incumbent {
	if start != nil {
		x.offerStart(start)
	}
	for x.ctx.Err() == nil && x.nodes < x.limits.Nodes {
		c := x.next()
		if c == nil {
			break
		}
		x.wave(c)
		x.report(x.value(), x.bound())
	}
	return x.incumbent()
}

// offerStart offers the states of start to each component that they may improve.
func (x *search) offerStart(start []int) {
	for _, c := range x.parts {
		if !x.Max[c.root] {
			continue
		}
		t := &task{nodeLimit: x.limits.Nodes - x.nodes}
		for _, v := range c.sequence {
			t.states = append(t.states, int32(start[v]))
		}
		o := x.workers[0].attempt(c, t, math.Inf(-1), x.limits.Entries-x.entries)
		x.applyResult(c, &o)
	}
}

// next returns the component with the least certain value; nil if all are proven.
func (x *search) next() (best *component) {
	widest := math.Inf(-1)
	for _, c := range x.parts {
		x.prune(c)
		if gap := c.bound() - c.value(); len(c.queue) > 0 && (best == nil || gap > widest) {
			best, widest = c, gap
		}
	}
	return best
}

// prune removes hopeless tasks from the front of the queue.
func (x *search) prune(c *component) {
	for len(c.queue) > 0 && x.hopeless(c, c.queue[0]) {
		c.queue.Pop()
	}
}

func (x *search) hopeless(c *component, t *task) bool {
	b := x.workers[0]
	b.fix(c, t)
	defer b.release(c)
	hopeless, near := c.hopeless(t, x.limits.Keep, x.tie(), func(v int) int { return b.fixedState[v] })
	x.near = x.near || hopeless && near
	return hopeless
}

// wave attempts several tasks of c, on all cores.
func (x *search) wave(c *component) {
	var tasks []*task
	for len(tasks) < waveTasks && len(c.queue) > 0 {
		tasks = append(tasks, c.queue.Pop())
		x.prune(c)
	}
	for _, t := range tasks {
		t.nodeLimit = max(1, min(max(t.nodeLimit, x.taskNodes), (x.limits.Nodes-x.nodes)/len(tasks)))
	}
	out := make([]taskResult, len(tasks))
	room, floor := (x.limits.Entries-x.entries)/len(tasks), c.floor(x.limits.Keep)
	jobs := len(tasks)
	if x.localSearch != nil {
		jobs++
	}
	var at atomic.Int32
	var wait group.Group
	for _, b := range x.workers[:min(jobs, len(x.workers))] {
		wait.Go(func() {
			for i := int(at.Add(1)) - 1; i < jobs; i = int(at.Add(1)) - 1 {
				if i == len(tasks) {
					x.localSearch.run(x.ctx)
				} else {
					out[i] = b.attempt(c, tasks[i], floor, room)
				}
			}
		})
	}
	wait.Wait()
	x.applyResults(c, tasks, out)
}

// applyResults takes over the findings of a wave's tasks, and splits the tasks that reached their
// limits.
func (x *search) applyResults(c *component, tasks []*task, out []taskResult) {
	for i := range out {
		x.applyResult(c, &out[i])
	}
	stopped := 0
	for i, t := range tasks {
		switch {
		case !out[i].stopped:
			continue
		case x.ctx.Err() != nil || x.nodes >= x.limits.Nodes:
			c.push(t)
			continue
		case len(t.states) == len(c.sequence) || len(c.queue) > x.limits.Entries:
			t.nodeLimit = 4 * t.nodeLimit
			c.push(t)
		default:
			x.split(c, t)
		}
		stopped++
	}
	switch {
	case 2*stopped > len(tasks):
		x.taskNodes = min(2*x.taskNodes, maxTaskNodes)
	case stopped == 0:
		x.taskNodes = max(x.taskNodes/2, minTaskNodes)
	}
	if x.localSearch != nil && x.localSearch.better(x) {
		x.offerStart(x.localSearch.state)
	}
}

// applyResult takes over what an attempt found and learned.
func (x *search) applyResult(c *component, o *taskResult) {
	x.nodes += o.nodes
	x.near = x.near || o.near
	for _, s := range o.solutions {
		c.offer(s, x.limits.Keep, x.precedes)
	}
	if o.entries > x.limits.Entries-x.entries {
		return
	}
	for v, own := range o.memo {
		if x.memo[v] == nil {
			x.memo[v] = own
			x.entries += len(own)
			continue
		}
		x.entries -= len(x.memo[v])
		for key, k := range own {
			x.memo[v][key] = k
		}
		x.entries += len(x.memo[v])
	}
}

// split replaces a task by one for each state of the next variable.
func (x *search) split(c *component, t *task) {
	b := x.workers[0]
	v := c.sequence[len(t.states)]
	for i, k := range t.states {
		b.state[c.sequence[i]] = int(k)
	}
	value := make([]float64, x.Card[v])
	b.promises(v, b.state, value)
	rest := t.upper - x.partBound(x.e, v, b.state)
	for k, y := range value {
		next := &task{upper: min(t.upper, rest+y), states: append(slices.Clone(t.states), int32(k))}
		if !x.hopeless(c, next) {
			c.push(next)
		}
	}
}

// fix gives variables the states of a task, and release frees them.
func (b *branch) fix(c *component, t *task) {
	for i, k := range t.states {
		b.fixedState[c.sequence[i]] = int(k)
	}
}

func (b *branch) release(c *component) {
	for _, v := range c.sequence {
		b.fixedState[v] = -1
	}
}

// attempt searches a task for states that are not worse than floor, with room for some entries in
// the memo.
func (b *branch) attempt(c *component, t *task, floor float64, room int) taskResult {
	b.nodes, b.maxNodes, b.stopped, b.passedOver = 0, t.nodeLimit, false, false
	b.entries, b.maxEntries = 0, room
	b.fix(c, t)
	defer b.release(c)
	out := taskResult{memo: map[int]map[uint64]memoEntry{}}
	if b.Max[c.root] {
		list, _ := b.solve(c.root, floor)
		for _, s := range list {
			out.solutions = append(out.solutions, b.score(c, s))
		}
	} else if x := b.sumPart(c.root); !b.stopped {
		out.solutions = append(out.solutions, solutionStates{value: x})
	}
	for _, v := range b.touched {
		out.memo[v], b.memo[v] = b.memo[v], nil
		out.entries += len(out.memo[v])
	}
	b.touched = b.touched[:0]
	if b.ties > 0 {
		clear(b.tied)
		b.ties = 0
	}
	out.nodes, out.stopped, out.near = b.nodes, b.stopped, b.passedOver
	return out
}

// score returns a solution of a component with its states.
func (b *branch) score(c *component, s *solution) solutionStates {
	b.fill(s, b.left)
	x := solutionStates{s.value, make([]int, len(c.vars))}
	for i, v := range c.vars {
		x.states[i] = b.left[v]
	}
	return x
}

// value returns ln of the best states so far, and bound the largest that any may have.
func (x *search) value() float64 {
	sum := x.constant
	for _, c := range x.parts {
		sum += c.value()
	}
	return sum
}

func (x *search) bound() float64 {
	sum := x.constant
	for _, c := range x.parts {
		sum += c.bound()
	}
	return sum
}

// incumbent sums the components up.
func (x *search) incumbent() Incumbent {
	f := Incumbent{Value: x.value(), Bound: x.bound(), Proven: x.next() == nil, Nodes: x.nodes}
	if f.Bound != f.Bound { // an impossible component beside one that was not searched
		f.Bound = math.Inf(-1)
	}
	list := x.assignments()
	f.States, f.Near = list[0].States, x.near
	if f.More = list[1:]; math.IsInf(f.Value, -1) {
		f.More = nil
	}
	return f
}

// assignments returns the best joint states of all components together.
func (x *search) assignments() []Assignment {
	list := []Assignment{{make([]int, len(x.Card)), x.constant}}
	for _, c := range x.parts {
		var next []Assignment
		for _, y := range list {
			for _, s := range c.best {
				z := Assignment{slices.Clone(y.States), y.Value + s.value}
				for i, v := range c.vars {
					z.States[v] = s.states[i]
				}
				at := len(next)
				for at > 0 && x.precedes(&solutionStates{z.Value, z.States}, &solutionStates{next[at-1].Value, next[at-1].States}) {
					at--
				}
				if next = slices.Insert(next, at, z); len(next) > x.limits.Keep {
					next = next[:x.limits.Keep]
				}
			}
		}
		if next != nil {
			list = next
		}
	}
	return list
}

// precedes reports whether a is better than b, or as good and earlier in the order of the file.
func (x *search) precedes(a, b *solutionStates) bool {
	switch tie := x.tie(); {
	case a.value > b.value+tie:
		return true
	case a.value < b.value-tie:
		return false
	}
	order := slices.Compare(a.states, b.states)
	x.near = x.near || order != 0
	return order < 0
}
