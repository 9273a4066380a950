// Package ir is the middle of pgmc: from a question about a model to the steps that answer it.
//
//	model.Model + queries = Problem ──method──► Schedule ──Lower──► Program ──► back-ends, eval
//
// A [Problem] is a model and the queries to compile. A method plans it as a [Schedule]: operations on tables over
// sets of variables, in blocks shared by the entries of several queries. Lowering gives each table a span of memory
// and each operation strides: a [Program], the only thing that back-ends and the interpreter (ir/eval) read. A
// method never sees Go syntax, a back-end never sees an elimination order.
//
// The steps of a program, and what they read and write:
//
//	step       reads                     writes
//	Contract   spans of In, state        Out: product of In, reduced by sum or max over some axes
//	Sums       spans of In               Out: nodes of a circuit, each a sum or maximum of products of two
//	Walk       spans of In, rng          state: of variables whose inputs a way down through nodes meets; Stack
//	Pick       spans of In, state, rng   state: the best or a random state of one variable
//	Normalize  Span                      Span, divided by its sum
//	Rescale    Span, Exp                 Span times 2^-k, Exp plus k
//	Zero                                 Span
//	Lookup     Table, state              Out: one row of Table
//	Resample   row, state, rng           state: of some variables, drawn given all others; Tallies: the shares
//	Seek       rows, rng                 state: of all variables, where no row is zero; Outcome
//	Fold       Stats, Run                Stats: of a variable's probabilities over sweeps, or a real one's moments; Run
//	Trial      rows, First, state, rng   state, or First and Second of some variables, by its kind; Run
//	Kernel     Reads, Ints, state, rng   what one function of the runtime does: Writes, Ints, state
//	Damp       Span, New, Rate           Span, moved towards New; Residual: how far it was
//	Boltzmann  spans of In, Weight       Out: exp of less their sum, normalised
//	Powers     spans of In              Out: the product of powers of them, normalised
//	Tally      In, Ref                   Total, plus a sum, a logarithm or an entropy; Alive
//	MinSum     Table, spans of In, state Out: least sums of energies
//	Energy     spans of In, Weight       Out: energies, negated logarithms
//	Spread     Base, spans of In         Out: a sum of energies, handed out; Belief, Alive, Bound, Residual
//	Choose     spans of In, Belief       state: of one variable, of least energy; Value, Ties
//	Judge      state, Run                state and Best: the best so far; Run
//
// Some blocks of an entry may repeat until they settle, see [Loop]; or sample or search, see [Chain]; blocks know nothing of it.
//
// Conventions. All numbers are at least 0 and finite, but for the totals of tallies, for energies, and for the rows and scores of trials, which are logarithms. An impossible observation shows as a Root of exactly zero,
// never as NaN: normalising or rescaling zeros leaves zeros, and the caller looks at Root. Sums may be formed in any
// order, so that two back-ends agree up to rounding; one back-end always gives the same bits. Products are written
// so that no platform fuses them with sums. Likelihoods are divided by their maximum before they enter, and that
// factor is added to the log-probability.
//
// Loops may leave out the states of a variable that evidence rules out; [RangesOf] finds which.
//
// A program has a text form: [Program.Print] writes it, [Parse] reads it back, and [Program.Verify] checks it; the
// compiler's tests verify after every pass.
//
// The package computes nothing about a model itself. The two-waist shape follows stanc3 and wazero; the explicit
// schedule of table operations follows aGrUM.
package ir
