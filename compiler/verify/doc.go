// Package verify checks answers about a model against an independent computation.
//
// The answers come from a generated package, from another program or from a server: a function from
// evidence to answers. [Check] draws random evidence, asks that function and a reference, and
// reports the largest differences and the first set of evidence on which the answers are wrong:
//
//	r, err := compiler.Compile(ctx, m, compiler.Options{Queries: []string{"marginals"}})
//	opt := verify.Options{Sets: 100, Tolerance: 1e-9}
//	report, err := verify.Check(ctx, r, verify.OneByOne(answer), opt)
//
// The reference shares as little as possible with the program that is checked. Small models are
// enumerated. A model that is a circuit is evaluated on that circuit in log space. Other models are
// eliminated in an order that the program does not use. A method that iterates or samples is
// compared with the same method interpreted, since its answers are not the model's.
//
// [CheckSequences] does the same for models with a transition, by random sequences.
//
// It does not look at the files of a package; for that see codegen.Package.Compare. Nor does it
// prove anything: it is a test by examples.
package verify
