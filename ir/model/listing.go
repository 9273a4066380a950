package model

import (
	"fmt"
	"strconv"
	"strings"
)

// Listing holds the numbers of a distribution for a reader: as a table, as lines of text, or as
// both. Names are as in the model, and are not escaped.
type Listing struct {
	Heads []string   `json:"heads,omitempty"` // of the columns; nil without a table
	Rows  [][]string `json:"rows,omitempty"`  // of the table
	Lines []string   `json:"lines,omitempty"` // equations, or a decision tree that is indented by blanks
	More  int        `json:"more,omitempty"`  // the number of rows and lines that were left out
}

// listed is a distribution that can be listed.
type listed interface {
	// list adds the rows and lines of f to l, at most as many as l has room for.
	list(m *Model, f *Factor, l *lister)
}

// List returns the numbers of f with at most the given number of rows and lines. It is nil for the
// kinds that are too large for a reader: a circuit and an LDFM.
func (m *Model) List(f *Factor, most int) *Listing {
	d, ok := f.Dist.(listed)
	if !ok {
		return nil
	}
	l := &lister{most: most}
	d.list(m, f, l)
	return &l.Listing
}

// lister collects a listing.
type lister struct {
	Listing
	most int
}

// full reports whether no row or line may be added.
func (l *lister) full() bool { return len(l.Rows)+len(l.Lines) >= l.most }

// row adds a row to the table.
func (l *lister) row(cells ...string) {
	if l.full() {
		l.More++
		return
	}
	l.Rows = append(l.Rows, cells)
}

// line adds a line.
func (l *lister) line(format string, args ...any) {
	if l.full() {
		l.More++
		return
	}
	l.Lines = append(l.Lines, fmt.Sprintf(format, args...))
}

// each calls add for each joint state of vars, row-major, with its number and the names of its
// states, until l is full. The slice state is indexed by VarID and holds the joint state.
func (l *lister) each(m *Model, vars []VarID, state []int, add func(row int, names []string)) {
	rows, fits := m.TableSize(vars)
	for row := 0; fits && row < rows; row++ {
		if l.full() {
			l.More += rows - row
			return
		}
		names := make([]string, len(vars), len(vars)+8)
		for i, v := range vars {
			names[i] = m.States(v)[state[v]]
		}
		add(row, names)
		m.Next(vars, state)
	}
}

// short formats a number with six digits.
func short(x float64) string { return strconv.FormatFloat(x+0, 'g', 6, 64) }

// namesOf returns the names of variables.
func (m *Model) namesOf(vars []VarID) []string {
	names := make([]string, len(vars))
	for i, v := range vars {
		names[i] = m.Vars[v].Name
	}
	return names
}

// listValues lists the values of f: a row for each joint state of the parents and a column for each
// state of the child, or a row for each joint state of a potential. A CPD without parents has a row
// for each state.
func (l *lister) listValues(m *Model, f *Factor) {
	state := make([]int, len(m.Vars))
	if f.Child < 0 {
		l.Heads = append(m.namesOf(f.Scope), "value")
		l.each(m, f.Scope, state, func(_ int, names []string) { l.row(append(names, short(m.Value(f, state)))...) })
		return
	}
	child, parents := f.ChildVar(), f.Parents()
	if len(parents) == 0 {
		l.Heads = []string{m.Vars[child].Name, "probability"}
		l.each(m, f.Scope, state, func(_ int, names []string) { l.row(append(names, short(m.Value(f, state)))...) })
		return
	}
	l.Heads = m.namesOf(parents)
	for _, s := range m.States(child) {
		l.Heads = append(l.Heads, m.Vars[child].Name+"="+s)
	}
	l.each(m, parents, state, func(_ int, names []string) {
		for s := range m.States(child) {
			state[child] = s
			names = append(names, short(m.Value(f, state)))
		}
		state[child] = 0
		l.row(names...)
	})
}

func (*Table) list(m *Model, f *Factor, l *lister) { l.listValues(m, f) }

func (d *Deterministic) list(m *Model, f *Factor, l *lister) {
	parents := f.Parents()
	l.Heads = append(m.namesOf(parents), m.Vars[f.ChildVar()].Name)
	l.each(m, parents, make([]int, len(m.Vars)), func(row int, names []string) {
		l.row(append(names, m.States(f.ChildVar())[d.States[row]])...)
	})
}

func (d *NoisyMax) list(m *Model, f *Factor, l *lister) {
	child := m.Vars[f.ChildVar()]
	l.Heads = []string{"cause", "state"}
	for _, s := range m.States(child.ID) {
		l.Heads = append(l.Heads, child.Name+"="+s)
	}
	contribution := func(cause, state string, row []float64) {
		cells := []string{cause, state}
		for _, x := range row {
			cells = append(cells, short(x))
		}
		l.row(cells...)
	}
	contribution("(leak)", "", d.Leak)
	card := len(d.Leak)
	for i, p := range f.Parents() {
		for s, name := range m.States(p) {
			contribution(m.Vars[p].Name, name, d.Cause[i][s*card:][:card])
		}
	}
	l.line("%s is the maximum of the contributions, in the order of its states.", child.Name)
}

func (d *Tree) list(m *Model, f *Factor, l *lister) {
	if len(d.Nodes) > 0 {
		d.listNode(m, f, l, 0, "")
	}
}

// listNode lists the subtree of a node. States that lead to the same node share a line.
func (d *Tree) listNode(m *Model, f *Factor, l *lister, at int32, indent string) {
	n := &d.Nodes[at]
	if n.Leaf != nil {
		l.line("%s%s", indent, leafText(m, f, n.Leaf))
		return
	}
	v := f.Scope[n.Axis]
	for s, next := range n.Next {
		first, states := true, m.States(v)[s]
		for t, other := range n.Next {
			first = first && (other != next || t >= s)
			if other == next && t > s {
				states += "|" + m.States(v)[t]
			}
		}
		switch {
		case !first:
		case l.full():
			l.More++
		case d.Nodes[next].Leaf != nil:
			l.line("%s%s=%s: %s", indent, m.Vars[v].Name, states, leafText(m, f, d.Nodes[next].Leaf))
		default:
			l.line("%s%s=%s:", indent, m.Vars[v].Name, states)
			d.listNode(m, f, l, next, indent+"  ")
		}
	}
}

// leafText writes the distribution of the child, or the value of a potential, at a leaf.
func leafText(m *Model, f *Factor, leaf []float64) string {
	if f.Child < 0 {
		return short(leaf[0])
	}
	parts := make([]string, len(leaf))
	for s, x := range leaf {
		parts[s] = m.States(f.ChildVar())[s] + " " + short(x)
	}
	return strings.Join(parts, ", ")
}

func (d *Features) list(m *Model, f *Factor, l *lister) {
	l.Heads = []string{"weight", "if"}
	for _, x := range d.List {
		parts := make([]string, len(x.Literals))
		for i, t := range x.Literals {
			v, is := f.Scope[t.Axis], "="
			if t.Not {
				is = "!="
			}
			parts[i] = m.Vars[v].Name + is + m.States(v)[t.State]
		}
		if len(parts) == 0 {
			parts = []string{"(always)"}
		}
		l.row(short(x.Weight), strings.Join(parts, ", "))
	}
	if f.Child < 0 {
		l.line("The value is the exponential of the sum of the weights of the rows that hold.")
		return
	}
	l.line("A state has the exponential of the sum of the weights of the rows that hold, divided by the sum over all states.")
}
