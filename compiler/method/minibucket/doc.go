// Package minibucket plans the methods that answer by mini-buckets with fixed boxes: bound, an
// interval of ln P and of every posterior, and search, most probable states by branch and bound.
//
// An elimination splits each bucket whose table would be too large into boxes. Its boxes, weights
// and shifts are chosen while compiling, without evidence: boxes as large as the numbers of all
// together allow, and then rounds that tighten the bound. Any weights and shifts bound, for any
// evidence.
//
// # Method bound
//
// Method bound eliminates all variables twice for the evidence: with positive weights, which gives
// an upper bound of P(evidence) by Hölder's inequality, and with one positive weight in each bucket
// and negative others, which gives a lower one. Then it does so with each single state of each
// variable, for which only the messages between the variable and its root change. A posterior is
// the quotient of such a sum and the whole; the largest and the least quotient that the intervals
// allow bound it.
//
// Models: every discrete Bayesian or Markov network. Query: bound, an interval of ln P(evidence),
// and one of each posterior. In a Markov network the first is of the sum of the product of the
// potentials, not divided by the partition function. Guarantee: both hold, rounding included; if no
// bucket is split they are exact up to rounding. Cost: the numbers of all boxes, and for posteriors
// those on the way to a root times the states of all variables.
//
// # Method search
//
// Method search finds a most probable completion by branch and bound over the pseudo tree of the
// elimination, depth first. Messages of an elimination by maxima bound the addition of the rest of
// the variables. The best states of a part of the tree, or the bound that refuted it, are kept for
// the states of the variables on which it depends, in tables of fixed size. The first states are
// those that the messages promise, improved by changes of one variable at a time.
//
// Models: every discrete Bayesian or Markov network. Query: search, a completion of the evidence,
// its value, and an upper bound on that of all completions. Guarantee: the bound holds at any time;
// the search ends by proving the completion best. Cost: exponential where boxes are split.
//
// Package compiler/internal/bound answers once and with as much memory as there is: best first, on
// all cores. These methods need no more than their program has.
//
// Sources: Dechter and Rish 2003, Mini-buckets; Liu and Ihler 2011, Bounding the partition function
// using Hölder's inequality; Marinescu and Dechter 2009, AND/OR branch-and-bound search for
// combinatorial optimization in graphical models.
package minibucket
