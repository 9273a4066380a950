// Package belief plans loopy belief propagation: messages between the variables and the factors of
// a network, or between clusters of variables and their intersections, repeated until they
// converge.
//
// Models: every discrete Bayesian or Markov network with factors that each fit in a table, and
// every network of real variables with Gaussian CPDs or canonical potentials. Queries: bp, the
// marginals of all variables and an estimate of ln P(evidence). Guarantee: exact on a factor graph
// without cycles, and on clusters that form a junction tree. Otherwise there is no guarantee, not
// even of convergence; the report of a query says whether it converged. Cost: an iteration reads,
// for each factor, its table once for each of its variables.
//
// The message of a factor to a variable is the factor's table times the messages of its other
// variables, summed onto the variable. The message of a variable to a factor is its likelihood
// times the messages of its other factors. Both are normalized. For a variable with many factors
// the products are formed from both ends, so that their number stays linear. Factors over one
// variable are multiplied into its likelihood and send no messages. The estimate of ln P is the
// negated Bethe free energy, computed from the normalization constants.
//
// Schedule flooding computes all messages from the messages of the previous iteration. Schedule
// sequential, the default, visits the variables from the leaves of a breadth-first tree to its root
// and back, each time with the newest messages. One iteration is exact if the factor graph is a
// tree. Schedule residual visits each variable once, from the leaves on, and then always a variable
// with neighbours' messages that have changed most since its last visit. Work is spent where
// messages still change, and loops often converge that otherwise do not. Changes below the
// tolerance are not propagated. With damping, a message moves only part of the way to its new
// value.
//
// In a network of only real variables, with Gaussian CPDs or canonical potentials, a message is a
// precision and a linear number (Gaussian belief propagation), between any two variables that share
// a factor. At a fixed point the means are exact. Variances are exact without cycles, and otherwise
// may be too small or too large. Messages converge for any schedule if the network is pairwise
// normalizable, for which diagonal dominance suffices. A message is not used but counted if its
// precision would not be positive, and an iteration with one does not count as converged. Schedule
// residual visits variables as above, and counts the messages left out in the last visit of each.
// No precision holds a variance of 0: a linear function gets noise with 1e-8 of its prior variance,
// as in method ep, and the compiler warns of it.
//
// A zero in a message proves that a state is impossible, so evidence that leaves a variable no
// state is reported as impossible. On a graph with cycles, evidence may be impossible without a
// zero message.
//
// Option regions selects messages between clusters of variables and inner regions, which are sets
// that clusters share (generalized belief propagation). With factors, the clusters are the scopes
// of factors; with loopN, they also include the sets of variables on loops of up to N. The inner
// regions are then all intersections, each with a count such that no variable counts twice. With
// join, the clusters are mini-buckets of at most max-cluster joint states, and each message between
// two has an inner region. The marginal of an inner region is the product of its clusters'
// messages, to the power of 1/(clusters + count). The message to a cluster is that marginal divided
// by the cluster's own message. The estimate of ln P is the negated Kikuchi free energy. Join
// graphs need no division; messages of loops often need damping. Larger clusters give better
// answers for more work: on the 4 x 4 grid of libDAI's tests the error of marginals is 9e-3 with
// factors and 1.3e-5 with loop4. Noisy-max and tree CPDs are decomposed before clusters are formed.
//
// Wide noisy-max and tree CPDs, and features if one holds at a time, are never tables. Each part is
// a factor of its own, and the parts' messages converge to the whole's. The trees of Libra's msweb
// would be tables of up to 5e27 numbers, and their parts have 172,502 numbers in all; the trees of
// baudio would have 1.8e9, and have 84,212.
//
// Sources: Pearl 1988, Probabilistic Reasoning in Intelligent Systems, chapter 4; Kschischang, Frey
// and Loeliger 2001, Factor graphs and the sum-product algorithm; Yedidia, Freeman and Weiss 2005,
// Constructing free-energy approximations (the Bethe free energy at a fixed point; region graphs
// and counts); Heskes, Albers and Kappen 2003, Approximate inference and constrained optimization
// (the messages between clusters and inner regions); Mateescu, Kask, Gogate and Dechter 2010,
// Join-graph propagation algorithms; Elidan, McGraw and Koller 2006, Residual belief propagation,
// and Sutton and McCallum 2007, Improved dynamic schedules for belief propagation (the change of a
// message is estimated from the changes of the messages that it is computed from); Koller and
// Friedman, sections 11.3 and 14.2.3; Weiss and Freeman 2001, Correctness of belief propagation in
// Gaussian graphical models of arbitrary topology.
package belief
