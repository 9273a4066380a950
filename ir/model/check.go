package model

import (
	"math"

	"github.com/pgmc-go/pgmc/ir/diag"
)

// Check validates m: names, domains, scopes, table sizes and numbers. A Bayesian or a dependency
// network must have one CPD per variable that is not given, a Bayesian network no cycle, and a
// latent dependency forest model its one potential. Of the other methods of Model, only NewVar,
// VarByName and StateByName may be called if Check found an error.
func (m *Model) Check() diag.List {
	c := checker{m: m}
	c.vars()
	if c.HasErrors() {
		return c.List
	}
	for _, f := range m.Factors {
		c.factor(f)
	}
	if m.Kind == Forest && !c.HasErrors() {
		c.forest()
	}
	if c.HasErrors() || m.Kind == Markov || m.Kind == Forest {
		c.transition()
		c.diagram()
		return c.List
	}
	c.children()
	if !c.HasErrors() && m.Kind == Bayes {
		c.cycles()
	}
	if !c.HasErrors() {
		c.tied()
		c.transition()
		c.diagram()
	}
	return c.List
}

type checker struct {
	diag.List
	m *Model
}

// at returns the position to report: pos if it is known, and the model's file otherwise.
func (c *checker) at(pos diag.Pos) diag.Pos {
	if pos.File == "" {
		pos.File = c.m.File
	}
	return pos
}

func (c *checker) vars() {
	seen := map[string]*Var{}
	for i, v := range c.m.Vars {
		pos := c.at(v.Pos)
		if v.ID != VarID(i) {
			c.Errorf(pos, "variable %q has id %d; want %d, its place in the list", v.Name, v.ID, i)
		}
		if first, dup := seen[v.Name]; dup {
			c.Errorf(pos, "variable %q is declared twice; first at %v", v.Name, c.at(first.Pos))
		}
		seen[v.Name] = v
		if v.Domain == nil {
			c.Errorf(pos, "variable %q has no domain", v.Name)
			continue
		}
		v.Domain.check(c, v, pos)
		if v.Given && (c.m.Kind != Bayes || v.Latent) {
			c.Errorf(pos, "variable %q is given; want that in Bayesian networks only, and not latent", v.Name)
		}
	}
}

func (c *checker) factor(f *Factor) {
	pos := c.at(f.Pos)
	in := map[VarID]bool{}
	for _, v := range f.Scope {
		if v < 0 || int(v) >= len(c.m.Vars) {
			c.Errorf(pos, "factor names variable number %d; there are %d variables", v, len(c.m.Vars))
			return
		}
		if in[v] {
			c.Errorf(pos, "factor names %q twice", c.m.Vars[v].Name)
			return
		}
		in[v] = true
	}
	if f.Child >= len(f.Scope) || f.Child < 0 && c.m.Kind != Markov && c.m.Kind != Forest {
		c.Errorf(pos, "factor has no child; a %v is made of CPDs only", c.m.Kind)
		return
	}
	what := c.m.FactorName(f)
	if f.Dist == nil {
		c.Errorf(pos, "%s has no numbers", what)
		return
	}
	if !f.Dist.fits(f.Child >= 0) {
		c.Errorf(pos, "%s is of kind %s; want that in a %s", what, f.Dist.Kind(), map[bool]string{true: "potential", false: "CPD"}[f.Child >= 0])
		return
	}
	if !c.domains(f, pos, what) {
		return
	}
	rows, ok := f.Dist.check(c, f, pos, what)
	if !ok {
		return
	}
	for i, row := range rows {
		if !c.undefined(f, row) {
			c.numbers(c.rowPos(f, i), what, row)
		}
	}
	if f.Counts != nil {
		c.counts(f, pos, what)
	}
}

// domains checks that only a distribution for them has real variables.
func (c *checker) domains(f *Factor, pos diag.Pos, what string) (ok bool) {
	if _, ok := f.Dist.(dense); ok {
		return true
	}
	for _, v := range f.Scope {
		if c.m.IsReal(v) {
			c.Errorf(pos, "%s is of kind %s, and %q is real; want states, or a kind for real variables such as gaussian", what, f.Dist.Kind(), c.m.Vars[v].Name)
			return false
		}
	}
	return true
}

