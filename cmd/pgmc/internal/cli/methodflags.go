package cli

import (
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/options"
)

// MethodFlags are the flags of all methods, read off their options. A flag that is not given has
// the default of the method.
type MethodFlags struct {
	flags []*methodFlag // by name
	cmd   *cobra.Command
}

// methodFlag is an option that one or more methods have, as a flag.
type methodFlag struct {
	name  string
	uses  []methodUse
	value string
}

// methodUse is what a flag is of some methods that say and default the same.
type methodUse struct {
	methods []string
	option  *flag.Flag
}

// String is the value that was given; empty if none was.
func (f *methodFlag) String() string { return f.value }

// Set takes a value that the first method takes; types of options of one name are the same.
func (f *methodFlag) Set(s string) error {
	f.value = s
	return f.uses[0].option.Value.Set(s)
}

// Type says what a value is, for help.
func (f *methodFlag) Type() string {
	switch f.uses[0].option.Value.(flag.Getter).Get().(type) {
	case int:
		return "int"
	case float64:
		return "float"
	}
	return "string"
}

// usage says what the flag is of each method, and its default.
func (f *methodFlag) usage() string {
	var parts []string
	for _, u := range f.uses {
		text := "of " + strings.Join(u.methods, ", ") + ": " + u.option.Usage
		if d := u.option.DefValue; d != "" && d != "0" {
			text += " (default " + d + ")"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}

// notFlags are options that have no flag here: some name variables by their numbers, which commands
// find out, and the seed is a flag of all commands.
var notFlags = []string{"delete", "evidence", "observed", "seed"}

// AddTo adds the flags to a command.
func (f *MethodFlags) AddTo(cmd *cobra.Command) {
	f.cmd = cmd
	byName := map[string]*methodFlag{}
	for _, m := range compiler.Methods {
		options.Flags(m.New()).VisitAll(func(o *flag.Flag) {
			if slices.Contains(notFlags, o.Name) {
				return
			}
			x := byName[o.Name]
			if x == nil {
				x = &methodFlag{name: o.Name}
				byName[o.Name], f.flags = x, append(f.flags, x)
			}
			x.add(m.Name, o)
		})
	}
	for _, x := range f.flags {
		cmd.Flags().Var(x, x.name, x.usage())
	}
	slices.SortFunc(f.flags, func(a, b *methodFlag) int { return strings.Compare(a.name, b.name) })
}

// add adds the option of a method.
func (f *methodFlag) add(method string, o *flag.Flag) {
	i := slices.IndexFunc(f.uses, func(u methodUse) bool { return u.option.Usage == o.Usage && u.option.DefValue == o.DefValue })
	if i < 0 {
		f.uses = append(f.uses, methodUse{option: o})
		i = len(f.uses) - 1
	}
	f.uses[i].methods = append(f.uses[i].methods, method)
}

// Settings returns the flags that were given, each as name=value.
func (f *MethodFlags) Settings() (list []string) {
	for _, x := range f.flags {
		if f.Changed(x.name) {
			list = append(list, x.name+"="+x.value)
		}
	}
	return list
}

// Value returns the value of the flag of that name; empty if it was not given.
func (f *MethodFlags) Value(name string) string { return f.cmd.Flags().Lookup(name).Value.String() }

// Changed reports whether a flag of the command was given.
func (f *MethodFlags) Changed(name string) bool { return f.cmd.Flags().Changed(name) }

// Options returns the method of opt with the flags that were given.
func (f *MethodFlags) Options(opt *compiler.Options) method.Options {
	return compiler.Named(opt.MethodName(), f.Settings()...)
}

// Stamp returns the settings as flags of pgmc compile.
func (f *MethodFlags) Stamp() (words []string) {
	for _, o := range f.Settings() {
		name, value, _ := strings.Cut(o, "=")
		words = append(words, "--"+name, value)
	}
	return words
}

// PosteriorQuery returns the query by which a method that iterates or samples gives marginals:
// empty for exact methods, and an error for methods that give none.
func PosteriorQuery(name string) (string, error) {
	by := Approximate(name)
	switch {
	case by == nil:
		return "", nil
	case by.Answers.Kind.Answer() == ir.AnswerMarginals:
		return by.Answers.Word, nil
	}
	return "", fmt.Errorf("method %s chooses states and gives no posteriors; try --method jointree or circuit, or approximately "+
		"belief, meanfield, edgedel, gibbs, lw or ais", name)
}
