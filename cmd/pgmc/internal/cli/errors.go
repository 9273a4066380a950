package cli

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/group"
)

// UsageError is a mistake in the command line.
type UsageError struct{ Err error }

// Error returns the text of the error that is wrapped.
func (e UsageError) Error() string { return e.Err.Error() }

// Unwrap returns the error that is wrapped.
func (e UsageError) Unwrap() error { return e.Err }

// Usage marks err as a mistake in the command line, for which pgmc exits with [ExitUsage].
func Usage(err error) error { return UsageError{err} }

// Usagef returns a mistake in the command line.
func Usagef(format string, args ...any) error { return UsageError{fmt.Errorf(format, args...)} }

// InternalError is a mistake in pgmc itself.
type InternalError struct {
	Cause string
	Stack string // empty if the error was not a panic
}

// Error returns the cause.
func (e *InternalError) Error() string { return e.Cause }

// Guard runs f and turns a panic in it into an [InternalError].
func Guard(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			stack := debug.Stack()
			if of, ok := p.(*group.Panic); ok {
				stack = of.Stack
			}
			err = &InternalError{fmt.Sprint(p), string(stack)}
		}
	}()
	return f()
}

// Text returns the message of err, in which options of libraries are written as flags.
func Text(err error) string { return diag.Text(err, flagText) }

// flagText writes an option as a flag.
func flagText(o diag.Option) string {
	if o.Value == "" {
		return "--" + o.Name
	}
	return "--" + o.Name + " " + ShellQuote(o.Value)
}

// oneLine returns the first line of a message. The further lines are suggestions of cobra's.
func oneLine(err error) string {
	line, _, _ := strings.Cut(Text(err), "\n")
	return line
}

// ShellQuote quotes a word so that a shell reads it back as s.
func ShellQuote(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./=,:+@%", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// ShellQuoteAll returns words as a command line.
func ShellQuoteAll(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = ShellQuote(w)
	}
	return strings.Join(quoted, " ")
}
