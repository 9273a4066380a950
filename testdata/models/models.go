// Package models holds small Bayesian networks as embedded BIF files: the models of the examples,
// of the tests, and of the command's demonstration. Each file says where its numbers were
// published. Reading a file is the business of compiler/format.
package models

import "embed"

// Files are the models: asia.bif, cancer.bif, hydro.bif, sprinkler.bif and student.bif.
//
//go:embed *.bif
var Files embed.FS
