// Package edgedel plans approximate inference by deleting edges: exact inference on a clique tree
// of a network that lacks some edges, again and again, while what stands in for the edges is fitted
// to the evidence.
//
// Models: Bayesian networks, and with parameters bp also Markov networks, whose single factors fit.
// Queries: edgedel, the marginals of all variables and an estimate of ln P(evidence). Guarantee:
// exact where no edge has to go; elsewhere none, nor that it converges, and the report of a query
// says whether it did. Edges out of observed variables are deleted exactly. Cost: a round is a pass
// up and down a tree of clusters of at most Options.MaxCluster joint states, and takes the tables
// of factors that lost an edge once for each of these.
//
// A deleted edge Y → X leaves the CPD of X averaged over Y. Option parameters says by what
// distribution:
//
//   - posterior: of Y given the evidence in the simplified network, iterated from the uniform distribution to a fixed point.
//   - true: of Y given the evidence in the original network, found by exact inference. No use but to judge the others: the method
//     then bounds the divergence KL(P(.|e), P'(.|e)) by the sum of the entropies of Y and ln P'(e)/P(e) (theorems 1 and 3), which
//     holds where no CPD lost two edges, those out of variables that are always observed aside, and is infinite where one did.
//   - prior: of Y given the other parents, without evidence, in the original network, found by exact inference when the plan is made.
//   - bp, the default: of Y given the evidence but not what X says of it, which reaches Y as a likelihood in turn. With all
//     edges deleted that is belief propagation. ln P is corrected by what each edge counts twice, which gives the
//     Bethe estimate where all edges are deleted; with option correction general by what each edge would change if it were there
//     again, which is exact for one edge, and takes clusters that are larger by the parent once the loop has settled.
//
// Which edges go is decided when the plan is made. Option edges says how: bucket and information go
// through an elimination order of the whole network (see Choose), where each edge costs the same,
// or what it tells of its child. Recovery, for parameters bp, begins with the edges deleted that
// close loops, and puts back those whose parent and clone tell most of each other in what is left,
// given the evidence of option evidence, as long as clusters stay within the budget. Messages are
// sent for that while the plan is made.
//
// A clone of Y with a distribution of its own in place of the parent comes to the same, and is how
// the literature puts it; here the clone is summed out at once, so that the model keeps its
// variables.
//
// Sources: Choi, Chan and Darwiche 2005, On Bayesian network approximation by edge deletion
// (posterior, true, the bounds); van Engelen 1997, Approximating Bayesian belief networks by arc
// removal (prior); Choi and Darwiche 2006, An edge deletion semantics for belief propagation (bp,
// recovery); Choi and Darwiche 2008, Approximating the partition function by deleting and then
// correcting for model edges (ln P).
package edgedel
