package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method"
)

// Brief makes the help of a command brief: --help shows the core flags, of the command and global,
// and --help-all everything.
type Brief struct {
	Core     []string // names of flags
	More     string   // follows the description of the command in --help-all
	Examples string   // follow its examples there
}

// apply prepares the help of cmd: brief, or if all is true, whole.
func (b *Brief) apply(cmd *cobra.Command, all bool) {
	if all {
		cmd.Example += b.Examples
		io.WriteString(cmd.OutOrStderr(), WrapText(b.More)+"\n\n") // a failure shows in what is missing
		return
	}
	b.Hide(cmd)
}

// Hide leaves the other flags out of the help of cmd.
func (b *Brief) Hide(cmd *cobra.Command) {
	hide := func(x *pflag.Flag) { x.Hidden = x.Hidden || !slices.Contains(b.Core, x.Name) }
	cmd.Flags().VisitAll(hide)
	cmd.InheritedFlags().VisitAll(hide)
}

// usage returns a function that writes the usage of a command as usual does, without the flags of
// methods, and after it the flags of the chosen method, or where to find them.
func (f *MethodFlags) usage(usual func(*cobra.Command) error) func(*cobra.Command) error {
	return func(cmd *cobra.Command) error {
		for _, x := range f.flags {
			cmd.Flags().Lookup(x.name).Hidden = true
		}
		if f.Brief != nil {
			f.Brief.apply(cmd, f.all.asked)
		}
		if err := usual(cmd); err != nil {
			return err
		}
		_, err := io.WriteString(cmd.OutOrStderr(), f.help())
		return err
	}
}

// help describes the flags of the chosen method, or with --help-all of all. If there is none, it
// says where to find them.
func (f *MethodFlags) help() string {
	if f.all.asked {
		text := "\nMethods:\n"
		for _, m := range compiler.Methods {
			text += hanging(fmt.Sprintf("  %-*s ", methodWidth, m.Name), m.Doc)
		}
		for i := range compiler.Methods {
			if m := &compiler.Methods[i]; len(ownFlags(m)) > 0 {
				text += helpOf(m)
			}
		}
		return text
	}
	path, text := f.cmd.CommandPath(), "\n"
	if m := f.chosen(); m != nil {
		text = helpOf(m) + "\n"
	} else {
		text += "The flags of a method: " + path + " --method NAME --help. What methods do: pgmc show methods.\n"
	}
	return text + "All flags, and more about them: " + path + " --help-all.\n"
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
	return start + strings.ReplaceAll(Wrap(text, HelpWidth-len(start)), "\n", "\n"+indent) + "\n"
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
