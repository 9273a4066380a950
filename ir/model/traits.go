package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
)

// Traits is a set of features that a model may have beyond a plain discrete Bayesian or Markov
// network. Each method, format and learner declares the traits that it supports; the zero value is
// the plain model. All of them thus refuse a new trait until they declare it.
type Traits uint32

// The traits, in the order in which messages name them.
const (
	Cycles       Traits = 1 << iota // dependency networks: CPDs that need not be consistent with one joint distribution
	Forests                         // latent dependency forest models: no tractable partition function
	Reals                           // real variables
	Gaussians                       // Gaussian CPDs; a forest has real variables without them
	Mixed                           // real variables with discrete parents
	Givens                          // given variables
	Funcs                           // real variables whose mean is an expression
	SoftChildren                    // discrete variables with real parents
	Canonicals                      // canonical potentials
	Slices                          // a transition, which makes the model a template of a sequence
	Diffuses                        // diffuse priors
	Circulars                       // real variables with a period
	Counts                          // data of which there are counts and no rows
)

// traits holds, for each trait, its name in messages and a function that finds its first cause in a
// model; ok is false for a model without it.
var traits = []struct {
	trait Traits
	what  string
	cause func(m *Model) (name string, pos diag.Pos, ok bool)
}{
	{Cycles, "dependency networks, which have no joint distribution", kindIs(Dependency)},
	{Forests, "latent dependency forest models, the sum of whose weights is #P-hard", kindIs(Forest)},
	{Reals, "real variables", variable(func(m *Model, v *Var) bool { return m.IsReal(v.ID) })},
	{Gaussians, "variables with Gaussian CPDs", child(isA[*Gaussian])},
	{Mixed, "real variables with discrete parents", child(func(m *Model, f *Factor) bool {
		discrete, _ := m.SplitParents(f)
		return m.IsReal(f.ChildVar()) && len(discrete) > 0
	})},
	{Givens, "given variables", variable(func(_ *Model, v *Var) bool { return v.Given })},
	{Funcs, "variables whose mean is an expression", child(isA[*Func])},
	{SoftChildren, "discrete variables with real parents", child(isA[*Softmax])},
	{Canonicals, "canonical potentials", func(m *Model) (name string, pos diag.Pos, ok bool) {
		i := slices.IndexFunc(m.Factors, func(f *Factor) bool { return isA[*Canonical](m, f) })
		if i < 0 {
			return "", diag.Pos{}, false
		}
		return "the " + m.FactorName(m.Factors[i]), m.Factors[i].Pos, true
	}},
	{Slices, "networks with a transition from slice to slice", func(m *Model) (name string, pos diag.Pos, ok bool) {
		return "this", diag.Pos{File: m.File}, m.Transition != nil
	}},
	{Diffuses, "variables with a diffuse prior", child(isA[*Diffuse])},
	{Circulars, "circular variables", variable(func(m *Model, v *Var) bool { return m.Period(v.ID) != 0 })},
}

// isA reports whether the distribution of a factor is of a kind.
func isA[D Dist](_ *Model, f *Factor) bool {
	_, ok := f.Dist.(D)
	return ok
}

// variable returns the cause of a trait of single variables.
func variable(has func(m *Model, v *Var) bool) func(m *Model) (name string, pos diag.Pos, ok bool) {
	return func(m *Model) (name string, pos diag.Pos, ok bool) {
		for _, v := range m.Vars {
			if has(m, v) {
				return fmt.Sprintf("%q", v.Name), v.Pos, true
			}
		}
		return "", diag.Pos{}, false
	}
}

// child returns the cause of a trait of single CPDs, the child of the first one.
func child(has func(m *Model, f *Factor) bool) func(m *Model) (name string, pos diag.Pos, ok bool) {
	return func(m *Model) (name string, pos diag.Pos, ok bool) {
		for _, f := range m.Factors {
			if f.Child >= 0 && has(m, f) {
				return fmt.Sprintf("%q", m.Vars[f.ChildVar()].Name), f.Pos, true
			}
		}
		return "", diag.Pos{}, false
	}
}

