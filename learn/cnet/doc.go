// Package cnet learns cutset networks: decision trees over variables with a Chow-Liu tree at each leaf, and bagged ensembles of them.
//
// A leaf is replaced by a test of the variable that raises the log-likelihood of its rows most, each candidate judged by the Chow-Liu
// trees that it leaves (gain exact), or by how much it lowers the mean entropy of the other variables (gain entropy, the heuristic
// of the first paper, which costs as much as one tree). It is kept where the gain is above what the parameters that it adds cost by BIC,
// times Options.Penalty. With validation data, tests that do not raise its likelihood are taken back from below. With Bags, an ensemble of
// networks learned from rows drawn with replacement, mixed by weights that EM fits. In Candidates, a random subset of the variables is
// looked at for each test, by which members of an ensemble differ.
//
// Data: rows of discrete variables. Where a row misses what is tested it goes with the most frequent state, and it is left out
// of the counts of what it misses. Guarantee: none; greedy search. Cost: a test takes the counts of pairs and a Chow-Liu tree for each candidate and
// state.
//
// A search that was stopped goes on from a checkpoint: the variables that were chosen to be tested.
//
// Sources: Rahman, Kothalkar and Gogate 2014, Cutset networks; Di Mauro, Vergari and Esposito 2015, Learning accurate cutset networks by
// exploiting decomposability (gain in likelihood, bagging).
package cnet
