// Package compare measures inference methods on the same evidence, and how far two models are
// apart.
//
// Run answers questions by several methods and compares the answers with exact ones: errors of
// probabilities and of ln P(evidence), divergences, rounds, and times; as text, JSON and a plot.
// Models estimates the Kullback-Leibler divergence of each of two models from the other by rows
// that they draw. It does not measure generated packages: package bench does.
package compare
