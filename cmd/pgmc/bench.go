package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/bench"
)

func (a *app) benchCommand() *cobra.Command {
	f := &bench.Options{}
	cmd := &cobra.Command{
		Use:   "bench MODEL... | MODEL --data FILE | --sequences | --peers",
		Short: "Measure compiled packages against the interpreter and C",
		Long: "Bench writes packages for each model, builds them in a temporary folder, and\n" +
			"measures in one run: P(evidence) by the package of pgmc compile, by each back-end\n" +
			"alone, by the interpreter, and by C with the same circuit and the same loops; all\n" +
			"marginals, best completions, batches of 1,024 rows, a lookup; and the time to\n" +
			"build. Linear Gaussian networks have a signature of five given variables.\n\n" +
			"The variants are sampled in turn. A sample takes 0.1 ms or more and covers 20 sets\n" +
			"of evidence, which observe all leaves, or a tenth of the variables. Times are\n" +
			"processor time if the system reports it, and the table shows minima, which repeat\n" +
			"even on a loaded machine. Answers are compared before they are timed. C needs a\n" +
			"compiler, CC or cc.\n\n" +
			"With --sequences it measures filters of built-in models instead: linear Gaussian\n" +
			"systems of two to six states, a switching one, and hidden Markov models of 8, 32\n" +
			"and 128 states. Their packages are compared with loops in C, and with the forward\n" +
			"algorithm in logarithms. The work of a step is counted: operations, bytes, and the\n" +
			"longest chain of operations that wait for each other.\n\n" +
			"With --data FILE it measures the rows of a file instead: decoding them, ln P of each by\n" +
			"the method LogProbColumns of the package, and writing ln P, each by itself, in rows a\n" +
			"second a core.\n\n" +
			"With --peers it measures nothing, and prints how to compare with other engines: which\n" +
			"there are, where to get them, and the commands.",
		Example: "  pgmc bench asia.bif\n  pgmc bench alarm.bif hailfinder.bif --json\n  CC=clang pgmc bench alarm.bif --quick\n  pgmc bench alarm.bif --data rows.parquet\n  pgmc bench --sequences\n  pgmc bench --peers",
		Args:    func(cmd *cobra.Command, args []string) error { return f.Check(args, cmd.Flags().Changed) },
		RunE: a.Action(func(ctx context.Context, args []string) error {
			switch {
			case f.Peers:
				return bench.ExplainPeers(a.App)
			case f.DataPath != "":
				return bench.RunData(ctx, a.App, args[0], f)
			case f.Sequences:
				return bench.RunStreams(ctx, a.App, f)
			}
			return bench.Run(ctx, a.App, args, f)
		}),
	}
	f.AddTo(cmd)
	f.Data.AddTo(cmd)
	cmd.Flags().StringVar(&f.DataPath, "data", "", "measure the rows of this `file`: decoding, evaluation and writing")
	cmd.Flags().BoolVar(&f.Sequences, "sequences", false, "measure filters of built-in models of sequences")
	cmd.Flags().BoolVar(&f.Peers, "peers", false, "print how to compare with other engines")
	cmd.Flags().BoolVar(&f.Quick, "quick", false, "few samples, one build of each package, and C at -O3 only")
	return cmd
}
