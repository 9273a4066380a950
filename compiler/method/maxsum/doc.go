// Package maxsum plans the methods that choose a joint state by max-marginal messages on the factor
// graph: maxprod, trws and mplp.
//
// They share one plan, in which each variable adds up the minimal sums of its factors and sends
// each factor a share of the total. They differ only in the shares. Tables hold energies, which are
// negated logarithms, so that nothing underflows. The methods do not answer MAP queries, and
// compute no marginals except the max-marginals of maxprod.
//
// If the energy of a factor over two variables of three or more states is a function of only the
// distance between their states (Potts, linear, or quadratic, with a cap or without: see
// [model.Pairwise], and [model.Model.FormulaOf] for tables), the program holds one number for each
// distance and no table, and computes a message as a lower envelope, in time in proportion to the
// number of states: Felzenszwalb and Huttenlocher 2006, Efficient belief propagation for early
// vision; Koller and Friedman, algorithm 13.6. Energies that fall with the distance keep tables,
// except Potts and linear ones, and so do the pairs that cycles tighten in method mplp.
//
// # Method maxprod
//
// Method maxprod is loopy max-product. It sends max-product messages between the variables and the
// factors of a network until they converge, and then chooses a joint state by them.
//
// Models: every discrete Bayesian or Markov network, if each factor fits in a table. Queries:
// maxprod, a completion of the evidence, its log-probability, and max-marginals: for each state of
// a variable the probability of the best completion with it, normalized over the states. In a
// Markov network the logarithm is of the product of its potentials, not divided by the partition
// function, which may be unknown at such a width. Guarantee: on a factor graph without cycles the
// completion is a most probable one, and max-marginals are exact. If no component has more than one
// cycle, states that are best in every belief are proven to be most probable. Otherwise such states
// are a strong local optimum, as reports say: they cannot be improved by changing variables that
// induce no component with two cycles (Koller and Friedman, theorem 13.7). Cost: an
// iteration reads the table of each factor once for each of its variables.
//
// Messages are energies and begin at 0. Schedules, damping and residuals are as in method belief,
// with messages scaled so that the most probable state has value 1. A variable sends each of its
// factors the sum of all that it has, less that factor's own message.
//
// Decoding visits the variables in breadth-first order of the factor graph. Each takes the best
// state given those before it. The report then says whether the states are best in every belief
// (converged, or ambiguous if a variable has another state that is as good), not best (not
// decodable), or impossible (infeasible).
//
// Sources: Pearl 1988, Probabilistic Reasoning in Intelligent Systems, section 5.3; Weiss and
// Freeman 2001, On the optimality of solutions of the max-product belief-propagation algorithm in
// arbitrary graphs; Koller and Friedman, section 13.4.
//
// # Method trws
//
// Method trws is sequential tree-reweighted message passing. It sweeps along an order of the
// variables and back, and each sweep lowers an upper bound on the value of all joint states. It
// ends when a completion reaches the bound or the bound stops moving.
//
// Models: every discrete Bayesian or Markov network, if each factor fits in a table, over any
// number of variables. Queries: trws, a completion of the evidence, its log-probability, and an
// upper bound for all completions. In a Markov network these are of the product of its potentials,
// not divided by the partition function. Guarantee: the bound holds at any time and never gets
// worse. A completion that reaches it is proven to be most probable. A gap means that the
// relaxation is not tight, or that the sweeps stopped short of its optimum. Cost: an iteration
// reads the table of each factor three times for each of its variables: in the forward sweep, in
// the backward sweep, and for decoding.
//
// A variable adds up the energies of its factors and sends a share to each factor that has later
// variables. The share is one divided by the number of its factors with later variables or with
// earlier ones, whichever is larger. The rest stays at the variable. After the backward sweep every
// factor has sent all its energy to its first variable, so the bound is the sum of the energies
// that the variables keep. With factors over two variables this is Kolmogorov's TRW-S; with wider
// factors, it is his sequential reweighted message passing with messages to single variables.
//
// Each iteration decodes states along the order, each the best given those before it, and improves
// them by changes of one variable at a time, after some iterations by tabu search. The answer is
// the best completion of all iterations. The method ends if it reaches the bound (to 1e-7), or
// after two iterations that move the bound by no more than the tolerance. The report then says
// whether the beliefs have ties, as under weak tree agreement (ambiguous), or not (not decodable).
// When the bound stalls, cycles tighten the relaxation as in method mplp, but only cycles of pairs
// with tables.
//
// Sources: Kolmogorov 2006, Convergent tree-reweighted message passing for energy minimization;
// Kolmogorov 2015, A new look at reweighted message passing; Koller and Friedman, box 13.A.
//
// # Method mplp
//
// Method mplp is max-product linear programming by star updates, which is block-coordinate descent
// on the dual of the linear relaxation. Each update lowers an upper bound on the value of all joint
// states. The method ends as trws does.
//
// Models: every discrete Bayesian or Markov network, if each factor fits in a table, over any
// number of variables. Queries: mplp, a completion of the evidence, its log-probability, and an
// upper bound for all completions. In a Markov network these are of the product of its potentials,
// not divided by the partition function. Guarantee: the bound holds at any time and never gets
// worse. A completion that reaches it is proven to be most probable. A gap means that the
// relaxation is not tight, or that the updates stopped short of its optimum. Cost: an iteration
// reads the table of each factor three times for each of its variables.
//
// A variable adds up the energies of its factors and sends each factor an equal share, so that all
// of its factors agree about it (counting number 1 for factors and 0 for variables). An iteration
// visits the variables in breadth-first order and back. The bound is the sum of the energies that
// each factor received from its last variable. Method trws, which moves energies along the order,
// takes fewer iterations.
//
// When the bound stalls, cycles of three or four factors over two variables tighten the relaxation:
// those that promise most by the messages so far are joined to triplets, which exchange energies
// with their pairs. States are decoded and improved as by method trws.
//
// With subgradient steps, of both methods, a bound that stalls above the optimum of the relaxation
// ascends from there by the volume algorithm, and the choices of its subproblems are rounded to a
// joint state.
//
// Sources: Globerson and Jaakkola 2007, Fixing max-product: convergent message passing algorithms
// for MAP LP-relaxations; Sontag, Globerson and Jaakkola 2011, Introduction to dual decomposition
// for inference; Sontag, Meltzer, Globerson, Jaakkola and Weiss 2008, Tightening LP relaxations for
// MAP using message passing; Komodakis, Paragios and Tziritas 2007, MRF optimization via dual
// decomposition; Barahona and Anbil 2000, The volume algorithm; Koller and Friedman, section 13.5.
package maxsum
