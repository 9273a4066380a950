package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/process"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/vet"
)

func (a *app) vetCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "vet [PACKAGE...]",
		Short: "Find mistakes in Go programs that use generated packages",
		Long: "Vet reads Go packages, by default that of the current folder, and reports what goes\n" +
			"wrong with the packages of pgmc that they use: errors of queries that are dropped,\n" +
			"engines that several goroutines use, states that are converted to those of another\n" +
			"variable, and packages that are not what the go:generate comment above them would\n" +
			"write now, in modules below ./... too. It needs the go command.\n\n" +
			"go vet runs the same analyzers: go vet -vettool=$(which pgmc) ./...",
		Example: "  pgmc vet ./...",
		RunE: a.Action(func(ctx context.Context, args []string) error {
			if err := process.NeedGo(); err != nil {
				return err
			}
			if len(args) == 0 {
				args = []string{"."}
			}
			list, err := vet.Run(ctx, ".", args)
			if err != nil {
				return err
			}
			if a.JSON {
				err = a.PrintJSON(list)
			} else {
				err = vet.Print(a.Stdout, list)
			}
			if err == nil && len(list) > 0 {
				err = fmt.Errorf("%d %s", len(list), table.Plural("finding", len(list)))
			}
			return err
		}),
	}
}
