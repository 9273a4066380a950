package model

// This file lists the abilities of some kinds of distribution beyond the methods of Dist. Callers
// test for the interface, and have a general way, usually by the table, for kinds without it.

// Fitted is a CPD of Numbers that are rows, each a distribution of the child, that an estimator can
// replace.
type Fitted interface {
	Dist
	// Layout returns the layout of the rows in Numbers.
	Layout(m *Model, f *Factor) Layout
	// WithNumbers returns the same distribution with other numbers. It keeps the slice.
	WithNumbers(numbers []float64) Dist
}

// Layout describes the places of the rows of a CPD in the list of its numbers. If the child has
// card states, the number of state x in row r is at r/Inner*card*Inner + r%Inner + x*Inner.
type Layout struct {
	Inner int       // the distance between the numbers of a row: above 1 in a table whose child is not last
	Share []float64 // by row: the fraction of the joint states of the parents, or of its cause, that the row covers
	Fixed []bool    // by row: the row is certain by definition and not fitted; nil if all rows are fitted
	// Hidden reports that rows are distributions of hidden contributions, so that counts of joint
	// states determine their counts only in expectation.
	Hidden bool
}

// Rowed is a CPD with rows that can be named by the states of parents.
type Rowed interface {
	Fitted
	// EachRow calls visit for each row with the place of its first number in Numbers and, by
	// variable, the states of the parents that it is for. That of another parent is negative.
	EachRow(m *Model, f *Factor, visit func(at int, state []int))
}

// Partitioned is a distribution in which one number may cover many joint states. Its counts, see
// Factor, are by number; counts of other kinds are by joint state.
type Partitioned interface {
	Dist
	// Places returns a function from joint states of all variables to the index of their number in
	// Numbers.
	Places(f *Factor) func(state []int) int
}

// Pathed is a distribution that may be a choice between paths, and exactly one path matches each
// joint state.
type Pathed interface {
	Dist
	// Paths returns the paths, or nil if there are more than most or if the distribution is no such
	// choice.
	Paths(m *Model, f *Factor, most int) []Path
}

// Path is one way through a distribution.
type Path struct {
	States [][]bool  // by position of the scope: the states that lead there; nil means all
	Leaf   []float64 // the numbers it leads to: one per state of the child, or one for a potential
}

// Branching is a distribution that a product of decision trees can represent.
type Branching interface {
	Dist
	// Trees returns trees with f as their product. If whole is false, the product must still be
	// divided by its sum over the states of the child.
	Trees(m *Model, f *Factor) (trees []*Factor, whole bool)
}

// Sequential is a CPD that combines its parents one after the other.
type Sequential interface {
	Dist
	// Links returns a table for each parent, row-major, over the parent, the partial result before
	// it and the partial result after it. The first table has no partial result before it. Partial
	// results have as many states as the child, and the last one is the child.
	Links(m *Model, f *Factor) [][]float64
}

// QuadraticLog is a distribution with a logarithm that is a quadratic function of its real
// variables, in each joint state of its discrete ones.
type QuadraticLog interface {
	Dist
	// QuadraticLog returns the numbers of row r: the function is g + h·x - x'Kx/2 of the real
	// variables in the order of the scope, and k is the upper triangle of K, row by row. ok is
	// false if the row has variance 0.
	QuadraticLog(r int) (k, h []float64, g float64, ok bool)
}

// Rowwise is a CPD that may keep its kind if the states of a discrete variable change, or its
// discrete parents.
type Rowwise interface {
	Dist
	// MapRows returns the distribution over scope, which lists discrete parents, real parents and
	// the child, each in the order of f. The variable v has other states than in f, or scope has it
	// as a further parent or no longer. change returns the rows for the other states of v. The
	// result is nil if it needs another kind.
	MapRows(m *Model, f *Factor, scope []VarID, v VarID, change RowChange) Dist
}

// RowChange returns rows for other states of a variable, a parent that is added or removed having
// one. The given rows are those of the joint states of the discrete parents over, row-major, each
// as long as unknown, the row of a state about which nothing is known.
type RowChange func(rows []float64, over []VarID, unknown []float64) []float64

// Centred is a CPD of a real child that has a mean given the parents.
type Centred interface {
	Dist
	// MeanAt returns the mean at the states and values of the parents, by variable. It is NaN or
	// infinite where the mean is not defined.
	MeanAt(m *Model, f *Factor, state []int, x []float64) float64
}

// termed is a distribution with a Term of its own.
type termed interface {
	// term is nil if a table serves better.
	term(m *Model, f *Factor) Term
}

// restrictable is a distribution that keeps its form when some variables are observed.
type restrictable interface {
	// restrict returns f as a potential over scope, the variables of f's scope with a negative
	// state. It returns nil if the form cannot be kept.
	restrict(m *Model, f *Factor, scope []VarID, state []int) Dist
}

// contextual is a distribution that depends on some variables only in some states of others
// (context-specific independence).
type contextual interface {
	// asks returns a variable of negative state that f depends on, given the states of the others,
	// or -1 if there is none.
	asks(f *Factor, state []int) VarID
	// ignores reports whether the row of f is the same in all states of v. It may change state[v].
	ignores(m *Model, f *Factor, v VarID, state []int) bool
}

// summing is a CPD that can say whether its rows sum to one.
type summing interface {
	sumsToOne(m *Model, f *Factor) bool
}

// verbatim is a distribution with values that are numbers that it lists, 0 or 1: none is computed.
type verbatim interface{ verbatim() }

// ListsValues reports whether no value of f is computed, so that a table of them has no rounding
// errors.
func (f *Factor) ListsValues() bool {
	_, ok := f.Dist.(verbatim)
	return ok
}

// costly is a distribution for which a table of limit entries takes too long to compute.
type costly interface{ mostEntries(limit int) int }

// mostEntries returns the largest number of entries that a table of d may have, if that for other
// kinds is limit.
func mostEntries(d Dist, limit int) int {
	if c, ok := d.(costly); ok {
		return c.mostEntries(limit)
	}
	return limit
}
