package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/compare"
	"github.com/pgmc-go/pgmc/compiler/method/belief"
	"github.com/pgmc-go/pgmc/compiler/method/edgedel"
	"github.com/pgmc-go/pgmc/compiler/method/meanfield"
)

func (a *app) compareCommand() *cobra.Command {
	f := &compare.Options{}
	cmd := &cobra.Command{
		Use:   "compare MODEL [OTHER]",
		Short: "Compare methods by error, time and convergence, or two models by their divergence",
		Long: "Compare answers the same questions by several methods, in the interpreter, and\n" +
			"compares the marginals of the unobserved variables and ln P(evidence) with exact\n" +
			"ones. It prints the largest error of a probability, the mean divergence KL(exact,\n" +
			"approximate) of a variable in nats, the share of variables whose most probable\n" +
			"state differs, the rounds of methods that iterate, for how many questions each\n" +
			"converged, and the mean time of an answer. If no exact method takes the model,\n" +
			"errors are left out. The completions of methods such as trws and tabu are compared\n" +
			"with a most probable one: how far their ln P is below it, and how many were\n" +
			"proven.\n\n" +
			"A method is written as its name, and its options after colons, as in\n" +
			"edgedel:max-cluster=100:parameters=posterior. Evidence files are those of pgmc\n" +
			"query --batch.\n\n" +
			"With a second model, compare counts the edges that both structures have, and those\n" +
			"that are missing, added or turned in the second; --svg draws both structures in one\n" +
			"picture. It also estimates the Kullback-Leibler divergence of each model from the\n" +
			"other, in nats: each model draws rows, and the mean log-ratio of the two\n" +
			"probabilities of a row is the estimate. With real variables it is that of the two\n" +
			"densities. Both models need the same variables, by name, with the same states.",
		Example: "  pgmc compare asia.bif --evidence smoke=yes,xray=no\n" +
			"  pgmc compare asia.bif --methods belief,edgedel:max-cluster=4,edgedel:max-cluster=1 --svg asia.svg\n" +
			"  pgmc sample asia.bif -n 1000 -o patients.csv\n" +
			"  pgmc compare asia.bif --evidence-file patients.csv --methods gibbs:chains=2,tabu\n" +
			"  pgmc fit asia.bif patients.csv -o fitted.bif\n" +
			"  pgmc compare asia.bif fitted.bif --samples 100000\n" +
			"  pgmc compare asia.bif learned.bif --svg both.svg",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 && len(args) != 2 {
				return cli.WrongCount(args, "a model, or two")
			}
			return nil
		},
		RunE: a.Action(func(ctx context.Context, args []string) error {
			if len(args) == 2 {
				return compare.Models(ctx, a.App, args[0], args[1], f)
			}
			return compare.Run(ctx, a.App, args[0], f)
		}),
	}
	f.AddFormat(cmd, "format")
	f.AddRows(cmd)
	fl := cmd.Flags()
	fl.StringVar(&f.Order, "order", "auto", "elimination order: auto, min-fill, min-weight, weighted-min-fill, or a `file` with a variable on each line")
	fl.StringSliceVar(&f.Methods, "methods", []string{belief.Method.Name, meanfield.Method.Name, edgedel.Method.Name}, "the methods, each with its options after colons: `M,M:option=value`")
	fl.StringArrayVarP(&f.Evidence, "evidence", "e", nil, "states that were observed: `A=yes,B=no|maybe`; repeatable")
	fl.StringVar(&f.EvidenceFile, "evidence-file", "", "the JSON lines or the data rows of a `file`, a question each; - is JSON lines from standard input")
	fl.IntVar(&f.Samples, "samples", 10000, "with two models: the number of `rows` that each draws")
	fl.StringVar(&f.SVG, "svg", "", "write a plot of error against time to a `file` ending in .svg, .png or .pdf; with two models a picture of both structures")
	return cmd
}
