package data

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Missing is the state number of an unobserved variable.
const Missing = -1

// Var is a variable of data: a discrete one with its states, or a real one, which has none.
type Var struct {
	Name   string
	States []string
	Real   bool
	Before bool // it is of the slice before the row's own, and nothing is its parent
}

// card returns the number of states, which is 1 for a real variable.
func (x *Var) card() int {
	if x.Real {
		return 1
	}
	return len(x.States)
}

// VarsOf returns the variables of m that data can hold: those that are not latent, in order.
func VarsOf(m *model.Model) []Var {
	var list []Var
	for _, v := range m.Vars {
		if !v.Latent {
			list = append(list, Var{Name: v.Name, States: m.States(v.ID), Real: m.IsReal(v.ID)})
		}
	}
	return list
}

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
	bytes  int          // approximate memory of open dictionaries
	unseen Unseen
}

// Bind matches the columns of the file to variables by name. A file without names has the
// columns x0, x1, .... If not all of these are variables, Bind matches by position, and the file
// must have as many columns as there are variables. It returns an error if no column is a
// variable.
func (r *Reader) Bind(vars []Var, unseen Unseen) (*Binding, error) {
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

// discover makes a variable of each column. Columns in real become real variables; the others get
// the states that the file declares or those found later. If cards is not nil, it has the number of
// states of each column of a file of state numbers. The column called sequence is no variable.
func (r *Reader) discover(real []string, cards []int, sequence string) (*Binding, error) {
	b := &Binding{r: r}
	reals := map[string]bool{}
	for _, name := range real {
		reals[name] = true
	}
	switch {
	case cards != nil && !r.numbered():
		return nil, diag.Diagnostic{Pos: diag.Pos{File: r.name}, Msg: "a schema is only for files of state numbers; want one, or leave out the schema"}
	case cards != nil && len(cards) != len(r.Columns):
		return nil, diag.Diagnostic{Pos: diag.Pos{File: r.name, Line: 1}, Msg: fmt.Sprintf("the rows have %d values; want %d, as in the schema", len(r.Columns), len(cards))}
	}
	for i, c := range r.Columns {
		if sequence != "" && c.Name == sequence {
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
			b.dicts = append(b.dicts, dictionary{open: true, code: map[string]int{}})
		}
	}
	for _, name := range real {
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
func (b *Binding) States(rec *Record, states []int) error {
	for v, c := range b.Column {
		states[v], b.Values[v] = Missing, 0
		if c < 0 {
			continue
		}
		d := &b.dicts[v]
		s, ok := d.find(&rec.Cells[c])
		switch {
		case ok:
			if states[v] = s; d.real && s != Missing {
				b.Values[v] = d.value
			}
		case b.unseen == UnseenError:
			return RowError{diag.At(b.r.CellPos(rec, c), d.unseen(b.r.Columns[c].Name, rec.Cells[c].Text))}
		}
	}
	return nil
}

// dictionary numbers the states of a variable.
type dictionary struct {
	states   []string
	code     map[string]int // nil if values are numbers of states
	card     int            // the number of states, if values are numbers
	open     bool           // new values become states
	bytes    *int           // approximate memory of open dictionaries
	cuts     []float64      // the bounds of states that are intervals
	interval bool           // states are intervals
	real     bool           // values are real numbers; value holds the last
	value    float64
	numbers  map[float64]int // the states of numbers, if all states are such
	marks    *marks

	lately [16]known // values passed to find, each in a place of its text, because rows are often alike
}

// known is a text of a discrete variable and its state.
type known struct {
	text  string // empty if there is none
	state int
}

// placeOf returns the place of a text that is not empty in dictionary.lately, by its length and its
// ends.
func placeOf(text string) uint32 {
	h := uint32(len(text))<<16 | uint32(text[0])<<8 | uint32(text[len(text)-1])
	return h * 0x9e3779b1 >> 28 // Fibonacci hashing
}

func closed(states []string, numbered bool) dictionary {
	d := dictionary{states: states, card: len(states)}
	if numbered {
		return d
	}
	d.code = make(map[string]int, len(states))
	for k, s := range states {
		d.code[s] = k
	}
	d.cuts, d.interval = model.IntervalCuts(states)
	if numbers, ok := model.StateNumbers(states); ok {
		d.numbers = make(map[float64]int, len(numbers))
		for k, x := range numbers {
			d.numbers[x] = k
		}
	}
	return d
}

// find returns the state of a cell. It reports false if there is none.
func (d *dictionary) find(c *Cell) (state int, ok bool) {
	if c.Unknown {
		return Missing, true
	}
	if d.real {
		return d.parse(strings.TrimSpace(c.Text))
	}
	if c.Text == "" {
		return d.search(c.Text)
	}
	k := &d.lately[placeOf(c.Text)]
	if k.text == c.Text {
		return k.state, true
	}
	if s, ok := d.code[c.Text]; ok {
		k.text, k.state = d.states[s], s
		return s, true
	}
	state, ok = d.search(c.Text)
	if ok && k.text == "" {
		k.text, k.state = strings.Clone(c.Text), state // does not keep the whole row
	}
	return state, ok
}

// search returns the state of a value that is rare, or not written like the state. It makes it a
// state if the dictionary is open.
func (d *dictionary) search(value string) (state int, ok bool) {
	text := strings.TrimSpace(value)
	if d.code == nil {
		return d.number(text)
	}
	if s, ok := d.code[text]; ok {
		return s, true
	}
	if d.marks.has(text) {
		return Missing, true
	}
	if d.interval {
		return place(d.cuts, text)
	}
	if d.numbers != nil {
		if x, ok := model.Number(text); ok {
			s, ok := d.numbers[x]
			return s, ok
		}
	}
	if !d.open || len(d.states) == MaxStates || len(text) > maxState {
		return 0, false
	}
	text = strings.Clone(text)
	d.code[text] = len(d.states)
	d.states = append(d.states, text)
	*d.bytes += len(text) + 64 // two string headers and a map entry
	return len(d.states) - 1, true
}

// parse reads the value of a real variable, and returns the state 0.
func (d *dictionary) parse(text string) (state int, ok bool) {
	x, err := model.Real{}.Parse(text)
	if d.value = x.Real; (err != nil || !d.marks.anyCase) && d.marks.has(text) {
		return Missing, true
	}
	return 0, err == nil
}

// unseen returns the error for a text in a column that is none of the values.
func (d *dictionary) unseen(column, text string) error {
	const found = "column %q has no %s %s; want %s"
	if d.open { // any value may be a state, and this is none
		return diag.Errorf(found, column, d.kind(), shorten(text), d.wanted())
	}
	return diag.Errorf(found+", or %v", column, d.kind(), shorten(text), d.wanted(), diag.Option{Name: "unseen", Value: "missing"})
}

// kind describes the values for a message.
func (d *dictionary) kind() string {
	if d.real {
		return "value"
	}
	return "state"
}

func (d *dictionary) number(text string) (state int, ok bool) {
	if d.marks.has(text) {
		return Missing, true
	}
	s, err := strconv.ParseUint(text, 10, 16)
	if err != nil || s >= MaxStates || !d.open && int(s) >= d.card {
		return 0, false
	}
	d.card = max(d.card, int(s)+1)
	return int(s), true
}

// wanted lists the values for a message.
func (d *dictionary) wanted() string {
	switch {
	case d.real:
		return fmt.Sprintf("a number of a size of at most %g", model.MaxReal)
	case d.open && d.code == nil:
		return fmt.Sprintf("a number from 0 to %d", MaxStates-1)
	case d.open:
		return fmt.Sprintf("at most %d different values of at most %d bytes; leave the column out if it holds numbers or texts", MaxStates, maxState)
	case d.code == nil:
		return fmt.Sprintf("a number from 0 to %d", d.card-1)
	case d.cuts != nil:
		return "a number, or " + quoteList(len(d.states), func(i int) string { return d.states[i] })
	}
	return quoteList(len(d.states), func(i int) string { return d.states[i] })
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
			return cmp.Compare(values[a], values[b])
		}
		return strings.Compare(states[a], states[b])
	})
	ordered, rank = make([]string, len(states)), make([]int, len(states))
	for place, k := range order {
		ordered[place], rank[k] = states[k], place
	}
	return ordered, rank
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

// merge makes one state of those that are the same number, such as 1 and 1.0. The shortest of their
// texts names it, or among equally long ones the first by bytes. The state is in the place of the
// first of them.
func (l *loader) merge(v int) {
	states := l.b.dicts[v].states
	numbers, ok := numbersOf(states)
	if !ok {
		return
	}
	place, rank := map[float64]int{}, make([]int, len(states))
	var names []string
	for k, number := range numbers {
		i, known := place[number]
		if !known {
			i = len(names)
			place[number], names = i, append(names, states[k])
		}
		if rank[k] = i; cmp.Or(cmp.Compare(len(states[k]), len(names[i])), cmp.Compare(states[k], names[i])) < 0 {
			names[i] = states[k]
		}
	}
	if len(names) < len(states) {
		l.set.columns[v].renumber(rank)
		l.b.dicts[v].states = names
	}
}
