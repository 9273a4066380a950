package rowfile

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile/internal/plain"
	"github.com/pgmc-go/pgmc/learn/data/rowfile/internal/states"
)

// discover makes a variable of each column, as opt says. Columns of real variables are named; the
// others get the states that the file declares or those found later. The column of sequences, those
// of [Reader.Further], and columns of times are no variables.
func (r *Reader) discover(opt *LoadOptions) (*Binding, error) {
	b, cards := &Binding{r: r}, opt.Cards
	reals := map[string]bool{}
	for _, name := range opt.Real {
		reals[name] = true
	}
	switch {
	case cards != nil && !r.numbered():
		return nil, diag.Diagnostic{Pos: diag.Pos{File: r.name}, Msg: "a schema is only for files of state numbers; want one, or leave out the schema"}
	case cards != nil && len(cards) != len(r.Columns):
		return nil, diag.Diagnostic{Pos: diag.Pos{File: r.name, Line: 1}, Msg: fmt.Sprintf("the rows have %d values; want %d, as in the schema", len(r.Columns), len(cards))}
	}
	for i, c := range r.Columns {
		if opt.Sequence != "" && c.Name == opt.Sequence || (r.Further(c.Name) || c.Time && !opt.Times) && !reals[c.Name] {
			continue
		}
		b.Column = append(b.Column, i)
		switch {
		case reals[c.Name]:
			delete(reals, c.Name)
			b.dicts = append(b.dicts, states.Reals())
		case cards != nil:
			b.dicts = append(b.dicts, states.Numbered(cards[i], false))
		case c.States != nil:
			b.dicts = append(b.dicts, states.Closed(c.States))
		case r.numbered():
			b.dicts = append(b.dicts, states.Numbered(2, true))
		default:
			b.dicts = append(b.dicts, states.Texts(!opt.Times))
		}
	}
	for _, name := range opt.Real {
		if reals[name] {
			return nil, diag.Diagnostic{Pos: diag.Pos{File: r.name}, Msg: fmt.Sprintf("there is no column %q to read as real numbers; found %s", name,
				plain.QuoteList(b.names()))}
		}
	}
	r.mark(b)
	b.Values = make([]float64, len(b.Column))
	return b, nil
}

// name sets the variables that were found. It returns an error if a column that was named to become
// intervals has a value that is no number.
func (l *loader) name() error {
	most := 0
	for v, d := range l.b.dicts {
		switch {
		case d.Real:
		case d.Numbered():
			most = max(most, d.Count())
		case d.Open:
			if rank := l.b.dicts[v].Merge(); rank != nil {
				l.columns[v].renumber(rank)
			}
		}
	}
	all := numbers(most)
	for v, c := range l.b.Column {
		d := &l.b.dicts[v]
		x := data.Var{Name: l.r.Columns[c].Name, States: d.States, Real: d.Real}
		switch {
		case d.Real:
		case d.Numbered():
			x.States = all[:d.Count():d.Count()]
		case d.Open:
			if err := l.checkNumbers(&x); err != nil {
				return err
			}
			if l.real(v, &x) || l.bin(v, &x) || l.opt.Order != Sorted {
				break
			}
			var rank []int
			x.States, rank = states.Sorted(x.States)
			l.columns[v].renumber(rank)
		}
		l.vars = append(l.vars, x)
	}
	return nil
}

// SortStates returns texts in the order in which Load makes them states.
func SortStates(texts []string) []string {
	ordered, _ := states.Sorted(texts)
	return ordered
}

// numbers returns the texts "0" to n-1.
func numbers(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = strconv.Itoa(i)
	}
	return slices.Clip(list)
}

// leaveNumbering removes the columns of Numbering unless they hold variables.
func (l *loader) leaveNumbering() {
	if !l.r.Numbers() {
		return
	}
	named := append(slices.Clone(l.opt.Real), l.opt.Class)
	for _, c := range l.opt.Columns {
		named = append(named, c.Column)
	}
	for v := len(l.b.Column) - 1; v >= 0; v-- {
		name := l.r.Columns[l.b.Column[v]].Name
		if l.b.Column[v] > 1 || !slices.Contains(l.opt.Numbering, name) || slices.Contains(named, name) {
			continue
		}
		l.leave(v)
	}
}

// leaveTimes removes the columns in which all texts are times, and marks them in the reader.
func (l *loader) leaveTimes() {
	for v := len(l.b.Column) - 1; v >= 0; v-- {
		if l.b.dicts[v].Times() {
			l.r.Columns[l.b.Column[v]].Time = true
			l.leave(v)
		}
	}
}

// leave removes the column of a variable.
func (l *loader) leave(v int) {
	l.b.Column, l.b.dicts = slices.Delete(l.b.Column, v, v+1), slices.Delete(l.b.dicts, v, v+1)
	l.columns = slices.Delete(l.columns, v, v+1)
	if l.reals != nil {
		l.reals = slices.Delete(l.reals, v, v+1)
	}
}
