package model

// DisjointSets is a partition of the numbers from 0 to n-1, such as the connected components of the
// variables of a model. It is a union-find forest with path halving (Tarjan and van Leeuwen 1984).
type DisjointSets struct {
	parent []int
}

// NewDisjointSets returns n sets of one number each.
func NewDisjointSets(n int) *DisjointSets {
	s := &DisjointSets{parent: make([]int, n)}
	for i := range s.parent {
		s.parent[i] = i
	}
	return s
}

// Find returns the representative of the set of i, which is one of its members. It changes only if
// Join joins the set to another one.
func (s *DisjointSets) Find(i int) int {
	for s.parent[i] != i {
		s.parent[i] = s.parent[s.parent[i]]
		i = s.parent[i]
	}
	return i
}

// Join joins the set of j to the set of i, and keeps the representative of i. It returns false if i
// and j are in the same set already.
func (s *DisjointSets) Join(i, j int) bool {
	i, j = s.Find(i), s.Find(j)
	s.parent[j] = i
	return i != j
}
