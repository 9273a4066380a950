package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/demo"
)

func (a *app) demoCommand() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Compile a small model, build a program with the package, and run it",
		Long: "Demo compiles a small model that is part of pgmc to a Go package, builds a program\n" +
			"that uses the package, and runs it. It needs the go command and no network, and\n" +
			"leaves nothing behind unless --keep names a folder.",
		Example: "  pgmc demo\n  pgmc demo --keep asia-demo",
		Args:    cobra.NoArgs,
		RunE: a.Action(func(ctx context.Context, _ []string) error {
			return demo.Run(ctx, a.Stdout, dir)
		}),
	}
	cmd.Flags().StringVar(&dir, "keep", "", "keep the module of the demonstration in this new or empty `folder`")
	return cmd
}
