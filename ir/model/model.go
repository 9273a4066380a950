// Package model is the first waist of pgmc: distributions, as readers and learners create them and
// methods read them.
//
// A [Model] is a list of named variables and a list of factors over them. The distribution is the
// product of the factors. A factor of a Bayesian network is a conditional probability distribution
// (CPD) of its child; a factor of a Markov network is a potential. The [Dist] of a factor holds its
// numbers: as a table, a deterministic function, a noisy-max, a decision tree, weighted features or
// a circuit. Variables of Bayesian networks may be real; a real child has a [Gaussian] CPD. A
// dependency network has one CPD per variable too, but is not a product: its distribution is the
// limit of sampling each variable from its CPD in turn (Heckerman et al., 2000). A latent
// dependency forest model has one potential over all variables, an [LDFM]; it too may have real
// variables.
//
// The package has no inference and no file syntax. A model is data: after [Model.Check] and
// [Model.NormalizeRows] nothing changes it.
//
// Terms follow Koller and Friedman, Probabilistic Graphical Models, chapters 3 to 5.
package model

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// VarID is the index of a variable in Model.Vars.
type VarID int

// Kind is the meaning of the product of the factors.
type Kind uint8

// The kinds of model.
const (
	Bayes      Kind = iota // every variable that is not given has one CPD, and the parent graph has no cycle
	Markov                 // non-negative potentials; the distribution is their product divided by its sum Z
	Dependency             // every variable has one CPD given any others; the CPDs need not be consistent with one joint distribution
	Forest                 // one potential, an LDFM over all variables in their order; the distribution is the potential divided by its sum
)

// String returns the name of the kind in messages.
func (k Kind) String() string {
	switch k {
	case Markov:
		return "Markov network"
	case Dependency:
		return "dependency network"
	case Forest:
		return "latent dependency forest model"
	}
	return "Bayesian network"
}

// Model is a distribution over Vars. Kind is the meaning of the Factors.
type Model struct {
	Name    string
	Kind    Kind
	File    string // the file it was read from, for messages; may be empty
	Vars    []*Var
	Factors []*Factor
	// Tied lists groups of variables with CPDs that share their numbers when they are fitted. Their
	// CPDs have the same kind and shape.
	Tied [][]VarID
	// Transition makes a Bayesian network slice 0 of a sequence; nil for a network that is no
	// template.
	Transition *Transition
	// Diagram makes a Bayesian network an influence diagram; nil for a network without decisions
	// and utilities.
	Diagram *Diagram
	Pseudo  bool   // a Markov network of a dependency network's CPDs, see PseudoLikelihood
	Unread  string // why the file's utilities became no Diagram; empty if it has none

	Description string // text for readers, such as where the numbers come from; may be empty
}

// Var is one variable.
type Var struct {
	ID     VarID
	Name   string
	Domain Domain
	Latent bool // hidden: neither in the generated API nor in data
	// Given marks a variable of a Bayesian network that is set from outside, such as a control or a
	// feature of a conditional model. It has no CPD and must be observed.
	Given bool
	Pos   diag.Pos

	Description string // text for readers; may be empty
}

// Factor is one term of the product.
type Factor struct {
	Scope  []VarID    // distinct variables
	Child  int        // the position in Scope of the variable whose CPD this is; negative for a potential
	Dist   Dist       // its numbers
	Pos    diag.Pos   // of the factor in its file
	RowPos []diag.Pos // of each row of Dist (see [Dist]) in its file; nil where unknown
	// Counts holds, for a CPD that was fitted to data, the number of rows of data for each of its
	// numbers: for each number of the leaves of a tree, in order of nodes, and otherwise for each
	// joint state of the scope, row-major. Those of a Gaussian CPD are moments, see
	// Gaussian.Statistics. It is nil if the CPD was not fitted or the counts are unknown.
	Counts []float64
}

