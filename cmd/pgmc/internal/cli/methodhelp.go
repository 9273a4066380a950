package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method"
)

// usage returns a function that writes the usage of a command as usual does, without the flags of
// methods, and after it the flags of the chosen method, or a list of the methods.
func (f *MethodFlags) usage(usual func(*cobra.Command) error) func(*cobra.Command) error {
	return func(cmd *cobra.Command) error {
		for _, x := range f.flags {
			cmd.Flags().Lookup(x.name).Hidden = true
		}
		if err := usual(cmd); err != nil {
			return err
		}
		_, err := io.WriteString(cmd.OutOrStderr(), f.help())
		return err
	}
}

// help describes the flags of the chosen method, or with --help-all of all. If there is none, it
// lists the methods.
func (f *MethodFlags) help() string {
	if f.all.asked {
		text := ""
		for i := range compiler.Methods {
			if m := &compiler.Methods[i]; len(ownFlags(m)) > 0 {
				text += helpOf(m)
			}
		}
		return text
	}
	m := f.chosen()
	if m == nil {
		text := "\nMethods, each with flags of its own; see " + f.cmd.CommandPath() + " --method NAME --help:\n"
		for _, m := range compiler.Methods {
			text += hanging(fmt.Sprintf("  %-*s ", methodWidth, m.Name), m.Doc)
		}
		return text
	}
	return helpOf(m)
}

// helpOf describes the flags of a method.
func helpOf(m *method.Method) string {
	own := pflag.NewFlagSet("", pflag.ContinueOnError)
	for _, o := range ownFlags(m) {
		own.AddFlag(OptionFlag(o))
	}
	if !own.HasFlags() {
		return "\nMethod " + m.Name + " has no flags of its own.\n"
	}
	return "\nFlags of method " + m.Name + ":\n" + own.FlagUsagesWrapped(HelpWidth)
}

// methodWidth is the width of the column of names in the list of methods.
const methodWidth = 10

// hanging returns text as lines of at most HelpWidth columns. The first line begins with start, and
// the others are indented as far.
func hanging(start, text string) string {
	indent := strings.Repeat(" ", len(start))
	return start + strings.ReplaceAll(wrap(text, HelpWidth-len(start)), "\n", "\n"+indent) + "\n"
}

// flagError adds to the error of an unknown flag the nearest flag of the command and of the method
// that was named before the mistake, or of any method if none was.
func (f *MethodFlags) flagError(cmd *cobra.Command, err error) error {
	if m := f.chosen(); m != nil {
		for _, x := range f.flags {
			cmd.Flags().Lookup(x.name).Hidden = !has(m, x)
		}
	}
	return FlagError(cmd, err)
}
