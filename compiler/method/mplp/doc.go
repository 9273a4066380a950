// Package mplp plans max-product linear programming by star updates: block-coordinate descent on the dual of the linear relaxation, which
// raises a bound of what any joint state can be worth until states reach it or the bound stands still.
//
// Models: every discrete Bayesian or Markov network whose single factors fit, of factors over any number of variables. Queries: mplp, a
// completion of the evidence, its log-probability and an upper bound of that of all completions. Of a Markov network, these are of the product
// of its potentials, not divided by their sum. Guarantee: the bound holds at any time and never gets worse. Where states reach it, they are
// proven to be most probable; a gap means that the relaxation is not tight, or that the updates stand still above its best. Cost: a round takes the
// table of each factor three times for each of its variables.
//
// At a variable the energies of its factors are gathered, and handed out again in equal shares, which makes all of its factors agree about it
// (counting numbers of one for factors and of none for variables). A round goes along the variables by their distance from the first, and back;
// the bound is the sum of what each factor got from its last variable. States are chosen, and the method stops, as in method trws, which keeps
// energies moving along the order and so takes fewer rounds.
//
// Sources: Globerson and Jaakkola 2007, Fixing max-product: convergent message passing algorithms for MAP LP-relaxations; Sontag, Globerson and
// Jaakkola 2011, Introduction to dual decomposition for inference; Koller and Friedman, section 13.5.
package mplp
