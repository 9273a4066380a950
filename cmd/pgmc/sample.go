package main

import (
	"context"
	"fmt"
	"path/filepath"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/decision"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/draws"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/sequence"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/slicing"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/method/filter"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// sampleFlags are the flags of pgmc sample.
type sampleFlags struct {
	cli.ModelFlags
	n              int
	evidence, soft []string
	do             []string
	out            cli.Choice
	file           string
	steps          int
	sequence       string
	slices         slicing.Flags
	modes          int
	strategy       string
}

func (a *app) sampleCommand() *cobra.Command {
	f := &sampleFlags{}
	cmd := &cobra.Command{
		Use:   "sample MODEL",
		Short: "Draw rows from a model, given evidence",
		Long: "Sample draws rows independently from the distribution of a model given the\n" +
			"evidence. The draws are exact: no row is rejected or weighted. A row has a column\n" +
			"for each variable that is not latent. The same model, flags and --seed give the\n" +
			"same bytes, on any number of cores.\n\n" +
			"With --format csv, a header has the names of the variables and rows have names of\n" +
			"states and the values of real variables. With --format data, which is Libra's,\n" +
			"there is no header and rows have numbers of states, from 0. An output that ends in\n" +
			".parquet has texts for states and doubles for real values.\n\n" +
			"Without evidence, rows of a network are drawn CPD by CPD, parents before children,\n" +
			"whatever its width. Networks with softmax CPDs or functions are always drawn from\n" +
			"in this way, so that only their given variables may be observed. A decision of an\n" +
			"influence diagram that affects no variable needs no value, and then has no column.\n\n" +
			"With --do, variables are set by an intervention: to a state or a number, or drawn from\n" +
			"a distribution, whatever their parents.\n\n" +
			"Of a template of a sequence, --steps N draws the first N slices. With --sequence,\n" +
			"draws have the slices of a file and are given the evidence in its rows: a filter\n" +
			"goes forward, and each draw goes back over the slices. A row of the output is a\n" +
			"slice, with the number of the draw and of the slice, from 0. A model that was learned\n" +
			"from rows with times writes times in place of the second, from 2000-01-01 or those of\n" +
			"the file, and both under the names that these columns had.",
		Example: "  pgmc sample asia.bif -n 1000 --seed 7 -o asia.csv\n" +
			"  pgmc sample asia.bif --evidence smoke=yes,dysp=yes\n" +
			"  pgmc sample asia.bif -n 1000 --format data -o asia.data.gz\n" +
			"  pgmc sample health.json --evidence height=1.8 -n 1000 -o health.csv\n" +
			"  pgmc sample umbrella.json --steps 30 -n 1000 -o weather.csv",
		Args: cli.OneModel,
		RunE: a.Action(a.Bounded(2, lessMemory, func(ctx context.Context, args []string) error { return a.runSample(ctx, args[0], f) })),
	}
	f.AddAs(cmd, "model-format")
	fl := cmd.Flags()
	fl.IntVarP(&f.n, "number", "n", 10, "the number of `rows` to draw")
	fl.StringArrayVarP(&f.evidence, "evidence", "e", nil, "states that were observed: `A=yes,B=no|maybe`; repeatable")
	fl.StringArrayVar(&f.soft, "soft", nil, "a likelihood for each state: `C=0.2/0.8`; repeatable")
	fl.StringArrayVar(&f.do, "do", nil, "variables that are set by intervention, to a state or a distribution: `A=yes,B=0.3/0.7`; repeatable")
	cli.AddChoice(cmd, &f.out, "format", "the format of the rows", "csv", "data")
	decision.AddStrategy(fl, &f.strategy)
	fl.IntVar(&f.steps, "steps", 0, "of a template of a sequence: the number of `slices` to draw")
	fl.StringVar(&f.sequence, "sequence", "", "of a template of a sequence: draw its slices given the rows of a `file`; - is CSV from standard input")
	f.slices.AddOfModel(fl)
	fl.IntVar(&f.modes, "modes", 0, "with --sequence, of real and discrete variables that persist: keep the `N` most probable histories, whose draws are not exact; 0 for all, while they fit")
	fl.StringVarP(&f.file, "output", "o", "", "`file` to write to, compressed if its name ends in .gz (default: standard output)")
	a.CompleteStates(cmd, "evidence", "do")
	return cmd
}

func (a *app) runSample(ctx context.Context, path string, f *sampleFlags) error {
	if f.n < 1 {
		return cli.Usagef("-n is %d; want 1 or more", f.n)
	}
	if cli.IsParquet(f.file) && f.out.Value != "csv" {
		return cli.Usagef("-o %s is a Parquet file; leave out --format", f.file)
	}
	flags, err := cli.ParseEvidence(f.evidence, f.soft, nil)
	if err == nil {
		err = cli.CheckRows(f.file)
	}
	if err != nil {
		return err
	}
	m, opt, err := a.LoadWithOptions(ctx, path, &f.ModelFlags)
	if err == nil {
		m, err = intervene(m, f.do)
	}
	if err != nil {
		return err
	}
	if m.Transition != nil || f.steps != 0 || f.sequence != "" || f.modes != 0 || f.slices.Given() {
		return a.sampleSequence(ctx, path, m, &opt, f)
	}
	opt.Queries = []string{"sample"}
	var done atomic.Int64
	defer a.Progress("sampling "+filepath.Base(path), done.Load).Stop()
	given, err := flags.Of(m)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if m, err = a.decidedDraws(ctx, path, m, given, opt.Rows, f.strategy); err != nil {
		return err
	}
	from, err := a.drawn(ctx, path, m, given, opt)
	if err != nil {
		return err
	}
	out, err := a.ResultFile(f.file)
	if err != nil {
		return err
	}
	to := &draws.Options{N: f.n, Vars: data.VarsOf(m), Format: rowfile.CSV, Cores: a.Cores(), Done: &done}
	if f.out.Value == "data" {
		to.Format = rowfile.Libra
	}
	err = draws.Write(from, out, to)
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return out.Finish(err)
}

// drawn returns the source of rows of m given evidence.
func (a *app) drawn(ctx context.Context, path string, m *model.Model, given infer.Given, opt compiler.Options) (draws.Source, error) {
	if m.Kind == model.Bayes && m.Traits()&(model.SoftChildren|model.Funcs) != 0 || opt.Method == nil && infer.CanForward(m, given) {
		return func(block, row int) draws.Rows {
			return infer.ForwardFrom(ctx, m, given, a.Seed, uint64(block), uint64(row))
		}, nil
	}
	r, err := a.Compile(ctx, path, m, opt, nil)
	if err != nil {
		return nil, err
	}
	e := infer.Of(r, a.Seed)
	return func(block, _ int) draws.Rows { return e.CloneAt(uint64(block)).Values(ctx, given) }, nil
}

// A slice of a draw takes sliceBytes of memory and variableBytes for each variable.
const (
	sliceBytes    = 300
	variableBytes = 50
)

// sampleSequence draws the slices of a template.
func (a *app) sampleSequence(ctx context.Context, path string, m *model.Model, opt *compiler.Options, f *sampleFlags) error {
	switch {
	case m.Transition == nil:
		return fmt.Errorf("%s: the network has no transition from slice to slice, which --steps and --sequence want; in pgmc's JSON it is the field \"next\"", path)
	case (f.steps > 0) == (f.sequence != "") || f.steps < 0:
		return cli.Usagef("%s is a template of a sequence; want one of --steps N, for N slices, and --sequence FILE", path)
	case f.slices.Given() && f.sequence == "":
		return cli.Usagef("--sequence-column, --time, --time-format and --every are about the rows of a sequence; add --sequence FILE")
	case f.modes < 0 || f.modes > 0 && f.sequence == "":
		return cli.Usagef("--modes is %d; want a positive number, and --sequence FILE", f.modes)
	case f.strategy != "":
		return cli.Usagef("--strategy does not follow decisions of sequences, of which pgmc decide prints the policies; leave it out")
	case len(f.evidence)+len(f.soft)+len(f.do) > 0 || f.out.Value != "csv":
		return cli.Usagef("slices are drawn given the rows of --sequence FILE, and written as CSV; leave out --evidence, --soft, --do and --format")
	}
	if need, limit := float64(f.steps)*float64(sliceBytes+variableBytes*len(m.Vars)), a.ProcessLimit(); need > float64(limit) {
		return fmt.Errorf("%s: a draw of --steps %d takes %s of memory; limit: --max-mem %s. What would work: fewer --steps, or a higher --max-mem",
			path, f.steps, compiler.Bytes(need), compiler.Bytes(float64(limit)))
	}
	var in *rowfile.Reader
	if f.sequence != "" {
		format := "auto"
		if f.sequence == cli.Standard {
			format = "csv"
		}
		var err error
		of := &slicing.Source{Path: f.sequence, Flags: &cli.DataFlags{Ordered: true, Format: cli.Choice{Value: format}}, Part: cli.Test, Model: m}
		if in, err = f.slices.Open(ctx, a.App, of); err != nil {
			return err
		}
		defer in.Close()
	}
	of := infer.Options{Seed: a.Seed, Rows: opt.Rows, MaxTable: opt.MaxTable, MaxMem: opt.MaxMem}
	if f.modes > 0 {
		of.Method = filter.Options{Modes: f.modes}
	}
	e, err := infer.New(ctx, m, of)
	if err != nil {
		return err
	}
	out, err := a.ResultFile(f.file)
	if err != nil {
		return err
	}
	var done atomic.Int64
	defer a.Progress("sampling "+filepath.Base(path), done.Load).Stop()
	return out.Finish(sequence.Draw(ctx, e, in, out, &sequence.DrawOptions{N: f.n, Steps: f.steps, Seed: a.Seed, Slices: &f.slices}, done.Add))
}
