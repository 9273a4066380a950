package contraction

import (
	"cmp"
	"math"
	"slices"
)

// Tree is a forest of binary trees over the leaves of a network, one for each set of leaves that
// are connected by variables. The nodes below the number of leaves are the leaves.
type Tree struct {
	// Stop reports whether a deadline has passed, which ends Anneal and Slice; nil: there is none.
	Stop func() bool

	net    *Network
	kids   [][2]int32 // by node; none for leaves
	parent []int32    // by node; -1 for a root
	scope  []set      // by node: the variables that some leaf outside has too; of a leaf: all
	size   []float64  // by node: the joint states of its scope
	fixed  []bool     // by node: all of its leaves are constant
	price  []float64  // by node
	total  float64    // of all prices

	a, b, c set // for the node of a rotation
	looked  int // words of sets that rotations have looked at
}

// none is the child of a leaf and the parent of a root.
const none = int32(-1)

// New returns the tree of an elimination order of the variables whose states are not known. The
// nodes of each bucket are multiplied two by two, those with the smallest product first.
func New(n *Network, order []int) *Tree {
	words := (len(n.States) + 63) / 64
	t := &Tree{net: n, a: make(set, words), b: make(set, words), c: make(set, words)}
	b := &builder{Tree: t, left: make([]bool, len(n.States)), having: make([][]int32, len(n.States))}
	for _, v := range order {
		b.left[v] = true
	}
	for _, leaf := range n.Leaves {
		p := t.add(none, none)
		for _, v := range leaf.Scope {
			if b.left[v] {
				t.scope[p].add(v)
				b.having[v] = append(b.having[v], p)
			}
		}
		t.size[p], t.fixed[p] = n.size(t.scope[p]), leaf.Constant
	}
	for _, v := range order {
		b.eliminate(v)
	}
	t.measure()
	return t
}

// add adds a node with the given children.
func (t *Tree) add(x, y int32) int32 {
	p := int32(len(t.kids))
	t.kids, t.parent, t.scope = append(t.kids, [2]int32{x, y}), append(t.parent, none), append(t.scope, make(set, len(t.a)))
	t.size, t.fixed, t.price = append(t.size, 1), append(t.fixed, false), append(t.price, 0)
	if x != none {
		t.parent[x], t.parent[y] = p, p
		t.fixed[p] = t.fixed[x] && t.fixed[y]
	}
	return p
}

// leaf reports whether node p is a leaf.
func (t *Tree) leaf(p int32) bool { return t.kids[p][0] == none }

// builder makes the tree of an order. The scopes that it gives to nodes lack eliminated variables.
type builder struct {
	*Tree
	left   []bool    // by variable: it is not eliminated yet
	having [][]int32 // by variable: the nodes that have it, some of which have parents by now
}

// fewClosest is the most nodes of which all pairs are compared. Of more, the two smallest are
// multiplied.
const fewClosest = 48

// eliminate multiplies all nodes that have v.
func (b *builder) eliminate(v int) {
	in := slices.DeleteFunc(b.having[v], func(x int32) bool { return b.parent[x] != none })
	b.left[v] = false
	for len(in) > 1 {
		x, y := b.closest(in)
		p := b.multiply(in[x], in[y], len(in) == 2)
		in = append(slices.Delete(slices.Delete(in, y, y+1), x, x+1), p)
	}
	if len(in) == 1 {
		b.drop(in[0])
	}
}

// closest returns the places of the two nodes to multiply next, x before y.
func (b *builder) closest(in []int32) (x, y int) {
	if len(in) > fewClosest {
		slices.SortStableFunc(in, func(p, q int32) int { return cmp.Compare(b.size[p], b.size[q]) })
		return 0, 1
	}
	best := math.Inf(1)
	y = 1
	for i := range in {
		for j := i + 1; j < len(in); j++ {
			b.c.union(b.scope[in[i]], b.scope[in[j]])
			if n := b.net.size(b.c); n < best {
				best, x, y = n, i, j
			}
		}
	}
	return x, y
}

// multiply adds the product of x and y. If it is the last of a bucket, it loses the variables that
// are eliminated.
func (b *builder) multiply(x, y int32, last bool) int32 {
	p := b.add(x, y)
	b.scope[p].union(b.scope[x], b.scope[y])
	b.size[p] = b.net.size(b.scope[p])
	if last {
		b.drop(p)
	}
	b.scope[p].each(func(v int) { b.having[v] = append(b.having[v], p) })
	return p
}

// drop removes the variables that are eliminated from the scope of p.
func (b *builder) drop(p int32) {
	clear(b.c)
	b.scope[p].each(func(v int) {
		if b.left[v] {
			b.c.add(v)
		}
	})
	copy(b.scope[p], b.c)
	b.size[p] = b.net.size(b.c)
}

// stopped reports whether searches have to end.
func (t *Tree) stopped() bool { return t.Stop != nil && t.Stop() }

// measure computes the scopes, sizes and prices of all nodes from the shape of the tree. A variable
// is summed out at the lowest node that has all leaves with it below, or above its only leaf.
func (t *Tree) measure() {
	order := t.postOrder(func(p int32) [2]int32 { return t.kids[p] })
	top := t.tops(order)
	t.total = 0
	for _, p := range order {
		if t.leaf(p) {
			clear(t.scope[p])
			for _, v := range t.net.Leaves[p].Scope {
				if t.net.States[v] > 0 {
					t.scope[p].add(v)
				}
			}
			t.size[p] = t.net.size(t.scope[p])
			continue
		}
		x, y := t.kids[p][0], t.kids[p][1]
		t.a.union(t.scope[x], t.scope[y])
		clear(t.scope[p])
		t.a.each(func(v int) {
			if top[v] != p && !t.leaf(top[v]) {
				t.scope[p].add(v)
			}
		})
		t.size[p] = t.net.size(t.scope[p])
		t.price[p] = t.priceOf(t.net.size(t.a), t.size[p], x, y)
		t.total += t.price[p]
	}
}

