package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/solve"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/cut"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// solveFlags are the flags of pgmc solve.
type solveFlags struct {
	cli.ModelFlags
	cli.MethodFlags
	task        cli.Choice
	evid, query string
	exact       bool
	// discrepancies is the largest limit of limited discrepancy searches.
	discrepancies int
}

func (a *app) solveCommand() *cobra.Command {
	f := &solveFlags{}
	cmd := &cobra.Command{
		Use:   "solve MODEL",
		Short: "Solve a task of the UAI competitions",
		Long: "Solve reads a network, evidence and a task in the file formats of the UAI\n" +
			"competitions, and writes the answer in theirs. The evidence becomes part of the\n" +
			"network before it is compiled, which makes the network smaller. The tasks are\n\n" +
			"  PR    the partition function, or the probability of the evidence: its logarithm to base 10;\n" +
			"        of canonical potentials over real variables too\n" +
			"  MAR   the posterior marginals of all variables\n" +
			"  MPE   a most probable completion of the evidence\n" +
			"  MMAP  most probable states of the variables in the file of --query, the others summed out\n\n" +
			"MMAP eliminates the other variables first if that is within the limits, and\n" +
			"searches otherwise. With --timeout, MPE and MMAP begin with a short search. Of equally\n" +
			"probable states, the answer is the first in the order of the file, unless the network is\n" +
			"wide.\n\n" +
			"With --timeout, a task whose exact answer does not fit or takes too long is answered\n" +
			"with bounds: PR by an interval, MAR by estimates between bounds, with the interval of\n" +
			"PR, and MPE and MMAP by the best states that branch and bound found, with a bound on\n" +
			"all others. If the search finds none, they are those of a local search, with lower10 in place\n" +
			"of log10. A warning says what is not proven. With --exact, solve refuses instead.\n" +
			"With --json, each answer has its certificate: lower10, upper10 and exact for PR and MAR,\n" +
			"bound10 and proven for MPE and MMAP, as logarithms to base 10; and for MAR lower and\n" +
			"upper, which hold the bounds of each marginal, unless they are exact.\n\n" +
			solveMethods() +
			"If the evidence file holds several samples, solve answers each in turn.",
		Example: "  pgmc convert asia.bif asia.uai\n" +
			"  pgmc solve asia.uai --task MAR --json\n" +
			"  pgmc solve asia.uai --task MPE --method trws\n" +
			"  pgmc solve grid.uai --task PR --evid grid.uai.evid\n" +
			"  pgmc solve grid.uai --task MMAP --query grid.uai.query --evid grid.uai.evid --timeout 1m --json",
		Args: cli.OneModel,
		RunE: a.Action(a.Bounded(2, lessMemory, func(ctx context.Context, args []string) error { return a.runSolve(ctx, args[0], f) })),
	}
	f.ModelFlags.AddTo(cmd)
	f.MethodFlags.AddTo(cmd, &f.ModelFlags, nil)
	f.Rows.Value = "asis" // the tasks use the numbers of the file as they are
	cmd.Flags().Lookup("rows").DefValue = f.Rows.Value
	cli.AddChoice(cmd, &f.task, "task", "the task", solve.PR, solve.MAR, solve.MPE, solve.MMAP)
	cmd.Flags().StringVar(&f.evid, "evid", "", "a `file` of evidence; without it nothing is observed")
	cmd.Flags().BoolVar(&f.exact, "exact", false, "refuse what --timeout leaves without an exact answer")
	cmd.Flags().IntVar(&f.discrepancies, "discrepancies", infer.DefaultDiscrepancies, "MPE by search: the most variables in which searches for better states turn away from the preferred ones; 0 for none")
	cmd.Flags().StringVar(&f.query, "query", "", "a `file` with the variables of MMAP")
	return cmd
}

// solveMethods returns the part of the help of pgmc solve that describes methods.
func solveMethods() string {
	chains := func(m *method.Method) bool { // no task takes forests
		return m.Answers != nil && m.Answers.Kind == ir.Estimates && m.Takes&model.Forests == 0
	}
	return "--method chooses how to answer. With " + cli.ExactMethods() + ", every answer is exact. The other methods take " +
		"networks of any width. Each method has flags of its own: see pgmc solve --method NAME --help. Without --method, MPE is " +
		"by method " + cut.Method.Name + " if one cut of a graph proves the best states.\n\n" +
		"With " + cli.MethodsOf(ir.Beliefs, "or") + ", PR and MAR are approximate. With " + cli.MethodsOf(ir.Weighted, "or") + ", they are estimated " +
		"from weighted samples. With " + cli.Methods("or", chains) + ", MAR is estimated by Markov chains. With " +
		cli.MethodsOf(ir.Decoding, "or") + ", MPE is a set of probable states. With " + cli.MethodsOf(ir.Climb, "or") + ", it is the best that a " +
		"search found. A warning says if a method did not converge or did not prove its states best.\n\n"
}
