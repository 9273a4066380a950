package irtest

import (
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/irtest/internal/plain"
)

// Plain is the memory of a program for an interpreter that is simple enough to be obviously right:
// one function for each kind of step, by loops over joint states. Tests compare ir/eval and the
// back-ends of codegen with it.
type Plain = plain.Memory

// NewPlain returns the memory of p before its first run.
func NewPlain(p *ir.Program, seed uint64) *Plain { return plain.New(p, seed) }
