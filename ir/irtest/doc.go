// Package irtest holds what the tests of pgmc share: small models from the literature, random
// models and evidence, comparers, a helper for golden files, and the way to the reference data.
//
// It is not part of the compiler: only tests and the *test helper packages import it. Everything
// random in it is a function of its seed alone, so that a failing case can be named by a number.
//
// Golden files are txtar archives, as the tests of the Go command use them.
package irtest
