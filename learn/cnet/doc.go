// Package cnet learns cutset networks: decision trees over variables with a Chow-Liu tree at each
// leaf, and bagged ensembles of them.
//
// A leaf is replaced by a test of the variable that raises the log-likelihood of its rows most.
// Each candidate is scored by the Chow-Liu trees below its test (gain exact), or by how much it
// lowers the mean entropy of the other variables (gain entropy, the heuristic of the first paper,
// which costs as much as one tree). The test stays if its gain exceeds the BIC penalty of the
// parameters that it adds, times Options.Penalty. With validation data, tests that do not raise its
// likelihood are pruned bottom-up. With Bags, the result is a mixture of networks learned from rows
// drawn with replacement; EM fits its weights. With Subset, each test considers a random subset of
// the variables, which makes the members of an ensemble differ.
//
// Data: rows of discrete variables. A row that misses the tested variable follows its most frequent
// state; a row is left out of the counts of the variables that it misses. Guarantee: none; the
// search is greedy. Cost: for a test, the pair counts and a Chow-Liu tree for each candidate and
// state.
//
// A stopped search continues from a checkpoint with the variables chosen for tests.
//
// Sources: Rahman, Kothalkar and Gogate 2014, Cutset networks; Di Mauro, Vergari and Esposito 2015,
// Learning accurate cutset networks by exploiting decomposability (gain in likelihood, bagging).
package cnet
