package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/score"
	"github.com/pgmc-go/pgmc/learn/rate"
)

func (a *app) scoreCommand() *cobra.Command {
	f := &score.Options{}
	cmd := &cobra.Command{
		Use:   "score MODEL DATA",
		Short: "Score a model by the log-likelihood of the rows of a data file",
		Long: "Score prints the mean over rows of the natural logarithm of their probability, and\n" +
			"its standard error. Missing cells and variables without a column are summed out.\n" +
			"Weights of rows count. A row of probability 0 makes the mean minus infinity, and a\n" +
			"warning names the first such row. For a Bayesian network of tables and rows without\n" +
			"missing cells it also prints the BIC of the structure, in nats: the log-likelihood\n" +
			"at the parameters that fit the rows best, less ln(rows)/2 for each parameter.\n\n" +
			"Of a latent dependency forest model, score prints the mean of ln Z_x, the sum of the\n" +
			"weights of all trees of a row: its log-probability plus ln Z, the same number for\n" +
			"all rows. Rows must be complete. Up to 65,536 joint states it sums them up for ln Z,\n" +
			"and prints the log-likelihood too.\n\n" +
			"--pll prints the mean pseudo-log-likelihood instead: that of a row is the sum of the\n" +
			"log-probability of each state given all the others. It needs no inference, and rows\n" +
			"without missing cells unless the model is a circuit. A dependency network has no\n" +
			"other score. In a Bayesian network, the log-likelihood of rows without missing cells\n" +
			"needs no inference either.\n\n" +
			"--cmll draws by --seed which states of each row are evidence; the states drawn at\n" +
			"a smaller fraction are among those drawn at a larger one. The other variables are\n" +
			"scored one by one by their posteriors (CMLL) and all together (CLL), each per\n" +
			"variable. The score of a real variable is the log-density of its value under the\n" +
			"normal distribution with its posterior's mean and variance.\n\n" +
			"--against scores the same rows by another model, and tests whether the mean\n" +
			"difference of the two log-likelihoods is zero (paired t-test, two-sided). It\n" +
			"compares pseudo-log-likelihoods with --pll, or if one of the models is a\n" +
			"dependency network.\n\n" +
			"--structure SCORE prints the score of the network's structure, such as bic, which\n" +
			"fits the parameters to the rows and so does not depend on the model's numbers.\n\n" +
			"If the model has a transition from slice to slice, the rows are slices of\n" +
			"sequences, and score prints ln P of each sequence, and the means per row and per\n" +
			"sequence. Rows with one text in --sequence-column are one sequence, in the order of\n" +
			"the file or of --time; without it all rows are one.\n\n" +
			"Columns are matched by name; those of .data files, which have no names, by\n" +
			"position. DATA is CSV with a header, ARFF, Parquet, or .data with numbers of states;\n" +
			"- is standard input, which may not be Parquet.\n\n" +
			"--per-row writes the score of each row beside its columns, as CSV to standard output,\n" +
			"or to -o in its format.\n\n" + cli.FolderHelp,
		Example: "  pgmc sample asia.bif -n 1000 -o patients.csv\n" +
			"  pgmc score asia.bif patients.csv --json\n" +
			"  pgmc score asia.bif patients.csv --cmll=0.1,0.5\n" +
			"  pgmc score asia.bif patients.csv --per-row -o scores.csv\n" +
			"  pgmc fit asia.bif patients.csv -o fitted.bif\n" +
			"  pgmc score fitted.bif patients.csv --against asia.bif",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return cli.WrongCount(args, "a model and a data file")
			}
			return nil
		},
		RunE: a.Action(func(ctx context.Context, args []string) error { return score.Run(ctx, a.App, args[0], args[1], f) }),
	}
	addScoreFlags(cmd, f)
	return cmd
}

// addScoreFlags adds the flags of pgmc score.
func addScoreFlags(cmd *cobra.Command, f *score.Options) {
	f.ModelFlags.AddTo(cmd)
	f.MethodFlags.AddTo(cmd, &f.ModelFlags, nil)
	cli.AddChoice(cmd, &f.Unseen, "unseen", "treat a value that is no state of its variable as an error, or as missing", "error", "missing")
	f.Data.AddTo(cmd)
	f.Data.AddSplit(cmd.Flags(), "these rows are scored")
	fl := cmd.Flags()
	fl.BoolVar(&f.PLL, "pll", false, "the pseudo-log-likelihood, in place of the log-likelihood")
	fl.StringVar(&f.CLL, "cll", "", "only the log-likelihood of `A,B` given the rest of each row")
	fl.StringVar(&f.CMLL, "cmll", "", "only conditional marginal log-likelihoods with these `fractions` of a row as evidence, as in --cmll=0.1,0.5")
	fl.Lookup("cmll").NoOptDefVal = rate.AllFractions
	fl.StringVar(&f.Against, "against", "", "another `MODEL`, which is compared on the same rows by a paired t-test")
	fl.StringVar(&f.Structure, "structure", "", "only the `SCORE` of the structure of a Bayesian network, as learners compute it: loglik, aic, bic, k2, bdeu, loocv or bge")
	fl.Float64Var(&f.ESS, "ess", 1, "equivalent sample `size` of --structure bdeu and loocv")
	f.Slices.AddOfModel(fl)
	f.Data.AddTwoSlices(fl)
	fl.BoolVar(&f.PerRow, "per-row", false, "write the score of each row, in nats, beside the columns of --keep, or with none the number of the row")
	f.Out.AddTo(cmd)
	f.Keep.AddTo(cmd)
}
