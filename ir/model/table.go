package model

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/diag"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Table lists a value for each joint state of the scope, row-major: the last variable of the scope
// varies fastest.
type Table struct{ Values []float64 }

// Kind returns "table".
func (*Table) Kind() string { return "table" }

// Numbers returns the values.
func (d *Table) Numbers() []float64 { return d.Values }

// Size returns the number of values.
func (d *Table) Size() int { return len(d.Values) }

// HasZeros reports whether a value is 0.
func (d *Table) HasZeros() bool { return slices.Contains(d.Values, 0) }

// Work returns one step per variable.
func (d *Table) Work(m *Model, f *Factor) int { return len(f.Scope) }

func (d *Table) value(m *Model, f *Factor, state []int) float64 {
	return d.Values[m.Index(f.Scope, state)]
}

func (*Table) verbatim() {}

func (*Table) fits(cpd bool) bool { return true }

func (d *Table) check(c *checker, f *Factor, pos diag.Pos, what string) (rows [][]float64, ok bool) {
	n, fits := c.m.TableSize(f.Scope)
	if !fits || len(d.Values) != n {
		c.Errorf(pos, "%s has %d numbers; want %.0f, one for each joint state", what, len(d.Values), math.Exp(c.m.LogTableSize(f.Scope)))
		return nil, false
	}
	return d.rows(c.m, f), true
}

// rows returns the rows of a CPD along its child, and all values of a potential as one row. If the
// child is not last in the scope, the rows are copies.
func (d *Table) rows(m *Model, f *Factor) [][]float64 {
	if f.Child < 0 {
		return [][]float64{d.Values}
	}
	card, inner := m.Card(f.ChildVar()), m.Inner(f)
	rows := make([][]float64, 0, len(d.Values)/card)
	for start := 0; start < len(d.Values); start += card * inner {
		for i := range inner {
			if inner == 1 {
				rows = append(rows, d.Values[start:start+card])
				continue
			}
			row := make([]float64, card)
			for x := range row {
				row[x] = d.Values[start+x*inner+i]
			}
			rows = append(rows, row)
		}
	}
	return rows
}

func (d *Table) normalized(m *Model, f *Factor) Dist {
	values := slices.Clone(d.Values)
	card, inner := m.Card(f.ChildVar()), m.Inner(f)
	for start := 0; start < len(values); start += card * inner {
		for i := range inner {
			scaleRow(values[start+i:], card, inner)
		}
	}
	return &Table{values}
}

func (d *Table) sumsToOne(m *Model, f *Factor) bool {
	card, inner := m.Card(f.ChildVar()), m.Inner(f)
	for start := 0; start < len(d.Values); start += card * inner {
		for i := range inner {
			sum := 0.0
			for x := range card {
				sum += d.Values[start+x*inner+i]
			}
			if math.Abs(sum-1) > RowsExact {
				return false
			}
		}
	}
	return true
}

// restrict keeps a table if none of its variables is observed.
func (d *Table) restrict(_ *Model, f *Factor, scope []VarID, _ []int) Dist {
	if len(scope) == len(f.Scope) {
		return d
	}
	return nil
}

// EachRow implements [Rowed].
func (d *Table) EachRow(m *Model, f *Factor, visit func(at int, state []int)) {
	parents, state := f.Parents(), make([]int, len(m.Vars))
	for range len(d.Values) / m.Card(f.ChildVar()) {
		visit(m.Index(f.Scope, state), state)
		m.Next(parents, state)
	}
}

// MapRows implements [Rowwise].
func (d *Table) MapRows(m *Model, f *Factor, _ []VarID, _ VarID, change RowChange) Dist {
	parents, card := f.Parents(), m.Card(f.ChildVar())
	values := m.Rearrange(d.Values, f.Scope, append(slices.Clip(parents), f.ChildVar()))
	return &Table{change(values, parents, slices.Repeat([]float64{1 / float64(card)}, card))}
}

// Layout implements [Fitted].
func (d *Table) Layout(m *Model, f *Factor) Layout {
	l := Layout{Inner: m.Inner(f)}
	card := m.Card(f.ChildVar())
	for range len(d.Values) / card {
		l.Share = append(l.Share, float64(card)/float64(len(d.Values)))
	}
	return l
}

// WithNumbers returns the table of the numbers.
func (*Table) WithNumbers(numbers []float64) Dist { return &Table{Values: numbers} }

func (d *Table) term(m *Model, f *Factor) Term { return newTableTerm(m, f, d.Values) }

// tableTerm is a factor in the form of a table of logarithms.
type tableTerm struct {
	scope  []VarID
	stride []int
	logs   []float64
}

func newTableTerm(m *Model, f *Factor, values []float64) *tableTerm {
	t := &tableTerm{scope: f.Scope, stride: m.Strides(f.Scope, f.Scope), logs: make([]float64, len(values))}
	for i, x := range values {
		t.logs[i] = pgmrt.Ln(x)
	}
	return t
}

func (t *tableTerm) at(state []int) int {
	i := 0
	for axis, v := range t.scope {
		i += state[v] * t.stride[axis]
	}
	return i
}

// Log returns the logarithm of an entry.
func (t *tableTerm) Log(state []int) float64 { return t.logs[t.at(state)] }

// Flip adds the row of entries along each axis.
func (t *tableTerm) Flip(state []int, flips [][]float64) {
	here := t.at(state)
	for axis, v := range t.scope {
		i := here - state[v]*t.stride[axis]
		row := flips[v]
		for s := range row {
			row[s] += t.logs[i]
			i += t.stride[axis]
		}
	}
}
