// Package experiment is shared by the experiments of pgmc: it has their options, the output of
// their tables, the data sets they use, and the conclusions of papers that they confirm or not.
//
// Each experiment repeats the measurements of a paper and has a folder of its own below this one.
package experiment
