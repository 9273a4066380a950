// Package eval interprets an ir.Program in process: what the compiler's tests compare back-ends
// with, and what answers queries where no code is generated.
//
// A [Machine] holds the memories of one program and the evidence of one question. The life of a
// question is
//
//	m := eval.New(program, model)
//	m.Observe(smoke, 1)                // evidence, in any order; it stays until ClearEvidence
//	err := m.Run(program.Entry("lung"))
//	m.Posterior(0), m.LogP(), m.State() // the answer, until the next Run
//
// It is not a compiler and not quick on small tables: it runs the blocks as code for the tape
// machine, which package ir/assemble makes, at a few tens of nanoseconds a step and about one a
// product. It checks nothing about the program, which is Program.Verify's task. A machine is for
// one goroutine at a time.
package eval
