package model

import "encoding/binary"

// Scopes numbers the scopes of nodes: nodes that depend on the same positions have the same number.
// Nodes that depend on none have number 0. size holds the number of positions by scope number. The
// circuit must be smooth, see [Circuit.Structure]. Scopes reports false if the scopes take too much
// memory, which grows with the square of the number of nodes in a chain over many variables.
func (d *Circuit) Scopes() (scope []int32, size []int, ok bool) {
	s := scopes{known: map[string]int32{}, union: map[[2]int32]int32{}}
	s.intern(nil)
	scope = make([]int32, len(d.Nodes))
	for i := range d.Nodes {
		switch n := &d.Nodes[i]; n.Op {
		case CircuitIndicator:
			scope[i] = s.intern(axes(nil).with(n.Axis))
		case CircuitSum:
			if len(n.Args) > 0 {
				scope[i] = scope[n.Args[0]]
			}
		case CircuitProduct:
			for _, a := range n.Args {
				scope[i] = s.both(scope[i], scope[a])
			}
		}
		if s.words > maxScopeWords {
			return nil, nil, false
		}
	}
	for _, set := range s.sets {
		size = append(size, set.len())
	}
	return scope, size, true
}

// maxScopeWords is the largest number of words of all scopes, which are stored twice: 128 MB.
const maxScopeWords = 1 << 23

// scopes holds the scopes found so far.
type scopes struct {
	words int
	sets  []axes
	known map[string]int32   // by content
	union map[[2]int32]int32 // by the numbers of two scopes
}

// intern returns the number of a set. Sets end with a non-zero word.
func (s *scopes) intern(set axes) int32 {
	key := make([]byte, 0, 8*len(set))
	for _, w := range set {
		key = binary.LittleEndian.AppendUint64(key, w)
	}
	id, ok := s.known[string(key)]
	if !ok {
		id = int32(len(s.sets))
		s.sets = append(s.sets, set)
		s.words += len(set)
		s.known[string(key)] = id
	}
	return id
}

// both returns the number of the union of two sets.
func (s *scopes) both(a, b int32) int32 {
	switch {
	case a == b || b == 0:
		return a
	case a == 0:
		return b
	}
	key := [2]int32{min(a, b), max(a, b)}
	id, ok := s.union[key]
	if !ok {
		id = s.intern(s.sets[a].union(s.sets[b]))
		s.union[key] = id
	}
	return id
}
