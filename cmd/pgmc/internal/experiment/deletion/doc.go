// Package deletion measures again figures 1 to 5 of Choi, Chan and Darwiche 2005, On Bayesian
// network approximation by edge deletion: how near belief propagation and edge deletion come to the
// exact answers of large networks.
package deletion
