// Package circuit compiles a problem to one arithmetic circuit: variable elimination on sparse factors, recorded instead of computed.
//
// Only the non-zero entries of factors are touched, equal numbers are one node, what is multiplied by zero or one is folded, and
// equal expressions are shared: so deterministic, sparse and context-specific structure costs nothing at run time. The value of
// the circuit is the probability of the evidence; its derivatives by the likelihoods of states are all posteriors.
//
// Noisy-max and tree CPDs that are wide are taken in parts, by auxiliary variables, so that they cost in proportion to what they hold.
//
// Best completions, samples, joint posteriors and signatures are left to method jointree. A circuit has no loops, so that networks with large
// positive tables are better served by jointree altogether.
//
// Sources: Darwiche, "A differential approach to inference in Bayesian networks", 2003; Chavira and Darwiche, "Compiling Bayesian
// networks using variable elimination", 2007. Joining sorted tries: Veldhuizen, "Leapfrog triejoin", 2014.
package circuit
