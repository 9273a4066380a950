package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/sql"
	"github.com/pgmc-go/pgmc/ir/sqltext"
)

func (a *app) sqlCommand() *cobra.Command {
	f := &sql.Options{}
	cmd := &cobra.Command{
		Use:   "sql MODEL WHAT [TARGET]",
		Short: "Print SQL that computes answers of a model in a database",
		Long: "Sql prints a query for rows that must not leave their database. Send it to the\n" +
			"database by its own client; pgmc opens no connection. A column has the name of its\n" +
			"variable, and holds names of states. WHAT is one of\n\n" +
			"  check      the cells that are NULL or no state, by column and value, with their number;\n" +
			"             run it first\n" +
			"  score      ln P of each complete row, in the column logp; NULL if a cell is missing or no\n" +
			"             state, and minus infinity for an impossible row\n" +
			"  posterior  the probability of each state of TARGET given the other cells of a row, or mean\n" +
			"             and variance of a real one; NULL if a cell of its Markov blanket is missing, or\n" +
			"             the evidence is impossible; of a signature 'A | B, C' given these cells only\n" +
			"  count      the statements that count the families of the model, as pgmc count sends them\n" +
			"             to a client; see docs/counts.md\n" +
			"  params     the statements that create and fill the table --params\n\n" +
			"--with-missing sums missing cells out, in a chain of WITH steps of up to 5,000\n" +
			"products. --params lets a query of more than 500,000 bytes read the parameters from a\n" +
			"table. --coded is for columns that hold state numbers from 0, and faster.\n\n" +
			"Rows of a result have no order: name the columns that tell them apart by --key.\n" +
			"--method and --order count with --with-missing and for signatures.",
		Example: "  pgmc sql asia.bif check --dialect postgres --table visits | psql -d clinic\n" +
			"  pgmc sql asia.bif score --dialect duckdb --table visits --key id > score.sql\n" +
			"  pgmc sql asia.bif posterior lung --dialect sqlite --table visits --key id --with-missing\n" +
			"  pgmc sql asia.bif posterior 'lung | smoke, xray' --dialect bigquery --table clinic.visits --key id\n" +
			"  pgmc sql asia.bif params --dialect duckdb --params asia_params",
		Args: func(_ *cobra.Command, args []string) error { return sql.Check(args) },
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 1 {
				return sql.Names(), cobra.ShellCompDirectiveNoFileComp
			}
			return nil, cobra.ShellCompDirectiveDefault
		},
		RunE: a.Action(func(ctx context.Context, args []string) error { return sql.Run(ctx, a.App, args, f) }),
	}
	f.ModelFlags.AddTo(cmd)
	fl := cmd.Flags()
	cli.AddChoice(cmd, &f.Dialect, "dialect", "the SQL of the database", sqltext.IDs()...)
	fl.StringVar(&f.Table, "table", "", "the `table` with the rows; dots separate the parts of its name")
	fl.StringVar(&f.Key, "key", "", "the `columns` that name a row, as in id,day; each result repeats them")
	fl.StringVar(&f.Params, "params", "", "the `table` of parameters: params creates it, and other queries read it")
	fl.BoolVar(&f.Coded, "coded", false, "columns hold state numbers from 0, not names")
	fl.BoolVar(&f.WithMissing, "with-missing", false, "sum missing cells out")
	return cmd
}
