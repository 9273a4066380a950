// Package cpt writes the parameters of one CPD or utility as CSV, and reads them back.
//
// A table has a column for each parent and one for each state of the child:
//
//	either,bronc,dysp=yes,dysp=no
//	yes,yes,0.9,0.1
//	yes,no,0.7,0.3
//
// A Gaussian CPD has a column for each discrete parent, then mean, one for the coefficient of each
// real parent, and var. A softmax CPD has one for each discrete parent and for the child, then bias
// and the coefficients. A noisy-max has the columns cause and state, in which the leak is "(leak)",
// and one for each state of the child. A utility has its parents and utility. Other CPDs of states
// are written as tables. Columns and rows are read in any order.
package cpt
