package names

import "strconv"

// Scope is a set of identifiers that are taken.
type Scope struct{ taken map[string]bool }

// NewScope returns a scope in which the given identifiers are taken.
func NewScope(reserved ...string) *Scope {
	s := &Scope{taken: map[string]bool{}}
	for _, id := range reserved {
		s.taken[id] = true
	}
	return s
}

// Free reports whether id with each suffix is free.
func (s *Scope) Free(id string, suffixes ...string) bool {
	for _, suffix := range suffixes {
		if s.taken[id+suffix] {
			return false
		}
	}
	return !s.taken[id]
}

// Take marks id, without and with each suffix, as taken.
func (s *Scope) Take(id string, suffixes ...string) {
	s.taken[id] = true
	for _, suffix := range suffixes {
		s.taken[id+suffix] = true
	}
}

// Claim takes the first of base, base2, base3, ... that is free, without and with each suffix, and
// returns it. See the function [Claim].
func (s *Scope) Claim(base string, suffixes ...string) string {
	return Claim(base, func(id string) bool { return s.Free(id, suffixes...) }, func(id string) { s.Take(id, suffixes...) })
}

// Claim passes to take the first of base, base2, base3, ... that free accepts, and returns it. If
// base ends in a digit, an underscore precedes the number.
func Claim(base string, free func(string) bool, take func(string)) string {
	id, sep := base, ""
	if base != "" && isDigit(rune(base[len(base)-1])) {
		sep = "_"
	}
	for n := 2; !free(id); n++ {
		id = base + sep + strconv.Itoa(n)
	}
	take(id)
	return id
}
