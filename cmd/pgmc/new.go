package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/skeleton"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
)

func (a *app) newCommand() *cobra.Command {
	var out string
	var to cli.Choice
	var force bool
	cmd := &cobra.Command{
		Use:   "new STRUCTURE",
		Short: "Write a network with a structure and uniform tables",
		Long: "New writes a Bayesian network with the structure that one line of text describes, to be\n" +
			"completed in an editor or fitted to data. Its tables are uniform. Without -o it goes to\n" +
			"standard output, in BIF unless --to chooses another format.\n\n" +
			"The text has items with semicolons between them: chains of variables with arrows, as in\n" +
			"A->B<-C, variables alone, and states, as in A: low mid high. A variable without states\n" +
			"has yes and no. A name with blanks or signs is written in double quotes, as in Go.",
		Example: "  pgmc new 'rain->wet<-sprinkler; rain: none some heavy' -o garden.bif\n" +
			"  pgmc new 'A->B->C'",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.WrongCount(args, "one structure, in quotes, as in 'A->B<-C'")
			}
			return nil
		},
		RunE: a.Action(func(_ context.Context, args []string) error {
			if out == cli.Standard && to.Value == "" {
				to.Value = format.BIF
			}
			format, err := cli.OutputFormat(out, to.Value)
			if err != nil {
				return err
			}
			s, err := skeleton.Parse(args[0])
			if err != nil {
				return cli.Usage(err)
			}
			m, err := s.Model(nil, nil, a.MaxTable)
			if err != nil {
				return err
			}
			if out != cli.Standard {
				if _, err := os.Lstat(out); err == nil && !force {
					return fmt.Errorf("%s is there already, and may have been edited; choose another -o, or --force", out)
				}
				m.Name = cli.ModelName(out)
			}
			return a.WriteModel(format, out, m, false)
		}),
	}
	cmd.Flags().StringVarP(&out, "output", "o", cli.Standard, "`file` to write to, compressed if its name ends in .gz; - is standard output")
	cmd.Flags().BoolVar(&force, "force", false, "replace the file of -o if it is there")
	var writable []string
	for _, x := range compiler.Formats {
		if x.Write != nil {
			writable = append(writable, x.Name)
		}
	}
	cli.AddFormatChoice(cmd, &to, "to", "the format of the model", writable)
	return cmd
}
