package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/decision"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/predict"
)

// predictHelp is the help of pgmc predict.
const predictHelp = "Predict reads rows from a data file and adds the posterior of each target, given\n" +
	"all other columns of the row that are variables of the model. If the file has\n" +
	"columns for targets, they are not evidence but the truth, with which predictions\n" +
	"are compared.\n\n" +
	"The rows are written as CSV, unchanged but for new columns P(A=yes), ... and\n" +
	"A_predicted, the most probable state, or the first of several that are equally\n" +
	"probable. For a real target X the new columns are mean(X) and var(X) of its\n" +
	"posterior, and with --interval low(X) and high(X), between which the normal\n" +
	"distribution of that mean and variance has that probability.\n\n" +
	"If there is truth, a summary follows on standard error: accuracy, log-loss in\n" +
	"nats, Brier score (squared differences, summed over states), expected calibration\n" +
	"error (of the probability of the predicted state, in ten bins), the area under the\n" +
	"ROC curve (ties count half; with more than two states, the mean over states of\n" +
	"each against the rest), the confusion matrix and the reliability table of the\n" +
	"bins, and for each state, against all others, the share of the rows that have it\n" +
	"(base rate), recall, precision, F1, average precision and the confusion matrix. A\n" +
	"warning says if nearly all rows have one state and the predictions miss another. For a real target it is the root mean squared error of the mean, and of the\n" +
	"normal distribution with the posterior's mean and variance the continuous ranked\n" +
	"probability score, the log-loss of its density, and the histogram of the\n" +
	"probabilities of smaller values, which is even if posteriors are calibrated. With\n" +
	"--json the summary goes to standard output as JSON, and rows are written only with -o.\n\n" +
	"With --positive S and --cost fn=10,fp=1, S is predicted if its probability is at least\n" +
	"fp/(fn+fp), at which both predictions have the same expected cost, and otherwise the\n" +
	"most probable other state. The summary compares the costs with those of the threshold\n" +
	"one half, and with the least cost that a threshold has on these rows.\n\n" +
	"With an approximate method the posteriors are approximate, and a warning says for\n" +
	"how many rows the method did not converge.\n\n" +
	"Without --folds the summary is optimistic if the model was learned from the same\n" +
	"rows. With --folds each part of the rows is predicted by the structure of the model\n" +
	"with parameters that are fitted to the other parts, as pgmc fit does by default. The\n" +
	"structure is not learned again: if it was learned from these rows, the summary is a\n" +
	"little optimistic still, which pgmc learn --folds is not.\n\n" +
	"If the model has a transition from slice to slice, the rows are slices of\n" +
	"sequences: those with one text in --sequence-column, in the order of the file or of\n" +
	"--time, or all rows. The posteriors are then given the columns of all rows up to the row, or\n" +
	"with --smooth given those of the whole sequence.\n\n" +
	"Columns are matched by name. A column that is no variable of the model passes\n" +
	"through. A variable without a column is unobserved, and so is a cell that is empty\n" +
	"or NA, NaN, null, N/A, ? or *. DATA is CSV with a header, ARFF, Parquet, or .data\n" +
	"with numbers of states; - is standard input, which may not be Parquet. In a Parquet\n" +
	"file, nulls and NaN are missing, and texts only as --missing names them. An output\n" +
	"whose name ends in .parquet is such a file, with doubles for the new columns.\n\n" +
	cli.FolderHelp

func (a *app) predictCommand() *cobra.Command {
	f := &predict.Options{}
	cmd := &cobra.Command{
		Use:   "predict MODEL DATA",
		Short: "Add posteriors of targets to the rows of a data file",
		Long:  predictHelp,
		Example: "  pgmc sample asia.bif -n 1000 -o patients.csv\n" +
			"  pgmc predict asia.bif patients.csv --targets lung -o predicted.csv\n" +
			"  pgmc predict asia.bif patients.csv --targets lung,tub --unseen missing --json\n" +
			"  pgmc predict asia.bif patients.csv --targets lung --folds 5 -o predicted.csv\n" +
			"  pgmc predict asia.bif patients.csv -t lung --positive yes --cost fn=10,fp=1 -o predicted.csv\n" +
			"  pgmc predict asia.bif visits/ --targets lung --keep key --key id -o predicted/",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return cli.WrongCount(args, "a model and a data file")
			}
			return nil
		},
		RunE: a.Action(func(ctx context.Context, args []string) error { return predict.Run(ctx, a.App, args[0], args[1], f) }),
	}
	f.ModelFlags.AddTo(cmd)
	f.MethodFlags.AddTo(cmd, &f.ModelFlags, nil)
	fl := cmd.Flags()
	fl.StringArrayVarP(&f.Targets, "targets", "t", nil, "the variables to predict: `A,B`; repeatable")
	fl.Float64Var(&f.Interval, "interval", 0, "write intervals of real targets with this `probability`; 0 is none")
	cli.AddChoice(cmd, &f.Unseen, "unseen", "treat a value that is no state of its variable as an error, or as missing", "error", "missing")
	cli.AddChoice(cmd, &f.Impossible, "impossible", "treat a row of probability 0 as an error, or leave its predictions empty", "error", "empty")
	fl.IntVar(&f.Folds, "folds", 0, "divide the rows into this many `parts` by --seed, and predict each by the model with its parameters fitted to the others; 0 is none")
	f.Classes.AddTo(fl)
	f.Data.AddTo(cmd)
	f.Data.AddSplit(cmd.Flags(), "these rows are predicted")
	f.Out.AddTo(cmd)
	f.Keep.AddTo(cmd)
	f.Slices.AddOfModel(fl)
	f.Data.AddTwoSlices(fl)
	fl.BoolVar(&f.Smooth, "smooth", false, "of a model with a transition: posteriors given the whole sequence")
	decision.AddStrategy(fl, &f.Strategy)
	a.CompleteVariables(cmd, "targets")
	return cmd
}
