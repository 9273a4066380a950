// Package experiment holds what the experiments of pgmc have in common: their options, where their
// tables go, the data sets they use, and the conclusions of papers that they confirm or not.
//
// Each experiment measures again what a paper measured, and has a folder of its own below this one.
package experiment
