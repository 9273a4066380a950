package cpt

import (
	"math"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Name is a name in a file, with its position.
type Name struct {
	Text string
	Pos  diag.Pos
}

// Table is a CPT as the file gives it.
type Table struct {
	Pos     diag.Pos
	Child   Name
	Parents []Name
	Values  []float64
	Offsets []int    // offset of each of Values in the file
	End     diag.Pos // of the list
}

// File holds the variables to which the tables of a file refer.
type File struct {
	format.ReadOptions // with defaults
	Model              *model.Model
	Names              map[string]model.VarID // variables by the names in tables
	Pos                func(off int) diag.Pos // position of an offset
	List               *diag.List             // errors
}

// Factor returns the CPD of t, with the position of each row. It reports false if t names an
// unknown variable, or has another number of entries than its variables have joint states.
func (f *File) Factor(t *Table) (out *model.Factor, ok bool) {
	out, ok = f.Family(t)
	if !ok || !f.complete(t, out) {
		return nil, false
	}
	out.Dist = &model.Table{Values: t.Values}
	for i := 0; i < len(t.Offsets); i += f.Model.Card(out.ChildVar()) {
		out.RowPos = append(out.RowPos, f.Pos(t.Offsets[i]))
	}
	return out, true
}

// Family returns a CPD without numbers, with the parents of t followed by its child. It reports
// false if t names an unknown variable, or one twice.
func (f *File) Family(t *Table) (out *model.Factor, ok bool) {
	out = &model.Factor{Pos: t.Pos, Child: len(t.Parents)}
	seen := map[model.VarID]bool{}
	for i := range len(t.Parents) + 1 {
		name := t.Child
		if i < len(t.Parents) {
			name = t.Parents[i]
		}
		v, ok := f.Names[name.Text]
		switch {
		case !ok:
			f.List.Errorf(name.Pos, "found %s; want a variable that is declared", text.Quote(name.Text))
			return nil, false
		case seen[v]:
			f.List.Errorf(name.Pos, "found %s; want each variable once", text.Quote(name.Text))
			return nil, false
		}
		seen[v] = true
		out.Scope = append(out.Scope, v)
	}
	return out, true
}

// complete checks that t has one number for each joint state of its variables.
func (f *File) complete(t *Table, factor *model.Factor) bool {
	n, ok := f.Model.TableSize(factor.Scope)
	got, child := len(t.Values), text.Quote(t.Child.Text)
	const message = "found %d numbers; want %d, one for each joint state of the parents and %s"
	switch {
	case !ok || n > f.MaxEntries:
		f.TooLarge(f.List, t.Pos, "CPD of "+child, math.Exp(f.Model.LogTableSize(factor.Scope)))
	case got > n:
		f.List.Errorf(f.Pos(t.Offsets[n]), message, got, n, child)
	case got < n:
		f.List.Errorf(t.End, message, got, n, child)
	default:
		return true
	}
	return false
}
