// Package experiment runs the experiments of pgmc: it goes through their instances, prints and
// saves their tables, and has the data sets, learners and conclusions that they share.
//
// Each experiment repeats the measurements of a paper and has a folder of its own below this one:
// a Plan, a function that measures one instance, and a function that makes the tables.
package experiment
