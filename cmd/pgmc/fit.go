package main

import (
	"context"
	"fmt"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/learning"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/learn/em"
	"github.com/spf13/cobra"
)

func (a *app) fitCommand() *cobra.Command {
	f := &learning.FitOptions{}
	cmd := &cobra.Command{
		Use:   "fit MODEL DATA -o MODEL",
		Short: "Fit the numbers of a network to data",
		Long: "Fit keeps the structure of a network and fits the numbers of its tables, trees and noisy-max CPDs to the rows of a data file.\n" +
			"Priors are pseudo-counts: the same for each number (k2 is 1), a sample of --ess rows spread evenly over each CPD (bdeu) or as\n" +
			"--prior-network has it (bde), or --ess rows for each row of a CPD in the proportions of the variable as a whole (pooled).\n\n" +
			"In a model file of pgmc's own format, counts of the data are kept with the numbers. With --update, they and the new rows are fitted\n" +
			"together, as if they had been in one file; where earlier rows missed values, by the counts that EM expected of them.\n\n" +
			"Rows that miss a value of a CPD are left out of its counts, unless --em takes them in, and variables that no row has a value of.\n" +
			"EM begins with the numbers of the model, and where variables are hidden four times more with random ones. Ctrl-C and --max-time\n" +
			"end it with the best so far.",
		Example: "  pgmc fit asia.bif patients.csv -o asia.json\n" +
			"  pgmc fit asia.json more.csv -o asia.json --update\n" +
			"  pgmc fit asia.bif gaps.csv -o asia.json --em --prior k2 --estimate map",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("found %d operands; want a model and a data file", len(args))
			}
			return nil
		},
	}
	cmd.RunE = a.Action(func(ctx context.Context, args []string) error {
		if err := f.Check(cmd.Flags().Changed); err != nil {
			return err
		}
		return learning.Fit(ctx, a.App, args[0], args[1], f)
	})
	var readable, writable []string
	for _, x := range compiler.Formats {
		readable = append(readable, x.Name)
		if x.Write != nil {
			writable = append(writable, x.Name)
		}
	}
	fl := cmd.Flags()
	fl.StringVarP(&f.Out, "output", "o", "", "`file` to write the model to, compressed where it ends in .gz")
	fl.StringVar(&f.Prior, "prior", "bdeu", "none, k2, bdeu, bde, pooled, or the pseudo-count of each number")
	fl.Float64Var(&f.Size, "ess", 1, "equivalent sample size of bdeu, bde and pooled: `rows`")
	fl.StringVar(&f.Network, "prior-network", "", "model `file` of the prior network; its prior is bde")
	cli.AddChoice(cmd, &f.Estimate, "estimate", "the mean of what is believed of a number, or its mode", "mean", "map")
	cli.AddChoice(cmd, &f.Empty, "empty", "a row without data and prior is uniform, as the variable as a whole, or as it was", "uniform", "pooled", "keep")
	fl.StringArrayVar(&f.Tie, "tie", nil, "variables that share their numbers: `A,B`; more than once for several groups")
	fl.BoolVar(&f.Opt.Update, "update", false, "add the rows to the counts that the model keeps")
	fl.BoolVar(&f.Opt.EM, "em", false, "take in missing values and hidden variables by EM")
	fl.BoolVar(&f.Opt.Ascent, "ascent", false, "with --em: gradient ascent (L-BFGS) in its place")
	fl.BoolVar(&f.Opt.Random, "random-start", false, "with --em: the first start is random too")
	fl.IntVar(&f.Restarts, "restarts", -1, "with --em: further `starts`, from random numbers; -1: 4 where variables are hidden, and otherwise none")
	fl.IntVar(&f.Opt.Steps, "steps", em.DefaultSteps, "with --em: most steps of a start")
	fl.Float64Var(&f.Opt.Tolerance, "tolerance", em.DefaultTolerance, "with --em: the `part` of the objective that a step has to bring for another to follow")
	fl.DurationVar(&f.MaxTime, "max-time", 0, "with --em: end after this `time` with the best so far; 0 for never")
	cli.AddChoice(cmd, &f.Unseen, "unseen", "a value that is no state of its variable is an error, or counts as missing", "error", "missing")
	cli.AddFormatChoice(cmd, &f.From, "format", "the format of MODEL", readable)
	cli.AddFormatChoice(cmd, &f.To, "to", "the format of the model written", writable)
	cli.AddChoice(cmd, &f.Data, "data-format", "the format of the data; by name or content unless given", "auto", "csv", "data", "arff")
	return cmd
}
