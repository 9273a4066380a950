package cli

import (
	"cmp"
	"flag"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir/options"
)

// MethodFlags are the flags of the methods, read off their options. A command parses the flags of
// all methods, since the model may decide which method answers, and refuses flags of another method
// once that is known: see [MethodFlags.Check]. Its help shows only flags of the chosen method. A
// flag that is not given has the default of the method.
type MethodFlags struct {
	Brief *Brief // nil if help shows all flags of the command

	flags   []*methodFlag // by name
	cmd     *cobra.Command
	method  *Choice   // the value of --method
	queries *[]string // the values of --query; nil if the command has no such flag
	all     helpAll
}

// methodFlag is the value of a flag that one or more methods have.
type methodFlag struct {
	name    string
	text    string       // as it was given
	options []*flag.Flag // the options of that name, in the order of the methods
	methods []string     // the methods that have them
}

// String returns the value that was given, or "".
func (f *methodFlag) String() string { return f.text }

// Set takes a value that at least one of the methods takes.
func (f *methodFlag) Set(s string) (err error) {
	for _, o := range f.options {
		if err = o.Value.Set(s); err == nil {
			f.text = s
			return nil
		}
	}
	return err
}

// Type names the type of the value for shell completion.
func (f *methodFlag) Type() string { return pflag.PFlagFromGoFlag(f.options[0]).Value.Type() }

// isBool reports whether the flag needs no value.
func (f *methodFlag) isBool() bool {
	b, ok := f.options[0].Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

// ownFlags returns the options of a method that are flags of commands: all except flags of numbers,
// and the seed, which is a flag of all commands.
func ownFlags(m *method.Method) (list []*flag.Flag) {
	options.Flags(m.New()).VisitAll(func(o *flag.Flag) {
		if o.Name != method.SeedOption && !options.IsNumbered(o) {
			list = append(list, o)
		}
	})
	return list
}

// AddTo adds the flags to a command, which chooses a method by the flags of m, or by a word among
// queries; nil if the command takes no queries.
func (f *MethodFlags) AddTo(cmd *cobra.Command, m *ModelFlags, queries *[]string) {
	f.cmd, f.method, f.queries = cmd, &m.Method, queries
	byName := map[string]*methodFlag{}
	for i := range compiler.Methods {
		for _, o := range ownFlags(&compiler.Methods[i]) {
			x := byName[o.Name]
			if x == nil {
				x = &methodFlag{name: o.Name}
				byName[o.Name], f.flags = x, append(f.flags, x)
			}
			x.options, x.methods = append(x.options, o), append(x.methods, compiler.Methods[i].Name)
		}
	}
	slices.SortFunc(f.flags, func(a, b *methodFlag) int { return strings.Compare(a.name, b.name) })
	for _, x := range f.flags {
		added := cmd.Flags().VarPF(x, x.name, "", "an option of "+strings.Join(x.methods, ", "))
		if x.isBool() {
			added.NoOptDefVal = "true"
		}
	}
	f.all.addTo(cmd, "help with all flags, those of all methods too")
	cmd.PreRunE = func(*cobra.Command, []string) error { return f.Check() }
	cmd.SetUsageFunc(f.usage(cmd.UsageFunc()))
	cmd.SetFlagErrorFunc(f.flagError)
}

// Check returns a usage error if a flag was given that the method named by --method does not have.
// If the command line leaves the method open, the compiler checks the flags once it has chosen a
// method for the model; see [App.CompileError].
func (f *MethodFlags) Check() error { return f.check(f.method.Value) }

// CheckFor returns a usage error if a flag was given that the method of opt does not have, or if
// opt leaves the method open, that the compiler's first choice does not have. It is for commands
// that may answer without compiling anything.
func (f *MethodFlags) CheckFor(opt *compiler.Options) error {
	return f.check(cmp.Or(opt.MethodName(), compiler.Methods[0].Name))
}

func (f *MethodFlags) check(name string) error {
	m, err := compiler.FindMethod(name)
	if err != nil {
		return nil // auto
	}
	for _, x := range f.flags {
		if f.given(x) && !has(&m, x) {
			return Usage(&compiler.OptionError{Option: x.name, Method: m.Name})
		}
	}
	return nil
}

// has reports whether a flag is one of m.
func has(m *method.Method, x *methodFlag) bool {
	return slices.ContainsFunc(ownFlags(m), func(o *flag.Flag) bool { return o.Name == x.name })
}

// given reports whether a flag was given.
func (f *MethodFlags) given(x *methodFlag) bool { return f.cmd.Flags().Changed(x.name) }

// chosen returns the method that the command line chooses, by --method or by the word of a query;
// nil if it leaves the method open.
func (f *MethodFlags) chosen() *method.Method {
	named := func(m method.Method) bool { return m.Name == f.method.Value }
	i := slices.IndexFunc(compiler.Methods, named)
	if i < 0 && f.queries != nil {
		i = slices.IndexFunc(compiler.Methods, func(m method.Method) bool {
			return m.Answers != nil && slices.Contains(*f.queries, m.Answers.Word)
		})
	}
	if i < 0 {
		return nil
	}
	return &compiler.Methods[i]
}

// Settings returns the flags that were given, each as name=value.
func (f *MethodFlags) Settings() (list []string) {
	for _, x := range f.flags {
		if f.given(x) {
			list = append(list, x.name+"="+x.text)
		}
	}
	return list
}

// Options returns the method of opt with the flags that were given; without any, as opt has it.
func (f *MethodFlags) Options(opt *compiler.Options) method.Options {
	settings := f.Settings()
	if opt.Method != nil && len(settings) == 0 {
		return opt.Method
	}
	return compiler.Named(opt.MethodName(), settings...)
}

// Stamp returns the settings as flags of pgmc compile.
func (f *MethodFlags) Stamp() []string { return f.StampFor("") }

// StampFor returns the settings that the named method has as flags; those of all for "".
func (f *MethodFlags) StampFor(name string) (words []string) {
	for _, x := range f.flags {
		switch {
		case !f.given(x), name != "" && !slices.Contains(x.methods, name):
		case x.isBool(): // a word of its own would not be its value
			words = append(words, "--"+x.name+"="+x.text)
		default:
			words = append(words, "--"+x.name, x.text)
		}
	}
	return words
}
