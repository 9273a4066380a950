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
		Short: "Measure a model, its elimination orders, and the package it would compile to",
		Long: "Stats prints what compiling a model would cost: sizes of the model, and for the\n" +
			"elimination order of each heuristic, and the order that compile would take, its\n" +
			"width and the tables, memory, time and package that follow. It also measures\n" +
			"networks that compile would refuse. A small package is made in memory and\n" +
			"measured; the numbers of a large one are predicted from the order.",
		Example: "  pgmc stats asia.bif\n  pgmc stats asia.bif --order min-fill --json",
		Args:    cli.OneModel,
		RunE:    a.Action(a.Bounded(1, "or fewer --query", func(ctx context.Context, args []string) error { return view.Stats(ctx, a.App, args[0], f) })),
	}
	f.ModelFlags.AddTo(cmd)
	f.AllowBest(cmd)
	f.MethodFlags.AddTo(cmd, &f.ModelFlags, &f.Queries)
	cli.AddBackend(cmd, &f.Backend)
	cmd.Flags().StringArrayVar(&f.Queries, "query", nil, "a `query` to compile, as for pgmc compile; repeatable")
	return cmd
}
