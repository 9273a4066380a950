// Package diag holds positions in input files and the errors and warnings that point to them.
//
// All readers, checkers and passes report with it, so that every message reads "file:line:col: what
// was found; what was wanted". It prints nothing and decides nothing: the caller chooses where a
// [List] goes and whether a warning matters.
//
// The style of messages (lower case, no full stop, found and wanted, quoted user names) follows the
// style guides of the Go and Protocol Buffers compilers.
package diag

import (
	"fmt"
	"strconv"
	"strings"
)

// Pos is a place in an input file. Line and Col count from 1; Col counts bytes. Zero means unknown.
type Pos struct {
	File string
	Line int
	Col  int
}

// String returns "file:line:col" without the parts that are unknown.
func (p Pos) String() string {
	s := p.File
	if s == "" {
		s = "-"
	}
	if p.Line > 0 {
		s += ":" + strconv.Itoa(p.Line)
		if p.Col > 0 {
			s += ":" + strconv.Itoa(p.Col)
		}
	}
	return s
}

// Severity separates errors, which stop the work, from warnings.
type Severity uint8

// The severities.
const (
	Error Severity = iota
	Warning
)

// Diagnostic is one message about one place.
type Diagnostic struct {
	Pos      Pos
	Severity Severity
	Msg      string

	message *Message // Msg with the options in it; nil if Msg is all there is
}

// Error returns "file:line:col: message", with "warning: " before the message of a warning.
func (d Diagnostic) Error() string {
	if d.Severity == Warning {
		return d.Pos.String() + ": warning: " + d.Msg
	}
	return d.Pos.String() + ": " + d.Msg
}

// With returns the text with options as name writes them.
func (d Diagnostic) With(name func(Option) string) string {
	if d.message != nil && d.message.text == d.Msg {
		d.Msg = d.message.With(name)
	}
	return d.Error()
}

// MaxShown is the number of diagnostics of one severity that a List keeps; it only counts further
// ones, since readers act on the first few.
const MaxShown = 10

// List collects diagnostics in the order in which they were found. The zero value is ready.
type List struct {
	shown  []Diagnostic
	counts [2]int
}

// Errorf adds an error at p.
func (l *List) Errorf(p Pos, format string, args ...any) {
	l.Add(message(p, Error, Errorf(format, args...)))
}

// Warnf adds a warning at p.
func (l *List) Warnf(p Pos, format string, args ...any) {
	l.Add(message(p, Warning, Errorf(format, args...)))
}

// At returns err as an error about a place.
func At(p Pos, err error) Diagnostic {
	m, ok := err.(*Message)
	if !ok {
		m = Errorf("%v", err)
	}
	return message(p, Error, m)
}

// ErrorfAt returns an error about a place, without the place if its line is unknown.
func ErrorfAt(p Pos, format string, args ...any) error {
	m := Errorf(format, args...)
	if p.Line == 0 {
		return m
	}
	return message(p, Error, m)
}

// message makes a diagnostic of m, which is kept if there are options in it.
func message(p Pos, sev Severity, m *Message) Diagnostic {
	d := Diagnostic{Pos: p, Severity: sev, Msg: m.text}
	if m.hasOptions() {
		d.message = m
	}
	return d
}

// Add adds a diagnostic that was made before.
func (l *List) Add(d Diagnostic) {
	l.counts[d.Severity]++
	if l.counts[d.Severity] <= MaxShown {
		l.shown = append(l.shown, d)
	}
}

// Append adds all of m to l.
func (l *List) Append(m List) {
	hidden := m.counts
	for _, d := range m.shown {
		hidden[d.Severity]--
		l.Add(d)
	}
	for sev, n := range hidden {
		l.counts[sev] += n
	}
}

// Full reports whether MaxShown errors were found; a reader of input may stop there.
func (l *List) Full() bool { return l.counts[Error] >= MaxShown }

// HasErrors reports whether an error was added.
func (l *List) HasErrors() bool { return l.counts[Error] > 0 }

// Warnings returns the warnings that are kept, in order, and a last one that counts the others.
func (l *List) Warnings() []Diagnostic { return l.of(Warning) }

// Errors returns the errors that are kept, in order, and a last one that counts the others.
func (l *List) Errors() []Diagnostic { return l.of(Error) }

func (l *List) of(sev Severity) []Diagnostic {
	var out []Diagnostic
	for _, d := range l.shown {
		if d.Severity == sev {
			out = append(out, d)
		}
	}
	if more := l.counts[sev] - len(out); more > 0 {
		out = append(out, Diagnostic{Pos{File: out[len(out)-1].Pos.File}, sev, fmt.Sprintf("and %d more", more), nil})
	}
	return out
}

// Err returns nil if no error was added, and otherwise an error that prints one line for each.
func (l *List) Err() error {
	if !l.HasErrors() {
		return nil
	}
	return Errors(l.Errors())
}

// Errors is a non-empty list of diagnostics as one error value.
type Errors []Diagnostic

// Error returns one line for each diagnostic.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, d := range e {
		lines[i] = d.Error()
	}
	return strings.Join(lines, "\n")
}

// With returns the text with options as name writes them.
func (e Errors) With(name func(Option) string) string {
	lines := make([]string, len(e))
	for i, d := range e {
		lines[i] = d.With(name)
	}
	return strings.Join(lines, "\n")
}
