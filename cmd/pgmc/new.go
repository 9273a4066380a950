package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/grid"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/skeleton"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/model"
)

func (a *app) newCommand() *cobra.Command {
	var out, image, right string
	var to, task cli.Choice
	var force bool
	var options grid.Options
	var cmd *cobra.Command
	cmd = &cobra.Command{
		Use:   "new STRUCTURE",
		Short: "Write a network with a structure and uniform tables, or of an image",
		Long: "New writes a Bayesian network with the structure that one line of text describes, to be\n" +
			"completed in an editor or fitted to data. Its tables are uniform. Without -o it goes to\n" +
			"standard output, in BIF unless --to chooses another format.\n\n" +
			"The text has items with semicolons between them: chains of variables with arrows, as in\n" +
			"A->B<-C, variables alone, and states, as in A: low mid high. A variable without states\n" +
			"has yes and no. A name with blanks or signs is written in double quotes, as in Go.\n\n" +
			"With --grid IMAGE in place of the structure, new writes a Markov network of a PGM or PNG\n" +
			"file, to standard output in JSON. The most probable states of its pixels r0c0, r0c1 and so\n" +
			"on are, by --task, an image with less noise, its segments, or the disparities of a pair with\n" +
			"--right; pgmc show states draws them. The energy of a label is the squared difference\n" +
			"of its grey value, or of the pixel of the other image, divided by twice the squared\n" +
			"--noise, and of two neighbours --smooth times the difference of their labels, --truncate at\n" +
			"most; of segments --smooth if they differ.",
		Example: "  pgmc new 'rain->wet<-sprinkler; rain: none some heavy' -o garden.bif\n" +
			"  pgmc new 'A->B->C'\n" +
			"  pgmc new --grid left.png --right right.png --task stereo --labels 16 -o pair.pgmc.json\n" +
			"  pgmc query pair.pgmc.json --mpe --method trws --json -o pair.json\n" +
			"  pgmc show states pair.json -o depth.png",
		Args: func(_ *cobra.Command, args []string) error {
			if image != "" && len(args) > 0 {
				return fmt.Errorf("found --grid and the structure %q; want one of them", args[0])
			}
			if image == "" && len(args) != 1 {
				return cli.WrongCount(args, "one structure, in quotes, as in 'A->B<-C'")
			}
			return nil
		},
		RunE: a.Action(func(_ context.Context, args []string) error {
			if out == cli.Standard && to.Value == "" {
				to.Value = format.BIF
				if image != "" {
					to.Value = "json"
				}
			}
			format, err := cli.OutputFormat(out, to.Value)
			if err != nil {
				return err
			}
			var m *model.Model
			if image != "" {
				options.Task = task.Value
				m, err = ofImage(image, right, options)
			} else {
				m, err = ofStructure(cmd, args[0], a.MaxTable)
			}
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
	fl := cmd.Flags()
	fl.StringVar(&image, "grid", "", "an `image` to model, in place of a structure: a PGM or PNG file")
	fl.StringVar(&right, "right", "", "the `image` of the right eye, of --task stereo")
	cli.AddChoice(cmd, &task, "task", "what the states of the pixels of --grid are: grey values without noise, segments, or disparities", grid.Tasks...)
	fl.IntVar(&options.Labels, "labels", 0, "the `number` of grey values, segments or disparities; 0 is 16, 2 or 8")
	fl.Float64Var(&options.Smooth, "smooth", 0, "the `weight` of differences between neighbours; 0 is 1, of segments 2")
	fl.Float64Var(&options.Truncate, "truncate", 0, "the largest `difference` between the numbers of two labels that counts; 0 is 3, of disparities 2")
	fl.Float64Var(&options.Noise, "noise", 0, "the standard `deviation` of grey values; 0 is 20, of segments as they have it")
	var writable []string
	for _, x := range compiler.Formats {
		if x.Write != nil {
			writable = append(writable, x.Name)
		}
	}
	cli.AddFormatChoice(cmd, &to, "to", "the format of the model", writable)
	return cmd
}

// ofStructure returns the network of a line of text.
func ofStructure(cmd *cobra.Command, text string, maxTable int) (*model.Model, error) {
	for _, flag := range []string{"right", "task", "labels", "smooth", "truncate", "noise"} {
		if cmd.Flags().Changed(flag) {
			return nil, cli.Usagef("--%s is for the model of an image; want --grid, or leave it out", flag)
		}
	}
	s, err := skeleton.Parse(text)
	if err != nil {
		return nil, cli.Usage(err)
	}
	return s.Model(nil, nil, maxTable)
}

// ofImage returns the network of an image, or of a pair if right is not empty.
func ofImage(path, right string, o grid.Options) (*model.Model, error) {
	left, err := grid.ReadImage(path)
	if err != nil {
		return nil, err
	}
	var other *grid.Image
	if right != "" {
		if other, err = grid.ReadImage(right); err != nil {
			return nil, err
		}
	}
	m, err := grid.New(left, other, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}
