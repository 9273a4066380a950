package model

import "github.com/pgmc-go/pgmc/ir/diag"

// Asymmetry makes a diagram a decision analysis network (Diez, Luque and Bermejo 2018): variables
// that exist in some cases only, and observations that depend on decisions. Decisions may then be
// taken in any order in which those that a decision knows precede it.
//
// A variable does not exist if a restriction excludes all its states, if the row of its CPD is
// zero, or if one of its parents does not exist. A decision exists nevertheless in the last case if
// another parent is a decision that exists. Utilities of what does not exist are 0.
type Asymmetry struct {
	Restrictions []*Restriction
	Reveals      []*Reveal
	Observed     []VarID // the variables that are always observed
	Pos          diag.Pos
}

// Restriction excludes states of a variable, given the state of a parent. One of a decision has a
// parent that is another one, or that may be observed.
type Restriction struct {
	Parent, Child VarID
	Allowed       []bool // for each joint state of parent and child, row-major
	Pos           diag.Pos
}

// Reveal makes a variable known if another one, a parent, is known to be in one of some states.
type Reveal struct {
	By     VarID
	States []int
	Var    VarID
	Pos    diag.Pos
}

// asymmetry checks restrictions, reveals and what is always observed.
func (c *checker) asymmetry() {
	a := c.m.Diagram.Asymmetry
	if a == nil {
		return
	}
	for _, r := range a.Restrictions {
		pair := []VarID{r.Parent, r.Child}
		if pos := c.at(r.Pos); c.discrete(pair, pos, "a restriction") {
			if n, _ := c.m.TableSize(pair); n != len(r.Allowed) {
				c.Errorf(pos, "the restriction of %q by %q has %d entries; want %d, one for each joint state", c.m.Vars[r.Child].Name, c.m.Vars[r.Parent].Name, len(r.Allowed), n)
			}
		}
	}
	for _, r := range a.Reveals {
		pos := c.at(r.Pos)
		if !c.discrete([]VarID{r.By, r.Var}, pos, "a revelation") {
			continue
		}
		if c.m.Vars[r.Var].Given {
			c.Errorf(pos, "%q reveals %q, which is given; want a chance variable", c.m.Vars[r.By].Name, c.m.Vars[r.Var].Name)
		}
		for _, s := range r.States {
			if s < 0 || s >= c.m.Card(r.By) {
				c.Errorf(pos, "state %d of %q reveals %q; it has %d states", s, c.m.Vars[r.By].Name, c.m.Vars[r.Var].Name, c.m.Card(r.By))
			}
		}
	}
	c.discrete(a.Observed, c.at(a.Pos), "what is always observed")
}
