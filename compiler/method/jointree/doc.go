// Package jointree plans exact inference by messages on a clique tree.
//
// Models: every discrete Bayesian or Markov network whose cliques fit. Queries: all. Guarantee:
// exact up to rounding. Cost: time and space grow with the table entries of the buckets, which the
// elimination order decides.
//
// One pass up sums each variable out in its bucket and sends the rest to the parent bucket; the
// root has P(evidence). One pass down is the reverse-mode derivative of the pass up: the message to
// a child is the derivative of P(evidence) by the child's message, the product of everything else
// in the bucket summed onto the separator; so nothing is ever divided, and zeros need no care. The
// derivative by a variable's likelihood, times that likelihood, is P(variable, evidence). Operands
// of a bucket that lie in a much smaller set together are multiplied first, which makes the tree
// binary where that pays. The most probable explanation and exact samples take one pass up, with
// maxima or sums, and then choose states from the root down, each from the row of its bucket at the
// states chosen before.
//
// A declared signature is planned on its own: on the factors that matter to it, with the observed
// variables standing at their states instead of being looped over. An intervention do(X) leaves the
// CPD of X out and is otherwise the same.
//
// The joint posterior of several variables is what a bucket that has them all holds, times the
// derivative by its message, summed onto them; or where no bucket has them, the last table of a
// tree of its own, which eliminates them last.
//
// Sources: Shenoy and Shafer 1990, Axioms for probability and belief-function propagation; Shenoy
// 1997, Binary join trees for computing marginals in the Shenoy-Shafer architecture; Darwiche 2003,
// A differential approach to inference in Bayesian networks; Dawid 1992, Applications of a general
// propagation algorithm for probabilistic expert systems (maxima and samples); Pearl 2009,
// Causality, section 3.2 (interventions); Koller and Friedman, chapters 9, 10 and 13.
package jointree
