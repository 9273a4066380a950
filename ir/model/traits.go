package model

import (
	"fmt"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
)

// Traits is a set of what a model may have beyond a plain discrete model, a Bayesian or Markov network.
// A method, a format and a learner say which they take; the zero value is the plain model. So a new
// trait is refused by all of them until one says that it takes it.
type Traits uint32

// The traits, in the order in which messages name them.
const (
	Cycles  Traits = 1 << iota // dependency networks: CPDs that need not make one joint distribution
	Forests                    // latent dependency forest models: joint states whose weights have no tractable sum
	Reals                      // real variables
)

// traits says of each trait how messages call it, and finds the first cause of it in a model; ok is
// false for a model without it.
var traits = []struct {
	trait Traits
	what  string
	cause func(m *Model) (name string, pos diag.Pos, ok bool)
}{
	{Cycles, "dependency networks, which have no joint distribution", kindIs(Dependency)},
	{Forests, "latent dependency forest models, the sum of whose weights is #P-hard", kindIs(Forest)},
	{Reals, "real variables", func(m *Model) (name string, pos diag.Pos, ok bool) {
		for _, v := range m.Reals() {
			return fmt.Sprintf("%q", m.Vars[v].Name), m.Vars[v].Pos, true
		}
		return "", diag.Pos{}, false
	}},
}

// kindIs is the cause of a trait that all models of a kind have.
func kindIs(k Kind) func(m *Model) (name string, pos diag.Pos, ok bool) {
	return func(m *Model) (name string, pos diag.Pos, ok bool) {
		return "this", diag.Pos{File: m.File}, m.Kind == k
	}
}

// Need is one trait that a model or data has.
type Need struct {
	Trait Traits
	What  string   // in the plural, as in "takes no real variables"
	Cause string   // the first variable that is one, quoted, or "this" for the model
	Pos   diag.Pos // of the cause; its file may be empty
}

// Traits gives what m has beyond a plain discrete model.
func (m *Model) Traits() Traits { return needed(m.Needs()) }

// Needs lists the traits of m with their causes, in the order of the constants.
func (m *Model) Needs() (list []Need) {
	for _, t := range traits {
		if name, pos, ok := t.cause(m); ok {
			if pos.File == "" {
				pos.File = m.File
			}
			list = append(list, Need{Trait: t.trait, What: t.what, Cause: name, Pos: pos})
		}
	}
	return list
}

// NeedReals is the need of data or of a model with a real variable of the given name.
func NeedReals(name string) Need {
	return Need{Trait: Reals, What: "real variables", Cause: fmt.Sprintf("%q", name)}
}

// needed is the set of the traits of a list.
func needed(needs []Need) (all Traits) {
	for _, n := range needs {
		all |= n.Trait
	}
	return all
}

// Taker is something that takes models with some traits: a method, a format, a learner.
type Taker struct {
	Name  string
	Takes Traits
}

// Untaken is the error of a model or of data that something does not take.
type Untaken struct {
	What   string   // the sort of thing that was asked: "method", "format", "learner"
	Name   string   // its name
	Need   Need     // what it does not take
	Others []string // the names of those that take it, as far as they are known
}

// Refuse gives an *Untaken if the one called name among takers, which are of the sort what, does not
// take one of the needs, and otherwise nil. Others are those that take all needs, or if none does those
// that take the one.
func Refuse(what, name string, takes Traits, needs []Need, takers []Taker) error {
	for _, n := range needs {
		if takes&n.Trait != 0 {
			continue
		}
		e := &Untaken{What: what, Name: name, Need: n}
		for _, wanted := range []Traits{needed(needs), n.Trait} {
			for _, t := range takers {
				if t.Takes&wanted == wanted {
					e.Others = append(e.Others, t.Name)
				}
			}
			if e.Others != nil {
				break
			}
		}
		return e
	}
	return nil
}

// Facts says what is not taken, and why, without the others that take it.
func (e *Untaken) Facts() string {
	at := ""
	if e.Need.Pos.File != "" {
		at = e.Need.Pos.String() + ": "
	}
	return fmt.Sprintf("%s%s %s takes no %s, and %s is one", at, e.What, e.Name, e.Need.What, e.Need.Cause)
}

// Error adds the others that take it to the facts.
func (e *Untaken) Error() string {
	switch n := len(e.Others); n {
	case 0:
		return e.Facts()
	case 1:
		return e.Facts() + "; " + e.Others[0] + " does"
	default:
		return e.Facts() + "; " + strings.Join(e.Others[:n-1], ", ") + " and " + e.Others[n-1] + " do"
	}
}
