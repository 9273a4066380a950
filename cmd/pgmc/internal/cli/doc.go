// Package cli holds the parts that the commands of pgmc share: the global flags, the exit codes,
// the flags by which a model is read and compiled, the progress bar, and output files that appear
// whole or not at all.
//
// A command parses its flags, calls a library, and writes the results. Package cli is not a
// library: it handles flags, and only packages below cmd/pgmc may import it.
package cli
