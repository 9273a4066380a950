package json

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/compiler/format/internal/text"
)

// This file reads JSON values. Fields may come in any order, but the reader needs them in a fixed
// one: it scans an object for the offsets of its fields and then reads each. It reads known fields
// only, so that the format bounds the nesting.

// expect reads a token of a kind; want describes it in errors.
func (l *lexer) expect(kind byte, want string) token {
	t := l.next()
	if t.kind != kind {
		l.found(t, want)
	}
	return t
}

// list reads an array by calling each once for each value; want describes it in errors.
func (l *lexer) list(want string, each func()) {
	l.expect('[', want)
	if l.peek().kind == ']' {
		l.next()
		return
	}
	for !l.HasErrors() {
		each()
		if t := l.next(); t.kind == ']' {
			return
		} else if t.kind != ',' {
			l.found(t, "a comma or ]")
		}
	}
}

// object holds the offsets of the fields of an object.
type object struct {
	off, end int
	names    []string // of the known fields
	values   []int    // by index in names: the offset of the value, or 0
	unknown  *token   // the first unknown field
}

// fields reads an object and refuses unknown fields.
func (l *lexer) fields(want string, names ...string) *object {
	o := l.object(want, names...)
	l.refuse(o)
	return o
}

// refuse reports an unknown field.
func (l *lexer) refuse(o *object) {
	if o.unknown != nil {
		l.fail(o.unknown.off, "found the field %s; want one of %q", text.Quote(o.unknown.text), o.names)
	}
}

// object scans an object for its fields.
func (l *lexer) object(want string, names ...string) *object {
	o := &object{off: l.expect('{', want).off, names: names, values: make([]int, len(names))}
	if l.peek().kind == '}' {
		l.next()
		o.end = l.off
		return o
	}
	for !l.HasErrors() {
		l.field(o)
		if t := l.next(); t.kind == '}' {
			break
		} else if t.kind != ',' {
			l.found(t, "a comma or }")
		}
	}
	o.end = l.off
	return o
}

// field records the offset of the value of a field.
func (l *lexer) field(o *object) {
	name := l.expect(str, "the name of a field")
	l.expect(':', "a colon")
	i := slices.Index(o.names, name.text)
	switch {
	case i < 0 && o.unknown == nil:
		o.unknown = &name
	case i >= 0 && o.values[i] > 0:
		l.fail(name.off, "found the field %s a second time; want it once", text.Quote(name.text))
	case i >= 0:
		o.values[i] = l.off
	}
	l.skip()
}

// skip skips a value. It checks only that brackets match; the rest is checked when the value is
// read.
func (l *lexer) skip() {
	var open []byte // the closing brackets to come, the next one last
	for {
		t := l.next()
		switch t.kind {
		case '{', '[':
			open = append(open, t.kind+2) // in ASCII ] and } are two after [ and {
		case '}', ']':
			switch n := len(open) - 1; {
			case n < 0:
				l.found(t, "a value")
			case open[n] != t.kind:
				l.found(t, string(open[n]))
			default:
				open = open[:n]
			}
		case ',', ':':
			if len(open) == 0 {
				l.found(t, "a value")
			}
		case end:
			l.found(t, "a value")
		}
		if len(open) == 0 || l.HasErrors() {
			return
		}
	}
}

// enter moves to the value of a field, and reports whether there is one.
func (l *lexer) enter(o *object, name string) bool {
	off := o.values[slices.Index(o.names, name)]
	if off == 0 || l.HasErrors() {
		return false
	}
	l.off = off
	return true
}

// need moves to the value of a required field.
func (l *lexer) need(o *object, name string) {
	if !l.enter(o, name) {
		l.fail(o.off, "found an object without the field %q; want one", name)
	}
}

// leave moves to the end of an object.
func (l *lexer) leave(o *object) { l.off = o.end }

// float reads a number.
func (l *lexer) float() (x float64, off int) {
	t := l.expect(number, "a number")
	x, err := text.Number(t.text)
	if err != nil || !json.Valid([]byte(t.text)) {
		want := "a number as in JSON"
		if err != nil {
			want = err.Error()
		}
		l.found(t, want)
	}
	return x, t.off
}

// int reads an integer that fits 32 bits.
func (l *lexer) int(want string) int32 {
	t := l.expect(number, want)
	n, err := strconv.ParseInt(t.text, 10, 32)
	if err != nil || !json.Valid([]byte(t.text)) {
		l.found(t, want)
	}
	return int32(n)
}
