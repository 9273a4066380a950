package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/decision"
)

func (a *app) decideCommand() *cobra.Command {
	f := &decision.Options{}
	cmd := &cobra.Command{
		Use:   "decide MODEL",
		Short: "Find the decisions of an influence diagram that maximise the expected utility",
		Long: "Decide solves an influence diagram: a network with decisions and utilities. It\n" +
			"prints the choice in each case that is known by then, and the maximum expected\n" +
			"utility. A decision knows its parents in the diagram and everything that earlier\n" +
			"decisions knew, for which a path must lead through all decisions that anything\n" +
			"connects; with --limited it knows only its parents.\n\n" +
			"With --limited the answer is a local optimum, unless the command says that no other\n" +
			"strategy is better: it finds that for diagrams that are soluble. --restarts and --start\n" +
			"begin elsewhere, and --best searches until nothing is better, or until --timeout.\n\n" +
			"Evidence is known from the outset. A decision that was taken is evidence, too.\n" +
			"--information prints the value of information of each variable that no decision\n" +
			"affects, and of all together: the growth of the maximum expected utility if the\n" +
			"variable is known before the first decision, or before that of --before. With\n" +
			"--limited it is the difference of two searches, and may be negative.\n\n" +
			"Of a decision analysis network, in which variables may not exist, observations depend\n" +
			"on decisions and these have any order, decide prints the best strategy as a tree.\n\n" +
			"--willingness compares costs and effects in place of one sum: it prints the strategies\n" +
			"that are best for some willingness to pay, each with its interval, cost and effect; and\n" +
			"what each option of the first decision leads to otherwise, with what dominates it.\n" +
			"-o plane.svg draws them.\n\n" +
			"Of a sequence, decide prints the policies of each slice, of --horizon slices.\n\n" +
			"-o writes the strategy to a file, which --strategy of this command evaluates, and of\n" +
			"query, sample and predict follows.\n\n" +
			"Diagrams are read from pgmc's own format, XMLBIF, XDSL, net, dne and ProbModelXML. Other\n" +
			"commands take their decisions for given variables.",
		Example: "  pgmc decide oil.pgmc.json\n" +
			"  pgmc decide oil.pgmc.json --evidence test=no\n" +
			"  pgmc decide oil.pgmc.json --cases --variance\n" +
			"  pgmc decide oil.pgmc.json --know oil --before drill --price oil=10\n" +
			"  pgmc decide oil.pgmc.json --information --json",
		Args: cli.OneModel,
	}
	cmd.RunE = a.Action(func(ctx context.Context, args []string) error {
		f.Until = cmd.Flags().Changed("horizon")
		return decision.Run(ctx, a.App, args[0], f)
	})
	f.AddTo(cmd)
	a.CompleteStates(cmd, "evidence")
	a.CompleteVariables(cmd, "know", "before", "price")
	return cmd
}
