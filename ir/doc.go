// Package ir is the middle of pgmc: it holds queries about a model and the steps that answer them.
//
//	model.Model + queries = Problem ──method──► Schedule ──Lower──► Program ──► back-ends, eval
//
// A [Problem] is a model and the queries to compile. A method plans it as a [Schedule]: operations,
// each an [Op], on tables over sets of variables, in blocks that the entries of several queries
// share. A [Lowering] gives each table a span of memory and each operation strides. The result is a
// [Program] of [Step] values, the only input of the back-ends and of the interpreter (ir/eval). A
// method never sees Go syntax, and a back-end never sees an elimination order.
//
// The package does not compute anything about a model. Which steps answer a query is up to the
// methods (compiler/method), and which of them merge or vanish is up to the passes
// (compiler/internal/pass).
//
// Contract multiplies tables and sums or maximises over axes. Normalize, Invert and Rescale keep
// numbers in range, Zero clears and Lookup copies. Sums and Walk work on arithmetic circuits. Pick,
// Resample, FindStart and Trial choose states; UpdateStats updates the statistics of Markov chains.
// Damp, Boltzmann, Powers and Tally serve iterative methods. Map, Antilog and Noise work on numbers
// of either sign. MinSum, Energy, SendMessages, Choose and UpdateIncumbent serve methods that
// decode by energies. Kernel calls one function of the runtime. Each step has a file of its own,
// with the operation of a schedule that lowers to it; its method Refs lists the spans that it
// reads, changes and sets.
//
// Some blocks of an entry may repeat until convergence, see [Loop], or sample or search, see
// [Chain]. The blocks themselves do not depend on that.
//
// Conventions. All numbers are finite and at least 0, except the totals of tallies, energies, and
// the rows and scores of trials, which are logarithms. If the evidence is impossible, Root is
// exactly zero and never NaN: normalising or rescaling zeros leaves zeros, and the caller checks
// Root. Sums may be formed in any order, so two back-ends agree up to rounding; one back-end always
// returns the same bits. Products are written such that no platform fuses them with sums.
// Likelihoods are divided by their maximum before they enter, and the log of that factor is added
// to the log-probability.
//
// An entry about a slice of a sequence may have parts, for steps with recurring covariances; see
// [Steady].
//
// Loops may skip the states of a variable that evidence rules out; [RangesOf] finds these loops.
//
// A program has a text form: [Program.Print] writes it, [Parse] reads it back, and [Program.Verify]
// checks it. The compiler's tests verify after every pass.
//
// The shape with two waists follows stanc3 and wazero, the explicit schedule of table operations
// follows aGrUM, and steps that list their own operands follow go/ssa.
package ir
