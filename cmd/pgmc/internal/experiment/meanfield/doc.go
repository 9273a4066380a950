// Package meanfield measures again what Lowd and Shamaei 2011, Mean field inference in dependency
// networks: an empirical study, measured: the accuracy and the time of approximate methods on
// dependency networks and Bayesian networks learned from the same data.
//
// Packages answer by default: they are emitted and built with a program that asks them, of which
// ask.go is a part.
package meanfield
