package main

import (
	"context"
	"flag"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/learning"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/spf13/cobra"
)

// learnCommand is pgmc learn, with a subcommand for each learner.
func (a *app) learnCommand() *cobra.Command {
	f := &learning.Options{}
	cmd := &cobra.Command{
		Use:   "learn ALGO DATA -o MODEL",
		Short: "Learn a model from data",
		Long: "Learn learns a model from the rows of a data file and writes it in the format of its name's extension. The result can be\n" +
			"compiled, queried and scored like any model. Ctrl-C and --max-time end a search with the best model so far.\n\n" +
			"Each learner is a subcommand with options of its own: see pgmc learn ALGO --help. Without one, pgmc learn DATA runs\n" +
			learning.Default + ". A word that is the name of a learner is the learner; ./NAME is a file of that name. --algo ALGO and --train DATA\n" +
			"are other ways to name the two.\n\n" +
			"Columns become variables. Their states are the column's values, or intervals with --bins. Columns that --real names stay numbers;\n" +
			"the learners ldfm and ldfm-s take them. With --init, the model has the variables.\n\n" +
			"--folds rates a learner by cross-validation: it learns once more for each part of the rows, from the others, and reports the\n" +
			"log-likelihood of the part, or the pseudo-log-likelihood if the learner maximises that. The model is learned from all rows.",
		Example: "  pgmc learn chowliu patients.csv -o patients.bif\n" +
			"  pgmc learn hillclimb patients.csv -o patients.bif --score bic --tabu 10 --forbid 'lung->smoke'\n" +
			"  pgmc learn hillclimb --help",
		DisableFlagParsing: true, // the flags are those of the learner
	}
	cmd.RunE = func(_ *cobra.Command, args []string) error { return learning.RunByName(a.App, cmd, args) }
	addLearnFlags(cmd, f)
	for i := range learn.Learners {
		cmd.AddCommand(a.learnerCommand(&learn.Learners[i], f))
	}
	return cmd
}

// addLearnFlags adds the flags that all learners have, for the subcommands of cmd.
func addLearnFlags(cmd *cobra.Command, f *learning.Options) {
	var writable []string
	for _, x := range compiler.Formats {
		if x.Write != nil {
			writable = append(writable, x.Name)
		}
	}
	fl := cmd.PersistentFlags()
	fl.StringVar(&f.Train, "train", "", "the data `file`, in place of DATA")
	fl.StringVar(&f.Valid, "valid", "", "a data `file` to choose between results by")
	fl.StringVar(&f.Init, "init", "", "a model `file` to begin from")
	fl.StringVar(&f.Truth, "truth", "", "a model `file` whose structure the learned one is compared with")
	fl.StringVarP(&f.Out, "output", "o", "", "`file` to write the model to, compressed if its name ends in .gz")
	fl.StringVar(&f.Circuit, "circuit", "", "a `file` to write the circuit to, of learners that make a network and a circuit")
	fl.DurationVar(&f.MaxTime, "max-time", 0, "end the search after this `time` with the best so far; 0 for never")
	fl.StringVar(&f.Target, "target", "", "a network `file` to approximate, for acopt, in place of DATA")
	fl.StringVar(&f.Resume, "resume", "", "a `file` to keep checkpoints in; if it exists, the search goes on from it to the same model ["+cli.Resuming()+"]")
	fl.IntVar(&f.Folds, "folds", 0, "rate the learner by cross-validation in this many `parts`, drawn by --seed; 0 for none")
	fl.IntVar(&f.Bins, "bins", 0, "turn columns with more different numbers than this into this many `intervals`, which are states; 0 for no column")
	fl.StringArrayVar(&f.Real, "real", nil, "the columns of real numbers, `A,B`, for ldfm and ldfm-s; repeatable")
	cli.AddPersistentChoice(cmd, &f.Binning, "binning", "intervals with about as many rows each, or of the same length", "frequency", "width")
	cli.AddPersistentChoice(cmd, &f.Data, "data-format", "the format of the data; by name or content unless given", "auto", "csv", "data", "arff")
	cli.AddPersistentFormatChoice(cmd, &f.To, "to", "the format of the model", writable)
}

// learnerCommand is the subcommand of a learner.
func (a *app) learnerCommand(l *learner.Learner, f *learning.Options) *cobra.Command {
	cmd := &cobra.Command{
		Use:     l.Name + " DATA -o MODEL",
		Short:   l.Doc,
		Example: "  pgmc learn " + l.Name + " " + learning.Example(l.Name),
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.Algo, f.Cmd = l.Name, cmd
			if len(args) == 1 && f.Train != "" {
				return cli.Usagef("found the data files %s and %s; want one", args[0], f.Train)
			}
			if len(args) == 1 {
				f.Train = args[0]
			}
			return a.Action(func(ctx context.Context, _ []string) error { return learning.Run(ctx, a.App, f) })(cmd, args)
		},
	}
	_, own := learning.NewLearner(l)
	own.VisitAll(func(x *flag.Flag) { cmd.Flags().AddFlag(learning.Flag(x)) })
	cmd.SetFlagErrorFunc(learning.FlagError)
	return cmd
}
