// Package rows answers questions given as lines of JSON or rows of a data file, and writes the
// answers as lines of JSON.
//
// A [Server] reads questions, passes them to an [Engine], and writes the answers. An engine is the
// interpreter of this package, which calls package infer, or [Compiled], which asks a program
// around a compiled package. The package computes no probabilities itself.
package rows
