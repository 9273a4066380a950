package pgmrt

import "math"

// maxFlow is a maximum flow in a graph with a source and a sink, by growing a tree of residual arcs
// from each until they meet (Boykov and Kolmogorov 2004, An experimental comparison of min-cut/
// max-flow algorithms, section 3). The graph does not change; capacities do.
//
// Capacities are multiples of one power of two, and at most 2^53 of it, so that all sums are exact.
// The nodes that can reach the sink are the same after every maximum flow, so that the answer
// depends only on the capacities.
type maxFlow struct {
	first, arcs, head []int32   // by node: the place in arcs of its first arc; by arc: its head. Arc a^1 is the reverse of a
	left              []float64 // by arc: the capacity that is left
	terminal          []float64 // by node: what is left of its capacity from the source, or negated of that to the sink
	parent            []int32   // by node: the arc to its parent in the tree, or one of the numbers below
	sink              []int32   // by node: 1 if its tree is the sink's
	distance, stamp   []int32   // by node: its depth in its tree, and when that was known
	active, orphans   flowQueue
	queued            []int32 // by node: 1 if it is in active
	time              int32
	total             float64 // the flow so far
}

// Nodes without an arc to a parent: in no tree, next to the source or sink, and cut off from the
// rest of the tree for the moment.
const (
	flowFree   = -1
	flowRoot   = -2
	flowOrphan = -3
)

// flowQueue is a queue of distinct nodes, in a ring with a place for each node.
type flowQueue struct {
	ring    []int32
	head, n int
}

func (q *flowQueue) push(i int32) {
	at := q.head + q.n
	if at >= len(q.ring) {
		at -= len(q.ring)
	}
	q.ring[at] = i
	q.n++
}

func (q *flowQueue) pop() int32 {
	i := q.ring[q.head]
	if q.head++; q.head == len(q.ring) {
		q.head = 0
	}
	q.n--
	return i
}

// newMaxFlow divides memory for a graph: numbers for two capacities of each edge and one of each
// node, and flowInts integers for each node. All capacities are zero.
func newMaxFlow(first, arcs, head []int32, numbers []float64, ints []int32) maxFlow {
	n := len(first) - 1
	take := func() []int32 {
		part := ints[:n]
		ints = ints[n:]
		return part
	}
	f := maxFlow{first: first, arcs: arcs, head: head, left: numbers[:len(head)], terminal: numbers[len(head):][:n]}
	f.parent, f.sink, f.distance, f.stamp, f.queued = take(), take(), take(), take(), take()
	f.active.ring, f.orphans.ring = take(), take()
	clear(f.left)
	clear(f.terminal)
	return f
}

// flowInts is the number of integers of a node.
const flowInts = 7

// run raises the flow to the largest one.
func (f *maxFlow) run() {
	f.active.head, f.active.n, f.orphans.head, f.orphans.n, f.time = 0, 0, 0, 0, 0
	clear(f.queued)
	clear(f.stamp)
	for i, c := range f.terminal {
		f.parent[i] = flowFree
		if c == 0 {
			continue
		}
		f.sink[i] = 0
		if c < 0 {
			f.sink[i] = 1
		}
		f.parent[i], f.distance[i] = flowRoot, 1
		f.activate(int32(i))
	}
	for f.active.n > 0 {
		i := f.active.pop()
		f.queued[i] = 0
		for f.parent[i] != flowFree {
			meet := f.grow(i)
			if meet < 0 {
				break
			}
			f.time++
			f.augment(meet)
			for f.orphans.n > 0 {
				f.adopt(f.orphans.pop())
			}
		}
	}
}

// beyond reports whether node i can reach the sink, after run.
func (f *maxFlow) beyond(i int) bool { return f.parent[i] != flowFree && f.sink[i] == 1 }

// activate queues a node with neighbours that may join its tree.
func (f *maxFlow) activate(i int32) {
	if f.queued[i] == 0 {
		f.queued[i] = 1
		f.active.push(i)
	}
}

// along returns the arc in which flow runs between i and the head of its arc a: away from i in the
// tree of the source, and towards i in the tree of the sink.
func (f *maxFlow) along(i, a int32) int32 { return a ^ f.sink[i] }

