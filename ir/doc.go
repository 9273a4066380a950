// Package ir is the middle of pgmc: from a question about a model to the steps that answer it.
//
//	model.Model + queries = Problem ──method──► Schedule ──Lower──► Program ──► back-ends, eval
//
// A [Problem] is a model and the queries to compile. A method plans it as a [Schedule]:
// operations, each an [Op], on tables over sets of variables, in blocks shared by the entries of
// several queries. A [Lowering] gives each table a span of memory and each operation strides: a
// [Program] of [Step] values, the only thing that back-ends and the interpreter (ir/eval) read. A
// method never sees Go syntax, a back-end never sees an elimination order.
//
// Contract multiplies tables and sums or maximises over axes, Normalize and Rescale keep numbers
// in range, Zero and Lookup clear and copy. Sums and Walk work on arithmetic circuits. Pick,
// Resample, FindStart and Trial choose states; UpdateStats takes statistics. Damp, Boltzmann,
// Powers and Tally are for methods that iterate; MinSum, Energy, SendMessages, Choose and
// UpdateIncumbent for methods that decode by energies. Kernel calls one function of the runtime.
// Each has a file of its own, with everything about it and the operation of a schedule from which
// it is made. These are the fields by which steps refer to spans; state is the states of
// variables, in Program.State:
//
//	step             reads             changes                            sets
//	Contract         In, state         -                                  Out
//	Sums             In                -                                  Out
//	Walk             In                -                                  Stack, state
//	Pick             In                state                              -
//	Normalize        -                 Span                               -
//	Rescale          -                 Span, Exp                          -
//	Zero             -                 -                                  Span
//	Lookup           Table, state      -                                  Out
//	Resample         In, Trees         Tallies, state                     Weights
//	FindStart        -                 Levels, state                      Outcome
//	UpdateStats      -                 Stats, Run                         -
//	Trial            -                 First, Run, Second, Levels, state  -
//	Kernel           Reads             Ints, Writes                       Work, state
//	Damp             New, Rate         Span, Residual                     -
//	Boltzmann        Weight, In        -                                  Out
//	Powers           In                -                                  Out
//	Tally            In, Ref           Total, Alive                       -
//	MinSum           In, Table, state  -                                  Out
//	Energy           In, Weight        -                                  Out
//	SendMessages     In, Base, Rate    Out, Alive, Bound, Residual        Belief
//	Choose           In, Belief        Value, Ties                        state
//	UpdateIncumbent  -                 Run, Best                          -
//
// Some blocks of an entry may repeat until they settle, see [Loop]; or sample or search, see
// [Chain]. Blocks do not depend on that.
//
// Conventions. All numbers are at least 0 and finite, but for the totals of tallies, for
// energies, and for the rows and scores of trials, which are logarithms. An impossible
// observation shows as a Root of exactly zero, never as NaN: normalising or rescaling zeros
// leaves zeros, and the caller looks at Root. Sums may be formed in any order, so that two
// back-ends agree up to rounding; one back-end always gives the same bits. Products are written
// so that no platform fuses them with sums. Likelihoods are divided by their maximum before they
// enter, and that factor is added to the log-probability.
//
// Loops may leave out the states of a variable that evidence rules out; [RangesOf] finds which.
//
// A program has a text form: [Program.Print] writes it, [Parse] reads it back, and
// [Program.Verify] checks it; the compiler's tests verify after every pass.
//
// The package computes nothing about a model itself. The two-waist shape follows stanc3 and
// wazero; the explicit schedule of table operations follows aGrUM; that steps give their
// references, go/ssa.
package ir
