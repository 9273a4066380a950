package rowfile

import (
	"fmt"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile/internal/plain"
	"github.com/pgmc-go/pgmc/learn/data/rowfile/internal/states"
)

// Unseen is what to do with a value that is no state of its variable.
type Unseen uint8

// The values of Unseen.
const (
	UnseenError Unseen = iota
	UnseenMissing
)

// Binding maps the columns of a file to variables, and texts to states.
type Binding struct {
	Column []int     // by variable: its column, or -1 if the file has none
	Values []float64 // by variable: the value of a real one in the last row passed to States; 0 if missing or not real

	r      *Reader
	dicts  []states.Dictionary // by variable
	states []int               // scratch of a block; nil before the first

	ofColumn []int       // by column of the file or part: its variable, or -1; nil before the first piece
	ofPart   *Reader     // which has these columns; nil if they are of the file
	same     []sameValue // of variables without such a column
	bytes    int         // approximate memory of open dictionaries
	unseen   Unseen
}

// Bind matches the columns of the file to variables by name. A file without names has the
// columns x0, x1, .... If not all of these are variables, Bind matches by position, and the file
// must have as many columns as there are variables. It returns an error if no column is a
// variable.
func (r *Reader) Bind(vars []data.Var, unseen Unseen) (*Binding, error) {
	b := &Binding{Column: make([]int, len(vars)), r: r, unseen: unseen}
	column := map[string]int{}
	for i, c := range r.Columns {
		column[c.Name] = i
	}
	found := 0
	var names []string
	for v, x := range vars {
		names = append(names, x.Name)
		c, ok := column[x.Name]
		if !ok {
			c = -1
		} else {
			found++
		}
		b.Column[v] = c
		switch {
		case x.Real:
			b.dicts = append(b.dicts, states.Reals())
		case r.numbered():
			b.dicts = append(b.dicts, states.Numbered(len(x.States), false))
		default:
			b.dicts = append(b.dicts, states.Closed(x.States))
		}
	}
	r.mark(b)
	b.Values = make([]float64, len(vars))
	if !r.Named() && found < len(r.Columns) {
		if len(vars) != len(r.Columns) {
			return nil, diag.Diagnostic{Pos: diag.Pos{File: r.name, Line: 1}, Msg: fmt.Sprintf("the rows have %d values; want one for each of the %d variables", len(r.Columns), len(vars))}
		}
		for v := range vars {
			b.Column[v] = v
		}
		found = len(vars)
	}
	if found == 0 {
		return nil, diag.Diagnostic{Pos: r.Columns[0].Pos, Msg: fmt.Sprintf("no column has the name of a variable: found %s; want some of %s",
			plain.QuoteList(r.names()), plain.QuoteList(names))}
	}
	return b, nil
}

// names returns the names of the columns of variables.
func (b *Binding) names() (list []string) {
	for _, c := range b.Column {
		list = append(list, b.r.Columns[c].Name)
	}
	return list
}

// mark sets what the dictionaries share: the marks of missing values and the memory.
func (r *Reader) mark(b *Binding) {
	for v := range b.dicts {
		b.dicts[v].Share(r.marks, &b.bytes)
	}
}

// States stores the state of each variable in a row in states, or Missing. The state of a real
// variable is 0, and its value is in Values. The error is a RowError.
func (b *Binding) States(rec *data.Record, states []int) error {
	for v, c := range b.Column {
		states[v], b.Values[v] = data.Missing, 0
		if c < 0 {
			continue
		}
		d := &b.dicts[v]
		s, ok := d.Find(&rec.Cells[c])
		switch {
		case ok:
			if states[v] = s; d.Real && s != data.Missing {
				b.Values[v] = d.Value
			}
		case b.unseen == UnseenError:
			return b.unseenAt(b.r.CellPos(rec, c), v, rec.Cells[c].Text)
		}
	}
	return nil
}

// unseenAt returns the error for a value of a variable that is no state.
func (b *Binding) unseenAt(pos diag.Pos, v int, text string) RowError {
	name := b.r.Columns[b.Column[v]].Name
	return RowError{diag.At(pos, b.dicts[v].Unseen(name, text)), name, text}
}
