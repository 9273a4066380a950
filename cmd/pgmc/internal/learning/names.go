package learning

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/auto"
	"github.com/spf13/cobra"
)

// Default is the learner that runs if the command line names none.
var Default = auto.Learner.Name

// RunByName runs pgmc learn without a subcommand, by the learner of --algo or the default one. It
// runs the command line again with the learner's name added.
func RunByName(a *cli.App, cmd *cobra.Command, args []string) error {
	a.Command = cmd.CommandPath()
	name, rest, err := cutFlag(args, "algo")
	if err != nil {
		return err
	}
	asked := func(word string) bool { return slices.Contains(rest, word) }
	if asked("--help-all") {
		return helpAll(cmd, cmd.Root().HelpFunc())
	}
	if name == "" && (len(rest) == 0 || asked("--help") || asked("-h")) {
		return cmd.Help()
	}
	if name == "" {
		if err := unknownLearner(cmd, rest); err != nil {
			return err
		}
		name = Default
		if !asked("--quiet") && !asked("-q") {
			fmt.Fprintf(a.Stderr, "no learner named; %s runs. pgmc learn --help lists the others\n", name)
		}
	}
	if _, err := learn.Find(name); err != nil {
		return cli.Usagef("--algo: %w%s", err, diag.DidYouMean(name, Names()))
	}
	root := cmd.Root()
	root.SetArgs(append(append(before(a, cmd), cmd.Name(), name), rest...))
	return root.ExecuteContext(cmd.Context())
}

// before returns the arguments before the name of the command.
func before(a *cli.App, cmd *cobra.Command) []string {
	if i := slices.Index(a.Args, cmd.Name()); i > 0 {
		return slices.Clone(a.Args[:i])
	}
	return nil
}

// cutFlag removes a flag and its value from args. The flag has the form --name value or
// --name=value.
func cutFlag(args []string, name string) (value string, rest []string, err error) {
	for i := 0; i < len(args); i++ {
		text, ok := strings.CutPrefix(args[i], "--"+name)
		switch {
		case ok && strings.HasPrefix(text, "="):
			value = text[1:]
		case ok && text == "" && i+1 == len(args):
			return "", nil, cli.Usagef("flag needs an argument: --%s", name)
		case ok && text == "":
			i++
			value = args[i]
		default:
			rest = append(rest, args[i])
		}
	}
	return value, rest, nil
}

// unknownLearner returns an error if two operands follow, so that the first must be meant as the
// name of a learner.
func unknownLearner(cmd *cobra.Command, args []string) error {
	if len(args) < 2 || strings.HasPrefix(args[0], "-") || strings.HasPrefix(args[1], "-") {
		return nil
	}
	return cli.Usagef("unknown learner %q%s", args[0], diag.DidYouMean(args[0], Names()))
}

// Names returns the names of all learners.
func Names() []string {
	var names []string
	for _, l := range learn.Learners {
		names = append(names, l.Name)
	}
	return names
}

// FlagError extends the error of an unknown flag by the learners that have it, or by the nearest
// flag of the command.
func FlagError(cmd *cobra.Command, err error) error {
	flagName, _ := strings.CutPrefix(err.Error(), "unknown flag: --")
	var who []string
	for i := range learn.Learners {
		if _, fs := NewLearner(&learn.Learners[i]); fs.Lookup(flagName) != nil {
			who = append(who, learn.Learners[i].Name)
		}
	}
	if who == nil {
		return cli.Usage(cli.FlagError(cmd, err))
	}
	return cli.Usagef("--%s is no option of %s; it is one of %s", flagName, cmd.Name(), strings.Join(who, ", "))
}