// kindIs returns the cause of a trait that all models of kind k have.
func kindIs(k Kind) func(m *Model) (name string, pos diag.Pos, ok bool) {
	return func(m *Model) (name string, pos diag.Pos, ok bool) {
		return "this", diag.Pos{File: m.File}, m.Kind == k
	}
}

// Need is one trait that a model or data has.
type Need struct {
	Trait Traits
	What  string   // in the plural, as in "takes no real variables"
	Cause string   // the first variable with the trait, quoted, or "this" for the whole model
	Pos   diag.Pos // of the cause; its file may be empty
}

// Traits returns the traits of m beyond a plain discrete model.
func (m *Model) Traits() Traits { return needed(m.Needs()) }

// Needs returns the traits of m with their causes, in the order of the constants.
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

// NeedReals returns the need of data or of a model with a real variable of the given name.
func NeedReals(name string) Need {
	return Need{Trait: Reals, What: "real variables", Cause: fmt.Sprintf("%q", name)}
}

// NeedMixed returns the need of data that has the named real variable besides discrete ones.
func NeedMixed(name string) Need {
	return Need{Trait: Mixed, What: "real variables besides discrete ones", Cause: fmt.Sprintf("%q", name)}
}

// NeedSlices returns the need of data with slices of sequences as rows.
func NeedSlices() Need { return Need{Trait: Slices, What: "sequences of rows", Cause: "this"} }

// NeedCounts returns the need of data without rows.
func NeedCounts() Need {
	return Need{Trait: Counts, What: "data sets of counts without rows", Cause: "this"}
}

// needed returns the set of the traits of a list.
func needed(needs []Need) (all Traits) {
	for _, n := range needs {
		all |= n.Trait
	}
	return all
}

// Taker is a method, format or learner with the traits that it supports.
type Taker struct {
	Name  string
	Takes Traits
}

// Untaken is the error for a model or data with a trait that a method, format or learner does not
// support.
type Untaken struct {
	What   string   // sort of the refusing thing: "method", "format", "learner"; empty if its name includes it
	Name   string   // its name
	Need   Need     // the trait that it does not support
	Others []string // the names of those that support it, as far as they are known
}

// Refuse returns an *Untaken if one of the needs is not among takes, the traits that name supports,
// and nil otherwise. what names the sort of name and of takers. Others are the takers that support
// all needs.
func Refuse(what, name string, takes Traits, needs []Need, takers []Taker) error {
	for _, n := range needs {
		if takes&n.Trait != 0 {
			continue
		}
		e := &Untaken{What: what, Name: name, Need: n}
		for all, i := needed(needs), 0; i < len(takers); i++ {
			if takers[i].Takes&all == all {
				e.Others = append(e.Others, takers[i].Name)
			}
		}
		return e
	}
	return nil
}

// Facts returns the message without the others that support the trait.
func (e *Untaken) Facts() string {
	at := ""
	if e.Need.Pos.File != "" {
		at = e.Need.Pos.String() + ": "
	}
	who := strings.TrimSpace(e.What + " " + e.Name)
	return fmt.Sprintf("%s%s takes no %s, and %s is one", at, who, e.Need.What, e.Need.Cause)
}

// With returns the facts, and the option that chooses another one if there are options for it, as
// name writes that; otherwise it is Error.
func (e *Untaken) With(name func(diag.Option) string) string {
	if e.What != "method" || e.Others == nil {
		return e.Error()
	}
	others := append([]string{name(diag.Option{Name: e.What, Value: e.Others[0]})}, e.Others[1:]...)
	return e.Facts() + "; try " + strings.Join(others, " or ")
}

// Error returns the facts and the others that support the trait.
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
