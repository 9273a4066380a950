package pass

import (
	"math"
	"slices"
)

// maxWaysBlock is the most classes of one block.
const maxWaysBlock = 64

// class is what one set of posteriors needs: nodes of a circuit, or steps.
type class struct {
	set   int32
	items []int32
	work  int
	next  []int32 // classes that use it
	wait  int     // classes that it uses and that have no place in the order yet
}

// classes divides nodes or steps by the set of posteriors that need them. They run in an order in
// which classes of one branch of the clique tree are neighbours, and neighbours share a block if
// that makes the posteriors cheaper.
type classes struct {
	sets  *setPool
	at    []int32 // by set: its class, or -1
	of    []class
	edges map[[2]int32]bool
}

func newClasses(sets *setPool) *classes {
	return &classes{sets: sets, at: slices.Repeat([]int32{-1}, len(sets.words)), edges: map[[2]int32]bool{}}
}

// add adds an item to the class of the set that needs it, and returns the class.
func (c *classes) add(set, item int32, work int) int32 {
	at := &c.at[set]
	if *at < 0 {
		*at = int32(len(c.of))
		c.of = append(c.of, class{set: set})
	}
	x := &c.of[*at]
	x.items, x.work = append(x.items, item), x.work+work
	return *at
}

// edge notes that class to uses class from.
func (c *classes) edge(from, to int32) {
	if e := [2]int32{from, to}; from != to && !c.edges[e] {
		c.edges[e] = true
		c.of[from].next = append(c.of[from].next, to)
		c.of[to].wait++
	}
}

// inOrder returns the classes in an order in which each follows those that it uses. A class follows
// the last one that it uses at once if it can, so that the classes of one branch are neighbours.
func (c *classes) inOrder() []int32 {
	var order, stack []int32
	for i := range c.of {
		if c.of[i].wait == 0 {
			stack = append(stack, int32(i))
		}
	}
	slices.Reverse(stack)
	for len(stack) > 0 {
		x := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		order = append(order, x)
		for _, y := range c.of[x].next {
			if c.of[y].wait--; c.of[y].wait == 0 {
				stack = append(stack, y)
			}
		}
	}
	return order
}

// blocks puts neighbouring classes into common blocks, so that the sum over all posteriors of the
// work and of the prices of the blocks that they run is least, and the blocks of all posteriors
// together cost as much again. It returns the items of each block, in the order of their numbers.
func (c *classes) blocks(price int) (blocks [][]int32) {
	order := c.inOrder()
	best := make([]float64, len(order)+1) // by place: the least cost of the classes from there on
	end := make([]int, len(order))
	for i := len(order) - 1; i >= 0; i-- {
		best[i] = math.Inf(1)
		set, work := int32(emptySet), 0
		for j := i; j < min(len(order), i+maxWaysBlock); j++ {
			x := &c.of[order[j]]
			set, work = c.sets.union(set, x.set), work+x.work
			cost := float64(c.sets.size(set))*float64(work+price) + float64(c.sets.bits*price) + best[j+1]
			if cost < best[i] {
				best[i], end[i] = cost, j+1
			}
		}
	}
	for i := 0; i < len(order); i = end[i] {
		var items []int32
		for _, x := range order[i:end[i]] {
			items = append(items, c.of[x].items...)
		}
		slices.Sort(items)
		blocks = append(blocks, items)
	}
	return blocks
}
