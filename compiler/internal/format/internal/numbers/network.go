package numbers

import (
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Variables reads the number of variables and the number of states of each. It adds them to m as
// x0, x1, ...
func (r *Reader) Variables(m *model.Model) bool {
	at := r.Word
	n, ok := r.Int(0, math.MaxInt32, "the number of variables")
	if !ok || !r.Claim(at, n, "variables") {
		return false
	}
	var states States
	budget := NewBudget(r.Size())
	for i := range n {
		at := r.Word
		card, ok := r.Int(1, model.MaxStates, "the number of states of a variable")
		if !ok || !r.Afford(budget, at, card) {
			return false
		}
		m.NewVar(fmt.Sprint("x", i), states.Of(card)...).Pos = r.PosOf(at)
	}
	return true
}

// Afford takes from a budget the states of a variable whose number of states was read at a word.
func (r *Reader) Afford(b *Budget, at Word, card int) bool {
	if !b.Take(card) {
		r.Errorf(r.PosOf(at), "the variables so far have too many states for a file of %d bytes", r.Size())
		return false
	}
	return true
}

// Scope reads the scope of table number i: different variables by number. Messages call the owner
// of the table what, as in "function". For each variable, last holds 1 + the number of the last
// table that has it.
func (r *Reader) Scope(scope []model.VarID, last []int, what string, i int) bool {
	for k := range scope {
		at := r.Word
		v, ok := r.Int(0, len(last)-1, "the number of a variable")
		if !ok {
			return false
		}
		if last[v] == i+1 {
			r.Errorf(r.PosOf(at), "found variable %d for the second time in the scope of %s %d; want it once", v, what, i)
			return false
		}
		last[v] = i + 1
		scope[k] = model.VarID(v)
	}
	return true
}

// Table reads the number of entries of the table of f, which is at most limit, and the entries, the
// last variable of the scope fastest. It is table number i, and messages call its owner what.
func (r *Reader) Table(m *model.Model, f *model.Factor, what string, i, limit int, number func() (Wide, bool)) bool {
	at := r.Word
	n, ok := r.Int(0, math.MaxInt, "the number of values of a "+what)
	if !ok {
		return false
	}
	size, fits := m.TableSize(f.Scope)
	switch {
	case !fits || size != n:
		r.Errorf(r.PosOf(at), "found a count of %d values for %s %d; want %.10g, one for each joint state of its %d variables",
			n, what, i, math.Round(math.Exp(m.LogTableSize(f.Scope))), len(f.Scope))
		return false
	case n > limit:
		r.Errorf(r.PosOf(at), "found a count of %d values for %s %d; the limit is %d", n, what, i, limit)
		return false
	case !r.Claim(at, n, "values"):
		return false
	}
	entries := NewEntries(n)
	var rows rowStarts
	if f.Child >= 0 {
		rows = rowStarts{card: m.Card(f.ChildVar()), inner: m.Inner(f)}
		f.RowPos = make([]diag.Pos, 0, n/rows.card)
	}
	for k := range n {
		if rows.at(k) {
			f.RowPos = append(f.RowPos, r.Pos())
		}
		word := r.Word
		x, ok := number()
		if ok && x.Exp > 0 && f.Child >= 0 {
			r.Errorf(r.PosOf(word), "found %s; want a probability", text.Quote(word.Text))
			ok = false
		}
		if !ok {
			return false
		}
		entries.Set(k, x)
	}
	entries.Finish(r, f, at)
	return true
}

// rowStarts tells which entries of the table of a CPD start a row. The zero value says none.
type rowStarts struct{ card, inner int }

func (r rowStarts) at(k int) bool { return r.card > 0 && k/r.inner%r.card == 0 }
