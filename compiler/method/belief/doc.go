// Package belief plans loopy belief propagation: messages between the variables and the factors of
// a network, or between clusters of variables and what they share, again and again until they
// settle.
//
// Models: every discrete Bayesian or Markov network whose single factors fit. Queries: bp, the
// marginals of all variables and an estimate of ln P(evidence). Guarantee: exact on a factor graph
// without cycles, and on clusters that form a junction tree; elsewhere none, nor that it converges,
// and the report of a query says whether it did. Cost: a round takes, for each factor, its table
// once for each of its variables.
//
// A message of a factor to a variable is the factor's table times the messages of its other
// variables, summed; a message of a variable to a factor is its likelihood times the messages of
// its other factors. Both are normalised. The products of a variable with many factors are formed
// from both ends, so that their number stays linear. Factors over one variable count as part of its
// likelihood and send nothing. The estimate of ln P is the Bethe free energy with its sign changed,
// from the sums that normalising divided by.
//
// Schedule flooding sends all messages from those of the round before. Schedule sequential, the
// default, goes through the variables from the leaves of a breadth-first tree to its root and back,
// each time with the newest messages: one round is exact where the factor graph is a tree. Schedule
// residual visits each variable once, from the leaves on, and then always one whose neighbours'
// messages have moved furthest since it was visited: work goes where something still changes, and
// loops often settle that otherwise don't. It passes on no change below the tolerance. With
// damping, a message moves only a part of its way.
//
// A zero message says truly that a state is impossible, so that evidence which leaves a variable no
// state is reported as impossible; on a graph with cycles, evidence may be impossible without
// messages showing it.
//
// With --regions, messages go between clusters of variables and the inner regions that these share
// (generalised belief propagation): factors has the scopes of factors for clusters, loopN the sets
// of variables on loops of up to N, and inner regions are then all intersections, each with a count
// such that no variable counts twice; join has mini-buckets of --max-cluster joint states at most,
// each of whose messages is an inner region between two. An inner region's marginal is the product
// of what its clusters make of it, to the power of 1/(clusters + count), and each cluster is sent
// that over its own message. The estimate of ln P is the Kikuchi free energy with its sign changed.
// Join graphs need no division; the messages of loops often want damping. Better clusters give
// better answers for more work: on the 4 x 4 grid of libDAI's tests marginals are off by 9e-3 with
// factors, by 1.3e-5 with loops of four. Noisy-max and tree CPDs are taken in parts before clusters
// are formed.
//
// Wide noisy-max and tree CPDs, and features of which one holds at a time, are never tables: each
// part is a factor of its own, whose messages settle to those of the whole. The trees of Libra's
// msweb would be tables of up to 5e27 numbers, in all 172,502 numbers do; of baudio 1.8e9, 84,212
// do.
//
// Sources: Pearl 1988, Probabilistic Reasoning in Intelligent Systems, chapter 4; Kschischang, Frey
// and Loeliger 2001, Factor graphs and the sum-product algorithm; Yedidia, Freeman and Weiss 2005,
// Constructing free-energy approximations (the Bethe free energy at a fixed point; region graphs
// and counts); Heskes, Albers and Kappen 2003, Approximate inference and constrained optimization
// (the messages between clusters and inner regions); Mateescu, Kask, Gogate and Dechter 2010,
// Join-graph propagation algorithms; Elidan, McGraw and Koller 2006, Residual belief propagation,
// and Sutton and McCallum 2007, Improved dynamic schedules for belief propagation (how far a
// message will move is taken from how far those have that it is made of); Koller and Friedman,
// sections 11.3.
package belief
