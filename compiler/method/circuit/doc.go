// Package circuit compiles a problem to one arithmetic circuit: variable elimination on sparse
// factors, recorded instead of computed.
//
// Only the non-zero entries of factors are touched, equal numbers are one node, what is multiplied
// by zero or one is folded, and equal expressions are shared: so deterministic, sparse and
// context-specific structure costs nothing at run time. The value of the circuit is the probability
// of the evidence; its derivatives by the likelihoods of states are all posteriors.
//
// Best completions have a circuit of their own, with maxima for sums: what may be simplified is not
// the same. From its root a walk goes down to the best operand of each maximum and all operands of
// a product, and the likelihoods that it reaches are the states. Samples are the same walk through
// the circuit of sums, with operands drawn in proportion to their values.
//
// Noisy-max and tree CPDs that are wide are taken in parts, by auxiliary variables, so that they
// cost in proportion to what they hold; for maxima, of which that is not right, they are not.
//
// A model that is a smooth and decomposable circuit is taken over as it is. Its best completion is
// that of the circuit of maxima where at most one operand of a sum is positive at a joint state;
// other circuits, mixtures for one, have none here. Where values may leave the range of a float64,
// those of nodes over the same variables are rescaled together; and where sums add what has lost
// too different powers of two for that, likelihoods are multiplied by some, so that the range ends
// not at 2^-1022 but some 700 bits further down.
//
// Joint posteriors, signatures and the like are left to method jointree. A circuit has no loops, so
// that networks with large positive tables are better served by jointree altogether.
//
// Sources: Darwiche, "A differential approach to inference in Bayesian networks", 2003; Chavira and
// Darwiche, "Compiling Bayesian networks using variable elimination", 2007. Completions and
// samples: Poon and Domingos, "Sum-product networks", 2011; Peharz, Gens and Domingos, "Learning
// selective sum-product networks", 2014. Joining sorted tries: Veldhuizen, "Leapfrog triejoin",
// 2014.
package circuit
