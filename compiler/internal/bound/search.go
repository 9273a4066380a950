package bound

import (
	"context"
	"math"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/pgmc-go/pgmc/ir/group"
)

// Found is the result of a search.
type Found struct {
	States []int   // the best states so far, by variable; those of summed variables are meaningless
	Value  float64 // ln of their value; -Inf if no possible states were found
	Bound  float64 // no states have a larger ln
	Proven bool    // Value is the largest up to rounding, and of several the best are known
	Near   bool    // other states may be better, by rounding at most
	Nodes  int
	More   []Choice // the next best states that were found, if more than one were asked for
	Guess  *Choice  // states of a search that found none, with a lower bound of their value; nil if unknown
}

// Choice is a joint state of all variables, such as Found has.
type Choice struct {
	States []int
	Value  float64
}

// A search goes on in waves of several tasks, each a depth-first search with a limit. A task that
// reaches its limit is split by the states of one more variable. All tasks of a wave begin with the
// results before it, so that the answer depends neither on the number of cores nor on timing. The
// limits grow while most tasks reach them, so that splitting takes a small share of the work.
const (
	waveTasks  = 8
	firstNodes = 1 << 10
	leastNodes = 1 << 8
	mostNodes  = 1 << 16
)

// search is a best-first search with depth-first searches as steps (Allouche et al. 2015, Anytime
// hybrid best-first search), over an AND/OR tree.
type search struct {
	*pseudo
	e       *elimination
	ctx     context.Context
	limits  Limits
	parts   []*component
	shared  []map[uint64]known
	entries int
	workers []*branch
	nodes   int
	each    int                        // nodes of an attempt
	near    bool                       // see branch
	other   *improvement               // local search beside it; nil without
	report  func(value, bound float64) // after each wave
}

// outcome is what an attempt at a task finds.
type outcome struct {
	found   []scored
	own     map[int]map[uint64]known
	entries int
	nodes   int
	stopped bool
	near    bool
}

func newSearch(ctx context.Context, s *pseudo, e *elimination, limits Limits) *search {
	if limits.Entries == 0 {
		limits.Entries = 1 << 21
	}
	if limits.Nodes == 0 {
		limits.Nodes = math.MaxInt
	}
	limits.Keep = max(limits.Keep, 1)
	x := &search{pseudo: s, e: e, ctx: ctx, limits: limits, shared: make([]map[uint64]known, len(s.Card)), each: firstNodes, report: func(float64, float64) {}}
	for _, v := range s.roots {
		x.parts = append(x.parts, newComponent(s, e, v))
	}
	for range min(waveTasks, runtime.GOMAXPROCS(0)) {
		x.workers = append(x.workers, newBranch(ctx, s, e, limits.Keep, x.shared))
	}
	return x
}

// tie returns how far rounding may part equal values.
func (x *search) tie() float64 { return x.workers[0].tie }

// run searches until all is proven, or a limit is reached. start has states to begin with, or is
// nil.
func (x *search) run(start []int) Found {
	if start != nil {
		x.begin(start)
	}
	for x.ctx.Err() == nil && x.nodes < x.limits.Nodes {
		c := x.next()
		if c == nil {
			break
		}
		x.wave(c)
		x.report(x.value(), x.bound())
	}
	return x.found()
}

// begin offers the states of start to each component that they may improve.
func (x *search) begin(start []int) {
	for _, c := range x.parts {
		if !x.Max[c.root] {
			continue
		}
		t := &task{most: x.limits.Nodes - x.nodes}
		for _, v := range c.sequence {
			t.states = append(t.states, int32(start[v]))
		}
		o := x.workers[0].attempt(c, t, math.Inf(-1), x.limits.Entries-x.entries)
		x.settle(c, &o)
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
	hopeless, near := c.hopeless(t, x.limits.Keep, x.tie(), func(v int) int { return b.only[v] })
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
		t.most = max(1, min(max(t.most, x.each), (x.limits.Nodes-x.nodes)/len(tasks)))
	}
	out := make([]outcome, len(tasks))
	room, floor := (x.limits.Entries-x.entries)/len(tasks), c.floor(x.limits.Keep)
	jobs := len(tasks)
	if x.other != nil {
		jobs++
	}
	var at atomic.Int32
	var wait group.Group
	for _, b := range x.workers[:min(jobs, len(x.workers))] {
		wait.Go(func() {
			for i := int(at.Add(1)) - 1; i < jobs; i = int(at.Add(1)) - 1 {
				if i == len(tasks) {
					x.other.run(x.ctx)
				} else {
					out[i] = b.attempt(c, tasks[i], floor, room)
				}
			}
		})
	}
	wait.Wait()
	x.conclude(c, tasks, out)
}

