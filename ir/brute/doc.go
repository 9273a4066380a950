// Package brute answers queries by enumerating the joint distribution of a discrete model. It is
// the oracle that all other code is compared with, so plain that it is obviously right.
//
// It is for tests: time and memory grow with the number of joint states, and it accepts at most
// 4 million of them. It shares nothing with the compiler except the model and [model.Model.Value].
//
// It departs from the naive only to be a good oracle: products have an exponent of their own, so
// that nothing underflows, and sums are compensated (Neumaier 1974), so that answers are correct to
// the last few bits.
package brute
