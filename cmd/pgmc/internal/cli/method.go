package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir"
)

// Approximate returns the method of that name if it answers a query of its own in place of
// marginals and ln P; nil if it is exact or there is none.
func Approximate(name string) *method.Method {
	m, err := compiler.FindMethod(name)
	if err != nil || m.Answers == nil {
		return nil
	}
	return &m
}

// ExactMethods lists the methods that answer every query of a discrete model exactly, with "or"
// before the last.
func ExactMethods() string {
	return Methods("or", func(m *method.Method) bool { return m.Answers == nil && !m.Real() })
}

// MethodsOf lists the methods with answers of that kind, with a word before the last.
func MethodsOf(kind ir.QueryKind, word string) string {
	return Methods(word, func(m *method.Method) bool { return m.Answers != nil && m.Answers.Kind == kind })
}

// Methods lists the methods for which in holds, with a word before the last.
func Methods(word string, in func(*method.Method) bool) string {
	var names []string
	for i := range compiler.Methods {
		if m := &compiler.Methods[i]; in(m) {
			names = append(names, m.Name)
		}
	}
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " " + word + " " + names[last]
}

// QueryWords lists the words of --query that name no variables: the words of the kinds of query,
// and of the approximate methods.
func QueryWords() string {
	words := []string{"batch", "posteriors", "gate"}
	for i, k := range ir.Kinds {
		if codegen.Answers(ir.QueryKind(i)) && (k.Wants == ir.WantsNothing || k.Wants == ir.WantsParams) {
			words = append(words, k.Name)
		}
	}
	for _, m := range compiler.Methods {
		if m.Answers != nil && !slices.Contains(words, m.Answers.Word) {
			words = append(words, m.Answers.Word)
		}
	}
	return strings.Join(words, ", ")
}

// PosteriorQuery returns the query by which an approximate method answers marginals. It is empty
// for exact methods, and an error for methods that answer none.
func PosteriorQuery(name string) (string, error) {
	by := Approximate(name)
	switch {
	case by == nil:
		return "", nil
	case by.Answers.Kind.Answer() == ir.AnswerMarginals:
		return by.Answers.Word, nil
	}
	others := Methods("or", func(m *method.Method) bool {
		return m.Answers != nil && m.Answers.Kind.Answer() == ir.AnswerMarginals
	})
	does := "chooses states"
	if by.Answers.Kind == ir.Bounded {
		does = "bounds them"
	}
	return "", fmt.Errorf("method %s %s and has no posteriors; try --method %s, or for approximate ones %s", name, does, ExactMethods(), others)
}
