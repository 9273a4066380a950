// Package cli holds what the commands of pgmc have in common: the global flags, the exit codes, the
// flags by which a model is read and compiled, progress on a terminal, and files that appear whole
// or not at all.
//
// A command parses its flags, calls a library, and writes what comes back. Package cli is not a
// library itself: it speaks of flags, and nothing outside cmd/pgmc may import it.
package cli
