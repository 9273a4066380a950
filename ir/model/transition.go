package model

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir/diag"
)

// Transition makes a Bayesian network a template of a sequence of slices: the network itself is
// slice 0, and the transition says how each later slice follows from the one before. The sequence
// is then a dynamic Bayesian network; the network of one slice and the variables before it is
// called a 2-TBN (Koller and Friedman, section 6.2.2).
type Transition struct {
	// Before lists the variables that have an effect on the next slice, each once, in the order in
	// which a filter keeps them.
	Before []VarID
	// Factors has a CPD for every variable that is not given. In a scope, number len(Vars)+i stands
	// for the variable Before[i] a slice ago.
	Factors []*Factor
	Tied    [][]VarID // groups of variables whose CPDs in Factors share their numbers, as in Model.Tied
	// Decisions and Utilities are those of each slice after slice 0, over numbers as in Factors.
	// The functions of Utilities are about each other.
	Decisions []*Decision
	Utilities []*Utility
	// SequenceColumn is the column that named the sequences of the rows that the network was
	// learned from; it is empty if there was none.
	SequenceColumn string
	// TimeColumn is the column of the times of these rows, and Step the time from one slice to the
	// next, as package learn/data/times reads it. Both are empty if the rows had no times,
	// and Step if no sequence had two rows.
	TimeColumn, Step string
}

// NameBefore returns the name that a variable has as one of the slice before.
func NameBefore(name string) string { return name + "@-1" }

// NameAgo returns the name of the latent variable that holds a variable some slices ago.
func NameAgo(name string, ago int) string { return fmt.Sprintf("%s[-%d]", name, ago) }

// Step returns a network over the variables of one slice, with the same numbers, and the variables
// of Before a slice ago, which follow them and are given. Its CPDs, decisions and utilities are the
// transition's. The model must have a transition, and its scopes must be valid.
func (m *Model) Step() *Model {
	t := m.Transition
	out := &Model{Name: m.Name, Kind: m.Kind, File: m.File, Factors: t.Factors, Tied: t.Tied}
	if d := m.Diagram; d != nil {
		out.Diagram = &Diagram{Decisions: t.Decisions, Utilities: t.Utilities, Criteria: d.Criteria}
	}
	out.Vars = slices.Clone(m.Vars)
	for i, b := range t.Before {
		v := m.Vars[b]
		out.Vars = append(out.Vars, &Var{ID: VarID(len(m.Vars) + i), Name: NameBefore(v.Name), Domain: v.Domain, Given: true, Pos: v.Pos})
	}
	return out
}

// Unroll returns the network of the first n slices. A variable x of slice t is called "x@t" and has
// number t·len(m.Vars)+x. The CPDs of each variable are tied from slice 1 on. A decision that is
// taken once is a variable of slice 0 that keeps its name; nothing depends on its latent copies in
// later slices. Each criterion has one for each slice, with the discount in its scales. The model
// must have a transition and have passed Check.
func (m *Model) Unroll(n int) *Model {
	u := &unrolling{m: m, out: &Model{Name: m.Name, Description: m.Description, Kind: m.Kind, File: m.File}}
	for t := range n {
		u.slice(t)
	}
	if m.Diagram != nil {
		u.diagram(n)
	}
	if n > 0 {
		u.out.Tied = slices.Clone(m.Tied)
	}
	for _, vars := range m.tiedSteps() {
		var group []VarID
		for t := 1; t < n; t++ {
			for _, v := range vars {
				group = append(group, v+VarID(t*len(m.Vars)))
			}
		}
		if len(group) > 1 {
			u.out.Tied = append(u.out.Tied, group)
		}
	}
	return u.out
}

// unrolling makes the network of some slices of m.
type unrolling struct{ m, out *Model }

// slice adds the variables of slice t and their CPDs.
func (u *unrolling) slice(t int) {
	for _, v := range u.m.Vars {
		w := *v
		w.ID, w.Name = VarID(len(u.out.Vars)), fmt.Sprintf("%s@%d", v.Name, t)
		u.out.Vars = append(u.out.Vars, &w)
		if d := u.m.Decides(v.ID); d != nil && d.Once {
			u.once(v, &w, t)
		}
	}
	factors := u.m.Factors
	if t > 0 {
		factors = u.m.Transition.Factors
	}
	for _, f := range factors {
		g := *f
		g.Scope = u.at(t, f.Scope)
		u.out.Factors = append(u.out.Factors, &g)
	}
}

// at returns the variables of a scope of slice t.
func (u *unrolling) at(t int, scope []VarID) []VarID {
	size, out := len(u.m.Vars), make([]VarID, len(scope))
	for i, v := range scope {
		k := int(v) - size
		if k >= 0 {
			v = u.m.Transition.Before[k] - VarID(size)
		}
		if d := u.m.Decides(v); d != nil && d.Once && k < 0 {
			out[i] = v
			continue
		}
		out[i] = v + VarID(t*size)
	}
	return out
}

// tiedSteps returns the groups of variables with CPDs that share their numbers in all steps: the
// transition's groups, and each other variable by itself.
func (m *Model) tiedSteps() [][]VarID {
	grouped := map[VarID]bool{}
	for _, vars := range m.Transition.Tied {
		for _, v := range vars {
			grouped[v] = true
		}
	}
	groups := slices.Clone(m.Transition.Tied)
	for _, f := range m.Transition.Factors {
		if v := f.ChildVar(); !grouped[v] {
			groups = append(groups, []VarID{v})
		}
	}
	return groups
}

// transition checks the transition: its variables, and that its CPDs make each slice a network.
func (c *checker) transition() {
	m := c.m
	if m.Transition == nil || c.HasErrors() {
		return
	}
	pos := c.at(diag.Pos{})
	if m.Kind != Bayes {
		c.Errorf(pos, "a %v has a transition; want that in Bayesian networks only", m.Kind)
		return
	}
	for i, v := range m.Transition.Before {
		switch {
		case v < 0 || int(v) >= len(m.Vars):
			c.Errorf(pos, "the transition keeps variable number %d; there are %d variables", v, len(m.Vars))
			return
		case slices.Contains(m.Transition.Before[:i], v):
			c.Errorf(pos, "the transition keeps %q twice; want it once", m.Vars[v].Name)
			return
		}
	}
	for _, f := range m.Transition.Factors {
		if isA[*Diffuse](m, f) {
			c.Errorf(c.at(f.Pos), "a CPD of the transition is of kind diffuse; want that in slice 0 only")
			return
		}
	}
	list := m.Step().Check()
	for _, d := range list.Errors() {
		c.Errorf(d.Pos, "in the transition, %s", d.Msg)
	}
	if !c.HasErrors() {
		c.timed()
	}
}
