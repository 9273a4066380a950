package main

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format/libra"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/discretize"
)

// convertFlags are the flags of pgmc convert.
type convertFlags struct {
	from, to      cli.Choice // empty: by extension
	strict        bool
	model, schema string // for data
	discretize    int    // intervals of each real variable; 0 leaves them real
}

func (a *app) convertCommand() *cobra.Command {
	f := &convertFlags{}
	cmd := &cobra.Command{
		Use:   "convert IN OUT",
		Short: "Convert a model, or data, from one file format to another",
		Long: "Convert reads a model in one format and writes it in another, with its numbers\n" +
			"unchanged. IN may be - for standard input, and OUT - for standard output. It refuses, by name, any part of the distribution that the other format\n" +
			"cannot hold. It warns of other losses, such as names, and refuses those too with\n" +
			"--strict.\n\n" +
			"If OUT is a .dn file, a Bayesian or Markov network becomes a dependency network:\n" +
			"the distribution of each variable given its Markov blanket, as a tree if one of\n" +
			"its factors is a tree, and otherwise as a table of at most --max-table numbers.\n\n" +
			"--discretize N makes N intervals of about equal probability of each real variable of\n" +
			"a network with Gaussian CPDs, so that every method and format takes it. It reports\n" +
			"the divergence from the network, in nats, and the variables that cost most of it.\n" +
			"Evidence may then be a state or a number.\n\n" +
			"Data files (" + strings.Join(dataIn, ", ") + ") are converted to\n" +
			strings.Join(dataOut, ", ") + ".",
		Example: "  pgmc convert asia.bif asia.json --strict\n" +
			"  pgmc convert asia.bif asia.uai.gz\n" +
			"  pgmc convert asia.bif asia.dn\n" +
			"  pgmc convert plant.json plant.bif --discretize 5\n" +
			"  pgmc sample asia.bif --format data -o rows.data\n" +
			"  pgmc convert rows.data rows.csv --model asia.bif",
		Args: twoFiles,
		RunE: a.Action(func(ctx context.Context, args []string) error { return a.runConvert(ctx, args[0], args[1], f) }),
	}
	var readable, writable []string
	for _, x := range compiler.Formats {
		readable = append(readable, x.Name)
		if x.Write != nil {
			writable = append(writable, x.Name)
		}
	}
	cli.AddFormatChoice(cmd, &f.from, "from", "the format of IN", readable)
	cli.AddFormatChoice(cmd, &f.to, "to", "the format of OUT", writable)
	cmd.Flags().StringVar(&f.model, "model", "", "for data: take names of columns and states from the model in a `file`")
	cmd.Flags().StringVar(&f.schema, "schema", "", "for data: take the numbers of states from a schema `file`")
	cmd.Flags().IntVar(&f.discretize, "discretize", 0, "make this number of `intervals` of each real variable; 0 is none")
	cmd.Flags().BoolVar(&f.strict, "strict", false, "refuse to write if anything of the model is lost")
	return cmd
}

// twoFiles returns an error unless the operands are two files.
func twoFiles(_ *cobra.Command, args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("found %d operands; want two files, IN and OUT", len(args))
	}
	return nil
}

func (a *app) runConvert(ctx context.Context, in, out string, f *convertFlags) error {
	if slices.Contains(dataIn, extension(in)) && f.from.Value == "" {
		return a.convertData(ctx, in, out, f)
	}
	if f.model != "" || f.schema != "" {
		return cli.Usagef("--model and --schema are for data; %s is a model", in)
	}
	to, err := cli.OutputFormat(out, f.to.Value)
	if err != nil {
		return err
	}
	defer a.Progress("converting "+filepath.Base(in), nil).Stop()
	m, err := a.Load(ctx, in, f.from.Value)
	if err != nil {
		return err
	}
	if f.discretize != 0 {
		if m, err = a.discretize(ctx, m, f.discretize); err != nil {
			return fmt.Errorf("%s: %w", in, err)
		}
	}
	if to.Name == libra.DN.Name {
		if m, err = a.dependency(ctx, m); err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return a.WriteModel(to, out, m, f.strict)
}

// discretize returns the network with intervals in place of real variables, and prints what they
// cost.
func (a *app) discretize(ctx context.Context, m *model.Model, intervals int) (*model.Model, error) {
	if intervals < 2 || intervals > model.MaxStates {
		return nil, cli.Usagef("--discretize is %d; want 2 to %d", intervals, model.MaxStates)
	}
	r, err := discretize.Model(ctx, m, discretize.Options{Intervals: intervals, Seed: a.Seed, MaxTable: a.MaxTable})
	switch {
	case err != nil:
		return nil, err
	case a.Quiet:
		return r.Model, nil
	}
	type loss struct {
		name string
		nats float64
	}
	var most []loss
	for v, x := range r.Loss {
		if x > 0 {
			most = append(most, loss{m.Vars[v].Name, x})
		}
	}
	slices.SortStableFunc(most, func(x, y loss) int { return cmp.Compare(y.nats, x.nats) })
	text := ""
	for _, x := range most[:min(3, len(most))] {
		text += fmt.Sprintf(", %s %.3g", x.name, x.nats)
	}
	_, err = fmt.Fprintf(a.Stderr, "the intervals cost %.4g nats%s\n", r.KL(), text)
	return r.Model, err
}

// maxConditionals is the most numbers of a dependency network that is made from another network:
// some 100 MB of text.
const maxConditionals = 1 << 22

// dependency returns the dependency network of m, and warns of rows that are uniform.
func (a *app) dependency(ctx context.Context, m *model.Model) (*model.Model, error) {
	if list := m.Check(); list.HasErrors() {
		return nil, list.Err()
	}
	uniform := 0
	dn, err := cli.Await(ctx, func() (dn *model.Model, err error) {
		dn, uniform, err = m.Dependency(min(a.MaxTable, maxConditionals))
		return dn, err
	})
	if err == nil && uniform > 0 {
		var list diag.List
		list.Warnf(diag.Pos{File: m.File}, "%d %s of the conditional distributions %s uniform: the states of the blanket are impossible", uniform, table.Plural("row", uniform),
			map[bool]string{true: "is", false: "are"}[uniform == 1])
		a.Warn(list.Warnings())
	}
	return dn, err
}
