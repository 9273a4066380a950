package compiler

import (
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// checkAnswers returns an error if a method does not answer the queries of a problem. A method that
// has a query of its own answers only that one, and an exact method answers no such query.
func checkAnswers(m *method.Method, p *ir.Problem) (list diag.List) {
	pos := diag.Pos{File: p.Model.File}
	for _, q := range p.Queries {
		switch {
		case m.Answers != nil && q.Method != m.Name:
			list.Errorf(pos, "method %s answers only the query %s; found %s; %s", m.Name, m.Answers.Word, q.Word(), Alternatives(p.Model))
			return list
		case m.Inexact && q.Kind.Run() != ir.RunStream && p.Model.Transition == nil:
			list.Errorf(pos, "method %s filters sequences, and the model is none: it has no transition from slice to slice; for %s %s", m.Name, q.Word(), Alternatives(p.Model))
			return list
		case m.Inexact && q.Kind.Run() != ir.RunStream:
			list.Errorf(pos, "method %s filters sequences and does not answer %s; want filter", m.Name, q.Word())
			return list
		case m.Answers == nil && q.Method != "":
			list.Errorf(pos, "method %s is exact and does not answer %s; try %v", m.Name, q.Word(), method.By(q.Method))
		}
	}
	return list
}

// Alternatives returns the part of a message that names the exact methods that take m or, if there
// are none, the reason and the methods that compute marginals of m.
func Alternatives(m *model.Model) *diag.Message {
	needs, traits := m.Needs(), m.Traits()
	var exact, marginals []string
	for i := range Methods {
		switch x := &Methods[i]; {
		case x.Takes&traits != traits, x.Inexact, x.Answers == nil && x.Real() && traits&model.Reals == 0:
		case x.Answers == nil:
			exact = append(exact, x.Name)
		case x.Answers.Kind.Answer() == ir.AnswerMarginals:
			marginals = append(marginals, x.Name)
		}
	}
	switch {
	case exact != nil:
		return diag.Errorf("try %v%s", method.By(exact[0]), orOthers(exact))
	case marginals != nil:
		return diag.Errorf("no method does for %s; for marginals try %v%s", needs[0].What, method.By(marginals[0]), orOthers(marginals))
	}
	return diag.Errorf("no method does for %s", untaken(needs).What)
}

// untaken returns the first need that no method for single networks takes, or the first one if each
// has some method.
func untaken(needs []model.Need) model.Need {
	for _, n := range needs {
		if !slices.ContainsFunc(Methods, func(x method.Method) bool { return !x.Inexact && x.Takes&n.Trait != 0 }) {
			return n
		}
	}
	return needs[0]
}

// approximate proposes the first method within the limits that approximates marginals, if a query
// does not ask for states, and the first for probable states, if a query does.
func (b *build) approximate() (list []*diag.Message) {
	states := func(q *ir.Query) bool { return q.Kind.Answer() == ir.AnswerStates }
	if slices.ContainsFunc(b.problem.Queries, func(q *ir.Query) bool { return !states(q) }) {
		list = b.firstOf(list, ir.Beliefs, "marginals")
	}
	if slices.ContainsFunc(b.problem.Queries, states) {
		list = b.firstOf(list, ir.Decoding, "a probable completion")
	}
	return list
}

// firstOf adds to list the first method that answers queries of a kind for the model with a program
// within the limits.
func (b *build) firstOf(list []*diag.Message, kind ir.QueryKind, what string) []*diag.Message {
	traits := b.problem.Model.Traits()
	for i := range Methods {
		x := &Methods[i]
		if x.Answers == nil || x.Answers.Kind != kind || x.Takes&traits != traits {
			continue
		}
		queries, err := queriesOf(x, b.problem.Model, &Options{})
		if err != nil {
			continue
		}
		if est, err := b.estimate(b.opt, &resolved{Method: x}, queries); err == nil && !b.opt.over(&est.Size) {
			return append(list, diag.Errorf("%s by %v, which needs %s", what, method.By(x.Name), Bytes(est.Bytes())))
		}
	}
	return list
}

// orOthers returns all names but the first, as the rest of a list with "or" before its last name.
func orOthers(names []string) string {
	b := &strings.Builder{}
	for i, name := range names[1:] {
		if i < len(names)-2 {
			b.WriteString(", " + name)
		} else {
			b.WriteString(" or " + name)
		}
	}
	return b.String()
}

// Takers returns the methods with the traits that they take, as [model.Refuse] wants them. Those
// that only filter sequences are among them if a transition is among the needs of a model.
func Takers(needs []model.Need) (list []model.Taker) {
	inTime := slices.ContainsFunc(needs, func(n model.Need) bool { return n.Trait == model.Slices })
	for _, x := range Methods {
		if !x.Inexact || inTime {
			list = append(list, model.Taker{Name: x.Name, Takes: x.Takes})
		}
	}
	return list
}

// refuse returns an error if a method does not take a trait that a model needs.
func refuse(meth *method.Method, needs []model.Need) error {
	return model.Refuse("method", meth.Name, meth.Takes, needs, Takers(needs))
}
