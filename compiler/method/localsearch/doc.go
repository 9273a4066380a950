// Package localsearch plans the methods that search for a probable completion by changing one
// variable, or one group of variables, at a time: icm, tabu and anneal.
//
// They share initial states, moves and the record of the best states, and differ in the move they
// make. None of them proves that no better completion exists. For bounds see package maxsum, and
// for proofs the exact methods.
//
// # Method icm
//
// Method icm is iterated conditional modes. From states that agree with the evidence, each variable
// in turn takes its best state given all others, until none changes. The answer is the best result
// of several starts.
//
// Models: every discrete Bayesian or Markov network. Query: icm, a completion of the evidence and
// its value. Guarantee: no change of one variable, or of one group of variables that must change
// together, improves the completion; better ones may exist. Cost: a sweep takes, for each variable,
// its number of states times the number of tables of its blanket.
//
// The search of method gibbs draws the initial states, and detects impossible evidence. The method
// never enters states of weight zero. It maximizes over latent variables as over the others.
//
// Source: Besag 1986, On the statistical analysis of dirty pictures.
//
// # Method tabu
//
// Method tabu is tabu search. From states that agree with the evidence, it makes the change of one
// variable that raises the value most or, if none does, lowers it least. A state that was left is
// not taken again for a number of moves, the tenure, unless it leads to the best value so far
// (aspiration). The answer is the best of all states visited, from several starts.
//
// Models: every discrete Bayesian or Markov network. Query: tabu, a completion of the evidence and
// its value. Guarantee, if the report says so: no change of one variable, or of one group of
// variables that must change together, improves the completion; better ones may exist. Cost: a move
// compares the values of all changes, and recomputes those of the variables that share a factor
// with the variable that changed.
//
// Among equally good changes one is drawn, so that seeds differ on plateaus.
//
// Source: Glover 1989, Tabu search, part I.
//
// # Method anneal
//
// Method anneal is simulated annealing. From states that agree with the evidence, it draws
// variables given all others, as Gibbs sampling does, but from distributions raised to the power
// 1/T. The temperature T falls by a constant factor each sweep. Then each variable takes its best
// state until none changes. The answer is the best of all states visited, from several starts.
//
// Models: every discrete Bayesian or Markov network. Query: anneal, a completion of the evidence
// and its value. Guarantee: no change of one variable, or of one group of variables that must
// change together, improves the last completion of a start; better ones may exist. Cost: a sweep
// takes, for each variable, its number of states times the number of tables of its blanket.
//
// Temperatures are in units of the logarithm of the product of all factors: at temperature 1 a
// sweep is one of Gibbs sampling. By default they are derived from the range of the factors'
// numbers.
//
// Sources: Kirkpatrick, Gelatt and Vecchi 1983, Optimization by simulated annealing; Geman and
// Geman 1984, Stochastic relaxation, Gibbs distributions and the Bayesian restoration of images.
package localsearch
