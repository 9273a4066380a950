package learnertest

import (
	"fmt"
	"slices"
	"strings"
)

// DAGs returns all acyclic structures of n variables, as the parents of each variable: 3, 25 and
// 543 for n = 2 to 4.
func DAGs(n int) [][][]int {
	var out [][][]int
	parents := make([][]int, n)
	var choose func(x int)
	choose = func(x int) {
		if x == n {
			if acyclic(parents) {
				out = append(out, slices.Clone(parents))
			}
			return
		}
		for set := range 1 << n {
			if set>>x&1 != 0 {
				continue
			}
			var p []int
			for u := range n {
				if set>>u&1 != 0 {
					p = append(p, u)
				}
			}
			parents[x] = p
			choose(x + 1)
		}
	}
	choose(0)
	return out
}

// acyclic reports whether a structure has no cycle. It repeatedly removes variables after all their
// parents.
func acyclic(parents [][]int) bool {
	gone := make([]bool, len(parents))
	for range parents {
		for x, p := range parents {
			if !slices.ContainsFunc(p, func(u int) bool { return !gone[u] }) {
				gone[x] = true
			}
		}
	}
	return !slices.Contains(gone, false)
}

// Class returns a name of the equivalence class of a structure: its skeleton and its v-structures
// (Verma and Pearl 1990).
func Class(parents [][]int) string {
	joined := func(a, b int) bool { return slices.Contains(parents[a], b) || slices.Contains(parents[b], a) }
	var list []string
	for x, p := range parents {
		for _, u := range p {
			list = append(list, fmt.Sprint(min(x, u), "-", max(x, u)))
			for _, w := range p {
				if u < w && !joined(u, w) {
					list = append(list, fmt.Sprint(u, ">", x, "<", w))
				}
			}
		}
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}
