package parquet

import (
	"errors"
	"unicode/utf8"

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
	bad    []bool    // by number in the dictionary: it is no number that a real variable has
	known  [64]known // states of some values outside the dictionary
}

// Entries of states beyond those of data.
const (
	noValue = 1<<32 - 1 // the dictionary is shorter
	noState = 1<<32 - 2 // the text is none
)

// known is a text and its state.
type known struct {
	text  string
	state uint32
}

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

// textStates stores the states of the next texts.
func (t *table) textStates(p *plain, b *data.BlockColumn, to []uint8) (ok bool, err error) {
	rest := p.rest
	for i := range to {
		var text []byte
		if text, rest, err = prefixed(rest); err != nil {
			return false, err
		}
		state := t.find(b, text)
		if state == noState {
			return false, nil
		}
		to[i] = uint8(state)
	}
	p.rest = rest
	return true, nil
}

// find returns the state of a text, which is noState if the text is not UTF-8.
func (t *table) find(b *data.BlockColumn, text []byte) uint32 {
	place := len(text)
	if place > 0 {
		place += 7*int(text[0]) + 5*int(text[place/2]) + 3*int(text[place-1])
	}
	k := &t.known[place%len(t.known)]
	if k.state == 0 || k.text != string(text) {
		*k = known{string(text), noState}
		if utf8.ValidString(k.text) {
			k.state = stateOf(b, k.text)
		}
	}
	return k.state
}
