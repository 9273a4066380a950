// Package learnspn learns sum-product networks by splitting the data: columns into independent
// groups, and if there is only one group, rows into clusters.
//
// Columns: the connected components of the graph that joins two variables if a G-test finds them
// dependent at level Options.Alpha. Rows: clusters by hard EM of a naive Bayes mixture, in which a
// row starts a new cluster if that is more likely than the best existing one by more than
// Options.ClusterPenalty for each variable; several orders of the rows are tried. A sum has the
// clusters' sizes as weights. Few rows, or one variable, become a product of smoothed leaves. With
// validation data, level and penalty are the best of a few, and EM fits all weights (package spn)
// as long as it helps.
//
// Data: rows of discrete variables. Missing values count neither for clusters nor in tests.
// Guarantee: none; the search is greedy. Cost: in each split, the counts of pairs, or for each
// cluster, row and variable, a few additions.
//
// A stopped search continues from a checkpoint: the splits of all tries, and the round of EM.
//
// Source: Gens and Domingos 2013, Learning the structure of sum-product networks.
package learnspn
