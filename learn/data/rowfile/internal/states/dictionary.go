// Package states numbers the states of variables by their texts, as a list of variables names them
// or as a file has them.
package states

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile/internal/plain"
	"github.com/pgmc-go/pgmc/learn/data/times"
)

// Dictionary numbers the states of a variable.
type Dictionary struct {
	States   []string
	code     map[string]int // nil if values are numbers of states
	card     int            // the number of states, if values are numbers
	Open     bool           // new values become states
	bytes    *int           // approximate memory of open dictionaries
	cuts     []float64      // the bounds of states that are intervals
	interval bool           // states are intervals
	Real     bool           // values are real numbers; value holds the last
	Value    float64
	numbers  map[float64]int // the states of numbers, if all states are such
	marks    *Marks
	leaves   bool              // a column of times is left out
	past     *times.Recognizer // of all texts, once they are more than states may be; nil before

	lately [16]known // values passed to find, each in a place of its text, because rows are often alike
}

// known is a text of a discrete variable and its state.
type known struct {
	text  string // empty if there is none
	state int
}

// placeOf returns the place of a text that is not empty in Dictionary.lately, by its length and its
// ends.
func placeOf(text string) uint32 {
	h := uint32(len(text))<<16 | uint32(text[0])<<8 | uint32(text[len(text)-1])
	return h * 0x9e3779b1 >> 28 // Fibonacci hashing
}

// Reals returns the dictionary of a real variable.
func Reals() Dictionary { return Dictionary{Real: true, card: 1} }

// Numbered returns the dictionary of a number of states, or more if it is open, in a file that
// has their numbers.
func Numbered(card int, open bool) Dictionary { return Dictionary{card: card, Open: open} }

// Texts returns a dictionary in which each text becomes a state. If leaves is set, a column of
// times has no states.
func Texts(leaves bool) Dictionary {
	return Dictionary{Open: true, code: map[string]int{}, leaves: leaves}
}

// Closed returns the dictionary of given states.
func Closed(states []string) Dictionary {
	d := Dictionary{States: states, card: len(states)}
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

// Share sets the marks of a missing value and a count of memory, which dictionaries share.
func (d *Dictionary) Share(m *Marks, bytes *int) { d.marks, d.bytes = m, bytes }

// Numbered reports whether values are numbers of states.
func (d *Dictionary) Numbered() bool { return d.code == nil && !d.Real }

// Count returns the number of states.
func (d *Dictionary) Count() int { return max(d.card, len(d.States)) }

// Find returns the state of a cell. It reports false if there is none.
func (d *Dictionary) Find(c *data.Cell) (state int, ok bool) {
	if c.Unknown {
		return data.Missing, true
	}
	if d.Real {
		return d.parse(strings.TrimSpace(c.Text))
	}
	if c.Text == "" {
		return d.search(c.Text)
	}
	if state, ok = d.Recent(c.Text); ok {
		return state, true
	}
	k := &d.lately[placeOf(c.Text)]
	if s, ok := d.code[c.Text]; ok {
		k.text, k.state = d.States[s], s
		return s, true
	}
	state, ok = d.search(c.Text)
	if ok && k.text == "" {
		k.text, k.state = strings.Clone(c.Text), state // does not keep the whole row
	}
	return state, ok
}

// Recent returns the state of a text that was passed to find lately.
func (d *Dictionary) Recent(text string) (state int, ok bool) {
	if text == "" {
		return 0, false
	}
	k := &d.lately[placeOf(text)]
	return k.state, k.text == text
}

// search returns the state of a value that is rare, or not written like the state. It makes it a
// state if the dictionary is open.
func (d *Dictionary) search(value string) (state int, ok bool) {
	text := strings.TrimSpace(value)
	if d.code == nil {
		return d.number(text)
	}
	if s, ok := d.code[text]; ok {
		return s, true
	}
	if d.marks.Has(text) {
		return data.Missing, true
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
	if d.leaves && len(d.States) == data.MaxStates && d.anotherTime(text) {
		return 0, true
	}
	if !d.Open || len(d.States) == data.MaxStates || len(text) > plain.MaxState {
		return 0, false
	}
	text = strings.Clone(text)
	d.code[text] = len(d.States)
	d.States = append(d.States, text)
	*d.bytes += len(text) + 64 // two string headers and a map entry
	return len(d.States) - 1, true
}

// anotherTime reports whether a text beyond the states that there can be is a time, as all before
// it: such a column has no states.
func (d *Dictionary) anotherTime(text string) bool {
	if d.past == nil {
		d.past = &times.Recognizer{}
		for _, s := range d.States {
			d.past.Add(s)
		}
	}
	return d.past.Add(text)
}

// Times reports whether the states that were found are times, which are none.
func (d *Dictionary) Times() bool {
	if d.past != nil {
		return d.past.Times()
	}
	return d.leaves && times.All(d.States)
}

// parse reads the value of a real variable, and returns the state 0.
func (d *Dictionary) parse(text string) (state int, ok bool) {
	x, err := model.Real{}.Parse(text)
	if d.Value = x.Real; (err != nil || !d.marks.anyCase) && d.marks.Has(text) {
		return data.Missing, true
	}
	return 0, err == nil
}

// Unseen returns the error for a text in a column that is none of the values.
func (d *Dictionary) Unseen(column, text string) error {
	const found = "column %q has no %s %s; want %s"
	if d.Open { // any value may be a state, and this is none
		return diag.Errorf(found, column, d.kind(), plain.Quote(text), d.wanted())
	}
	return diag.Errorf(found+", or %v", column, d.kind(), plain.Quote(text), d.wanted(), diag.Option{Name: "unseen", Value: "missing"})
}

// kind describes the values for a message.
func (d *Dictionary) kind() string {
	if d.Real {
		return "value"
	}
	return "state"
}

func (d *Dictionary) number(text string) (state int, ok bool) {
	if d.marks.Has(text) {
		return data.Missing, true
	}
	s, err := strconv.ParseUint(text, 10, 16)
	if err != nil || s >= data.MaxStates || !d.Open && int(s) >= d.card {
		return 0, false
	}
	d.card = max(d.card, int(s)+1)
	return int(s), true
}

// wanted lists the values for a message.
func (d *Dictionary) wanted() string {
	switch {
	case d.Real:
		return fmt.Sprintf("a number of a size of at most %g", model.MaxReal)
	case d.Open && d.code == nil:
		return fmt.Sprintf("a number from 0 to %d", data.MaxStates-1)
	case d.Open:
		return fmt.Sprintf("at most %d different values of at most %d bytes; leave the column out if it holds numbers or texts", data.MaxStates, plain.MaxState)
	case d.code == nil:
		return fmt.Sprintf("a number from 0 to %d", d.card-1)
	case d.cuts != nil:
		return "a number, or " + plain.QuoteList(d.States)
	}
	return plain.QuoteList(d.States)
}

// place returns the interval of a number. It reports false if the text is not a number.
func place(cuts []float64, text string) (state int, ok bool) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(x) {
		return 0, false
	}
	return model.Interval(cuts, x), true
}
