// Package gpb filters sequences of networks in which real and discrete variables persist: switching
// linear dynamic systems, and all others whose real variables have Gaussian CPDs. The exact belief
// has a Gaussian for each history of the discrete variables. Each method keeps fewer, with the same
// means and covariances as the mixtures that they stand for:
//
//   - gpb1, the generalised pseudo-Bayesian filter of first order, keeps one Gaussian and the
//     probabilities of states.
//   - gpb2, that of second order, keeps one for each joint state of the discrete variables that
//     persist. A slice runs for each joint state before it and in it.
//   - imm, the interacting multiple model filter, keeps as many, but mixes them before a slice, by
//     the probabilities of the states before given those in the slice. A slice runs once for each
//     joint state in it.
//
// Discrete variables may have real parents, with softmax CPDs. A Gaussian is then kept, within a
// slice, for each joint state of these variables and of their discrete parents: it has the means
// and covariances of the Gaussian of all evidence times the softmax function, by the rule of
// integration of method ep, so that slice 0 of one such variable is exact up to that rule. What
// depends on such a variable in the same slice is added after that.
//
// Models: Bayesian networks with a transition, whose real variables have Gaussian CPDs. Queries:
// filter, and of gpb2 and imm smooth, by the smoother of Kim: it goes back with one Gaussian for
// each joint state of the discrete variables that persist, and takes later evidence to depend on
// these and only on the real variables that persist. The most probable path needs exact beliefs.
// Guarantee: none in general. They are exact if no real variable persists, if all variables are
// real (the Kalman filter and its smoother), or if a discrete state that persists takes one value;
// gpb2 is exact if the real variables that persist are observed, and its filter for two slices if
// the discrete parents of the real variables of slice 0 persist; otherwise only slice 0 has more
// than one Gaussian for a state that persists. Without evidence on real variables, gpb2 and imm
// have exact means and variances of variables whose discrete parents persist. Cost: as in the list,
// times the cube of the number of real variables; a slice on the way back runs for each joint state
// before it and in it.
//
// Sources: Ackerson and Fu 1970; Chang and Athans 1978; Blom and Bar-Shalom 1988, "The interacting
// multiple model algorithm for systems with Markovian switching coefficients"; Kim 1994, "Dynamic
// linear models with Markov-switching"; Koller and Friedman, section 15.4.2.3. The arithmetic is in
// package switching.
package gpb
