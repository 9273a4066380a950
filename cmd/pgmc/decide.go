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
		Short: "Find the decisions of an influence diagram that maximise the mean utility",
		Long: "Decide solves an influence diagram: a network with decisions and utilities. It\n" +
			"prints what to choose in each case that is known by then, and the largest mean of\n" +
			"the sum of the utilities. A decision knows its parents in the diagram and all that\n" +
			"earlier decisions knew, for which a path must lead through all decisions; with\n" +
			"--limited it knows its parents alone.\n\n" +
			"Evidence is known from the outset. A decision that was taken is evidence, too. With\n" +
			"--information, the value of information of each variable that no decision affects\n" +
			"is how much the utility grows if it is known before the first decision.\n\n" +
			"Diagrams are read from pgmc's own format, XMLBIF, XDSL and ProbModelXML. Other\n" +
			"commands take their decisions for given variables.",
		Example: "  pgmc decide oil.pgmc.json\n" +
			"  pgmc decide oil.pgmc.json --evidence test=no\n" +
			"  pgmc decide oil.pgmc.json --information --json",
		Args: cli.OneModel,
		RunE: a.Action(func(ctx context.Context, args []string) error { return decision.Run(ctx, a.App, args[0], f) }),
	}
	f.AddTo(cmd)
	a.CompleteStates(cmd, "evidence")
	return cmd
}
