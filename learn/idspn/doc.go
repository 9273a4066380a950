// Package idspn learns sum-product networks whose leaves are Markov networks with circuits: ID-SPN, which mixes rows where they differ and
// has ACMN find what depends on what among variables that a mixture does not tell apart.
//
// The network begins as one circuit of all variables and rows. The largest circuit, by rows times variables, is then taken apart: its
// variables into the components of the graph in which two are joined whose mutual information exceeds Options.Mutual, and the rows of each component
// into clusters, each with a circuit of its own. The network that comes of it stays where the likelihood of the whole is larger with it, of the validation data where
// there are some, and the circuit otherwise; so on until Options.Extensions circuits have been looked at. Sums have the sizes of clusters as weights, which
// EM then improves. MaxEdges and the time of the job are shared out by rows times variables.
//
// Data: rows of discrete variables; values that rows miss are drawn from the distributions of their variables first. Guarantee: the
// likelihood that decides never falls. Cost: that of ACMN for each circuit.
//
// A search that was stopped goes on from a checkpoint: the circuits that were learned, and where ACMN stood with the others. Each circuit
// then has all the time that it takes.
//
// Source: Rooshenas and Lowd 2014, Learning sum-product networks with direct and indirect variable interactions.
package idspn
