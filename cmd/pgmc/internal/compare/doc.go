// Package compare compares inference methods on the same evidence, and two models with each other.
//
// Run answers questions by several methods and compares the answers with exact ones: errors of
// probabilities and of ln P(evidence), divergences, rounds, and times; as text, JSON and a plot.
// Models estimates the Kullback-Leibler divergence of each of two models from the other by rows
// that they draw. It does not measure generated packages: package bench does.
package compare
