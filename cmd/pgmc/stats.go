package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/view"
)

func (a *app) statsCommand() *cobra.Command {
	f := &view.StatsOptions{}
	cmd := &cobra.Command{
		Use:   "stats MODEL",
		Short: "Sizes of a model, of elimination orders, and of the package it would compile to",
		Long: "Stats says what compiling would cost before it is paid: sizes of the model, and for the order of each heuristic and the one that\n" +
			"compile would take the width, the tables, memory, time and the package. A network that compile would refuse is measured as well.\n" +
			"Numbers are predicted from the order where the package is large; a small one is made in memory and measured.",
		Example: "  pgmc stats asia.bif\n  pgmc stats asia.bif --order min-fill --json",
		Args:    cli.OneModel,
		RunE:    a.Action(func(ctx context.Context, args []string) error { return view.Stats(ctx, a.App, args[0], f) }),
	}
	f.ModelFlags.AddTo(cmd)
	f.MethodFlags.AddTo(cmd, &f.ModelFlags, &f.Queries)
	cli.AddBackend(cmd, &f.Backend)
	cmd.Flags().StringArrayVar(&f.Queries, "query", nil, "what to compile, as for pgmc compile; repeatable")
	return cmd
}
