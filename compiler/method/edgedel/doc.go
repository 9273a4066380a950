// Package edgedel plans approximate inference by edge deletion. It runs exact inference on a clique
// tree of a network that lacks some edges, repeatedly, and fits the distributions that replace the
// deleted edges to the evidence.
//
// Models: Bayesian networks and, with parameters bp or cliques, Markov networks, if each factor
// fits in a table. Queries: edgedel, the marginals of all variables and an estimate of ln
// P(evidence). Guarantee: exact if no edge is deleted. Otherwise there is no guarantee, not even of
// convergence; the report of a query says whether it converged. Deleting edges out of observed
// variables is exact. Cost: an iteration is an upward and a downward pass on a tree of clusters of
// at most Options.MaxCluster joint states, and reads the tables of factors that lost an edge once
// for each lost edge.
//
// Deleting an edge Y → X replaces the CPD of X by its average over Y. Option parameters selects the
// distribution of Y:
//
//   - posterior: given the evidence in the simplified network, iterated from the uniform
//     distribution to a fixed point.
//   - true: given the evidence in the original network, by exact inference. This only serves to
//     judge the others. The method then bounds the divergence KL(P(.|e), P'(.|e)) by the sum of the
//     entropies of Y and ln P'(e)/P(e) (theorems 1 and 3). The bound holds if no CPD lost two
//     edges, not counting those out of variables that are always observed, and is infinite
//     otherwise.
//   - prior: given the other parents, without evidence, in the original network, by exact inference
//     during planning.
//   - bp, the default: given the evidence except the message from X. That message reaches Y as a
//     likelihood in turn. With all edges deleted this is belief propagation. ln P is corrected by
//     what each edge counts twice, which gives the Bethe estimate if all edges are deleted. With
//     option correction general, it is corrected by the effect of restoring each edge alone, which
//     is exact for one edge, and takes clusters that are larger by the parent once, after
//     convergence.
//
// Parameters cliques are another method, for Markov networks too. It deletes edges of the
// triangulated graph, each from the one clique that has it, whose other variables make the ends of
// the edge independent (see the type cliques). The result has true marginals on its cliques, and
// the plan's note reports the divergence KL(P, P') of the distributions without evidence. Planning
// computes the marginals of the whole clique tree, within the limits for tables and memory. Without
// option delete it deletes the edge with the least divergence until clusters are within the budget.
//
// With other parameters, edges are chosen during planning. Option edges selects how. Choices bucket
// and information follow an elimination order of the whole network (see Choose); each edge costs
// the same, or the mutual information of parent and child. Choice recovery, for parameters bp,
// first deletes the edges that close loops. It then restores the edges with a parent and a clone
// that have the most mutual information in the remaining tree, given the evidence of option
// evidence, as long as clusters stay within the budget. For that it runs belief propagation during
// planning.
//
// The literature replaces the parent by a clone of Y with a distribution of its own, which is
// equivalent. Here the clone is summed out immediately, so that the model keeps its variables.
//
// Sources: Choi, Chan and Darwiche 2005, On Bayesian network approximation by edge deletion
// (posterior, true, the bounds); van Engelen 1997, Approximating Bayesian belief networks by arc
// removal (prior); Kjærulff 1994, Reduction of computational complexity in Bayesian networks
// through removal of weak dependences (cliques); Choi and Darwiche 2006, An edge deletion semantics
// for belief propagation (bp, recovery); Choi and Darwiche 2008, Approximating the partition
// function by deleting and then correcting for model edges (ln P).
package edgedel
