// Package topdown compiles a problem to a decision circuit by a search from the top: it branches on
// the states of one variable after another, instead of eliminating variables from the bottom.
//
// After each branch, the states at which some factor is now zero are ruled out, until nothing
// changes. What is left falls into components that share no variables. Each is compiled by itself,
// and a component that was met before, with the same rests of its factors, is the same node. So the
// circuit is small if much is ruled out, or if the rests of factors are often equal, even in
// networks with clique trees of any size. The rest of a factor does not depend on variables along
// which all its numbers are equal: context-specific independence separates components too.
//
//	a ∨ b, a ∨ c, b ∨ c:  λ(a)·(λ(b)·(λ(c)+λ(¬c)) + λ(¬b)·λ(c)) + λ(¬a)·λ(b)·λ(c)
//
// A conflict teaches a clause: of some pairs of a variable and a state, one holds wherever the
// problem is not zero. Clauses rule out states too, so that what made one branch fail fails at once
// in others. They do not tie variables, so that components and their keys depend only on factors; a
// circuit that was compiled beside a component that turns out to be zero is not used again.
//
// A branch costs as much as its changes, not the size of its component. Whether the rest still
// hangs together is found out from the variables that lost a tie, around which groups grow until
// one is left; that one, usually the largest, is not looked at. Its variables stay in a list from
// which a few were taken, and its key, a hash of 128 bits, is a sum from which a few terms were
// taken. The factors that still depend on a variable come first in its list. Factors that are
// clauses of two pairs, most of them in models of logic, have no tables: one is satisfied, or gives
// a variable its state, as soon as the other variable is known, and a key need not mention it.
//
// Variables have any number of states and need no encoding by Boolean ones. The variable to branch
// on is the one that is last in an elimination order of what propagation left, so that branching
// follows a tree decomposition, or has the most factors and recent conflicts, in a mixture of both:
// by the width of the order, or with a small weight of the order. Both ways are tried, and that
// which comes further goes on.
//
// Before the search, states that propagation refutes are ruled out, and of variables that determine
// each other one stands for all: the indicators of the others are multiplied by its own. A factor
// that rules out what others rule out too by propagation becomes a clause, and ties no variables.
//
// The result goes through package circuit, like a model that is a circuit: it adds derivatives for
// posteriors, rescales values if they may leave the range of a float64, and replaces sums by maxima
// for most probable completions, which a decision circuit allows. Joint posteriors, signatures and
// similar queries are left to method jointree, and replaceable parameters, which make no number
// equal to another, to method circuit.
//
// Clauses are learned at the first unique implication point and are dropped if they take part in no
// conflict for long; there are no restarts.
//
// Models: Bayesian and Markov networks. Guarantee: exact. Cost: branches times the size of their
// components; the number of branches is at most exponential in the width of the order. Steps, and
// the memory of the circuit, of the rests of factors and of the table of components, are bounded.
//
// Sources: Huang and Darwiche, "The language of search", 2007 (decision circuits from search);
// Sang, Bacchus, Beame, Kautz and Pitassi, "Combining component caching and clause learning for
// effective model counting", 2004 (also for which components are safe to keep); Thurley, "sharpSAT:
// counting models with advanced component caching and implicit BCP", 2006; Korhonen and Järvisalo,
// "Integrating tree decompositions into decision heuristics of propositional model counters", 2021;
// Dechter and Mateescu, "AND/OR search spaces for graphical models", 2007.
package topdown