// counts checks that f has as many counts as a tree has numbers, a Gaussian CPD statistics, or
// another distribution joint states, and that each is a valid count.
func (c *checker) counts(f *Factor, pos diag.Pos, what string) {
	if f.Child < 0 {
		c.Errorf(pos, "%s has counts; want them with a CPD", what)
		return
	}
	want := math.Round(math.Exp(c.m.LogTableSize(f.Scope)))
	if d, ok := f.Dist.(Partitioned); ok {
		want = float64(d.Size())
	}
	gaussian := f.Gaussian()
	if gaussian != nil {
		want = float64(gaussian.Statistics())
	}
	if float64(len(f.Counts)) != want {
		c.Errorf(pos, "%s has %d counts; want %.0f", what, len(f.Counts), want)
		return
	}
	if gaussian != nil {
		gaussian.checkStatistics(c, pos, "counts of the "+what, f.Counts)
		return
	}
	c.numbers(pos, "counts of the "+what, f.Counts)
}

// rowPos returns the position of row i of f.
func (c *checker) rowPos(f *Factor, i int) diag.Pos {
	if i < len(f.RowPos) {
		return c.at(f.RowPos[i])
	}
	return c.at(f.Pos)
}

// numbers reports numbers that are no probability or potential: negative, NaN or infinite.
func (c *checker) numbers(pos diag.Pos, what string, row []float64) {
	for _, x := range row {
		if !(x >= 0) || math.IsInf(x, 0) {
			c.Errorf(pos, "%s holds %v; want a number of at least 0", what, x)
			return
		}
	}
}

// children checks that each variable has exactly one CPD, and a given variable none.
func (c *checker) children() {
	cpd := make([]*Factor, len(c.m.Vars))
	for _, f := range c.m.Factors {
		v := f.ChildVar()
		if cpd[v] != nil {
			c.Errorf(c.at(f.Pos), "variable %q has a second probability block; the first is at %v", c.m.Vars[v].Name, c.at(cpd[v].Pos))
		}
		cpd[v] = f
	}
	for i, f := range cpd {
		switch v := c.m.Vars[i]; {
		case v.Given && f != nil:
			c.Errorf(c.at(f.Pos), "variable %q is given and has a probability block; want one of them", v.Name)
		case !v.Given && f == nil:
			c.Errorf(c.at(v.Pos), "variable %q has no probability block", v.Name)
		}
	}
}

// cycles reports one directed cycle, by a depth-first search that keeps its own stack.
func (c *checker) cycles() {
	if _, cycle := c.m.topological(nil); cycle != nil {
		c.cycle(c.m.CPD(cycle[0]).Pos, "the parents form", cycle, "")
	}
}

// cycle reports a cycle, and then what is wanted.
func (c *checker) cycle(pos diag.Pos, what string, cycle []VarID, want string) {
	path := ""
	for _, u := range cycle {
		path += c.m.Vars[u].Name + " -> "
	}
	c.Errorf(c.at(pos), "%s a cycle: %s%s%s", what, path, c.m.Vars[cycle[0]].Name, want)
}

// CPD returns the factor with child v, or nil if there is none.
func (m *Model) CPD(v VarID) *Factor {
	for _, f := range m.Factors {
		if f.ChildVar() == v {
			return f
		}
	}
	return nil
}

// Topological returns the variables of a Bayesian network that passed Check, with parents before
// children, each as early as the order of declaration allows.
func (m *Model) Topological() []VarID {
	order, _ := m.topological(nil)
	return order
}

// topological returns an order, in which the decisions of d follow what they know, or a cycle.
func (m *Model) topological(d *Diagram) (order, cycle []VarID) {
	parents := make([][]VarID, len(m.Vars))
	for _, f := range m.Factors {
		if f.Child >= 0 {
			parents[f.ChildVar()] = f.Parents()
		}
	}
	if d != nil {
		d.precede(parents)
	}
	const (
		open = 1
		done = 2
	)
	mark := make([]uint8, len(m.Vars))
	for root := range m.Vars {
		if mark[root] != 0 {
			continue
		}
		path, at := []VarID{VarID(root)}, []int{0} // the path from root, and how many parents of each variable on it were visited
		mark[root] = open
		for len(path) > 0 {
			top := len(path) - 1
			v := path[top]
			if at[top] == len(parents[v]) {
				mark[v] = done
				order = append(order, v)
				path, at = path[:top], at[:top]
				continue
			}
			p := parents[v][at[top]]
			at[top]++
			switch mark[p] {
			case open:
				return nil, cycleOf(path, p)
			case 0:
				mark[p] = open
				path, at = append(path, p), append(at, 0)
			}
		}
	}
	return order, nil
}

// cycleOf returns the part of path from p on, reversed so that arrows run from parent to child.
func cycleOf(path []VarID, p VarID) []VarID {
	var cycle []VarID
	for i := len(path) - 1; i >= 0; i-- {
		cycle = append(cycle, path[i])
		if path[i] == p {
			break
		}
	}
	return cycle
}
