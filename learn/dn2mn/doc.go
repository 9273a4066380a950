// Package dn2mn makes a Markov network of weighted conjunctions out of a dependency network, in closed form.
//
// Where the CPDs of a dependency network agree with each other, the joint distribution is, for any order of the variables and any joint
// state x' as the base, P(x') times the product over variables of P(x_i | x_1.., x'_i+1..) / P(x'_i | x_1.., x'_i+1..). Where they do
// not, the result depends on order and base. So logarithms of the quotients are averaged: over base states, with the variables drawn
// independently by their frequencies in the data, and over all rotations of the order of the model and of its reverse. Each way to a
// leaf of a tree, or feature of a logistic regression, then becomes, for each state of the variable, one conjunction for each number of
// conditions nearest to the variable in the cyclic order; the other conditions are paid for by their probability. What is normalised
// away cancels.
//
// Data: a network in job.Init, or else one that package depnet learns from the data with its defaults;
// rows for frequencies. Guarantee: the network's own distribution, where it has one. Cost: in proportion to leaves, states and the
// square of the depth.
//
// Source: Lowd 2012, Closed-form learning of Markov networks from dependency networks.
package dn2mn