// NewVar appends a discrete variable with the given states to m.Vars and returns it.
func (m *Model) NewVar(name string, states ...string) *Var { return m.newVar(name, Discrete{states}) }

// NewReal appends a real variable to m.Vars and returns it.
func (m *Model) NewReal(name string) *Var { return m.newVar(name, Real{}) }

func (m *Model) newVar(name string, domain Domain) *Var {
	v := &Var{ID: VarID(len(m.Vars)), Name: name, Domain: domain}
	m.Vars = append(m.Vars, v)
	return v
}

// VarByName returns the variable with the given name; ok is false if there is none.
func (m *Model) VarByName(name string) (v *Var, ok bool) {
	for _, v := range m.Vars {
		if v.Name == name {
			return v, true
		}
	}
	return nil, false
}

// StateByName returns the state of v with the given name; ok is false if there is none. If the
// states are intervals, a number stands for the one that holds it, see [IntervalNames]; if they are
// numbers, for the one that it equals, see [StateNumbers].
func (m *Model) StateByName(v VarID, name string) (state int, ok bool) {
	return stateOf(m.States(v), name)
}

// ChildVar returns the variable that f is the CPD of, or -1 for a potential.
func (f *Factor) ChildVar() VarID {
	if f.Child < 0 {
		return -1
	}
	return f.Scope[f.Child]
}

// Parents returns the variables of f's scope without its child, in order.
func (f *Factor) Parents() []VarID {
	ps := make([]VarID, 0, len(f.Scope))
	for i, v := range f.Scope {
		if i != f.Child {
			ps = append(ps, v)
		}
	}
	return ps
}

// TableSize returns the number of joint states of vars; ok is false if it does not fit an int32,
// the limit for tables, or if a variable is real.
func (m *Model) TableSize(vars []VarID) (n int, ok bool) {
	n = 1
	for _, v := range vars {
		c := m.Card(v)
		if c == 0 || n > math.MaxInt32/c {
			return 0, false
		}
		n *= c
	}
	return n, true
}

// Observable returns the variables that are not latent.
func (m *Model) Observable() []VarID {
	var list []VarID
	for _, v := range m.Vars {
		if !v.Latent {
			list = append(list, v.ID)
		}
	}
	return list
}

// JointStates returns the number of joint states of discrete variables, as a float64 because it may
// exceed any integer.
func (m *Model) JointStates(vars []VarID) float64 {
	n := 1.0
	for _, v := range vars {
		n *= float64(m.Card(v))
	}
	return n
}

// LogTableSize returns the natural logarithm of the number of joint states of vars. It never
// overflows.
func (m *Model) LogTableSize(vars []VarID) float64 {
	sum := 0.0
	for _, v := range vars {
		sum += pgmrt.Ln(float64(m.Card(v)))
	}
	return sum
}

// Named reports whether m has a name of its own. Many files of the bnlearn repository say
// "unknown".
func (m *Model) Named() bool { return m.Name != "" && m.Name != "unknown" }

// Described reports whether m or one of its variables has a description.
func (m *Model) Described() bool {
	return m.Description != "" || slices.ContainsFunc(m.Vars, func(v *Var) bool { return v.Description != "" })
}

// FactorName returns the name of f in messages: `CPD of "X"` or `potential over "A", "B"`. It
// truncates a long scope.
func (m *Model) FactorName(f *Factor) string {
	const most = 10
	switch n := len(f.Scope); {
	case f.Child >= 0:
		return fmt.Sprintf("CPD of %q", m.Vars[f.ChildVar()].Name)
	case n == 0:
		return "constant potential"
	case n > most:
		return fmt.Sprintf("potential over %s and %d more", m.names(f.Scope[:most-1]), n-most+1)
	}
	return "potential over " + m.names(f.Scope)
}

// names writes variables for messages: `"A", "B"`.
func (m *Model) names(vars []VarID) string {
	var b strings.Builder
	for i, v := range vars {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%q", m.Vars[v].Name)
	}
	return b.String()
}
