package infer

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// ErrImpossible is the error of evidence that has probability zero. Errors of this package wrap it
// in an [ImpossibleError].
var ErrImpossible = pgmrt.ErrImpossible

// ImpossibleError reports evidence that has probability zero.
type ImpossibleError struct {
	Evidence string  // as Findings.Text returns it
	Conflict string  // the findings that contradict each other, if they were looked for and are fewer
	Report   *Report // of the approximate method that found it; nil for exact methods
}

// noEvidence is the text of findings without any.
const noEvidence = "no evidence"

// Error names the evidence, or what else leaves no state.
func (e *ImpossibleError) Error() string {
	if e.Evidence == noEvidence {
		return "the potentials leave no state of positive weight"
	}
	text := "impossible evidence: " + e.Evidence + " has probability 0"
	if e.Conflict != "" {
		text += ", and so has " + e.Conflict + " alone; leave out one of these"
	}
	return text
}

// Unwrap returns [ErrImpossible].
func (e *ImpossibleError) Unwrap() error { return ErrImpossible }

// NoParticleError reports that nothing that a filter keeps agrees with the evidence on a slice. It
// wraps pgmrt.ErrParticles: the evidence need not be impossible.
type NoParticleError struct{ *diag.Message }

// Unwrap returns pgmrt.ErrParticles.
func (*NoParticleError) Unwrap() error { return pgmrt.ErrParticles }

// SliceError is an error about one slice of a sequence.
type SliceError struct {
	Slice int // from 0
	Err   error
}

// Error names the slice.
func (e *SliceError) Error() string { return fmt.Sprintf("slice %d: %v", e.Slice, e.Err) }

// Unwrap returns the error about the slice.
func (e *SliceError) Unwrap() error { return e.Err }

// SearchError reports that a context ended a search before its answer was proven. It holds a bound,
// the natural logarithm of a probability that no answer exceeds, and wraps the error of the
// context.
type SearchError = pgmrt.SearchError

// NothingFoundError reports a search that ended without any possible states. It holds a bound, the
// natural logarithm of a probability that no states exceed, and wraps [ErrNothingFound]. Guess has
// possible states that a local search found in place of it, and a lower bound of the logarithm of
// their probability; it is nil if there are none.
type NothingFoundError struct {
	Bound float64
	Guess *Completion
}

// Error states the bound and what may find states.
func (e *NothingFoundError) Error() string {
	return fmt.Sprintf("%v; the logarithm of that of any states is at most %.10g; more time may find some, or method %s or %s", ErrNothingFound, e.Bound,
		compiler.By(method.MaxMessages).Value, compiler.By(method.DualMessages).Value)
}

// Unwrap returns [ErrNothingFound].
func (e *NothingFoundError) Unwrap() error { return ErrNothingFound }

// UnknownError reports a name that no variable, or no state of a variable, has.
type UnknownError struct {
	Var   string   // the variable that lacks the state; empty if the variable itself is unknown
	Name  string   // the name that was given
	Known []string // the names that exist
}

// Error names the missing name, and the nearest name or the first few that exist.
func (e *UnknownError) Error() string {
	text := "unknown variable " + strconv.Quote(e.Name)
	if e.Var != "" {
		text = fmt.Sprintf("variable %q has no state %q; want %s", e.Var, e.Name, some(e.Known))
		if cuts, ok := model.IntervalCuts(e.Known); ok && len(cuts) > 0 {
			text += ", or a number"
		}
	}
	return text + diag.DidYouMean(e.Name, e.Known)
}

// some returns the quoted names, or the first of a long list.
func some(names []string) string {
	const most = 10
	var parts []string
	for _, s := range names {
		if len(parts) == most {
			parts = append(parts, "...")
			break
		}
		parts = append(parts, strconv.Quote(s))
	}
	return strings.Join(parts, ", ")
}

// ValueError reports a value that cannot be evidence on a variable.
type ValueError struct {
	Var   string
	Found any
	Want  string
}

// Error names the variable, the finding, and the expected one.
func (e *ValueError) Error() string {
	return fmt.Sprintf("the evidence on %q is %v of type %T; want %s", e.Var, e.Found, e.Found, e.Want)
}

// KindError reports a model of the wrong kind for a question.
type KindError struct{ Want, Got model.Kind }

// Error names both kinds.
func (e *KindError) Error() string { return fmt.Sprintf("the model is a %s; want a %s", e.Got, e.Want) }

// The errors of questions that a method cannot answer.
var (
	// ErrNothingFound reports a search that ended without any possible states, which does not prove
	// that there are none.
	ErrNothingFound = errors.New("the search ended before it found any states that are possible")
	// ErrNoAnswer reports a question that the engine's method does not answer.
	ErrNoAnswer = errors.New("the method does not answer this question")
	// ErrSoftJoint reports a probability of likelihoods or of sets of states, which sampling cannot
	// estimate.
	ErrSoftJoint = errors.New("the probability of evidence is estimated of states; leave out likelihoods and sets of states, or use an exact method")
	// ErrRealJoint reports a probability density of real values, which sampling cannot estimate.
	ErrRealJoint = errors.New("the log-probability of the evidence is estimated of states; leave out real variables, whose density is not known")
)

// errJeffrey reports a given posterior in a question other than about marginals.
var errJeffrey = errors.New("a posterior that is given is answered by marginals alone")
