package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/counting"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/learning"
	"github.com/pgmc-go/pgmc/compiler"
)

func (a *app) countCommand() *cobra.Command {
	f := &counting.Options{}
	cmd := &cobra.Command{
		Use:   "count MODEL DATA -o COUNTS",
		Short: "Count the families of a network in rows or in a database",
		Long: "Count writes how many rows have each joint state of each family of a network: a\n" +
			"variable and its parents; for Gaussian families also the means and the cross products\n" +
			"of differences from the means. pgmc fit --counts and pgmc learn --counts take them in\n" +
			"place of the rows. A row that misses a value of a family does not count for it.\n\n" +
			"--families names a file with the variables of a family on each line, A,B, in place of\n" +
			"MODEL; the values of the columns are the states. --add adds two files of counts of\n" +
			"different rows.\n\n" +
			"With --counts-from TABLE, a database counts: its own client, --engine-cmd, gets SQL on\n" +
			"its standard input and prints CSV. pgmc knows no password and runs no shell.\n\n" +
			"COUNTS is CSV, or JSON or Parquet if its name ends in .json or .parquet; docs/counts.md has\n" +
			"the layout.",
		Example: "  pgmc sample asia.bif -n 1000 -o patients.csv\n" +
			"  pgmc count asia.bif patients.csv -o counts.csv\n" +
			"  pgmc count --add counts.csv counts.csv -o twice.csv\n" +
			"  pgmc fit asia.bif --counts twice.csv -o asia.json",
		Args: func(_ *cobra.Command, args []string) error { return countArgs(f, args) },
	}
	cmd.RunE = a.Action(a.Bounded(1, learning.LessMemory, func(ctx context.Context, args []string) error {
		if err := f.From.Check(cmd.Flags().Changed); err != nil {
			return err
		}
		if err := f.CheckRows(cmd.Flags().Changed); err != nil {
			return err
		}
		if f.Real != nil && f.Families == "" {
			return cli.Usagef("--real needs --families; a model has the variables")
		}
		return counting.Run(ctx, a.App, args, f)
	}))
	var readable []string
	for _, x := range compiler.Formats {
		readable = append(readable, x.Name)
	}
	fl := cmd.Flags()
	fl.StringVarP(&f.Out, "output", "o", "", "`file` to write the counts to, compressed if its name ends in .gz (default: standard output)")
	fl.StringVar(&f.Families, "families", "", "a `file` with the variables of a family on each line, in place of MODEL")
	fl.BoolVar(&f.Add, "add", false, "add two files of counts, COUNTS COUNTS in place of MODEL DATA")
	fl.StringArrayVar(&f.Real, "real", nil, "with --families: the columns of real numbers, `A,B`; repeatable")
	cli.AddFormatChoice(cmd, &f.Format, "format", "the format of MODEL", readable)
	cli.AddChoice(cmd, &f.Unseen, "unseen", "treat a value that is no state of its variable as an error, or as missing", "error", "missing")
	f.From.AddEngine(cmd)
	f.Data.AddTo(cmd)
	return cmd
}

// countArgs checks the number of arguments of pgmc count.
func countArgs(f *counting.Options, args []string) error {
	want, what := 2, "a model and a data file"
	switch {
	case f.Add && (f.Families != "" || f.From.Table != ""):
		return cli.Usagef("--add takes two files of counts; leave out --families and --counts-from")
	case f.Add:
		what = "two files of counts"
	case f.Families != "" && f.From.Table != "":
		want, what = 0, "no further name, since --families and --counts-from are in place of both"
	case f.Families != "":
		want, what = 1, "a data file, since --families is in place of the model"
	case f.From.Table != "":
		want, what = 1, "a model, since --counts-from is in place of the data"
	}
	if len(args) != want {
		return cli.WrongCount(args, what)
	}
	return nil
}
