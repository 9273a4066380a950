package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/predict"
)

func (a *app) imputeCommand() *cobra.Command {
	f := &predict.ImputeOptions{}
	cmd := &cobra.Command{
		Use:   "impute MODEL DATA",
		Short: "Fill the missing cells of a data file",
		Long: "Impute reads rows and writes them as CSV, or as Parquet if -o ends in .parquet,\n" +
			"unchanged but for the missing cells of columns that are variables of the model. Each is filled by the most probable state,\n" +
			"or the mean, of the variable given the other cells of its row. Such cells vary less\n" +
			"than true ones, which counts made of them show.\n\n" +
			"A state that is an interval, as --bins of pgmc learn makes them, is written as the mean\n" +
			"of the column's numbers in it, rounded if all numbers of the column are whole.\n\n" +
			"With --by sample, the missing cells of a row are drawn together from their joint\n" +
			"distribution given the others, by --seed. Several files that are drawn with other\n" +
			"seeds show how uncertain a result is (multiple imputation).\n\n" +
			"If the model has a transition from slice to slice, the rows are slices of sequences:\n" +
			"those with one text in --sequence-column, in the order of the file or of --time. A\n" +
			"cell is then filled given all rows of its sequence.\n\n" +
			"Values are taken to be missing at random: that a value is missing depends on the\n" +
			"other cells alone. pgmc fit --em and pgmc learn structem learn from rows as they are.\n\n" +
			cli.FolderHelp,
		Example: "  pgmc sample asia.bif -n 1000 -o patients.csv\n" +
			"  pgmc impute asia.bif patients.csv -o filled.csv\n" +
			"  pgmc impute asia.bif patients.csv --by sample --seed 1 -o filled1.csv",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return cli.WrongCount(args, "a model and a data file")
			}
			return nil
		},
		RunE: a.Action(func(ctx context.Context, args []string) error { return predict.Impute(ctx, a.App, args[0], args[1], f) }),
	}
	f.ModelFlags.AddTo(cmd)
	f.MethodFlags.AddTo(cmd, &f.ModelFlags, nil)
	cli.AddChoice(cmd, &f.By, "by", "fill in the most probable state or the mean of each variable, or a draw of all together", "best", "sample")
	cli.AddChoice(cmd, &f.Unseen, "unseen", "treat a value that is no state of its variable as an error, or as missing", "error", "missing")
	f.Data.AddTo(cmd)
	f.Slices.AddOfModel(cmd.Flags())
	f.Out.AddTo(cmd)
	return cmd
}
