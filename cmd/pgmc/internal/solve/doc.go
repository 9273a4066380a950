// Package solve answers the tasks of the UAI competitions for the command pgmc solve: PR, MAR, MPE
// and MMAP, each with a certificate of the proof.
//
// It is not a reader of the competition's files, which is the package uai, and not an inference
// method: it chooses queries, asks an engine, and keeps logarithms to base 10 as the tasks do.
package solve
