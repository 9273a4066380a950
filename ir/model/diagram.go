package model

import (
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/diag"
)

// Diagram makes a Bayesian network an influence diagram (Howard and Matheson, 1984): some of its
// given variables are decisions, which someone takes knowing others, so as to maximise the mean of
// the sum of the utilities. Queries about the network itself take decisions as given variables and
// leave utilities out.
//
// The diagram of a template of a sequence has the decisions and utilities of slice 0; those of
// later slices are the transition's. Decisions then maximise the mean of the sum over all slices,
// in which criteria may be discounted.
type Diagram struct {
	Decisions []*Decision
	Utilities []*Utility
	Criteria  []*Criterion // of utilities
	Asymmetry *Asymmetry   // nil in an influence diagram
	Horizon   int          // the number of slices of a template; 0 if the file does not say
}

// Decision is a given variable that is chosen.
type Decision struct {
	Var   VarID
	Known []VarID // the variables that are known when it is chosen: its parents in the diagram
	Once  bool    // in slice 0 of a template: the choice holds in all later slices
	Pos   diag.Pos
}

// Knowing returns d with other variables that are known when it is chosen.
func (d *Decision) Knowing(known []VarID) *Decision {
	out := *d
	out.Known = known
	return &out
}

// Decides returns the decision about v, or nil if v is no decision.
func (m *Model) Decides(v VarID) *Decision {
	if m.Diagram != nil {
		for _, d := range m.Diagram.Decisions {
			if d.Var == v {
				return d
			}
		}
	}
	return nil
}

// diagram checks decisions and utilities.
func (c *checker) diagram() {
	if c.m.Diagram == nil {
		return
	}
	if c.m.Kind != Bayes {
		c.Errorf(c.at(diag.Pos{}), "a %v has decisions and utilities; want that in Bayesian networks only", c.m.Kind)
		return
	}
	seen := map[VarID]bool{}
	for _, d := range c.m.Diagram.Decisions {
		pos := c.at(d.Pos)
		if slices.Contains(d.Known, d.Var) && int(d.Var) < len(c.m.Vars) && d.Var >= 0 {
			c.Errorf(pos, "decision %q knows itself; want only what is known before it", c.m.Vars[d.Var].Name)
			continue
		}
		name, what := "", "a decision"
		if d.Var >= 0 && int(d.Var) < len(c.m.Vars) {
			name = c.m.Vars[d.Var].Name
			what = fmt.Sprintf("decision %q", name)
		}
		if !c.discrete(append([]VarID{d.Var}, d.Known...), pos, what) {
			continue
		}
		switch {
		case seen[d.Var]:
			c.Errorf(pos, "decision %q is declared twice; want it once", name)
		case !c.m.Vars[d.Var].Given:
			c.Errorf(pos, "decision %q has a CPD; want a given variable", name)
		}
		seen[d.Var] = true
	}
	for _, u := range c.m.Diagram.Utilities {
		pos := c.at(u.Pos)
		if u.Function != nil || !c.discrete(u.Scope, pos, fmt.Sprintf("utility %q", u.Name)) {
			continue
		}
		if n, ok := c.m.TableSize(u.Scope); !ok || n != len(u.Values) {
			c.Errorf(pos, "utility %q has %d numbers; want %.0f, one for each joint state of its parents", u.Name, len(u.Values), math.Exp(c.m.LogTableSize(u.Scope)))
			continue
		}
		for i, x := range u.Values {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				c.Errorf(pos, "number %d of utility %q is %v; want a finite one", i+1, u.Name, x)
				break
			}
		}
	}
	c.asymmetry()
	c.criteria()
	c.functions()
	if !c.HasErrors() {
		c.decisionCycle()
	}
}

// beforeItself says what a diagram must not have.
const beforeItself = "; want no variable that comes before itself"

// decisionCycle reports a cycle of parents and what decisions know. It names a decision first.
func (c *checker) decisionCycle() {
	_, cycle := c.m.topological(c.m.Diagram)
	i := slices.IndexFunc(cycle, func(v VarID) bool { return c.m.Decides(v) != nil })
	if i >= 0 {
		cycle = slices.Concat(cycle[i:], cycle[:i])
	}
	switch a := c.m.Diagram.Asymmetry; {
	case cycle != nil && a != nil:
		c.cycle(a.Pos, "the parents, what precedes decisions, restrictions and revelations form", cycle, beforeItself)
	case i >= 0:
		c.cycle(c.m.Decides(cycle[0]).Pos, "the parents and what decisions know form", cycle, beforeItself)
	}
}

