package parquet

import (
	"math"

	"github.com/parquet-go/parquet-go/format"

	"github.com/pgmc-go/pgmc/learn/data"
)

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
	if b.Bytes != nil {
		if ok, err := r.byteStates(b, b.Bytes[at:at+r.batch.rows]); ok || err != nil {
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

// byteStates stores states without the values themselves. It reports false, and reads nothing, if
// that fails for one of them.
func (r *reader) byteStates(b *data.BlockColumn, to []uint8) (bool, error) {
	v := r.batch.rows - r.batch.nulls
	if v > 0 {
		if ok, err := r.presentStates(b, to[:v]); !ok {
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

// presentStates is byteStates for values that are not null: texts, or numbers of up to 8 bits of
// states up to 127.
func (r *reader) presentStates(b *data.BlockColumn, to []uint8) (ok bool, err error) {
	switch p, _ := r.plain.(*plain); {
	case r.coded && r.index.width <= 8:
		before := r.index
		if ok, err = r.index.bytes(to, r.byteTable()); !ok {
			r.index = before
		}
	case !r.coded && p != nil && r.kind == format.ByteArray && !r.decimal:
		return r.table.textStates(p, b, to)
	}
	return ok, err
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
	if err := r.readValues(); err != nil {
		return err
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
	return r.table.find(b, []byte(r.batch.plain.text(v))), nil
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
