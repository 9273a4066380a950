package circuit

import "slices"

// groupSets numbers sets of groups and caches set operations, since few different sets occur. The
// empty set has number 0.
type groupSets struct {
	sets   [][]int32 // each in increasing order
	unions map[[2]int32]int32
	rests  map[[2]int32][]int32
	known  map[string]int32
}

func (s *groupSets) init() {
	s.sets, s.unions, s.rests, s.known = [][]int32{nil}, map[[2]int32]int32{}, map[[2]int32][]int32{}, map[string]int32{"": 0}
}

// single returns the set of one group.
func (s *groupSets) single(g int32) int32 { return s.intern([]int32{g}) }

func (s *groupSets) intern(set []int32) int32 {
	key := make([]byte, 0, 4*len(set))
	for _, g := range set {
		key = append(key, byte(g), byte(g>>8), byte(g>>16), byte(g>>24))
	}
	id, ok := s.known[string(key)]
	if !ok {
		id = int32(len(s.sets))
		s.sets = append(s.sets, set)
		s.known[string(key)] = id
	}
	return id
}

// union returns the union of two sets.
func (s *groupSets) union(a, b int32) int32 {
	switch {
	case a == b || b == 0:
		return a
	case a == 0:
		return b
	}
	key := [2]int32{min(a, b), max(a, b)}
	id, ok := s.unions[key]
	if !ok {
		set := slices.Concat(s.sets[a], s.sets[b])
		slices.Sort(set)
		id = s.intern(slices.Compact(set))
		s.unions[key] = id
	}
	return id
}

// without returns the groups of set a that are not in set b.
func (s *groupSets) without(a, b int32) []int32 {
	if a == b {
		return nil
	}
	key := [2]int32{a, b}
	rest, ok := s.rests[key]
	if !ok {
		for _, g := range s.sets[a] {
			if _, both := slices.BinarySearch(s.sets[b], g); !both {
				rest = append(rest, g)
			}
		}
		s.rests[key] = rest
	}
	return rest
}
