package rowfile

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
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
	dicts  []dictionary // by variable
	states []int        // scratch of a block; nil before the first

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
	for v, x := range vars {
		c, ok := column[x.Name]
		if !ok {
			c = -1
		} else {
			found++
		}
		b.Column[v] = c
		if x.Real {
			b.dicts = append(b.dicts, dictionary{real: true, card: 1})
		} else {
			b.dicts = append(b.dicts, closed(x.States, r.numbered()))
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
			quoteList(len(r.Columns), func(i int) string { return r.Columns[i].Name }), quoteList(len(vars), func(i int) string { return vars[i].Name }))}
	}
	return b, nil
}

// mark sets what the dictionaries share: the marks of missing values and the memory.
func (r *Reader) mark(b *Binding) {
	for v := range b.dicts {
		b.dicts[v].marks, b.dicts[v].bytes = &r.marks, &b.bytes
	}
}

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
			b.dicts = append(b.dicts, dictionary{real: true, card: 1})
		case cards != nil:
			b.dicts = append(b.dicts, dictionary{card: cards[i]})
		case c.States != nil:
			b.dicts = append(b.dicts, closed(c.States, false))
		case r.numbered():
			b.dicts = append(b.dicts, dictionary{open: true, card: 2})
		default:
			b.dicts = append(b.dicts, dictionary{open: true, code: map[string]int{}, leaves: !opt.Times})
		}
	}
	for _, name := range opt.Real {
		if reals[name] {
			return nil, diag.Diagnostic{Pos: diag.Pos{File: r.name}, Msg: fmt.Sprintf("there is no column %q to read as real numbers; found %s", name,
				quoteList(len(b.Column), func(i int) string { return r.Columns[b.Column[i]].Name }))}
		}
	}
	r.mark(b)
	b.Values = make([]float64, len(b.Column))
	return b, nil
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
		s, ok := d.find(&rec.Cells[c])
		switch {
		case ok:
			if states[v] = s; d.real && s != data.Missing {
				b.Values[v] = d.value
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
	return RowError{diag.At(pos, b.dicts[v].unseen(name, text)), name, text}
}

// sorted orders states by value if all are numbers, and by bytes otherwise. State k has the index
// rank[k] in the result.
func sorted(states []string) (ordered []string, rank []int) {
	values, numeric := numbersOf(states)
	order := make([]int, len(states))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if numeric {
			return cmp.Or(cmp.Compare(values[a], values[b]), cmp.Compare(len(states[a]), len(states[b])), strings.Compare(states[a], states[b]))
		}
		return strings.Compare(states[a], states[b])
	})
	ordered, rank = make([]string, len(states)), make([]int, len(states))
	for place, k := range order {
		ordered[place], rank[k] = states[k], place
	}
	return ordered, rank
}

// SortStates returns texts in the order in which Load makes them states.
func SortStates(states []string) []string {
	ordered, _ := sorted(states)
	return ordered
}

// numbersOf returns the numbers that texts are; ok is false unless all are, and none is a code with
// leading zeros.
func numbersOf(texts []string) (numbers []float64, ok bool) {
	numbers = make([]float64, len(texts))
	for k, text := range texts {
		if numbers[k], ok = model.Number(text); !ok {
			return nil, false
		}
	}
	return numbers, true
}

// exact returns one text for all texts of a decimal number, of which x is the nearest float64.
// Large whole numbers, such as identifiers of 64 bits, may have the same.
func exact(text string, x float64) string {
	short := strconv.FormatFloat(x, 'g', -1, 64)
	if len(text) <= 15 { // digits: no two such numbers have the same float64
		return short
	}
	number, ok := new(big.Rat).SetString(text)
	rounded, _ := new(big.Rat).SetString(short)
	if !ok || number.Cmp(rounded) == 0 {
		return short
	}
	return number.RatString()
}

// merge makes one state of those that are the same number, such as 1 and 1.0. The shortest of their
// texts names it, or among equally long ones the first by bytes. The state is in the place of the
// first of them.
func (l *loader) merge(v int) {
	states := l.b.dicts[v].states
	numbers, ok := numbersOf(states)
	if !ok {
		return
	}
	place, rank := map[string]int{}, make([]int, len(states))
	var names []string
	for k, number := range numbers {
		decimal := exact(states[k], number)
		i, known := place[decimal]
		if !known {
			i = len(names)
			place[decimal], names = i, append(names, states[k])
		}
		if rank[k] = i; cmp.Or(cmp.Compare(len(states[k]), len(names[i])), cmp.Compare(states[k], names[i])) < 0 {
			names[i] = states[k]
		}
	}
	if len(names) < len(states) {
		l.columns[v].renumber(rank)
		l.b.dicts[v].states = names
	}
}
