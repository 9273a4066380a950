// Package dn2mn converts a dependency network to a Markov network of weighted conjunctions, in
// closed form.
//
// If the CPDs of a dependency network are consistent, then for any order of the variables and any
// joint state x' as the base, the joint distribution is P(x') times the product over variables of
// P(x_i | x_1.., x'_i+1..) / P(x'_i | x_1.., x'_i+1..). If they are not, the result depends on
// order and base. The algorithm therefore averages the logarithms of the quotients: over base
// states, drawn with independent variables by their frequencies in the data, and over all rotations
// of the order of the model and of its reverse. Each path to a leaf of a tree, or each feature of a
// logistic regression, then yields, for each state of the variable, one conjunction for each number
// of conditions nearest to the variable in the cyclic order; the other conditions contribute their
// probability as a factor. Normalisers cancel.
//
// Data: the dependency network is job.Init, or the one that package depnet learns from the data
// with its defaults; the rows give the frequencies. Guarantee: the result is the network's own
// distribution, if its CPDs are consistent. Cost: proportional to leaves, states and the square of
// the depth.
//
// Source: Lowd 2012, Closed-form learning of Markov networks from dependency networks.
package dn2mn
