//go:build !minimal

package compiler

import "github.com/pgmc-go/pgmc/compiler/internal/pass"

// interleave orders the steps of the programs for code that runs several at a time.
func (s *state) interleave() error {
	if s.opt.Interpreted {
		return nil
	}
	for _, p := range s.programs() {
		pass.ProgramInterleave(p, s.opt.Lay)
	}
	return nil
}

// lay lays the tables of the program out for vectors.
func (s *state) lay() error {
	if !s.opt.Interpreted {
		pass.ProgramLay(s.program, s.opt.Lay)
	}
	return nil
}

// ways gives single posteriors blocks of their own in a program that is laid out for vectors.
func (s *state) ways() error {
	if !s.opt.Interpreted {
		pass.ProgramWays(s.program)
	}
	return nil
}

// steady splits steps of filters of packages.
func (s *state) steady() error {
	if !s.opt.Interpreted {
		pass.ProgramSteady(s.program)
	}
	return nil
}
