package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/convert"
	"github.com/pgmc-go/pgmc/compiler"
)

func (a *app) convertCommand() *cobra.Command {
	f := &convert.Options{}
	cmd := &cobra.Command{
		Use:   "convert IN OUT",
		Short: "Convert a model, or data, from one file format to another",
		Long: "Convert reads a model in one format and writes it in another, with its parameters\n" +
			"unchanged. IN may be - for standard input, and OUT - for standard output. It refuses, by name, any part of the distribution that the other format\n" +
			"cannot hold. It warns of other losses, such as names, and refuses those too with\n" +
			"--strict.\n\n" +
			"If OUT is a .dn file, a Bayesian or Markov network becomes a dependency network:\n" +
			"the distribution of each variable given its Markov blanket, as a tree if one of\n" +
			"its factors is a tree, and otherwise as a table of at most --max-table numbers.\n\n" +
			"If OUT is an .ac file or an .spn folder, a Bayesian or Markov network is compiled to\n" +
			"one arithmetic circuit over all its variables, with the same value for each joint\n" +
			"state up to rounding.\n\n" +
			"--discretize N makes N intervals of about equal probability of each real variable of\n" +
			"a network with Gaussian CPDs, so that every method and format takes it. It reports\n" +
			"the divergence from the network, in nats, and the variables that cost most of it.\n" +
			"Tables of up to two real parents are integrated; others are averages over samples, and it\n" +
			"names them. Evidence may then be a state or a number.\n\n" +
			"--skeleton gives the plates of a pgmc model the objects in a table, and their variables\n" +
			"only the joint indices in its rows: the columns student and course say who takes what,\n" +
			"and a column grade holds values of the variable grade, which --row writes as a data\n" +
			"file for pgmc fit. --parameters takes the parameters that were fitted to other objects.\n\n" +
			"Data files (" + strings.Join(convert.DataIn, ", ") + ") are converted to\n" + strings.Join(convert.DataOut, ", ") + ".",
		Example: "  pgmc convert asia.bif asia.json --strict\n" +
			"  pgmc convert asia.bif asia.uai.gz\n" +
			"  pgmc convert asia.bif asia.dn\n" +
			"  pgmc convert asia.bif asia.ac\n" +
			"  pgmc convert plant.json plant.bif --discretize 5\n" +
			"  pgmc convert weather.bif weather.json --slices 0,t\n" +
			"  pgmc convert courses.json ground.json --skeleton takes.csv --row values.csv\n" +
			"  pgmc sample asia.bif --format data -o rows.data\n" +
			"  pgmc convert rows.data rows.csv --model asia.bif",
		Args: twoFiles,
		RunE: a.Action(a.Bounded(1, "or a smaller model", func(ctx context.Context, args []string) error {
			return convert.Run(ctx, a.App, args[0], args[1], f)
		})),
	}
	var readable, writable []string
	for _, x := range compiler.Formats {
		readable = append(readable, x.Name)
		if x.Write != nil {
			writable = append(writable, x.Name)
		}
	}
	cli.AddFormatChoice(cmd, &f.From, "from", "the format of IN", readable)
	cli.AddFormatChoice(cmd, &f.To, "to", "the format of OUT", writable)
	cmd.Flags().StringVar(&f.Model, "model", "", "for data: take names of columns and states from the model in a `file`")
	cmd.Flags().StringVar(&f.Schema, "schema", "", "for data: take the numbers of states from a schema `file`")
	cmd.Flags().StringArrayVar(&f.Observed, "observed", nil, "for data: add a column that says whether each of these `columns` has a value, as age_observed for age, or '*' for all that miss one; repeatable")
	cli.AddSlices(cmd, &f.Slices)
	cmd.Flags().IntVar(&f.Discretize, "discretize", 0, "make this number of `intervals` of each real variable; 0 is none")
	cmd.Flags().StringArrayVar(&f.Skeleton, "skeleton", nil, "the objects of the plates of a model, and which of them belong together: a data `file`; repeatable")
	cmd.Flags().StringVar(&f.Row, "row", "", "with --skeleton: write the values of its variables to a `file`, as one row of data")
	cmd.Flags().StringVar(&f.Parameters, "parameters", "", "with --skeleton: take the parameters of the network in a `file`, which was fitted to other objects of the same plates")
	f.Data.AddTo(cmd)
	cmd.Flags().BoolVar(&f.Strict, "strict", false, "refuse to write if anything of the model is lost")
	return cmd
}

// twoFiles returns an error unless the operands are two files.
func twoFiles(_ *cobra.Command, args []string) error {
	if len(args) != 2 {
		return cli.WrongCount(args, "two files, IN and OUT")
	}
	return nil
}
