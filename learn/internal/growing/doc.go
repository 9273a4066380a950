// Package growing holds arithmetic circuits that grow with the models that they compute. Learners
// split a parameter on the state of a variable; the circuit is rewritten where the two meet, and
// the number of edges that a split adds is exact and known before it is made.
//
// It reads no data and computes no likelihood: learners decide which splits are worth their edges.
// The values of parameters are arguments of evaluation and of writing.
//
// A circuit is a sum of products over indicators of states and numbered parameters. It is smooth
// (the operands of a sum have the same variables), decomposable (the operands of a product share no
// variable) and deterministic (at most one operand of a sum is not zero at a joint state). It
// begins as a product of marginals:
//
//	(l00*p0 + l01*p1) * (l10*p2 + l11*p3)    two variables of two states, parameters p0 to p3
//
// A split of p0 and p1 on state 0 of variable 1 turns the two factors into one sum over variable 1.
// In it, p4 and p5 replace them at state 0, and p6 and p7 at the other states:
//
//	l10 * p2 * (l00*p4 + l01*p5) + l11 * p3 * (l00*p6 + l01*p7)
//
// In general, a split rewrites each product that has one operand with the parameters but not the
// variable, and another operand with the variable: the first mutual ancestors. It copies the
// operand with the variable once for each state, conditioned on that state, and the operand with
// the parameters twice. A split takes time in proportion to the size of the copies, not of the
// circuit.
//
// The papers leave circuits as splits make them. Tidy merges equal nodes, sums of sums and products
// of products. A circuit that is tidied now and then as it grows is smaller by a quarter to a half
// at the same likelihood (plants, nltcs), since all later splits would copy duplicates.
//
// Sources: Lowd and Domingos 2008, Learning arithmetic circuits; Lowd and Rooshenas 2013, Learning
// Markov networks with arithmetic circuits; Darwiche 2003, A differential approach to inference in
// Bayesian networks, for derivatives.
package growing
