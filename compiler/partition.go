package compiler

import (
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
)

// partition sets Program.LogZ of a Markov network if answers are relative to it, by computing ln P
// without evidence. If the program has no such query, it compiles one. If parameters may be
// replaced, LogZ is for the model's own parameters. If answers are not relative, LogZ makes up for
// the divisors of the potentials.
func (b *build) partition() error {
	if b.problem.Model.Kind != model.Markov {
		return nil
	}
	relative := func(e ir.Entry) bool {
		return e.Query.Kind != ir.Signature && (e.Chain == nil || e.Query.Kind == ir.Weighted) && e.Query.Kind != ir.Decoding && e.Query.Kind != ir.Bounded
	}
	if b.opt.Unnormalised || !slices.ContainsFunc(b.program.Entries, relative) {
		b.program.LogZ = 0 - b.divided // not -0
		return nil
	}
	program := b.program
	for i := range program.Entries {
		if e := &program.Entries[i]; e.Loop != nil || e.Query.Kind == ir.Weighted {
			return b.loopPartition(e)
		}
	}
	if program.Entry(ir.LogProb.String()) == nil {
		opt := *b.opt
		opt.Queries, opt.Method, opt.Interpreted = []string{ir.LogProb.String()}, Named(b.by.Name), true
		if slices.ContainsFunc(program.Entries, func(e ir.Entry) bool { return len(e.Cutset) > 0 }) {
			opt.Method = b.by.Sparing()
		}
		r, err := b.compile(b.problem.Model, opt)
		if err != nil {
			return err
		}
		b.program.LogZ = r.Program.LogZ
		return nil
	}
	machine := eval.New(program, b.problem.Model)
	if err := machine.RunContext(b.ctx, program.Entry(ir.LogProb.String())); err != nil {
		if b.ctx.Err() != nil {
			return err
		}
		return b.weightless(err)
	}
	if program.LogZ = machine.LogP(); math.IsNaN(program.LogZ) || math.IsInf(program.LogZ, 1) {
		return fmt.Errorf("%w; %s", ir.ErrOverflow, ir.DivideAdvice)
	}
	return nil
}

// loopPartition sets Program.LogZ of a Markov network to the estimate of ln P without evidence by
// the loop of e.
func (b *build) loopPartition(e *ir.Entry) error {
	machine := eval.New(b.program, b.problem.Model)
	if err := machine.RunContext(b.ctx, e); err != nil {
		return b.weightless(err)
	}
	b.program.LogZ = machine.LogP()
	return nil
}

// weightless returns the error of a network with partition function 0.
func (b *build) weightless(err error) error {
	if b.result.Underflows {
		return fmt.Errorf("%w; multiply the numbers of a potential by a constant, which changes neither marginals nor best states", ir.ErrUnderflow)
	}
	return weightlessError{err}
}

// weightlessError is the error of a network with partition function 0. It wraps the program's
// error.
type weightlessError struct{ err error }

// Error describes the fault.
func (weightlessError) Error() string { return "the potentials leave no state of positive weight" }

// Unwrap returns the error of the program.
func (w weightlessError) Unwrap() error { return w.err }
