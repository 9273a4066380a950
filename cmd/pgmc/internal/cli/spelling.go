package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pgmc-go/pgmc/ir/diag"
)

// FlagError adds the nearest flag of c that is not hidden to err if that is about a flag that c
// does not have, and says which values a flag takes instead of how its value was parsed.
func FlagError(c *cobra.Command, err error) error {
	if invalid := (*pflag.InvalidValueError)(nil); errors.As(err, &invalid) {
		return wrongValue(invalid)
	}
	name, ok := strings.CutPrefix(err.Error(), "unknown flag: --")
	if !ok {
		return err
	}
	var known []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			known = append(known, "--"+f.Name)
		}
	})
	near := diag.DidYouMean("--"+name, known)
	if near == "" {
		near = shortened("--"+name, known)
	}
	return fmt.Errorf("%w%s", err, near)
}

// leastShared is the fewest letters, hyphens included, of a flag that another may be a longer form
// of.
const leastShared = 6

// shortened returns what [diag.DidYouMean] does if word is a longer or shorter form of one of
// known, as --evidence is of --evid, or its end, as --format is of --data-format.
func shortened(word string, known []string) string {
	for _, k := range known {
		n := min(len(k), len(word))
		if n >= leastShared && (k[:n] == word[:n] || strings.HasSuffix(k, word[1:])) {
			return diag.DidYouMean(k, []string{k})
		}
	}
	return ""
}

// wanted describes the values of the flags of package pflag, by their types.
var wanted = map[string]string{
	"duration": "a time with its unit, such as 30s or 5m",
	"uint64":   "a whole number, 0 or more",
	"int":      "a whole number in digits, such as 1000",
	"float64":  "a number",
	"bool":     "true or false",
}

// inner returns the value that v wraps; nil if it wraps none.
func inner(v pflag.Value) pflag.Value {
	if w, ok := v.(interface{ Unwrap() pflag.Value }); ok {
		return w.Unwrap()
	}
	return nil
}

// wrongValue returns the error for a value that a flag does not take.
func wrongValue(e *pflag.InvalidValueError) error {
	flag := e.GetFlag()
	for v := flag.Value; v != nil; v = inner(v) {
		if want, ok := wanted[v.Type()]; ok {
			return fmt.Errorf("--%s %s: want %s", flag.Name, ShellQuote(e.GetValue()), want)
		}
	}
	return fmt.Errorf("--%s %s: %w", flag.Name, ShellQuote(e.GetValue()), e.Unwrap())
}

// commandError adds the nearest subcommand of c to err if err reports an unknown subcommand.
func commandError(c *cobra.Command, err error) error {
	text, ok := strings.CutPrefix(err.Error(), `unknown command "`)
	if !ok {
		return err
	}
	word, _, _ := strings.Cut(text, `"`)
	var known []string
	for _, sub := range c.Commands() {
		if !sub.IsAvailableCommand() {
			continue
		}
		if slices.Contains(sub.SuggestFor, word) {
			return fmt.Errorf("%s; pgmc has %q for that", oneLine(err), sub.Name())
		}
		known = append(known, sub.Name())
	}
	return fmt.Errorf("%s%s", oneLine(err), diag.DidYouMean(word, known))
}
