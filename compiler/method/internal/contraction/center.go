package contraction

// centerSlack is the multiple of the price that Center may reach.
const centerSlack = 1.05

// Center moves the root of each tree to the middle of its longest chain of products. A program
// computes messages from the leaves to the root and back: each waits for the one before, and a
// processor has other work meanwhile only if chains are short. The products of a node are over the
// same joint states wherever the root is, so that the price hardly changes.
func (t *Tree) Center() {
	most := centerSlack * t.total
	for p := range t.kids {
		if p := int32(p); t.parent[p] == none && !t.leaf(p) {
			for t.moveRoot(p, most) {
			}
		}
	}
	t.measure()
}

// moveRoot moves root p by one node towards the longest chain, if that makes the longest chain
// shorter and the price at most most, and reports whether it did.
func (t *Tree) moveRoot(p int32, most float64) bool {
	height := t.heights(p)
	r := rotation{p: p}
	if x, y := t.kids[p][0], t.kids[p][1]; height[y] > height[x] {
		r.side = 1
	}
	c, other := t.kids[p][r.side], t.kids[p][1-r.side]
	if t.leaf(c) {
		return false
	}
	if x, y := t.kids[c][0], t.kids[c][1]; height[y] > height[x] {
		r.kid = 1
	}
	long, rest := t.kids[c][r.kid], t.kids[c][1-r.kid]
	if max(height[long], 1+max(height[rest], height[other])) >= height[c] {
		return false
	}
	t.try(&r)
	total := t.total + r.price() - t.price[p] - t.price[c]
	if total > most {
		return false
	}
	t.total = total
	t.rotate(&r)
	return true
}

// heights returns, by node at or below p, the most products of a chain up to it.
func (t *Tree) heights(p int32) []int {
	height := make([]int, len(t.kids))
	var visit func(p int32) int
	visit = func(p int32) int {
		if !t.leaf(p) {
			height[p] = 1 + max(visit(t.kids[p][0]), visit(t.kids[p][1]))
		}
		return height[p]
	}
	visit(p)
	return height
}
