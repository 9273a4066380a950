// Package score reports how well models score the rows of a data file, as text or JSON: mean
// log-likelihoods, pseudo-log-likelihoods and conditional log-likelihoods, and a t-test of two
// models.
//
// It reads flags, files and columns. Package rate computes the scores.
package score
