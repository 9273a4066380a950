package main

import (
	"context"
	"flag"
	"slices"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/learning"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/spf13/cobra"
)

// learnCommand returns the command pgmc learn, with a subcommand for each learner.
func (a *app) learnCommand() *cobra.Command {
	f := &learning.Options{}
	cmd := &cobra.Command{
		Use:   "learn ALGO DATA -o MODEL",
		Short: "Learn a model from data",
		Long: "Learn reads the rows of a data file, learns a model, and writes it in the format\n" +
			"of the output file's extension. The model can be compiled, queried and scored like\n" +
			"any other. Ctrl-C and --max-time end a search with the best model so far.\n\n" +
			"Each learner is a subcommand, with all flags in its help: pgmc learn ALGO --help.\n" +
			"Without a learner, pgmc learn DATA runs " + learning.Default + ", which prints the structure if -o\n" +
			"is missing. If a word is the name of a learner, it means the learner; ./NAME is a\n" +
			"file of that name. --algo ALGO and --train DATA are other ways to name the two.",
		Example: "  pgmc sample asia.bif -n 1000 -o patients.csv\n" +
			"  pgmc learn chowliu patients.csv -o patients.bif\n" +
			"  pgmc learn patients.csv -o patients.bif --score bic --forbid 'lung->smoke'\n" +
			"  pgmc learn hillclimb --help",
		DisableFlagParsing: true, // flags belong to the learner, which is not known yet
	}
	cmd.RunE = func(_ *cobra.Command, args []string) error { return learning.RunByName(a.App, cmd, args) }
	addLearnFlags(cmd, f)
	learning.SetHelp(cmd)
	if slices.Contains(a.Args, cmd.Name()) { // else no word asks for a learner, and making 30 commands takes milliseconds
		for i := range learn.Learners {
			cmd.AddCommand(a.learnerCommand(&learn.Learners[i], f))
		}
	}
	return cmd
}

// addLearnFlags adds the flags that all learners have to the subcommands of cmd.
func addLearnFlags(cmd *cobra.Command, f *learning.Options) {
	var writable []string
	for _, x := range compiler.Formats {
		if x.Write != nil {
			writable = append(writable, x.Name)
		}
	}
	fl := cmd.PersistentFlags()
	fl.StringVar(&f.Train, "train", "", "the data `file`, in place of DATA")
	fl.StringVar(&f.Valid, "valid", "", "a data `file` by which the learner chooses between results")
	fl.StringVar(&f.Init, "init", "", "a model `file` to start from")
	fl.StringVar(&f.Truth, "truth", "", "a model `file` whose structure the learned one is compared with")
	fl.StringVar(&f.PriorNetwork, "prior-network", "", "a network `file` with the proportions of the prior of the score bde, which is then the default; --ess has its weight")
	fl.StringVar(&f.PriorStructure, "prior-structure", "", "a network `file` near which structures are more probable, by --prior-odds")
	fl.StringVarP(&f.Out, "output", "o", "", "`file` to write the model to, compressed if its name ends in .gz")
	fl.StringVar(&f.Circuit, "circuit", "", "a `file` to write the circuit to, for learners that make a network and a circuit")
	fl.DurationVar(&f.MaxTime, "max-time", 0, "end the search after this `time` with the best result so far; 0 is never")
	fl.StringVar(&f.Target, "target", "", "a network `file` to approximate, for acopt, in place of DATA")
	fl.StringVar(&f.Resume, "resume", "", "a `file` for checkpoints; if it exists, the search continues from it to the same model ["+cli.Resuming()+"]; with --counts-from, a file of the counts that are known")
	f.Counts.AddPersistentTo(cmd)
	fl.BoolVar(&f.Passes, "passes", false, "hold no rows: read DATA once for the states, and once for each step of the search")
	fl.BoolVar(&f.Form.HTML, "html", false, "print the report as a fragment of HTML")
	fl.BoolVar(&f.Form.Vega, "vega", false, "print the report as a chart in Vega-Lite")
	fl.BoolVar(&f.AsIs, "as-is", false, "learn from columns that look wrong: identifiers, numbers of which each is a state, or names that are values")
	fl.IntVar(&f.Folds, "folds", 0, "rate the learner by cross-validation in this many `parts`, drawn by --seed; 0 is none")
	fl.IntVar(&f.Bootstrap, "bootstrap", 0, "learn from this many `samples` of the rows as well, drawn by --seed, and report the share of the networks that has each edge; 0 is none")
	fl.StringVar(&f.Slices.Column, "sequence-column", "", "the rows are slices of sequences, which this `column` names: learn a network with a transition from slice to slice")
	f.Slices.AddTo(fl)
	f.Data.AddTwoSlices(fl)
	fl.BoolVar(&f.OneSequence, "one-sequence", false, "the rows are slices of one sequence")
	fl.StringVar(&f.Bins, "bins", "0", "turn columns of numbers into `intervals`, which are states: N for columns with more than N different numbers, "+
		"quantile:N, width:N, or mdl:CLASS for intervals that tell a class; COLUMN=RULE is for one column; 0 is none")
	fl.StringArrayVar(&f.Real, "real", nil, "the columns of real numbers, `A,B`, or '*' for all that look like measurements; repeatable")
	cli.AddPersistentChoice(cmd, &f.Binning, "binning", "make N intervals with about the same number of rows, or of the same length", "frequency", "width")
	f.Data.AddPersistentTo(cmd)
	f.Data.AddKeep(fl)
	f.Data.AddSplit(fl, "the learner sees the others, and of three parts chooses by the second as by --valid")
	cli.AddPersistentFormatChoice(cmd, &f.To, "to", "the format of the model", writable)
}

// learnerCommand returns the subcommand of a learner.
func (a *app) learnerCommand(l *learner.Learner, f *learning.Options) *cobra.Command {
	cmd := &cobra.Command{
		Use:     l.Name + " DATA -o MODEL",
		Aliases: l.Former,
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
			return a.Action(a.Bounded(1, learning.LessMemory, func(ctx context.Context, _ []string) error { return learning.Run(ctx, a.App, f) }))(cmd, args)
		},
	}
	_, own := learning.NewLearner(l)
	own.VisitAll(func(x *flag.Flag) { cmd.Flags().AddFlag(learning.Flag(x)) })
	cli.CompleteLearner(cmd)
	cli.AddHelpAll(cmd, "help with the flags of all learners", learning.HelpAll)
	cmd.SetFlagErrorFunc(learning.FlagError)
	return cmd
}
