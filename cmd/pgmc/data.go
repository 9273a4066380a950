package main

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/look"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/picture"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/slicing"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// dataFlags are the flags of pgmc data.
type dataFlags struct {
	cli.DataFlags
	order   slicing.Flags
	size    string // of samples, as look.File.Want reads it
	missing bool   // test for what missing values depend on
	form    form
	output  string
}

// openLook opens a data file, in the order that flags say.
func openLook(ctx context.Context, a *cli.App, path string, f *cli.DataFlags, order *slicing.Flags) (*rowfile.Reader, error) {
	if order.Given() {
		return order.Open(ctx, a, &slicing.Source{Path: path, Flags: f, Numeric: true})
	}
	return a.OpenData(ctx, path, f, cli.Train)
}

func (a *app) dataCommand() *cobra.Command {
	f := &dataFlags{}
	cmd := &cobra.Command{
		Use:   "data FILE",
		Short: "Look at the columns of a data file",
		Long: fmt.Sprintf("Data reads a data file and prints for each column what it holds, how many different\n"+
			"values, how many rows miss it, and the commonest values with their shares; for columns\n"+
			"of numbers the mean, standard deviation, quartiles and a histogram; and the pairs of\n"+
			"columns that depend most on each other: their mutual information in nats, what share\n"+
			"of the smaller entropy it is, and the correlation of numbers. Numbers of more than\n"+
			"%[1]d values count in five groups of about as many rows.\n\n"+
			"It finds what would spoil a learned model, and\n"+
			"the flags of pgmc learn that help: a column of more than %[1]d different numbers, each\n"+
			"of which would become a state; an identifier, such as a name or a number that differs\n"+
			"from row to row; a column without values; a first line that is a row and no header.\n\n"+
			"Dates and times are no states, and pgmc learn leaves them out. With --time, the rows\n"+
			"are put in the order of such a column, in the sequences that --sequence-column names;\n"+
			"data prints the step from slice to slice and what is missing, and describes the slices.\n\n"+
			"pgmc learn takes the same look, and stops if a column has no values, if there seems\n"+
			"to be no header, or if a column of concern has fewer than %[2]d rows for each of its\n"+
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
			defer a.Progress("looking at "+filepath.Base(args[0]), nil).Stop()
			return a.runData(ctx, args[0], f)
		}),
	}
	cmd.Flags().StringVar(&f.size, "sample-size", "", "print the number of rows that puts the share of an event within `ERROR,RISK` of its probability, except with that risk, such as 0.05,0.01")
	cmd.Flags().BoolVar(&f.missing, "missingness", false, "test for each column with missing values, and each other one, whether what is missing depends on it")
	cmd.Flags().BoolVar(&f.form.html, "html", false, "write the result as a fragment of HTML")
	cmd.Flags().StringVarP(&f.output, "output", "o", "", "`file` to write to instead of standard output; .html and .csv, which has a line for each column, choose the form")
	cmd.Flags().StringVar(&f.order.Column, "sequence-column", "", "rows are slices of sequences, which this `column` names")
	f.order.AddTo(cmd.Flags())
	f.AddTo(cmd)
	return cmd
}

// runData looks at a data file.
func (a *app) runData(ctx context.Context, path string, f *dataFlags) error {
	f.form.byName(f.output)
	if err := f.form.check(a.JSON, f.output, ".html", ".htm"); err != nil {
		return err
	}
	rows, err := openLook(ctx, a.App, path, &f.DataFlags, &f.order)
	if err != nil {
		return err
	}
	defer rows.Close()
	seen, err := look.Scan(ctx, rows)
	if err != nil {
		return err
	}
	if f.order.Report != nil {
		seen.SetOrder(f.order.Time, f.order.Report)
	}
	if f.size != "" {
		if err := seen.Want(f.size); err != nil {
			return err
		}
	}
	if f.missing {
		if err := seen.TestMissing(ctx, a.App, path, &f.DataFlags); err != nil {
			return err
		}
	}
	text := seen.String()
	switch {
	case a.JSON:
		var b bytes.Buffer
		to := *a.App
		to.Stdout = &b
		err = to.PrintJSON(seen)
		text = b.String()
	case f.form.html:
		text = seen.HTML()
	case f.form.csv:
		text = string(seen.CSV())
	}
	if err != nil {
		return err
	}
	return picture.WriteFile(a.App, f.output, []byte(text))
}
