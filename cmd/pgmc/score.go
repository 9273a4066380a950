package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/score"
	"github.com/pgmc-go/pgmc/learn/rate"
)

func (a *app) scoreCommand() *cobra.Command {
	f := &score.Options{}
	cmd := &cobra.Command{
		Use:   "score MODEL DATA",
		Short: "The mean log-likelihood of the rows of a data file",
		Long: "Score gives the mean over rows of the natural logarithm of their probability, and its standard error. Cells that are missing\n" +
			"are summed out, and so are variables without a column. Weights of rows count. A row of probability 0 makes the mean\n" +
			"minus infinity, and a warning says which was the first.\n\n" +
			"The pseudo-log-likelihood of a row sums the logarithms of the probability of each state given all others. It takes no\n" +
			"inference, and rows that miss nothing. --pll gives it alone, --json beside the log-likelihood where all rows have it. Of a\n" +
			"dependency network there is no other. Rows that miss nothing take no inference in a Bayesian network either.\n\n" +
			"--cmll draws, for each row and by --seed, which of its states are evidence, those at a smaller fraction among those at a larger.\n" +
			"The others are rated each on its own, by their posteriors (CMLL), and all together (CLL), both for each of them. Of a real variable it is\n" +
			"the logarithm of the density of its value, by the normal distribution with the mean and the variance of its posterior.\n\n" +
			"--against rates the same rows by another model as well, and tests whether the mean difference of the two is zero (paired t-test,\n" +
			"two-sided): of log-likelihoods, or of pseudo-log-likelihoods with --pll and where one is a dependency network.\n\n" +
			"Columns are matched by name, those of .data files, which have none, by their order. DATA is CSV with a header, ARFF, or .data\n" +
			"with numbers of states; - is standard input.",
		Example: "  pgmc score asia.bif patients.csv\n  pgmc score nltcs.ac nltcs.test.data.gz --json\n  pgmc score plants.dn plants.test.data.gz\n" +
			"  pgmc score plants.dn plants.test.data.gz --against plants.mn",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("found %d operands; want a model and a data file", len(args))
			}
			return nil
		},
		RunE: a.Action(func(ctx context.Context, args []string) error { return score.Run(ctx, a.App, args[0], args[1], f) }),
	}
	f.ModelFlags.AddTo(cmd)
	f.MethodFlags.AddTo(cmd, &f.ModelFlags, nil)
	cli.AddChoice(cmd, &f.Unseen, "unseen", "a value that is no state of its variable is an error, or counts as missing", "error", "missing")
	cli.AddChoice(cmd, &f.Data, "data-format", "the format of the data; by name or content unless given", "auto", "csv", "data", "arff")
	fl := cmd.Flags()
	fl.BoolVar(&f.PLL, "pll", false, "the pseudo-log-likelihood alone")
	fl.StringVar(&f.CLL, "cll", "", "the log-likelihood of `A,B` given the rest of a row alone")
	fl.StringVar(&f.CMLL, "cmll", "", "conditional marginal log-likelihoods with these `fractions` of a row as evidence, as in --cmll=0.1,0.5, alone")
	fl.Lookup("cmll").NoOptDefVal = rate.AllFractions
	fl.StringVar(&f.Against, "against", "", "another `MODEL`, to compare with on the same rows by a paired t-test")
	return cmd
}
