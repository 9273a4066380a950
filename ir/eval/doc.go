// Package eval interprets an ir.Program in process. The compiler's tests compare back-ends with it,
// and it answers queries when no code is generated.
//
// A [Machine] holds the memories of one program and the evidence of one question. A question is
// answered like this:
//
//	m := eval.New(program, model)
//	err := m.Observe(smoke, 1)                         // evidence, in any order; it stays until ClearEvidence
//	err = m.Run(program.Entry(ir.Marginals.String()))
//	m.Posterior(0), m.LogP(), m.State()                // the answer, until the next Run
//
// It is not a compiler, and it is slow on small tables: it runs the blocks as code for the tape
// machine, which package ir/assemble generates, at a few tens of nanoseconds per step and about one
// per product. It does not check the program; Program.Verify does. Only one goroutine at a time may
// use a machine.
package eval
