package trees

// Components returns the connected components of the graph in which the variables at indices i < j
// are adjacent if joined says so. Variables are numbers of the data set. Components are in the
// order of their first variable.
func (c *Counts) Components(joined func(i, j int) bool) [][]int {
	n := len(c.Vars)
	seen := make([]bool, n)
	var out [][]int
	for start := range n {
		if seen[start] {
			continue
		}
		seen[start] = true
		group := []int{start}
		for at := 0; at < len(group); at++ {
			for j := range n {
				if i := group[at]; !seen[j] && joined(min(i, j), max(i, j)) {
					seen[j] = true
					group = append(group, j)
				}
			}
		}
		for k, i := range group {
			group[k] = c.Vars[i]
		}
		out = append(out, group)
	}
	return out
}
