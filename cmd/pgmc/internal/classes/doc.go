// Package classes says how well each state of a discrete target is predicted, in the terms of binary
// classification, and what a threshold costs. It reads the confusion matrix and the ranks of a
// [rate.PredictionReport].
package classes
