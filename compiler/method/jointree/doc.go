// Package jointree plans exact inference by messages on a clique tree.
//
// Models: every discrete Bayesian or Markov network whose cliques fit. Queries: all. Guarantee:
// exact up to rounding. Cost: time and space grow with the number of table entries of the buckets,
// which the elimination order determines.
//
// The upward pass sums each variable out in its bucket and sends the result to the parent bucket;
// the root holds P(evidence). The downward pass is the reverse-mode derivative of the upward pass.
// The message to a child is the derivative of P(evidence) by the child's message: the product of
// everything else in the bucket, summed onto the separator. So nothing is divided, and zeros need
// no special case. The derivative by a variable's likelihood, times that likelihood, is P(variable,
// evidence). Operands of a bucket whose union of scopes is much smaller than the bucket are
// multiplied first, which makes the tree binary where that saves work. The most probable
// explanation and exact samples take one upward pass, with maxima or sums. They then choose states
// from the root down, each from the row of its bucket at the states chosen before.
//
// If a network is large, or its program runs often, its sums are planned by a contraction tree
// instead of buckets: products of two tables at a time, in an order that annealing improves. If
// even that takes too much memory, some variables are fixed at each of their states in turn, and
// the interpreter adds up the answers: cutset conditioning. See Options.Contract.
//
// A declared signature has a plan of its own, on the factors that matter to it. Observed variables
// are fixed at their states instead of being looped over. An intervention do(X) leaves out the CPD
// of X and is otherwise the same.
//
// The joint posterior of several variables is computed from a bucket that contains them all: the
// product of its operands, times the derivative by its message, summed onto them. If no bucket
// contains them all, a separate tree eliminates them last and has them in its last table.
//
// Sources: Shenoy and Shafer 1990, Axioms for probability and belief-function propagation; Shenoy
// 1997, Binary join trees for computing marginals in the Shenoy-Shafer architecture; Darwiche 2003,
// A differential approach to inference in Bayesian networks; Dawid 1992, Applications of a general
// propagation algorithm for probabilistic expert systems (maxima and samples); Pearl 2009,
// Causality, section 3.2 (interventions); Pearl 1988, Probabilistic Reasoning in Intelligent
// Systems, section 4.4 (cutset conditioning); Koller and Friedman, chapters 9, 10 and 13.
package jointree
