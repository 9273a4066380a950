package hillclimb

import "sync"

// closure says which variables are ancestors of which.
type closure struct {
	words int
	bits  []uint64 // by variable, its ancestors
}

// ancestors finds all ancestors in the structure, which has no cycle.
func (h *search) ancestors() *closure {
	c := &closure{words: (h.n + 63) / 64}
	c.bits = make([]uint64, h.n*c.words)
	done := make([]bool, h.n)
	var visit func(v int)
	visit = func(v int) {
		if done[v] {
			return
		}
		done[v] = true
		row := c.row(v)
		for _, p := range h.parents[v] {
			visit(p)
			row[p/64] |= 1 << (p % 64)
			for i, w := range c.row(p) {
				row[i] |= w
			}
		}
	}
	for v := range h.n {
		visit(v)
	}
	return c
}

func (c *closure) row(v int) []uint64 { return c.bits[v*c.words : (v+1)*c.words] }

// has reports whether a is an ancestor of v.
func (c *closure) has(v, a int) bool { return c.row(v)[a/64]>>(a%64)&1 != 0 }

// parallel calls do for 0 to n-1, on so many goroutines.
func parallel(cores, n int, do func(i int)) {
	if cores == 1 || n < 2*cores {
		for i := range n {
			do(i)
		}
		return
	}
	var wg sync.WaitGroup
	for k := range cores {
		wg.Go(func() {
			for i := k; i < n; i += cores {
				do(i)
			}
		})
	}
	wg.Wait()
}
