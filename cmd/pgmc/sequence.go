package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/chart"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/sequence"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/slicing"
	"github.com/pgmc-go/pgmc/compiler/infer"
)

// sequenceFlags are the flags of pgmc query about sequences.
type sequenceFlags struct {
	file string
	opt  sequence.Options
	lag  int
}

func (f *sequenceFlags) addTo(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&f.file, "sequence", "", "answer about the slices of a sequence, the rows of a `file`; - is CSV from standard input")
	f.opt.AddTo(fl)
	fl.IntVar(&f.lag, "lag", 0, "of a sequence: the posteriors of each slice given the evidence up to this `number` of slices later")
}

// check returns a usage error if the flags contradict each other or others of pgmc query.
func (f *sequenceFlags) check(cmd *cobra.Command, q *queryFlags, json bool) error {
	lagged := cmd.Flags().Changed("lag")
	f.opt.Lag = -1
	if lagged {
		f.opt.Lag = f.lag
	}
	gated := cmd.Flags().Changed("gate")
	f.opt.Innovation = f.opt.Innovation || gated
	ways := 0
	for _, on := range []bool{f.opt.Filter, f.opt.Smooth, f.opt.Viterbi, f.opt.Innovation, lagged} {
		if on {
			ways++
		}
	}
	switch {
	case f.file == "" && (ways > 0 || f.opt.Predict != 0 || f.opt.Window != 0 || f.opt.Slices.Given() || q.Slices+q.data.TwoSlices != ""):
		return cli.Usagef("--filter, --smooth, --viterbi, --innovation, --gate, --lag, --predict, --window, --slices, --two-slices, --sequence-column, --time, --time-format and --every are about a sequence; add --sequence FILE")
	case f.file == "":
		return nil
	case gated && !(f.opt.Gate > 0 && f.opt.Gate < 1):
		return cli.Usagef("--gate is %v; want a share above 0 and below 1, such as 0.99", f.opt.Gate)
	case cmd.Flags().Changed("beam") && (!f.opt.Viterbi || cmd.Flags().Changed("method") || f.opt.Beam < 1 || f.opt.Beam > infer.MaxBeam):
		return cli.Usagef("--beam is %d: want 1 to %d states, with --viterbi, and without --method", f.opt.Beam, infer.MaxBeam)
	case ways > 1:
		return cli.Usagef("found several of --filter, --smooth, --viterbi, --innovation and --lag; want one of them")
	case cmd.Flags().Changed("window") && f.opt.Window < 1:
		return cli.Usagef("--window is %d; want a window of 1 or more slices", f.opt.Window)
	case f.opt.Predict < 0, lagged && f.lag < 0:
		return cli.Usagef("--lag is %d and --predict is %d; want 0 or more", f.lag, f.opt.Predict)
	case f.opt.Predict > 0 && ways > 0 && !f.opt.Filter:
		return cli.Usagef("--predict goes on after --filter; leave out --smooth, --viterbi, --innovation and --lag")
	case f.file != "" && (q.batch != "" || len(q.evidence)+len(q.soft)+len(q.jeffrey)+len(q.do) > 0):
		return cli.Usagef("--sequence has the evidence in its file; leave out --batch, --evidence, --soft, --jeffrey and --do")
	case q.max:
		return cli.Usagef("--sequence is answered by marginals; leave out --maxmarginals")
	case q.joint != nil || q.mapOf != nil || q.kmpe != 0 || q.mpe:
		return cli.Usagef("--sequence is answered by marginals or, with --viterbi, a path; leave out --joint, --map, --mpe and --kmpe")
	case q.certify:
		return cli.Usagef("--certify bounds the rounding errors of the answer to one question, and of no sequence; leave out --certify or --sequence")
	case q.engine.Value == "compiled":
		return cli.Usagef("--sequence is answered by the interpreter; leave out --engine compiled")
	}
	f.opt.Filter = f.opt.Filter || ways == 0
	q.form.byName(q.output)
	if f.opt.SVG = q.form.svg; f.opt.SVG && (f.opt.Viterbi || f.opt.Innovation) {
		return cli.Usagef("the picture of a sequence is of posteriors; leave out --viterbi, --innovation and --gate, or write text or --json")
	}
	if f.opt.CSV = q.form.csv; f.opt.CSV && (f.opt.Viterbi || f.opt.Innovation) {
		return cli.Usagef("a CSV file of a sequence holds posteriors; leave out --viterbi, --innovation and --gate, or write text or --json")
	}
	if q.form.html || q.form.vega {
		return cli.Usagef("--sequence is answered by text, --json or --svg; leave out --html and --vega")
	}
	f.opt.Picture = q.output
	return q.form.check(json, q.output, chart.Endings...)
}

// runSequence answers about a sequence.
func (a *app) runSequence(ctx context.Context, path string, q *queryFlags) error {
	m, opt, err := a.LoadWithOptions(ctx, path, &q.ModelFlags)
	if err != nil {
		return err
	}
	if m.Transition == nil {
		return fmt.Errorf("%s: the network has no transition from slice to slice, which --sequence wants; in pgmc's JSON it is the field \"next\"", path)
	}
	f := &q.sequence
	opt.Method = q.MethodFlags.Options(&opt)
	opt.Queries = []string{f.opt.Query()}
	e, err := sequence.Engine(ctx, a.App, path, m, opt, q.MethodFlags.Settings(), &f.opt)
	if err != nil {
		return err
	}
	f.opt.JSON, f.opt.Targets = a.JSON, make([]bool, len(e.Vars()))
	if !a.Quiet {
		f.opt.Notes = a.Stderr
	}
	index := map[string]int{}
	for i, v := range e.Vars() {
		f.opt.Targets[i], index[v.Name] = q.targets == nil, i
	}
	targets, err := namedVariables("--targets", q.targets, index)
	if err != nil {
		return err
	}
	for _, i := range targets {
		f.opt.Targets[i] = true
	}
	if f.file == "-" && q.data.Format.Value == "auto" {
		q.data.Format.Value = "csv" // to look for the format would wait for more than the first rows
	}
	in, err := f.opt.Slices.Open(ctx, a.App, &slicing.Source{Path: f.file, Flags: &q.data, Part: cli.Test, Model: m, Live: f.file == cli.Standard})
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := a.ResultFile(q.output)
	if err != nil {
		return err
	}
	_, err = cli.Await(ctx, func() (io.Writer, error) { return nil, sequence.Run(ctx, e, in, out, &f.opt) })
	return out.Finish(err)
}
