// Package learnspn learns sum-product networks by splitting the data: columns into groups that do not depend on each other, and where there is
// one group alone, rows into clusters.
//
// Columns: the components of the graph in which two variables are joined where a G-test finds them dependent at level Options.Alpha. Rows: clusters
// by hard EM of a naive Bayes mixture, in which a row begins a cluster of its own where that is likelier than the best there is by more
// than Options.ClusterPenalty for each variable; of several orders of the rows, the best. A sum has the clusters' sizes as weights. Few
// rows, or one variable, are a product of smoothed leaves. With validation data, levels and penalties are the best of a few, and EM of
// all weights (package spn) goes on as long as it helps.
//
// Data: rows of discrete variables. What a row misses counts neither for its cluster nor in a test. Guarantee: none; greedy search. Cost: in each
// split, the counts of pairs, or for each cluster, row and variable, a few additions.
//
// A search that was stopped goes on from a checkpoint: the splits of all tries, and the round of EM.
//
// Source: Gens and Domingos 2013, Learning the structure of sum-product networks.
package learnspn
