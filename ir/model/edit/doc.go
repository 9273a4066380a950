// Package edit changes models: the parameters of a distribution, the states of a variable,
// variables, edges and descriptions.
//
// Each operation is a function that returns a changed copy and leaves its argument as it is, so
// that a caller can keep both for undo. The copy shares unchanged parts with the original and has
// passed [model.Model.Check]. With the copy, an operation returns an [Effect] for each CPD and
// utility that it changed: what it kept of the parameters, and how many rows became uniform.
//
// An operation keeps what it can:
//
//   - A new parent has no influence: rows are repeated for its states, its coefficient is 0, and as
//     a cause of a noisy-max it contributes the lowest state.
//   - Without a parent, a row is the mean of the rows over its states, weighted by its marginal
//     or, if the caller does not know that, by equal weights. A real parent is replaced by its
//     mean, and its variance adds to the variance of a Gaussian child. Undefined rows, and in an
//     influence diagram rows of zeros, do not count in a mean.
//   - A new state has the probability 0. As the state of a parent it has uniform rows, standard
//     normal ones of a Gaussian child.
//   - Without a state, the others keep their proportions. A row in which they are all 0 becomes
//     uniform. An undefined row stays undefined, and in an influence diagram a row of zeros stays
//     one.
//   - A latent variable of a template that holds another one some slices ago is renamed and removed
//     with it, and has the same states.
//   - A CPD keeps its kind if that can hold the result. Otherwise a CPD of states becomes a table,
//     and others are an error.
//   - A changed CPD has no counts of data, and with another shape is not tied to others.
//
// The numbers that were a CPD's stay in the order of [model.Factor.Parents]. A new parent is the
// last one, or the last discrete one. The package reads no text; messages have no position.
package edit
