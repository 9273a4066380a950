// Package irtest is shared by the tests of pgmc: it has small models from the literature, random
// models and evidence, comparisons, a helper for golden files, and the path of the reference data.
//
// It is not part of the compiler: only tests and the *test helper packages import it. Everything
// random in it depends only on its seed, so that a number names a failing case.
//
// Golden files are txtar archives, as in the tests of the Go command.
package irtest
