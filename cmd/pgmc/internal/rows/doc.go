// Package rows answers questions given as lines of JSON or rows of a data file, and writes the
// answers as lines of JSON or as text.
//
// A [Server] reads questions, passes them to an [Engine], and writes the answers. An engine is the
// interpreter of this package, which calls package infer, or a [Driver]: a program built around a
// compiled package. The program has copies of the files that driver.go embeds, so these import the
// standard library alone. The package computes no probabilities itself.
package rows
