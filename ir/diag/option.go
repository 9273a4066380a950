package diag

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Option is an argument of a message that names an option of the library and perhaps a value of it.
// Messages write it as a fact ("max-mem 2GiB"); a command writes it as its flag: see [Text].
type Option struct{ Name, Value string }

// String returns the name and the value. A value with blanks is quoted.
func (o Option) String() string {
	switch {
	case o.Value == "":
		return o.Name
	case strings.ContainsAny(o.Value, " \t\n"):
		return o.Name + " " + strconv.Quote(o.Value)
	}
	return o.Name + " " + o.Value
}

// Message is a text that keeps its arguments, so that a caller that prints it can write the options
// among them in another way. It is an error, and may be an argument of other messages.
type Message struct {
	text, format string
	args         []any
}

// Errorf returns the message of a format and its arguments, as fmt.Errorf does. An error among the
// arguments is not wrapped.
func Errorf(format string, args ...any) *Message {
	return &Message{fmt.Sprintf(format, args...), format, args}
}

// Error returns the text, with options as [Option.String] writes them.
func (m *Message) Error() string { return m.text }

func (m *Message) hasOptions() bool {
	return slices.ContainsFunc(m.args, func(a any) bool {
		_, option := a.(Option)
		_, optioned := a.(Optioned)
		return option || optioned
	})
}

// With returns the text with options as name writes them.
func (m *Message) With(name func(Option) string) string {
	args := make([]any, len(m.args))
	for i, a := range m.args {
		switch a := a.(type) {
		case Option:
			args[i] = name(a)
		case Optioned:
			args[i] = a.With(name)
		default:
			args[i] = a
		}
	}
	return fmt.Sprintf(m.format, args...)
}

// Join returns one message with sep between the messages of list.
func Join(list []*Message, sep string) *Message {
	args := make([]any, len(list))
	for i, m := range list {
		args[i] = m
	}
	verbs := strings.Repeat(strings.ReplaceAll(sep, "%", "%%")+"%v", len(list))
	return Errorf(strings.TrimPrefix(verbs, sep), args...)
}

// Optioned is an error with a text that may have options in it.
type Optioned interface {
	error
	// With returns the text with options as name writes them.
	With(name func(Option) string) string
}

// Text returns the text of err with options as name writes them, also options of the errors that
// err wraps.
func Text(err error, name func(Option) string) string {
	if e, ok := err.(Optioned); ok {
		return e.With(name)
	}
	text := err.Error()
	var wrapped []error
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		wrapped = []error{e.Unwrap()}
	case interface{ Unwrap() []error }:
		wrapped = e.Unwrap()
	}
	for _, e := range wrapped {
		if e != nil {
			text = strings.Replace(text, e.Error(), Text(e, name), 1)
		}
	}
	return text
}

// QuoteName returns a name as a Go string literal if it holds a character that has a meaning in
// lists such as A=yes|maybe,B=no, and unchanged otherwise.
func QuoteName(name string) string {
	if q := strconv.Quote(name); name == "" || strings.ContainsAny(name, ",=|(\"/ \t\n") || q != `"`+name+`"` {
		return q
	}
	return name
}
