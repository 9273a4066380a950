package numbers

import "strconv"

// States names states by their numbers. All variables share the names, so that a variable costs no more than its word.
type States struct{ names []string }

// Of gives the names "0", "1" and so on of n states.
func (s *States) Of(n int) []string {
	for len(s.names) < n {
		s.names = append(s.names, strconv.Itoa(len(s.names)))
	}
	return s.names[:n:n]
}

// Budget bounds the states of all variables together: what is done for each state costs more than the few bytes that
// announce many.
type Budget struct{ left int }

// NewBudget gives the budget of a text of so many bytes: a number in a table takes two, and every variable ought to be in one.
func NewBudget(bytes int) *Budget { return &Budget{1<<18 + bytes} }

// Take reports whether n more states are within the budget.
func (b *Budget) Take(n int) bool {
	b.left -= n
	return b.left >= 0
}