// grow adds the free neighbours of i to its tree. It returns the first arc from the source's tree
// to the sink's that has capacity left, or -1.
func (f *maxFlow) grow(i int32) (meet int32) {
	for _, a := range f.arcs[f.first[i]:f.first[i+1]] {
		if f.left[f.along(i, a)] <= 0 {
			continue
		}
		j := f.head[a]
		switch {
		case f.parent[j] == flowFree:
			f.sink[j] = f.sink[i]
			f.join(j, a^1, f.stamp[i], f.distance[i]+1)
			f.activate(j)
		case f.sink[j] != f.sink[i]:
			return f.along(i, a)
		case f.stamp[j] <= f.stamp[i] && f.distance[j] > f.distance[i]: // nearer to the root
			f.join(j, a^1, f.stamp[i], f.distance[i]+1)
		}
	}
	return -1
}

// join makes the head of arc a the parent of i.
func (f *maxFlow) join(i, a, stamp, distance int32) {
	f.parent[i], f.stamp[i], f.distance[i] = a, stamp, distance
}

// augment sends as much as fits along the path through arc meet. Nodes become orphans if their arcs
// to their parents are then full.
func (f *maxFlow) augment(meet int32) {
	much := min(f.left[meet], f.room(f.head[meet^1]), f.room(f.head[meet]))
	f.left[meet] -= much
	f.left[meet^1] += much
	f.drain(f.head[meet^1], much)
	f.drain(f.head[meet], much)
	f.total += much
}

// room returns the least capacity that is left between node i and the terminal of its tree.
func (f *maxFlow) room(i int32) float64 {
	least := math.Inf(1)
	for ; f.parent[i] != flowRoot; i = f.head[f.parent[i]] {
		least = min(least, f.left[f.along(i, f.parent[i])^1])
	}
	return min(least, math.Abs(f.terminal[i]))
}

// drain sends flow between node i and the terminal of its tree.
func (f *maxFlow) drain(i int32, much float64) {
	for {
		a := f.parent[i]
		if a == flowRoot {
			break
		}
		arc := f.along(i, a) ^ 1
		f.left[arc] -= much
		f.left[arc^1] += much
		next := f.head[a]
		if f.left[arc] == 0 {
			f.cutOff(i)
		}
		i = next
	}
	if f.sink[i] == 1 {
		much = -much
	}
	f.terminal[i] -= much
	if f.terminal[i] == 0 {
		f.cutOff(i)
	}
}

func (f *maxFlow) cutOff(i int32) {
	f.parent[i] = flowOrphan
	f.orphans.push(i)
}

// adopt finds a new parent for an orphan: the neighbour in its tree nearest to the root. Without
// one the orphan becomes free, its children orphans, and neighbours that could reach it active.
func (f *maxFlow) adopt(i int32) {
	best, nearest := int32(flowFree), int32(math.MaxInt32)
	arcs := f.arcs[f.first[i]:f.first[i+1]]
	for _, a := range arcs {
		j := f.head[a]
		if f.left[f.along(i, a)^1] <= 0 || f.parent[j] == flowFree || f.sink[j] != f.sink[i] {
			continue
		}
		if d := f.depth(j); d < nearest {
			best, nearest = a, d
		}
	}
	if best != flowFree {
		f.join(i, best, f.time, nearest+1)
		return
	}
	for _, a := range arcs {
		j := f.head[a]
		if f.parent[j] == flowFree || f.sink[j] != f.sink[i] {
			continue
		}
		if f.left[f.along(i, a)^1] > 0 {
			f.activate(j)
		}
		if p := f.parent[j]; p >= 0 && f.head[p] == i {
			f.cutOff(j)
		}
	}
	f.parent[i] = flowFree
}

// depth returns the number of nodes from i to the root of its tree, and stamps them with their own;
// the largest number if an orphan lies between.
func (f *maxFlow) depth(i int32) int32 {
	d, k := int32(0), i
	for f.stamp[k] != f.time {
		d++
		switch f.parent[k] {
		case flowOrphan, flowFree:
			return math.MaxInt32
		case flowRoot:
			f.join(k, flowRoot, f.time, 1)
			d--
			continue
		}
		k = f.head[f.parent[k]]
	}
	d += f.distance[k]
	for n := d; f.stamp[i] != f.time; n-- {
		f.stamp[i], f.distance[i] = f.time, n
		i = f.head[f.parent[i]]
	}
	return d
}
