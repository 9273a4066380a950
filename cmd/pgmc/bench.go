package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/bench"
)

func (a *app) benchCommand() *cobra.Command {
	f := &bench.Options{}
	cmd := &cobra.Command{
		Use:   "bench MODEL...",
		Short: "Measure compiled packages against the interpreter and C",
		Long: "Bench writes packages for each model, builds them in a temporary folder, and\n" +
			"measures in one run: P(evidence) by the package of pgmc compile, by each back-end\n" +
			"alone, by the interpreter, and by C with the same circuit and the same loops; all\n" +
			"marginals, best completions, batches of 1,024 rows, a lookup; and the time to\n" +
			"build. Linear Gaussian networks are also conditioned by gonum, and have a signature\n" +
			"of five given variables.\n\n" +
			"The variants are sampled in turn. A sample takes 0.1 ms or more and covers 20 sets\n" +
			"of evidence, which observe all leaves, or a tenth of the variables. Times are\n" +
			"processor time if the system reports it, and the table shows minima, which repeat\n" +
			"even on a loaded machine. Answers are compared before they are timed. C needs a\n" +
			"compiler, CC or cc.",
		Example: "  pgmc bench asia.bif\n  pgmc bench alarm.bif hailfinder.bif --json\n  CC=clang pgmc bench alarm.bif --quick",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("found no operands; want at least one model file")
			}
			return nil
		},
		RunE: a.Action(func(ctx context.Context, args []string) error { return bench.Run(ctx, a.App, args, f) }),
	}
	f.AddTo(cmd)
	cmd.Flags().BoolVar(&f.Quick, "quick", false, "few samples, one build of each package, and C at -O3 only")
	return cmd
}
