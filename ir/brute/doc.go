// Package brute answers queries by enumerating the joint distribution of a discrete model: the oracle that everything
// else is compared with, so plain that it is obviously right.
//
// It is not for use: time and memory grow with the number of joint states, of which it accepts at most [MaxStates]. It
// shares nothing with the compiler but the model and [model.Model.Value].
//
// Where it is less than naive, it is for the sake of being an oracle: products keep an exponent of their own, so that
// nothing underflows, and sums are compensated (Neumaier 1974), so that its answers are right to the last few bits.
package brute
