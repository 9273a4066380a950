package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/testdata/models"
)

// modelInfo is a model that is part of pgmc, as --json prints it.
type modelInfo struct {
	Name       string `json:"name"`
	Variables  int    `json:"variables"`
	Parameters int    `json:"parameters"`
	Shows      string `json:"shows"`
}

func (a *app) modelsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "models [NAME]",
		Short: "List the models that are part of pgmc, or print one",
		Long: "Models lists small models that are part of pgmc, to begin with. Every command that\n" +
			"reads a model takes their names, as in pgmc query asia, unless a file has the name.\n" +
			"With a name, it prints the model's file, which says where the parameters were\n" +
			"published; its format is BIF, or pgmc's own for what BIF does not hold.",
		Example:   "  pgmc models\n  pgmc models asia > asia.bif\n  pgmc query asia -e smoke=yes",
		Args:      cobra.MaximumNArgs(1),
		ValidArgs: cli.BuiltIns(),
		RunE: a.Action(func(ctx context.Context, args []string) error {
			if len(args) == 1 {
				return a.printBuiltIn(args[0])
			}
			return a.listBuiltIns(ctx)
		}),
	}
}

// printBuiltIn prints the file of a model.
func (a *app) printBuiltIn(name string) error {
	_, text, ok := cli.BuiltIn(name)
	if !ok {
		return fmt.Errorf("no model %q is part of pgmc; pgmc models lists them%s", name, diag.DidYouMean(name, cli.BuiltIns()))
	}
	_, err := a.Stdout.Write(text)
	return err
}

// listBuiltIns prints the names of the models and their sizes.
func (a *app) listBuiltIns(ctx context.Context) error {
	t := &table.Table{}
	t.Add("model", "variables", "parameters")
	var list []modelInfo
	for _, x := range models.List {
		m, err := a.Load(ctx, x.Name, "")
		if err != nil {
			return err
		}
		info := modelInfo{Name: x.Name, Variables: len(m.Vars), Shows: x.Shows}
		for _, f := range m.Factors {
			info.Parameters += len(f.Dist.Numbers())
		}
		list = append(list, info)
		t.Add(x.Name, fmt.Sprint(info.Variables), fmt.Sprint(info.Parameters))
	}
	if a.JSON {
		return a.PrintJSON(list)
	}
	t.AlignRight()
	t.Rows[0] = append(t.Rows[0], "shows")
	for i, info := range list {
		t.Rows[i+1] = append(t.Rows[i+1], info.Shows)
	}
	_, err := io.WriteString(a.Stdout, t.String())
	return err
}
