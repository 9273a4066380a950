// Package data holds data sets of discrete and real variables. A [Set] has a column in memory for
// each variable: numbers of states, real values, and the weights of the rows. A [Counter] caches
// the counts of joint states, and [Moments] are of real variables, with their regressions.
//
// Package rowfile reads sets from files of text and writes such files. A [Record] is a row of a
// file. A [Source] and a [Sink] are files in other formats, such as those of package parquet.
//
// A variable ([Var]) has a list of states, or it is real. Where states are required, a real
// variable has one, 0. [Missing] is the state of a value that is missing.
//
// The package computes no scores, and knows nothing of models except the names of their states.
package data
