package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/look"
)

func (a *app) dataCommand() *cobra.Command {
	f, size, missing := &cli.DataFlags{}, "", false
	cmd := &cobra.Command{
		Use:   "data FILE",
		Short: "Look at the columns of a data file",
		Long: fmt.Sprintf("Data reads a data file and prints for each column what it holds, how many different\n"+
			"values, and how many rows miss it. It finds what would spoil a learned model, and\n"+
			"the flags of pgmc learn that help: a column of more than %d different numbers, each\n"+
			"of which would become a state; an identifier, such as a name or a number that differs\n"+
			"from row to row; a column without values; a first line that is a row and no header.\n\n"+
			"pgmc learn takes the same look, and stops if a column has no values, if there seems\n"+
			"to be no header, or if a column of concern has fewer than %d rows for each of its\n"+
			"values. Its --as-is goes on, except without values.", look.MostStates, look.RowsPerState),
		Example: "  pgmc sample asia.bif -n 1000 -o patients.csv\n" +
			"  pgmc data patients.csv\n" +
			"  pgmc data patients.csv --columns smoke,lung --json",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.WrongCount(args, "one data file")
			}
			return nil
		},
		RunE: a.Action(func(ctx context.Context, args []string) error {
			rows, err := a.OpenData(ctx, args[0], f, cli.Train)
			if err != nil {
				return err
			}
			defer rows.Close()
			seen, err := look.Scan(ctx, rows)
			if err != nil {
				return err
			}
			if size != "" {
				if err := seen.Want(size); err != nil {
					return err
				}
			}
			if missing {
				if err := seen.TestMissing(ctx, a.App, args[0], f); err != nil {
					return err
				}
			}
			if a.JSON {
				return a.PrintJSON(seen)
			}
			_, err = io.WriteString(a.Stdout, seen.String())
			return err
		}),
	}
	cmd.Flags().StringVar(&size, "sample-size", "", "print the number of rows that puts the share of an event within `ERROR,RISK` of its probability, except with that risk, such as 0.05,0.01")
	cmd.Flags().BoolVar(&missing, "missingness", false, "test for each column with missing values, and each other one, whether what is missing depends on it")
	f.AddTo(cmd)
	return cmd
}
