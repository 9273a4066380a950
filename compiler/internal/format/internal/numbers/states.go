package numbers

import "strconv"

// States names states by their numbers. All variables share the names, so that a variable needs no
// memory for them.
type States struct{ names []string }

// Of returns the names "0", "1" and so on of n states.
func (s *States) Of(n int) []string {
	for len(s.names) < n {
		s.names = append(s.names, strconv.Itoa(len(s.names)))
	}
	return s.names[:n:n]
}

// Budget bounds the states of all variables together. A few bytes of a file can declare many
// states, and each costs time and memory.
type Budget struct{ left int }

// NewBudget returns the budget of a text of that many bytes. A number in a table takes two bytes,
// and every variable should be in a table.
func NewBudget(bytes int) *Budget { return &Budget{1<<18 + bytes} }

// Take reports whether n more states are within the budget.
func (b *Budget) Take(n int) bool {
	b.left -= n
	return b.left >= 0
}
