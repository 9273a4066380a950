package pgmrt

import (
	"errors"
	"strconv"
	"strings"
)

// The errors of a query. errors.Is finds them under the errors that name a variable.
var (
	// ErrImpossible reports evidence of probability zero.
	ErrImpossible = errors.New("the evidence is impossible")
	// ErrLikelihood reports a likelihood with a number that is negative, infinite or not a number.
	ErrLikelihood = errors.New("not a likelihood")
	// ErrUnderflow reports that the best states, if there are any, may be lost, since numbers on the
	// way to them may have become 0.
	ErrUnderflow = errors.New("the evidence is impossible, or its best states are lost below the smallest number (2.2e-308)")
	// ErrState reports an observation of a state that the variable does not have.
	ErrState = errors.New("no such state")
)

// ErrParticles reports that nothing that a filter keeps, particles or some of the histories, agrees
// with the evidence, although it may be possible.
var ErrParticles = errors.New("no particle or history that is kept agrees with the evidence, which need not be impossible; keep more, or use an exact filter")

// StateError is an observation out of range. Got is the number of the state as generated types
// count, from 1.
type StateError struct {
	Var    string
	Got    uint
	States []string
}

// Error returns a text such as `variable "smoke" has no state 7 (states: [yes no])`.
func (e *StateError) Error() string {
	return "variable " + strconv.Quote(e.Var) + " has no state " + strconv.FormatUint(uint64(e.Got), 10) +
		" (states: [" + strings.Join(e.States, " ") + "])"
}

// Unwrap returns ErrState.
func (e *StateError) Unwrap() error { return ErrState }

// LikelihoodError is a refused likelihood of a variable, with the reason.
type LikelihoodError struct {
	Var    string
	Reason string
}

// Error returns a text such as `variable "smoke": likelihood holds a negative number`.
func (e *LikelihoodError) Error() string {
	return "variable " + strconv.Quote(e.Var) + ": likelihood " + e.Reason
}

// Unwrap returns ErrLikelihood.
func (e *LikelihoodError) Unwrap() error { return ErrLikelihood }