// tops returns, by variable, the lowest node below which all leaves with it are.
func (t *Tree) tops(order []int32) []int32 {
	depth := make([]int32, len(t.kids))
	for _, p := range slices.Backward(order) {
		if up := t.parent[p]; up != none {
			depth[p] = depth[up] + 1
		}
	}
	top := slices.Repeat([]int32{none}, len(t.net.States))
	for i, leaf := range t.net.Leaves {
		for _, v := range leaf.Scope {
			if x := top[v]; x == none {
				top[v] = int32(i)
			} else if t.net.States[v] > 0 {
				top[v] = t.meet(x, int32(i), depth)
			}
		}
	}
	return top
}

// meet returns the lowest node above both x and y.
func (t *Tree) meet(x, y int32, depth []int32) int32 {
	for x != y {
		if depth[x] < depth[y] {
			x, y = y, x
		}
		x = t.parent[x]
	}
	return x
}

// postOrder lists all nodes, each after its children, which kids returns in the order to visit.
func (t *Tree) postOrder(kids func(p int32) [2]int32) []int32 {
	out := make([]int32, 0, len(t.kids))
	var visit func(p int32)
	visit = func(p int32) {
		if !t.leaf(p) {
			for _, c := range kids(p) {
				visit(c)
			}
		}
		out = append(out, p)
	}
	for p := range t.kids {
		if t.parent[p] == none {
			visit(int32(p))
		}
	}
	return out
}

// priceOf returns the price of a node over u joint states whose result has out entries: operations,
// and numbers that are read and written.
func (t *Tree) priceOf(u, out float64, x, y int32) float64 {
	price := u*terms(u, out) + t.size[x] + t.size[y] + out
	if t.net.Derivatives {
		for _, c := range [2]int32{x, y} {
			if !t.fixed[c] {
				price += u*terms(u, t.size[c]) + t.size[x] + t.size[y] + out
			}
		}
	}
	return price
}

// Cost is the cost of a tree, by the counts of its network.
type Cost struct {
	Operations float64 // multiplications and additions
	Numbers    float64 // entries of results: those that are kept at one time, or all if derivatives are wanted, and these
	Largest    float64 // joint states of a product
}

// Cost returns the cost of t.
func (t *Tree) Cost() Cost {
	var c Cost
	for p := range t.kids {
		p := int32(p)
		if t.leaf(p) {
			continue
		}
		x, y := t.kids[p][0], t.kids[p][1]
		t.a.union(t.scope[x], t.scope[y])
		u := t.net.size(t.a)
		c.Largest = max(c.Largest, u)
		c.Operations += u * terms(u, t.size[p])
		if t.net.Derivatives {
			c.Numbers += 2 * t.size[p]
			for _, k := range [2]int32{x, y} {
				if !t.fixed[k] {
					c.Operations += u * terms(u, t.size[k])
				}
			}
		}
	}
	if !t.net.Derivatives {
		for p, need := range t.needs() {
			if t.parent[p] == none {
				c.Numbers = max(c.Numbers, need)
			}
		}
	}
	return c
}

// needs returns, by node, the most entries of results that are kept at one time while the node is
// computed, the child that needs more first.
func (t *Tree) needs() []float64 {
	need := make([]float64, len(t.kids))
	for _, p := range t.postOrder(func(p int32) [2]int32 { return t.kids[p] }) {
		if t.leaf(p) {
			continue
		}
		x, y := t.kids[p][0], t.kids[p][1]
		if need[x] < need[y] {
			x, y = y, x
		}
		need[p] = max(need[x], t.kept(x)+need[y], t.kept(x)+t.kept(y)+t.size[p])
	}
	return need
}

// kept returns the entries of the result of p, which are none for a leaf.
func (t *Tree) kept(p int32) float64 {
	if t.leaf(p) {
		return 0
	}
	return t.size[p]
}

// Step is a product of two nodes of a tree.
type Step struct {
	Node, Left, Right int   // numbers of nodes; those of leaves are their places in the network
	Constant          bool  // all leaves below are constant
	Scope             []int // the variables of the result, in increasing order
	Sums              []int // the variables that are summed out
}

// Steps lists the products so that each comes after those that it needs, and of two parts the one
// that needs more memory comes first. Roots lists the nodes that no other needs.
func (t *Tree) Steps() (steps []Step, roots []int) {
	need := t.needs()
	for _, p := range t.postOrder(func(p int32) [2]int32 {
		x, y := t.kids[p][0], t.kids[p][1]
		if need[x] < need[y] {
			x, y = y, x
		}
		return [2]int32{x, y}
	}) {
		if t.parent[p] == none {
			roots = append(roots, int(p))
		}
		if t.leaf(p) {
			continue
		}
		x, y := t.kids[p][0], t.kids[p][1]
		s := Step{Node: int(p), Left: int(x), Right: int(y), Constant: t.fixed[p]}
		t.a.union(t.scope[x], t.scope[y])
		t.a.each(func(v int) {
			if t.scope[p].has(v) {
				s.Scope = append(s.Scope, v)
			} else {
				s.Sums = append(s.Sums, v)
			}
		})
		steps = append(steps, s)
	}
	return steps, roots
}

// Order returns the elimination order of the tree: variables as they are summed out. Those of a
// network of one leaf come last.
func (t *Tree) Order() []int {
	var order []int
	steps, roots := t.Steps()
	for _, s := range steps {
		order = append(order, s.Sums...)
	}
	for _, r := range roots {
		t.scope[r].each(func(v int) { order = append(order, v) })
	}
	return order
}
