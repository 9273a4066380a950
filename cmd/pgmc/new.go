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

// newFlags are the flags of pgmc new.
type newFlags struct {
	out          string
	to           cli.Choice
	force        bool
	image, right string // files of images; empty for none
	task         cli.Choice
	grid         grid.Options
}

// ofImages lists the flags for models of images besides --grid.
var ofImages = []string{"right", "task", "labels", "smooth", "truncate", "noise"}

func (a *app) newCommand() *cobra.Command {
	f := &newFlags{}
	cmd := &cobra.Command{
		Use:   "new STRUCTURE",
		Short: "Write a network with a structure and uniform tables, or of an image",
		Long: "New writes a Bayesian network with the structure that one line of text describes, to be\n" +
			"completed by pgmc edit or fitted to data. Its tables are uniform. Without -o it goes to\n" +
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
	}
	cmd.Args = func(_ *cobra.Command, args []string) error {
		for _, flag := range ofImages {
			if f.image == "" && cmd.Flags().Changed(flag) {
				return fmt.Errorf("--%s is for the model of an image; want --grid, or leave it out", flag)
			}
		}
		switch {
		case f.image != "" && len(args) > 0:
			return fmt.Errorf("found --grid and the structure %q; want one of them", args[0])
		case f.image == "" && len(args) != 1:
			return cli.WrongCount(args, "one structure, in quotes, as in 'A->B<-C'")
		}
		return nil
	}
	cmd.RunE = a.Action(func(_ context.Context, args []string) error { return a.runNew(args, f) })
	f.addTo(cmd)
	return cmd
}

// addTo adds the flags.
func (f *newFlags) addTo(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVarP(&f.out, "output", "o", cli.Standard, "`file` to write to, compressed if its name ends in .gz; - is standard output")
	fl.BoolVar(&f.force, "force", false, "replace the file of -o if it is there")
	fl.StringVar(&f.image, "grid", "", "an `image` to model, in place of a structure: a PGM or PNG file")
	fl.StringVar(&f.right, "right", "", "the `image` of the right eye, of --task stereo")
	cli.AddChoice(cmd, &f.task, "task", "what the states of the pixels of --grid are: grey values without noise, segments, or disparities", grid.Tasks...)
	fl.IntVar(&f.grid.Labels, "labels", 0, "the `number` of grey values, segments or disparities; 0 is 16, 2 or 8")
	fl.Float64Var(&f.grid.Smooth, "smooth", 0, "the `weight` of differences between neighbours; 0 is 1, of segments 2")
	fl.Float64Var(&f.grid.Truncate, "truncate", 0, "the largest `difference` between the numbers of two labels that counts; 0 is 3, of disparities 2")
	fl.Float64Var(&f.grid.Noise, "noise", 0, "the standard `deviation` of grey values; 0 is 20, of segments as they have it")
	var writable []string
	for _, x := range compiler.Formats {
		if x.Write != nil {
			writable = append(writable, x.Name)
		}
	}
	cli.AddFormatChoice(cmd, &f.to, "to", "the format of the model", writable)
}

// runNew writes the model.
func (a *app) runNew(args []string, f *newFlags) error {
	if f.out == cli.Standard && f.to.Value == "" {
		f.to.Value = format.BIF
		if f.image != "" {
			f.to.Value = "json"
		}
	}
	format, err := cli.OutputFormat(f.out, f.to.Value)
	if err != nil {
		return err
	}
	var m *model.Model
	if f.image != "" {
		m, err = f.ofImage()
	} else {
		m, err = ofStructure(args[0], a.MaxTable)
	}
	if err != nil {
		return err
	}
	if f.out != cli.Standard {
		if _, err := os.Lstat(f.out); err == nil && !f.force {
			return fmt.Errorf("%s is there already, and may have been edited; choose another -o, or --force", f.out)
		}
		m.Name = cli.ModelName(f.out)
	}
	return a.WriteModel(format, f.out, m, false)
}

// ofStructure returns the network of a line of text.
func ofStructure(text string, maxTable int) (*model.Model, error) {
	s, err := skeleton.Parse(text)
	if err != nil {
		return nil, cli.Usage(err)
	}
	return s.Model(nil, nil, maxTable)
}

// ofImage returns the network of an image or a pair.
func (f *newFlags) ofImage() (*model.Model, error) {
	left, err := grid.ReadImage(f.image)
	if err != nil {
		return nil, err
	}
	var right *grid.Image
	if f.right != "" {
		if right, err = grid.ReadImage(f.right); err != nil {
			return nil, err
		}
	}
	f.grid.Task = f.task.Value
	m, err := grid.New(left, right, f.grid)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.image, err)
	}
	return m, nil
}
