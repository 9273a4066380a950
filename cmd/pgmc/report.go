package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/report"
)

func (a *app) reportCommand() *cobra.Command {
	f := &report.Options{}
	cmd := &cobra.Command{
		Use:   "report MODEL [DATA] -o FILE.html",
		Short: "Write a page about a model and its data",
		Long: "Report writes one page of HTML that needs no other file and requests nothing: the\n" +
			"model as a picture with its posteriors (given --evidence, if there is any), its cost\n" +
			"as pgmc stats prints it, and the parameters of its CPDs.\n\n" +
			"With data it adds the fit (log-likelihood, AIC, BIC), p-values of the rows against\n" +
			"data that the model draws, the learning curve of the structure, whose points are\n" +
			"fitted to more and more rows and rated on a fifth that is held out, and for each of --targets (without it, the model's last variable)\n" +
			"accuracy, calibration, the ROC curve, precision and recall and the confusion matrix of\n" +
			"its predictions from the other values of a row, or for a real target predicted against\n" +
			"seen values and the histogram of the probability integral transform. --positive and\n" +
			"--cost choose a threshold as in pgmc predict. With targets it also shows which other variables\n" +
			"tell most about them.",
		Example: "  pgmc report asia.bif -o asia.html\n" +
			"  pgmc sample asia.bif -n 1000 -o patients.csv\n" +
			"  pgmc report asia.bif patients.csv --targets lung,bronc -o asia.html",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 && len(args) != 2 {
				return cli.WrongCount(args, "a model, or a model and a data file")
			}
			return nil
		},
		RunE: a.Action(func(ctx context.Context, args []string) error {
			if f.Output == "" {
				return cli.Usagef("--output is missing; name the page, as in -o report.html")
			}
			if err := cli.CheckEnding(f.Output, "", ".html", ".htm"); err != nil {
				return err
			}
			return report.Run(ctx, a.App, args[0], append(args, "")[1], f)
		}),
	}
	f.AddTo(cmd)
	fl := cmd.Flags()
	fl.StringArrayVarP(&f.Evidence, "evidence", "e", nil, "states that were observed: `A=yes,B=no|maybe`; repeatable")
	fl.StringArrayVarP(&f.Targets, "targets", "t", nil, "the variables to predict: `A,B`; repeatable")
	cli.AddChoice(cmd, &f.Unseen, "unseen", "treat a value that is no state of its variable as an error, or as missing", "error", "missing")
	f.Classes.AddTo(fl)
	f.Data.AddTo(cmd)
	f.Slices.AddOfModel(fl)
	f.Data.AddSplit(cmd.Flags(), "these rows are reported on")
	fl.StringVarP(&f.Output, "output", "o", "", "`file` to write to; - is standard output")
	a.CompleteStates(cmd, "evidence")
	a.CompleteVariables(cmd, "targets")
	return cmd
}
