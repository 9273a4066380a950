// Package bound answers with proofs where no clique tree fits: bounds of a sum or a maximum over
// all joint states, and exact search that the bounds guide.
//
// The bounds are weighted mini-buckets. A bucket with a table that would be too large is split, and
// the parts are eliminated with powers that Hölder's inequality allows: the result is above the
// true one (positive weights), below it (one positive weight, the others negative), or an upper
// bound of a maximum (weights of zero). Moving factors of single variables between the parts of a
// bucket and changing its weights tightens the bound; any such parameters leave it valid.
//
// Where many numbers are zero, a second upper bound of a sum has lists of the other ones in place
// of tables. Its boxes have more variables in the same time.
//
// Two searches use the tables that the eliminations leave. Branch and bound over the AND/OR tree
// finds most probable states, one or several, or the largest sum of marginal MAP: best first, by
// depth-first tasks on all cores. Best-first search over partial assignments shrinks the interval
// of a partition function. Both may stop at any time, with the bounds proven by then. Importance
// sampling draws from the distribution of the upper bound. The bound limits the weights, so that
// bets on the weights give confidence intervals that hold at every number of samples.
//
// Marginals are bounded by bound propagation between the borders of regions, by the eliminations of
// the product with each single state of a variable, and by the joint states that the search has
// summed.
//
// The package is not a method: it makes no program, and its tables are logarithms, so that nothing
// underflows.
//
// Sources: Dechter and Rish 2003, Mini-buckets; Liu and Ihler 2011, Bounding the partition function
// using Hölder's inequality; Ihler, Flerova, Dechter and Otten 2012, Join-graph based cost-shifting
// schemes; Marinescu and Dechter 2009, AND/OR branch-and-bound search; Flerova, Marinescu and
// Dechter 2016, Searching for the M best solutions in graphical models; Allouche, de Givry,
// Katsirelos, Schiex and Zytnicki 2015, Anytime hybrid best-first search; Lou, Dechter and Ihler
// 2017, Anytime anyspace AND/OR search for bounding the partition function; Liu, Fisher and Ihler
// 2015, Probabilistic variational bounds for graphical models; Leisink and Kappen 2003, Bound
// propagation; Mooij and Kappen 2008, Bounds on marginal probability distributions; Waudby-Smith
// and Ramdas 2024, Estimating means of bounded random variables by betting.
package bound
