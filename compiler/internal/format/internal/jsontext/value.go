package jsontext

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
)

// This file reads JSON values. Fields may come in any order, but the reader needs them in a fixed
// one: it scans an object for the offsets of its fields and then reads each. It reads known fields
// only, so that the format bounds the nesting.

// Expect reads a token of a kind; want describes it in errors.
func (l *Lexer) Expect(kind byte, want string) Token {
	t := l.Next()
	if t.Kind != kind {
		l.Found(t, want)
	}
	return t
}

// Array reads an array by calling each once for each value; want describes it in errors.
func (l *Lexer) Array(want string, each func()) {
	l.Expect('[', want)
	if l.Peek().Kind == ']' {
		l.Next()
		return
	}
	for !l.HasErrors() {
		each()
		if t := l.Next(); t.Kind == ']' {
			return
		} else if t.Kind != ',' {
			l.Found(t, "a comma or ]")
		}
	}
}

// Object holds the offsets of the fields of an object.
type Object struct {
	Off     int // of its bracket
	end     int
	names   []string // of the known fields
	values  []int    // by index in names: the offset of the value, or 0
	unknown *Token   // the first unknown field
}

// Fields reads an object and refuses unknown fields.
func (l *Lexer) Fields(want string, names ...string) *Object {
	o := l.Object(want, names...)
	l.Refuse(o)
	return o
}

// Refuse reports an unknown field.
func (l *Lexer) Refuse(o *Object) {
	if o.unknown != nil {
		l.Fail(o.unknown.Off, "found the field %s; want one of %q", text.Quote(o.unknown.Text), o.names)
	}
}

// Object scans an object for its fields.
func (l *Lexer) Object(want string, names ...string) *Object {
	o := &Object{Off: l.Expect('{', want).Off, names: names, values: make([]int, len(names))}
	if l.Peek().Kind == '}' {
		l.Next()
		o.end = l.Off
		return o
	}
	for !l.HasErrors() {
		l.field(o)
		if t := l.Next(); t.Kind == '}' {
			break
		} else if t.Kind != ',' {
			l.Found(t, "a comma or }")
		}
	}
	o.end = l.Off
	return o
}

// field records the offset of the value of a field.
func (l *Lexer) field(o *Object) {
	name := l.Expect(Str, "the name of a field")
	l.Expect(':', "a colon")
	i := slices.Index(o.names, name.Text)
	switch {
	case i < 0 && o.unknown == nil:
		o.unknown = &name
	case i >= 0 && o.values[i] > 0:
		l.Fail(name.Off, "found the field %s a second time; want it once", text.Quote(name.Text))
	case i >= 0:
		o.values[i] = l.Off
	}
	l.skip()
}

// Members reads an object of any fields by calling each after the name of a field. It must read the
// value.
func (l *Lexer) Members(want string, each func(name Token)) {
	l.Expect('{', want)
	if l.Peek().Kind == '}' {
		l.Next()
		return
	}
	for !l.HasErrors() {
		name := l.Expect(Str, "the name of a field")
		l.Expect(':', "a colon")
		each(name)
		if t := l.Next(); t.Kind == '}' {
			return
		} else if t.Kind != ',' {
			l.Found(t, "a comma or }")
		}
	}
}

// skip skips a value. It checks only that brackets match; the rest is checked when the value is
// read.
func (l *Lexer) skip() {
	var open []byte // the closing brackets to come, the next one last
	for {
		t := l.Next()
		switch t.Kind {
		case '{', '[':
			open = append(open, t.Kind+2) // in ASCII ] and } are two after [ and {
		case '}', ']':
			switch n := len(open) - 1; {
			case n < 0:
				l.Found(t, "a value")
			case open[n] != t.Kind:
				l.Found(t, string(open[n]))
			default:
				open = open[:n]
			}
		case ',', ':':
			if len(open) == 0 {
				l.Found(t, "a value")
			}
		case End:
			l.Found(t, "a value")
		}
		if len(open) == 0 || l.HasErrors() {
			return
		}
	}
}

// Enter moves to the value of a field, and reports whether there is one.
func (l *Lexer) Enter(o *Object, name string) bool {
	off := o.values[slices.Index(o.names, name)]
	if off == 0 || l.HasErrors() {
		return false
	}
	l.Off = off
	return true
}

// Need moves to the value of a required field.
func (l *Lexer) Need(o *Object, name string) {
	if !l.Enter(o, name) {
		l.Fail(o.Off, "found an object without the field %q; want one", name)
	}
}

// Leave moves to the end of an object.
func (l *Lexer) Leave(o *Object) { l.Off = o.end }

// Float reads a number.
func (l *Lexer) Float() (x float64, off int) { return l.float(l.Next()) }

func (l *Lexer) float(t Token) (x float64, off int) {
	if t.Kind != Number {
		l.Found(t, "a number")
		return 0, t.Off
	}
	x, err := text.Number(t.Text)
	if err != nil || !json.Valid([]byte(t.Text)) {
		want := "a number as in JSON"
		if err != nil {
			want = err.Error()
		}
		l.Found(t, want)
	}
	return x, t.Off
}

// Entry reads a number of a table. As JSON has no NaN, null is one, and "NaN" and "NA" as R's
// jsonlite writes them.
func (l *Lexer) Entry() (x float64, off int) {
	t := l.Next()
	if t.Kind == Word && t.Text == "null" || t.Kind == Str && (strings.EqualFold(t.Text, "nan") || t.Text == "NA") {
		return math.NaN(), t.Off
	}
	return l.float(t)
}

// Int reads an integer that fits 32 bits.
func (l *Lexer) Int(want string) int32 {
	t := l.Expect(Number, want)
	n, err := strconv.ParseInt(t.Text, 10, 32)
	if err != nil || !json.Valid([]byte(t.Text)) {
		l.Found(t, want)
	}
	return int32(n)
}
