// Package growing holds arithmetic circuits that grow with the models that they compute: a parameter is split on the state of a
// variable, and the circuit is rewritten where the two meet, with an exact count of its edges before and after.
//
// It knows no data and no likelihood: which splits are worth their edges is for learners to say. Values of parameters are given when a
// circuit is evaluated or written.
//
// A circuit is a sum of products over indicators of states and numbered parameters. It is smooth (the operands of a sum are over the
// same variables), decomposable (those of a product share no variable) and deterministic (at a joint state one operand of a
// sum is not zero). It begins as a product of marginals:
//
//	(l00*p0 + l01*p1) * (l10*p2 + l11*p3)        variables 0 and 1 of two states, parameters p0 to p3
//
// To split p0 and p1 on state 0 of variable 1, the two factors become one sum over variable 1, in which p4 and p5 stand for them where the
// state is 0, and p6 and p7 elsewhere:
//
//	l10 * p2 * (l00*p4 + l01*p5) + l11 * p3 * (l00*p6 + l01*p7)
//
// In general that happens at each product that has an operand with the parameters, but not the variable, and an operand with the
// variable: the first mutual ancestors. The operand with the variable is copied once for each of its states, as that state leaves it, and
// the one with the parameters twice. A split costs time in proportion to what it copies, and not to the circuit.
//
// The papers leave circuits as splits make them. Tidy merges what has become equal, and sums of sums and products of products: a circuit that is
// tidied now and then as it grows is smaller by a quarter to a half for the same likelihood (plants, nltcs), since what is double is copied
// by all later splits.
//
// Sources: Lowd and Domingos 2008, Learning arithmetic circuits; Lowd and Rooshenas 2013, Learning Markov networks with arithmetic circuits;
// Darwiche 2003, A differential approach to inference in Bayesian networks, for derivatives.
package growing
