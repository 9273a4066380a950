package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/editing"
	"github.com/pgmc-go/pgmc/compiler"
)

func (a *app) editCommand() *cobra.Command {
	f := &editing.Options{}
	cmd := &cobra.Command{
		Use:   "edit MODEL",
		Short: "Change the parameters and the structure of a model",
		Long: "Edit changes a model by its flags, in their order, and writes it to standard output, to\n" +
			"the file of -o, or with --in-place over MODEL. What became of the parameters of changed\n" +
			"CPDs goes to standard error, or with --json to standard output.\n\n" +
			"--set 'lung=yes | smoke=yes: 0.1' sets a probability; the other states keep their\n" +
			"proportions. Without a state, --set 'lung | smoke=yes: 0.1 0.9' sets a row. Parents that\n" +
			"are left out may have any state. Of a noisy-max, the state of one parent stands for the\n" +
			"contribution of that cause, and none for the leak. Of a real variable,\n" +
			"--set 'x | pump=on: mean=2, t=0.5, var=1' sets the mean, the coefficient of the real parent\n" +
			"t and the variance, and of a state with real parents 'bias' and coefficients.\n\n" +
			"pgmc show model MODEL --var lung -o cpt.csv writes a CPD, and --cpt lung=cpt.csv reads it.\n\n" +
			"A changed structure keeps the parameters: a new parent has no influence, and without a\n" +
			"parent rows are means over its states, weighted by its marginal if that can be computed,\n" +
			"and otherwise equally. A new state has probability 0, and rows in which it is the state of a\n" +
			"parent are uniform.\n\n" +
			"Of a template of a sequence, x@1 is the CPD of x in the transition, and x@0 as its parent x\n" +
			"in the slice before. A name with blanks or signs is written in double quotes.",
		Example: "  pgmc edit asia.bif --set 'lung=yes | smoke=yes: 0.15' -o changed.bif\n" +
			"  pgmc edit asia.bif --cpt dysp=dysp.csv --in-place\n" +
			"  pgmc edit asia.bif --add 'age: young old' --edge 'age->lung' --set 'lung=yes | age=old: 0.2' -o older.bif\n" +
			"  pgmc edit asia.bif --remove-edge 'asia->tub' --remove asia -o home.bif\n" +
			"  pgmc edit asia.bif --rename dysp=breathless --states 'smoke: yes=often no=rarely never'",
		Args: cli.OneModel,
		RunE: a.Action(func(ctx context.Context, args []string) error { return editing.Run(ctx, a.App, args[0], f) }),
	}
	f.AddTo(cmd.Flags())
	fl := cmd.Flags()
	fl.StringVarP(&f.Output, "output", "o", "", "`file` to write to instead of standard output, compressed if its name ends in .gz")
	fl.BoolVar(&f.InPlace, "in-place", false, "write the model over its file")
	var readable, writable []string
	for _, x := range compiler.Formats {
		readable = append(readable, x.Name)
		if x.Write != nil {
			writable = append(writable, x.Name)
		}
	}
	cli.AddFormatChoice(cmd, &f.From, "from", "the format of MODEL", readable)
	cli.AddFormatChoice(cmd, &f.To, "to", "the format to write", writable)
	a.CompleteStates(cmd, "set")
	a.CompleteVariables(cmd, "cpt", "remove", "rename", "states", "edge", "remove-edge")
	return cmd
}
