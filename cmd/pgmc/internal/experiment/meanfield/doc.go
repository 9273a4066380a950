// Package meanfield repeats the measurements of Lowd and Shamaei 2011, Mean field inference in
// dependency networks: an empirical study: the accuracy and the time of approximate methods on
// dependency networks and Bayesian networks learned from the same data.
//
// By default compiled packages answer: they are emitted and built together with a program that
// calls them and has a copy of ask.go.
package meanfield
