// Package circuit compiles a problem to an arithmetic circuit: variable elimination on sparse
// factors, recorded instead of computed.
//
// Only the non-zero entries of factors are read, equal numbers are one node, products with 0 or 1
// are folded, and equal expressions are shared. So deterministic, sparse and context-specific
// structure costs nothing at run time. The value of the circuit is the probability of the evidence;
// its derivatives by the likelihoods of states give all posteriors.
//
// Most probable completions use a circuit of their own, with maxima instead of sums, because maxima
// allow other simplifications. A walk from its root visits the best operand of each maximum and all
// operands of a product, and the likelihoods that it reaches are the states. Samples use the same
// walk through the circuit of sums, and draw operands of a sum in proportion to their values.
//
// For the circuit of sums, wide noisy-max and tree CPDs are decomposed by auxiliary variables, so
// that they cost in proportion to their numbers. This is not correct for maxima. Their circuit uses
// the whole CPDs.
//
// A model that is a smooth and decomposable circuit is taken over as it is. If the circuit is
// deterministic, that is, if at most one operand of each sum is positive at a joint state, the same
// circuit with maxima yields the most probable completion. This package finds no completions in
// other circuits, such as mixtures. If values may leave the range of a float64, nodes over the same
// variables are rescaled together. If sums then add values that were divided by too different
// powers of two, the circuit multiplies likelihoods by powers of two instead, so that the range
// ends not at 2^-1022 but some 700 bits further down, or so that sums beyond 2^1024 are within it.
//
// Joint posteriors, signatures and similar queries are left to method jointree. A circuit has no
// loops, so method jointree is also better for networks with large positive tables.
//
// Sources: Darwiche, "A differential approach to inference in Bayesian networks", 2003; Chavira and
// Darwiche, "Compiling Bayesian networks using variable elimination", 2007. Completions and
// samples: Poon and Domingos, "Sum-product networks", 2011; Peharz, Gens and Domingos, "Learning
// selective sum-product networks", 2014. Joining sorted tries: Veldhuizen, "Leapfrog triejoin",
// 2014.
package circuit
