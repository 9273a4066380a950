package hillclimb

// closure says which variables are ancestors of which.
type closure struct {
	words int
	bits  []uint64 // by variable, its ancestors
}

// ancestors finds all ancestors in a structure without cycles.
func ancestors(parents [][]int) *closure {
	n := len(parents)
	c := &closure{words: (n + 63) / 64}
	c.bits = make([]uint64, n*c.words)
	done := make([]bool, n)
	var visit func(v int)
	visit = func(v int) {
		if done[v] {
			return
		}
		done[v] = true
		row := c.row(v)
		for _, p := range parents[v] {
			visit(p)
			row[p/64] |= 1 << (p % 64)
			for i, w := range c.row(p) {
				row[i] |= w
			}
		}
	}
	for v := range n {
		visit(v)
	}
	return c
}

func (c *closure) row(v int) []uint64 { return c.bits[v*c.words : (v+1)*c.words] }

// has reports whether a is an ancestor of v.
func (c *closure) has(v, a int) bool { return c.row(v)[a/64]>>(a%64)&1 != 0 }