// conclude takes over the findings of a wave's tasks, and splits the tasks that reached their
// limits.
func (x *search) conclude(c *component, tasks []*task, out []outcome) {
	for i := range out {
		x.settle(c, &out[i])
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
			t.most = 4 * t.most
			c.push(t)
		default:
			x.split(c, t)
		}
		stopped++
	}
	switch {
	case 2*stopped > len(tasks):
		x.each = min(2*x.each, mostNodes)
	case stopped == 0:
		x.each = max(x.each/2, leastNodes)
	}
	if x.other != nil && x.other.better(x) {
		x.begin(x.other.state)
	}
}

// settle takes over what an attempt found and learned.
func (x *search) settle(c *component, o *outcome) {
	x.nodes += o.nodes
	x.near = x.near || o.near
	for _, s := range o.found {
		c.offer(s, x.limits.Keep, x.precedes)
	}
	if o.entries > x.limits.Entries-x.entries {
		return
	}
	for v, own := range o.own {
		if x.shared[v] == nil {
			x.shared[v] = own
			x.entries += len(own)
			continue
		}
		x.entries -= len(x.shared[v])
		for key, k := range own {
			x.shared[v][key] = k
		}
		x.entries += len(x.shared[v])
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
	rest := t.upper - x.here(x.e, v, b.state)
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
		b.only[c.sequence[i]] = int(k)
	}
}

func (b *branch) release(c *component) {
	for _, v := range c.sequence {
		b.only[v] = -1
	}
}

// attempt searches a task for states that are not worse than floor, with room for some entries in
// the memo.
func (b *branch) attempt(c *component, t *task, floor float64, room int) outcome {
	b.nodes, b.most, b.stopped, b.near = 0, t.most, false, false
	b.entries, b.space = 0, room
	b.fix(c, t)
	defer b.release(c)
	out := outcome{own: map[int]map[uint64]known{}}
	if b.Max[c.root] {
		list, _ := b.solve(c.root, floor)
		for _, s := range list {
			out.found = append(out.found, b.score(c, s))
		}
	} else if x := b.total(c.root); !b.stopped {
		out.found = append(out.found, scored{value: x})
	}
	for _, v := range b.touched {
		out.own[v], b.own[v] = b.own[v], nil
		out.entries += len(out.own[v])
	}
	b.touched = b.touched[:0]
	if b.ties > 0 {
		clear(b.tied)
		b.ties = 0
	}
	out.nodes, out.stopped, out.near = b.nodes, b.stopped, b.near
	return out
}

// score returns a solution of a component with its states.
func (b *branch) score(c *component, s *solution) scored {
	b.fill(s, b.left)
	x := scored{s.value, make([]int, len(c.vars))}
	for i, v := range c.vars {
		x.states[i] = b.left[v]
	}
	return x
}

// value returns ln of the best states so far, and bound the largest that any may have.
func (x *search) value() float64 {
	sum := x.alone
	for _, c := range x.parts {
		sum += c.value()
	}
	return sum
}

func (x *search) bound() float64 {
	sum := x.alone
	for _, c := range x.parts {
		sum += c.bound()
	}
	return sum
}

// found sums the components up.
func (x *search) found() Found {
	f := Found{Value: x.value(), Bound: x.bound(), Proven: x.next() == nil, Nodes: x.nodes}
	if f.Bound != f.Bound { // an impossible component beside one that was not searched
		f.Bound = math.Inf(-1)
	}
	list := x.choices()
	f.States, f.Near = list[0].States, x.near
	if f.More = list[1:]; math.IsInf(f.Value, -1) {
		f.More = nil
	}
	return f
}

// choices returns the best joint states of all components together.
func (x *search) choices() []Choice {
	list := []Choice{{make([]int, len(x.Card)), x.alone}}
	for _, c := range x.parts {
		var next []Choice
		for _, y := range list {
			for _, s := range c.best {
				z := Choice{slices.Clone(y.States), y.Value + s.value}
				for i, v := range c.vars {
					z.States[v] = s.states[i]
				}
				at := len(next)
				for at > 0 && x.precedes(&scored{z.Value, z.States}, &scored{next[at-1].Value, next[at-1].States}) {
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
func (x *search) precedes(a, b *scored) bool {
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
