// Package infer answers questions about a probabilistic graphical model in process: posteriors,
// probabilities of evidence, most probable states, and samples.
//
// [Load] reads a model from a file, and [New] makes an [Engine] for it:
//
//	m, _, err := infer.Load("asia.bif")
//	e, err := infer.New(ctx, m, infer.Options{})
//	lung, err := e.Posterior(ctx, infer.Evidence{"smoke": "yes"}, "lung")
//	fmt.Println(lung.Of("yes"))
//
// An engine compiles a program for each kind of question when it is first asked, and interprets it.
// Answers are exact unless [Options] name an approximate method; a [Report] then says how it went.
// A [Session] keeps its evidence, and answers again faster after a small change of it.
//
// A [Filter] follows a sequence of a model with a transition in constant memory. [Engine.Smooth]
// and [Engine.Viterbi] go forwards over a whole one and back, and keep as many beliefs as fit in
// half of the memory of the options; beyond it they go forwards again from checkpoints, see
// [Engine.SweepSize].
//
// It is not the fast way to ask one question many times: package codegen emits a Go package that
// answers the same questions without interpretation and without allocation. Nor does it learn
// models; see package learn. The algorithms are in compiler/method, and ir/eval runs them.
package infer
