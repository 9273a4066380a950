package forest

// Dense returns the parent of each variable in a maximum spanning forest of n variables with a
// weight for each pair: -1 for the first variable of each tree. It calls weight n^2 times and
// builds no list of edges. Edges without a positive weight are left out.
//
// Source: Prim 1957.
func Dense(n int, weight func(i, j int) float64) []int {
	parent, best, done := make([]int, n), make([]float64, n), make([]bool, n)
	for i := range parent {
		parent[i] = -1
	}
	for range n {
		next := -1
		for i := range n {
			if !done[i] && (next < 0 || best[i] > best[next]) {
				next = i
			}
		}
		done[next] = true
		for i := range n {
			if done[i] {
				continue
			}
			if w := weight(min(i, next), max(i, next)); w > best[i] {
				best[i], parent[i] = w, next
			}
		}
	}
	return parent
}
