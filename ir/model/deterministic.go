package model

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/diag"
)

// Deterministic holds the child's state for each joint state of the other variables of the scope,
// row-major.
type Deterministic struct{ States []int32 }

// Kind returns "deterministic".
func (*Deterministic) Kind() string { return "deterministic" }

// Numbers returns nil: there are only states.
func (*Deterministic) Numbers() []float64 { return nil }

// Size returns the number of states listed.
func (d *Deterministic) Size() int { return len(d.States) }

// HasZeros returns true.
func (*Deterministic) HasZeros() bool { return true }

// Work returns one step per variable.
func (d *Deterministic) Work(m *Model, f *Factor) int { return len(f.Scope) }

func (d *Deterministic) value(m *Model, f *Factor, state []int) float64 {
	if state[f.ChildVar()] == int(d.States[m.index(f.Scope, f.Child, state)]) {
		return 1
	}
	return 0
}

func (*Deterministic) verbatim() {}

func (*Deterministic) fits(cpd bool) bool { return cpd }

func (d *Deterministic) check(c *checker, f *Factor, pos diag.Pos, what string) (rows [][]float64, ok bool) {
	n, fits := c.m.TableSize(f.Parents())
	if !fits || len(d.States) != n {
		c.Errorf(pos, "%s has %d states; want %.0f, one for each joint state of the parents", what, len(d.States), math.Exp(c.m.LogTableSize(f.Parents())))
		return nil, false
	}
	child := c.m.Card(f.ChildVar())
	for _, s := range d.States {
		if s < 0 || int(s) >= child {
			c.Errorf(pos, "%s names state number %d; want 0 to %d", what, s, child-1)
			return nil, false
		}
	}
	return nil, true
}

func (d *Deterministic) normalized(*Model, *Factor) Dist { return d }

func (*Deterministic) sumsToOne(*Model, *Factor) bool { return true }

// MapRows implements [Rowwise] for a further parent. Other states may make a row uncertain.
func (d *Deterministic) MapRows(_ *Model, f *Factor, _ []VarID, v VarID, change RowChange) Dist {
	if slices.Contains(f.Scope, v) {
		return nil
	}
	rows := make([]float64, len(d.States))
	for i, s := range d.States {
		rows[i] = float64(s)
	}
	out := &Deterministic{}
	for _, s := range change(rows, f.Parents(), []float64{0}) {
		out.States = append(out.States, int32(s))
	}
	return out
}

// Layout returns a layout without rows.
func (*Deterministic) Layout(*Model, *Factor) Layout { return Layout{Inner: 1} }

// WithNumbers returns the distribution itself, which has no numbers.
func (d *Deterministic) WithNumbers([]float64) Dist { return d }
