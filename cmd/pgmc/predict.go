package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/predict"
)

func (a *app) predictCommand() *cobra.Command {
	f := &predict.Options{}
	cmd := &cobra.Command{
		Use:   "predict MODEL DATA",
		Short: "Add posteriors of targets to the rows of a data file",
		Long: "Predict gives the posterior of each target for each row of a data file, given all other columns of the row that are\n" +
			"variables of the model. The columns of targets are never evidence: where there are any, they are the truth that\n" +
			"predictions are compared with.\n\n" +
			"The rows come out as CSV, as they were but with new columns P(A=yes), ... and A_predicted, the most probable state; the\n" +
			"first of those that are equally probable. How good the predictions are follows on standard error: accuracy, log-loss in\n" +
			"nats, Brier score (squared differences, over all states), expected calibration error (of how probable the prediction is, in\n" +
			"ten bins), the area under the ROC curve (by ranks, ties half; with more than two states, the mean of each state against the\n" +
			"rest), the confusion matrix and the reliability table of the bins. With --json, that goes to standard output as JSON, and rows go nowhere without -o.\n\n" +
			"Of a real target the new columns are mean(X) and var(X), of its posterior, and the summary has the root of the mean squared distance of\n" +
			"the mean from the truth, and the log-loss of the normal density with this mean and variance.\n\n" +
			"With a method that iterates or samples the posteriors are approximate, and a warning says on how many rows it has not settled.\n\n" +
			"Columns are matched by name; one that the model doesn't know passes through, a variable without one counts as\n" +
			"unobserved, and so do cells that are empty or NA, NaN, null, N/A, ? or *. DATA is CSV with a header, ARFF, or .data\n" +
			"with numbers of states; - is standard input.",
		Example: "  pgmc predict asia.bif patients.csv --targets lung -o predicted.csv\n" +
			"  pgmc predict asia.bif patients.csv --targets lung,tub --unseen missing --json",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("found %d operands; want a model and a data file", len(args))
			}
			return nil
		},
		RunE: a.Action(func(ctx context.Context, args []string) error { return predict.Run(ctx, a.App, args[0], args[1], f) }),
	}
	f.ModelFlags.AddTo(cmd)
	f.MethodFlags.AddTo(cmd, &f.ModelFlags, nil)
	fl := cmd.Flags()
	fl.StringArrayVar(&f.Targets, "targets", nil, "the variables to predict: `A,B`; repeatable")
	cli.AddChoice(cmd, &f.Unseen, "unseen", "a value that is no state of its variable is an error, or counts as missing", "error", "missing")
	cli.AddChoice(cmd, &f.Impossible, "impossible", "a row of probability 0 is an error, or has empty predictions", "error", "empty")
	cli.AddChoice(cmd, &f.Data, "data-format", "the format of the data; by name or content unless given", "auto", "csv", "data", "arff")
	fl.StringVarP(&f.File, "output", "o", "", "`file` to write to, compressed where it ends in .gz (default: standard output)")
	return cmd
}
