package rowfile

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/times"
)

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
	leaves   bool              // a column of times is left out
	past     *times.Recognizer // of all texts, once they are more than states may be; nil before

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
func (d *dictionary) find(c *data.Cell) (state int, ok bool) {
	if c.Unknown {
		return data.Missing, true
	}
	if d.real {
		return d.parse(strings.TrimSpace(c.Text))
	}
	if c.Text == "" {
		return d.search(c.Text)
	}
	if state, ok = d.recent(c.Text); ok {
		return state, true
	}
	k := &d.lately[placeOf(c.Text)]
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

// recent returns the state of a text that was passed to find lately.
func (d *dictionary) recent(text string) (state int, ok bool) {
	if text == "" {
		return 0, false
	}
	k := &d.lately[placeOf(text)]
	return k.state, k.text == text
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
	if d.leaves && len(d.states) == data.MaxStates && d.anotherTime(text) {
		return 0, true
	}
	if !d.open || len(d.states) == data.MaxStates || len(text) > maxState {
		return 0, false
	}
	text = strings.Clone(text)
	d.code[text] = len(d.states)
	d.states = append(d.states, text)
	*d.bytes += len(text) + 64 // two string headers and a map entry
	return len(d.states) - 1, true
}

// anotherTime reports whether a text beyond the states that there can be is a time, as all before
// it: such a column has no states.
func (d *dictionary) anotherTime(text string) bool {
	if d.past == nil {
		d.past = &times.Recognizer{}
		for _, s := range d.states {
			d.past.Add(s)
		}
	}
	return d.past.Add(text)
}

// times reports whether the states that were found are times, which are none.
func (d *dictionary) times() bool {
	if d.past != nil {
		return d.past.Times()
	}
	return d.leaves && times.All(d.states)
}

// parse reads the value of a real variable, and returns the state 0.
func (d *dictionary) parse(text string) (state int, ok bool) {
	x, err := model.Real{}.Parse(text)
	if d.value = x.Real; (err != nil || !d.marks.anyCase) && d.marks.has(text) {
		return data.Missing, true
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
		return data.Missing, true
	}
	s, err := strconv.ParseUint(text, 10, 16)
	if err != nil || s >= data.MaxStates || !d.open && int(s) >= d.card {
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
		return fmt.Sprintf("a number from 0 to %d", data.MaxStates-1)
	case d.open:
		return fmt.Sprintf("at most %d different values of at most %d bytes; leave the column out if it holds numbers or texts", data.MaxStates, maxState)
	case d.code == nil:
		return fmt.Sprintf("a number from 0 to %d", d.card-1)
	case d.cuts != nil:
		return "a number, or " + quoteList(len(d.states), func(i int) string { return d.states[i] })
	}
	return quoteList(len(d.states), func(i int) string { return d.states[i] })
}
