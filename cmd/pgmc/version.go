package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/codegen"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version of pgmc, of the code it generates, and of Go",
		Example: "  pgmc version\n  pgmc version --json",
		Args:    cobra.NoArgs,
		RunE: a.Action(func(context.Context, []string) error {
			if a.JSON {
				return a.PrintJSON(struct {
					Version string `json:"version"`
					Codegen int    `json:"codegen"`
					Go      string `json:"go"`
				}{version(), codegen.Version, runtime.Version()})
			}
			_, err := io.WriteString(a.Stdout, versionText())
			return err
		}),
	}
}

// version returns the version of the module that the command was built from.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "unknown"
}

// versionText returns the lines that version and --version print.
func versionText() string {
	return fmt.Sprintf("pgmc %s\ncodegen/%d\n%s %s/%s\n", version(), codegen.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
