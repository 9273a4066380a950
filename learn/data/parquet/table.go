package parquet

import (
	"errors"
	"math"

	"github.com/pgmc-go/pgmc/learn/data"
)

// table holds what the values of a column are to those who read it: texts, states or numbers, each
// looked up when it is first needed.
type table struct {
	texts []string // by number in the dictionary; nil until needed
	// states has a state for each number of up to 8 bits, and for more if the dictionary has more
	// values, so that a damaged number needs no check: noValue.
	states []uint32
	bytes  *byteTable // of states, made for the width of the numbers in some page
	reals  []float64
	bad    []bool         // by number in the dictionary: it is no number that a real variable has
	known  map[string]int // states of values outside the dictionary
}

// Entries of states beyond those of data.
const (
	noValue = 1<<32 - 1 // the dictionary is shorter
	noState = 1<<32 - 2 // the text is none
)

// maxKnown bounds table.known.
const maxKnown = 1 << 12

var errIndex = errors.New("a number is beyond the dictionary")

// clear forgets the values of a dictionary.
func (t *table) clear() { t.texts, t.states, t.bytes, t.reals = nil, nil, nil, nil }

// stateOf returns the state of a text, or noState.
func stateOf(b *data.BlockColumn, text string) uint32 {
	state, ok := b.State(text)
	if !ok {
		return noState
	}
	return uint32(state)
}

// states stores the states of a batch in rows of a block from at on.
func (r *reader) states(b *data.BlockColumn, at int) error {
	set := func(row int, state uint32) {
		if state == noState {
			state = 0
		}
		if b.Bytes != nil {
			b.Bytes[at+row] = uint8(state)
		} else {
			b.Words[at+row] = uint16(state)
		}
	}
	if r.coded && r.batch.nulls < r.batch.rows {
		r.makeStates(b)
	}
	if r.coded && b.Bytes != nil {
		if ok, err := r.byteStates(b.Bytes[at : at+r.batch.rows]); ok || err != nil {
			return err
		}
	}
	return r.each(func(row, v int) error {
		if v < 0 {
			set(row, 0)
			return nil
		}
		state, err := r.state(b, v)
		if state == noState && b.Bad != nil {
			b.Bad(at+row, r.valueText(v))
		}
		set(row, state)
		return err
	})
}

// byteStates stores states without a look at each number. It reports false, and reads nothing, if a
// value has none or one above 127, or the numbers have more than 8 bits.
func (r *reader) byteStates(to []uint8) (bool, error) {
	v := r.batch.rows - r.batch.nulls
	if v > 0 {
		if r.index.width > 8 {
			return false, nil
		}
		before := r.index
		if ok, err := r.index.bytes(to[:v], r.byteTable()); !ok {
			r.index = before
			return false, noEOF(err)
		}
	}
	for row := len(to) - 1; v <= row; row-- { // while there are nulls up to the row
		level := r.batch.level[row]
		v -= int(level)
		to[row] = to[v] & -level
	}
	return true, nil
}

// byteTable returns the table of states for byteStates.
func (r *reader) byteTable() *byteTable {
	t := &r.table
	if t.bytes == nil || t.bytes.width != r.index.width {
		var list [256]uint8
		for i := range list {
			list[i] = uint8(min(t.states[i], marked))
		}
		t.bytes = newByteTable(r.index.width, &list)
	}
	return t.bytes
}

// makeStates fills the table of states for the dictionary.
func (r *reader) makeStates(b *data.BlockColumn) {
	if r.table.states != nil {
		return
	}
	n := r.dict.len()
	list := make([]uint32, max(256, n))
	for i := range list {
		switch {
		case i >= n:
			list[i] = noValue
		case r.dict.missing(i):
			list[i] = 0
		default:
			list[i] = stateOf(b, r.dict.text(i))
		}
	}
	r.table.states = list
}

// each calls do with each row of the batch and the place of its value among the batch's, or -1 for
// one that is null.
func (r *reader) each(do func(row, v int) error) error {
	b, v := &r.batch, 0
	if r.coded {
		if err := r.readNumbers(); err != nil {
			return err
		}
	}
	for row := range b.rows {
		at := -1
		if b.nulls == 0 || b.level[row] != 0 {
			at = v
			v++
		}
		if err := do(row, at); err != nil {
			return err
		}
	}
	return nil
}

// number returns the number in the dictionary of a value of the batch, with an error if the
// dictionary is shorter.
func (r *reader) number(v int) (int, error) {
	k := r.batch.index[v]
	if uint64(k) >= uint64(r.dict.len()) {
		return 0, errIndex
	}
	return int(k), nil
}

// valueText returns a value of the batch as text.
func (r *reader) valueText(v int) string {
	if !r.coded {
		return r.batch.plain.text(v)
	}
	k, err := r.number(v)
	if err != nil {
		return ""
	}
	return r.dict.text(k)
}

// state returns the state of a value of the batch.
func (r *reader) state(b *data.BlockColumn, v int) (uint32, error) {
	if r.coded {
		k, err := r.number(v)
		return r.table.states[k], err
	}
	if r.batch.plain.missing(v) {
		return 0, nil
	}
	text := r.batch.plain.text(v)
	if state, ok := r.table.known[text]; ok {
		return uint32(state), nil
	}
	state := stateOf(b, text)
	if r.table.known == nil || len(r.table.known) == maxKnown {
		r.table.known = map[string]int{}
	}
	r.table.known[text] = int(state)
	return state, nil
}

// reals stores the numbers of a batch in rows of a block from at on.
func (r *reader) reals(b *data.BlockColumn, at int) error {
	return r.each(func(row, v int) error {
		b.Reals[at+row] = math.NaN()
		if v < 0 {
			return nil
		}
		x, ok, err := r.real(v)
		switch {
		case ok:
			b.Reals[at+row] = x
		case err == nil && b.Bad != nil:
			b.Bad(at+row, r.valueText(v))
		}
		return err
	})
}

// real returns a value of the batch as a number.
func (r *reader) real(v int) (x float64, ok bool, err error) {
	if !r.coded {
		x, ok = r.batch.plain.real(v)
		return x, ok, nil
	}
	t := &r.table
	if t.reals == nil {
		n := r.dict.len()
		t.reals, t.bad = make([]float64, n), make([]bool, n)
		for i := range n {
			var ok bool
			t.reals[i], ok = r.dict.real(i)
			t.bad[i] = !ok
		}
	}
	k, err := r.number(v)
	if err != nil {
		return 0, false, err
	}
	return t.reals[k], !t.bad[k], nil
}

// cells stores the texts of a batch in rows from at on.
func (r *reader) cells(at int) error {
	t := &r.table
	if r.coded && t.texts == nil {
		t.texts = make([]string, r.dict.len())
		for i := range t.texts {
			t.texts[i] = r.dict.text(i)
		}
	}
	return r.each(func(row, v int) (err error) {
		text, null := &r.texts[at+row], &r.null[at+row]
		if *null = v < 0; v < 0 {
			*text = ""
			return nil
		}
		if !r.coded {
			*text, *null = r.batch.plain.text(v), r.batch.plain.missing(v)
			return nil
		}
		k, err := r.number(v)
		if err != nil {
			return err
		}
		*text, *null = t.texts[k], r.dict.missing(k)
		return nil
	})
}
