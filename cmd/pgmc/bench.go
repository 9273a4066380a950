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
		Long: "Bench emits packages for each model, builds them in a folder of their own and measures in one run: P(evidence) by the package that\n" +
			"pgmc compile emits, by each back-end alone, by the interpreter, and by C with the same circuit and the same loops; all marginals,\n" +
			"best completions, batches of 1,024 rows, a lookup; and building. Samples are taken in turn, each of 0.1 ms or more and of all 20 sets of\n" +
			"evidence, which observe all leaves or a tenth of the variables in turn. Where the system tells it, times are of the processor, not the clock's.\n" +
			"Minima repeat, even on a machine that does other work. C needs a compiler, CC or cc, and answers are compared before they are timed.",
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
	cmd.Flags().BoolVar(&f.Quick, "quick", false, "few samples, one build of each package, and C at -O3 alone")
	return cmd
}
