// Package deletion repeats figures 1 to 5 of Choi, Chan and Darwiche 2005, On Bayesian network
// approximation by edge deletion: the errors of belief propagation and edge deletion on large
// networks.
package deletion
