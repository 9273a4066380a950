package graph

import "math/bits"

// Set is a set of variables as a bit set.
type Set []uint64

// NewSet returns an empty set with room for n variables.
func NewSet(n int) Set { return make(Set, (n+63)/64) }

// SetOf returns a set of some of n variables.
func SetOf(n int, vars ...int) Set {
	s := NewSet(n)
	for _, v := range vars {
		s.Add(v)
	}
	return s
}

// Add adds v.
func (s Set) Add(v int) { s[v/64] |= 1 << (v % 64) }

// Drop removes v.
func (s Set) Drop(v int) { s[v/64] &^= 1 << (v % 64) }

// Has reports whether v is in the set.
func (s Set) Has(v int) bool { return s[v/64]>>(v%64)&1 != 0 }

// Join adds all members of t.
func (s Set) Join(t Set) {
	for i, w := range t {
		s[i] |= w
	}
}

// Within reports whether s is a subset of t.
func (s Set) Within(t Set) bool {
	for i, w := range s {
		if w&^t[i] != 0 {
			return false
		}
	}
	return true
}

// Members lists the variables, ascending.
func (s Set) Members() []int {
	var list []int
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			list = append(list, 64*i+bits.TrailingZeros64(w))
		}
	}
	return list
}