// precede adds what decisions know to the parents of variables, and the parents of restrictions and
// revelations.
func (d *Diagram) precede(parents [][]VarID) {
	for _, x := range d.Decisions {
		parents[x.Var] = x.Known
	}
	if d.Asymmetry == nil {
		return
	}
	for _, r := range d.Asymmetry.Restrictions {
		parents[r.Child] = append(slices.Clip(parents[r.Child]), r.Parent)
	}
	for _, r := range d.Asymmetry.Reveals {
		parents[r.Var] = append(slices.Clip(parents[r.Var]), r.By)
	}
}

// discrete checks that variables exist, once each, and have states.
func (c *checker) discrete(vars []VarID, pos diag.Pos, what string) bool {
	seen := map[VarID]bool{}
	for _, v := range vars {
		switch {
		case v < 0 || int(v) >= len(c.m.Vars):
			c.Errorf(pos, "%s names variable number %d; there are %d variables", what, v, len(c.m.Vars))
			return false
		case seen[v]:
			c.Errorf(pos, "%s names %q twice; want each variable once", what, c.m.Vars[v].Name)
			return false
		case c.m.IsReal(v):
			c.Errorf(pos, "%s names %q, which is real; want discrete variables", what, c.m.Vars[v].Name)
			return false
		}
		seen[v] = true
	}
	return true
}

// children returns, by variable, those with CPDs or decisions that have it among their parents.
func (m *Model) children() [][]VarID {
	list := make([][]VarID, len(m.Vars))
	for _, f := range m.Factors {
		for _, v := range f.Parents() {
			list[v] = append(list[v], f.ChildVar())
		}
	}
	for _, d := range m.Diagram.Decisions {
		for _, v := range d.Known {
			list[v] = append(list[v], d.Var)
		}
	}
	return list
}

// reached returns, by variable, whether a path leads to it from another one.
func reached(children [][]VarID, from VarID) []bool {
	seen := make([]bool, len(children))
	for list := []VarID{from}; len(list) > 0; {
		last := len(list) - 1
		next := children[list[last]]
		list = list[:last]
		for _, v := range next {
			if !seen[v] {
				seen[v] = true
				list = append(list, v)
			}
		}
	}
	return seen
}

// Timing says how evidence relates to a decision that is to be taken.
type Timing struct {
	Earlier []VarID   // the decisions that lead to it, which have been taken
	Later   []VarID   // the other decisions, which are open unless there is evidence about them
	After   [][]VarID // by variable: the decisions, of itself and Later, that lead to it
}

// Timing returns how evidence relates to the decision d.
func (m *Model) Timing(d VarID) *Timing {
	t, children := &Timing{After: make([][]VarID, len(m.Vars))}, m.children()
	for _, x := range m.Diagram.Decisions {
		seen := reached(children, x.Var)
		switch {
		case x.Var == d:
		case seen[d]:
			t.Earlier = append(t.Earlier, x.Var)
			continue
		default:
			t.Later = append(t.Later, x.Var)
		}
		for v, is := range seen {
			if is {
				t.After[v] = append(t.After[v], x.Var)
			}
		}
	}
	return t
}

// Follow returns the diagram in which decisions are chance variables: each of cpds is the CPD of
// one. The other decisions stay open.
func (m *Model) Follow(cpds ...*Factor) *Model {
	if len(cpds) == 0 {
		return m
	}
	out, d := *m, *m.Diagram
	out.Vars, out.Factors, out.Diagram = slices.Clone(m.Vars), slices.Concat(m.Factors, cpds), &d
	taken := map[VarID]bool{}
	for _, f := range cpds {
		v := *m.Vars[f.ChildVar()]
		v.Given, taken[v.ID] = false, true
		out.Vars[v.ID] = &v
	}
	d.Decisions = slices.DeleteFunc(slices.Clone(d.Decisions), func(x *Decision) bool { return taken[x.Var] })
	return &out
}
