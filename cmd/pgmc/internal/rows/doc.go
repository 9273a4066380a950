// Package rows answers questions that come as lines of JSON or as rows of a data file, and writes
// the answers as lines of JSON or as text.
//
// A [Server] reads questions, has an [Engine] answer them, and writes the answers. An engine is the
// interpreter of this package, which asks package infer, or a program that is built around a
// compiled package. The files that driver.go embeds use the standard library alone, since that
// program has copies of them.
package rows
