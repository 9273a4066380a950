// Package idspn learns sum-product networks with Markov networks with circuits as leaves (ID-SPN).
// Mixtures separate clusters of rows, and ACMN learns the dependences within a cluster.
//
// The network begins as one circuit of all variables and rows. The search then splits the largest
// circuit, by rows times variables. It splits the variables into the connected components of the
// graph that joins two variables if their mutual information exceeds Options.Mutual, and the rows
// of each component into clusters, each with its own circuit. The split is kept if it raises the
// likelihood of the whole network, on the validation data if there are some. This is repeated until
// Options.Extensions circuits have been tried. Sums have the sizes of their clusters as weights,
// which EM then improves. MaxEdges and the time of the job are divided in proportion to rows times
// variables.
//
// Data: rows of discrete variables; missing values are first drawn from the distributions of their
// variables. Guarantee: the likelihood that decides never falls. Cost: the cost of ACMN for each
// circuit.
//
// A stopped search continues from a checkpoint with the learned circuits and the state of ACMN for
// the others. Each circuit then has unlimited time.
//
// Source: Rooshenas and Lowd 2014, Learning sum-product networks with direct and indirect variable
// interactions.
package idspn
