//go:build !minimal

package compiler

import "github.com/pgmc-go/pgmc/compiler/internal/pass"

// interleave orders the steps of the programs for code that runs several at a time.
func (b *build) interleave() error {
	if b.opt.Interpreted {
		return nil
	}
	for _, p := range b.programs() {
		pass.ProgramInterleave(p, b.opt.trial.Lay)
	}
	return nil
}

// lay lays the tables of the program out for vectors.
func (b *build) lay() error {
	if !b.opt.Interpreted {
		pass.ProgramLay(b.program, b.opt.trial.Lay)
	}
	return nil
}

// ways gives single posteriors blocks of their own in a program that is laid out for vectors.
func (b *build) ways() error {
	if !b.opt.Interpreted {
		pass.ProgramWays(b.program)
	}
	return nil
}

// steady splits steps of filters of packages.
func (b *build) steady() error {
	if !b.opt.Interpreted {
		pass.ProgramSteady(b.program)
	}
	return nil
}
