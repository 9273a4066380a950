package ir

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Query is one question that a program will answer many times. Kind says what is asked, and Method
// who answers it.
type Query struct {
	Name string // unique within a problem
	Kind QueryKind
	// Method names the method that answers, and By is what that shows of itself. Both are empty for
	// kinds that every exact method answers. By is not part of the text form.
	Method string
	By     *Approximation

	Targets  []model.VarID // Posterior and Signature: the one target; Joint and MAP: the set, in the order of the call
	Evidence []model.VarID // Signature: the variables whose states are given, in the order of the call
	Do       []model.VarID // Signature: those of Evidence that are set from outside, which cuts them off from their parents
	K        int           // KMPE: how many completions
	// Factors are the factors, by number, that can change the answer of a Signature, as pruning found; nil is all.
	Factors []int
}

// Word asks for q as far as one word can: the name of its kind, or of an approximation.
func (q *Query) Word() string {
	if q.By != nil {
		return q.By.Word
	}
	return q.Kind.String()
}

// Cuts reports whether f is the CPD of a variable that q sets from outside: it then says nothing about that variable, and the
// query is about the product of the other factors (the truncated factorisation of Pearl 2009, section 3.2.1).
func (q *Query) Cuts(f *model.Factor) bool {
	return f.Child >= 0 && slices.Contains(q.Do, f.ChildVar())
}

// ParamMode says what the compiler may assume of the numbers of the model.
type ParamMode uint8

// The parameter modes.
const (
	Const ParamMode = iota // they never change: products are folded, zeros and ones vanish, equal numbers merge
	Var                    // they may be replaced at run time: each keeps its place, nothing is folded, messages are always rescaled
)

// Problem is what a method is asked to plan: a model that passed its checks, and the queries.
type Problem struct {
	Model   *model.Model
	Queries []*Query
	Params  ParamMode
}
