package model

// This file lists what some kinds of distribution can do beside what Dist asks of all. Callers ask for
// the interface and have a general way, most often the table, for the kinds without it.

// Fitted is a CPD whose Numbers are rows, each a distribution of the child, that an estimator can
// replace.
type Fitted interface {
	Dist
	// Layout says how the rows lie in Numbers.
	Layout(m *Model, f *Factor) Layout
	// WithNumbers is the same distribution with other numbers, which it keeps.
	WithNumbers(numbers []float64) Dist
}

// Layout says how the rows of a CPD lie in the list of its numbers. Row r has the number of state x at
// place r/Inner*card*Inner + r%Inner + x*Inner, if the child has card states.
type Layout struct {
	Inner int       // the distance between the numbers of a row: above 1 in a table whose child is not last
	Share []float64 // by row: of the joint states of the parents that it is about, or of those of its cause
	Fixed []bool    // by row: it is certain by definition and not fitted; nil if all rows are fitted
	// Hidden says that rows are of hidden contributions, of which counts of joint states tell only by
	// expectation.
	Hidden bool
}

// Partitioned is a distribution that has one number for many joint states. Its counts, see Factor, are
// by number; those of other kinds are by joint state.
type Partitioned interface {
	Dist
	// Places gives a function from joint states of all variables to the place of their number in
	// Numbers.
	Places(f *Factor) func(state []int) int
}

// Pathed is a distribution that may be a choice between paths, of which exactly one goes with each joint
// state.
type Pathed interface {
	Dist
	// Paths lists the paths; nil if there are more than most, or if the distribution is no such choice.
	Paths(m *Model, f *Factor, most int) []Path
}

// Path is one way through a distribution.
type Path struct {
	States [][]bool  // by position of the scope: the states that lead there; nil is all
	Leaf   []float64 // what it leads to: a number for each state of the child, or one for a potential
}

// Branching is a distribution that a product of decision trees stands for.
type Branching interface {
	Dist
	// Trees gives trees whose product is f. If whole is false, a sum over the states of the child that
	// the product would have to be divided by is left out.
	Trees(m *Model, f *Factor) (trees []*Factor, whole bool)
}

// Sequential is a CPD that takes in one parent after the other.
type Sequential interface {
	Dist
	// Links gives for each parent the table over the parent, the partial result before it, which the
	// first has not, and the partial result after it, row-major. Partial results have as many states
	// as the child, and the last is the child.
	Links(m *Model, f *Factor) [][]float64
}

// termed is a distribution with a Term of its own.
type termed interface {
	// term is nil if a table serves better.
	term(m *Model, f *Factor) Term
}

// restrictable is a distribution that keeps its form if some variables are known.
type restrictable interface {
	// restrict is f as a potential over scope, the variables of f's scope whose state is negative. It
	// is nil if the form cannot be kept.
	restrict(m *Model, f *Factor, scope []VarID, state []int) Dist
}

// contextual is a distribution that looks at some variables only in some states of others.
type contextual interface {
	// asks is a variable of a negative state that f looks at, given the states of the others; -1 if f
	// looks at none.
	asks(f *Factor, state []int) VarID
	// ignores reports whether the row of f is the same in all states of v. It may change state[v].
	ignores(m *Model, f *Factor, v VarID, state []int) bool
}

// summing is a CPD that can say whether its rows sum to one.
type summing interface {
	sumsToOne(m *Model, f *Factor) bool
}

// costly is a distribution of which a table of limit entries takes too long.
type costly interface{ mostEntries(limit int) int }

// mostEntries is how many entries a table of d may have, if the limit for others is limit.
func mostEntries(d Dist, limit int) int {
	if c, ok := d.(costly); ok {
		return c.mostEntries(limit)
	}
	return limit
}
