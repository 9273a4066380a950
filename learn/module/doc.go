// Package module learns module networks: the variables of a module have the same parents and one
// CPD, so that few rows tell it, and a result says which variables behave alike.
//
// Data: rows of discrete variables. Only variables with the same states, by name and in the same
// order, can be in one module. A row that misses a value is left out of the counts of families with
// it, as in other learners.
//
// Result: a Bayesian network whose CPDs of a module are tied. The CPDs are tables. The score of a
// module is the score of one family with the counts of all its variables. In the report, a variable
// has the part of it that it adds to the variables before.
//
// Search: hill climbing. A step adds a parent to a module, removes or replaces one, or moves a
// variable to another module, or to an empty one with the same parents as before or none; the
// variable may become a parent of its former module. No edge is reversed, since a reversal changes
// the parents of two modules. Scores of modules are kept, so that a step scores only modules that
// it changed. Modules are first formed by how often variables have the same state, more than by
// chance; restarts move variables at random and climb again.
//
// Guarantee: none but a local optimum. Cost: at the start about n k scores of modules for n
// variables and k modules, after each step about n.
//
// Sources: Segal, Pe'er, Regev, Koller and Friedman 2005, Learning module networks; Koller and
// Friedman, exercise 18.22.
package module
