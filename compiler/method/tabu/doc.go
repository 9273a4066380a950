// Package tabu plans tabu search: from states that agree with the evidence, the change of one variable is made that raises the value most, or
// where none does lowers it least; a state that was left is not taken up again for some moves, the tenure, unless that leads to a better
// value than any before (aspiration). The best states met, from any of several starts, are the answer.
//
// Models: every discrete Bayesian or Markov network. Query: tabu, a completion of the evidence and its value. Guarantee: no change of one
// variable, or of one group of variables that have to change together, makes the completion better, where the report says so; better ones may
// exist. Cost: a move looks at the value of every change, and works out again those of the variables that share a factor with the one that
// changed.
//
// Changes that are as good as each other are drawn from, so that seeds differ on plateaus.
//
// Source: Glover 1989, Tabu search, part I.
package tabu
