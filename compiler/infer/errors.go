package infer

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// ErrImpossible is the error of evidence that has probability zero. Errors of this package wrap it
// in an [ImpossibleError].
var ErrImpossible = pgmrt.ErrImpossible

// ImpossibleError reports evidence that has probability zero.
type ImpossibleError struct {
	Evidence string  // as text, shortened
	Report   *Report // of the approximate method that found it; nil for exact methods
}

// Error names the evidence.
func (e *ImpossibleError) Error() string {
	return "impossible evidence: " + e.Evidence + " has probability 0"
}

// Unwrap returns [ErrImpossible].
func (e *ImpossibleError) Unwrap() error { return ErrImpossible }

// SearchError reports that a context ended a search before its answer was proven. It holds a bound,
// the natural logarithm of a probability that no answer exceeds, and wraps the error of the context.
type SearchError = pgmrt.SearchError

// UnknownError reports a name that no variable, or no state of a variable, has.
type UnknownError struct {
	Var   string   // the variable that lacks the state; empty if the variable itself is unknown
	Name  string   // the name that was given
	Known []string // the names that there are
}

// Error gives the name, and the nearest one or the first few that there are.
func (e *UnknownError) Error() string {
	text := "unknown variable " + strconv.Quote(e.Name)
	if e.Var != "" {
		text = fmt.Sprintf("variable %q has no state %q; want %s", e.Var, e.Name, some(e.Known))
	}
	return text + diag.DidYouMean(e.Name, e.Known)
}

// some quotes names, of a long list the first.
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

// Error says what was found and what was wanted.
func (e *ValueError) Error() string {
	return fmt.Sprintf("the evidence on %q is %v of type %T; want %s", e.Var, e.Found, e.Found, e.Want)
}

// KindError reports a model of a kind that a question is not about.
type KindError struct{ Want, Got model.Kind }

// Error gives both kinds.
func (e *KindError) Error() string { return fmt.Sprintf("the model is a %s; want a %s", e.Got, e.Want) }

// The errors of questions that a method cannot answer.
var (
	// ErrNoAnswer is the error of a question that the engine's method does not answer.
	ErrNoAnswer = errors.New("the method does not answer this question")
	// ErrSoftJoint is the error of a probability of evidence that sampling cannot estimate, since
	// it is of likelihoods or of sets of states.
	ErrSoftJoint = errors.New("the probability of evidence is estimated of states; leave out likelihoods and sets of states, or use an exact method")
	// ErrRealJoint is the error of a probability of evidence that sampling cannot estimate, since
	// it is a density.
	ErrRealJoint = errors.New("the log-probability of the evidence is estimated of states; leave out real variables, whose density is not known")
)
