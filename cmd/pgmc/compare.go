package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/compare"
)

func (a *app) compareCommand() *cobra.Command {
	f := &compare.Options{}
	cmd := &cobra.Command{
		Use:   "compare MODEL [OTHER]",
		Short: "Several methods on the same evidence: error, time and convergence; or how far two models are apart",
		Long: "Compare answers the same questions by several methods, interpreted, and holds the marginals of the unobserved variables and ln P(evidence)\n" +
			"against exact ones: the largest error of a probability, the mean divergence KL(exact, approximate) of a variable in nats, the share of\n" +
			"variables whose most probable state is another one, the rounds of methods that iterate, how many settled, and the time of an answer.\n\n" +
			"A method is a name, with options behind it as in edgedel:max-cluster=100:parameters=posterior. Evidence files are those of pgmc query\n" +
			"--batch. Where no exact method fits the model, errors are left out.\n" +
			"Methods that give a completion, such as trws and tabu, are held against a most probable one: how far ln P is below that, and what was proven.\n\n" +
			"With another model, compare estimates the Kullback-Leibler divergence of each from the other, by rows that the one draws and both rate:\n" +
			"the mean of ln of the ratio of their probabilities, in nats. Both have the same variables, by name, of the same states.",
		Example: "  pgmc compare asia.bif --evidence smoke=yes,xray=no\n" +
			"  pgmc compare alarm.bif --evidence-file rows.jsonl --methods belief,edgedel:max-cluster=16,edgedel:max-cluster=1 --svg alarm.svg\n" +
			"  pgmc compare alarm.bif learned.bif --samples 100000",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 && len(args) != 2 {
				return fmt.Errorf("found %d operands; want a model, or two", len(args))
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
	fl.StringVar(&f.Order, "order", "auto", "elimination order: auto, min-fill, min-weight, weighted-min-fill, or a `file` with a variable a line")
	fl.StringSliceVar(&f.Methods, "methods", []string{"belief", "meanfield", "edgedel"}, "the methods, each with its options behind colons: `M,M:option=value`")
	fl.StringArrayVar(&f.Evidence, "evidence", nil, "what was observed: `A=yes,B=no|maybe`; repeatable")
	fl.StringVar(&f.EvidenceFile, "evidence-file", "", "the JSON lines or the data rows of a `file`, a question each; - is standard input, of JSON lines")
	fl.IntVar(&f.Samples, "samples", 10000, "of two models: how many `rows` each draws")
	fl.StringVar(&f.SVG, "svg", "", "draw error against time into a `file`")
	return cmd
}
