package learning

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// Run learns a model, writes it and prints the report.
func Run(ctx context.Context, a *cli.App, f *Options) error {
	if err := f.check(); err != nil {
		return err
	}
	in, err := f.instance()
	if err != nil {
		return err
	}
	var to format.Format
	if f.Out != "" {
		if to, err = cli.OutputFormat(f.Out, f.To.Value); err != nil {
			return err
		}
	}
	defer a.Progress("learning from "+filepath.Base(f.Train+f.Target+f.Counts.Name()), nil).Stop()
	j, err := readJob(ctx, a, f)
	if err != nil {
		return err
	}
	if f.Resume != "" && !f.Counts.Given() {
		if err := a.Resume(j.Job, f.Algo, f.Resume); err != nil {
			return err
		}
	}
	if err := f.takes(j.Job); err != nil {
		return err
	}
	truth, err := loadTruth(ctx, a, f.Truth, j.Train.Vars, j.Train.Sequential())
	if err != nil {
		return err
	}
	j.Progress = a.Step
	out := &report{}
	if err := out.relearn(ctx, a, f, j.Job); err != nil {
		return err
	}
	r, err := learn.Run(ctx, in, j.Job)
	if r == nil || len(r.Models) == 0 {
		return err
	}
	if err != nil && !errors.Is(err, context.Canceled) { // at --timeout nothing is written
		return err
	}
	r.Models[0] = f.Slices.Remember(r.Models[0])
	if f.Out != "" {
		if err := writeModels(a, f, to, r.Models); err != nil {
			return err
		}
	}
	return f.report(ctx, a, j, r, truth, out)
}

// report completes the report on a result and prints it; without a file for the model, with the
// structure.
func (f *Options) report(ctx context.Context, a *cli.App, j *job, r *learner.Result, truth *model.Model, out *report) (err error) {
	out.add(&r.Report, f.Bootstrap)
	if held := j.held(); held != nil {
		if out.Test, err = scoreTest(ctx, a, f, held, r); err != nil {
			return err
		}
	}
	if truth != nil {
		compare(out, truth, r.Models[0], j.Train.Vars)
	}
	out.structure = f.Out == ""
	return show(a, cmp.Or(f.Out, filepath.Base(f.Train+f.Counts.Name())), f.Form, r.Models[0], out)
}

// check returns an error if flags contradict each other or a flag is missing.
func (f *Options) check() error {
	if err := f.checkCounts(); err != nil {
		return err
	}
	if err := f.checkPasses(); err != nil {
		return err
	}
	switch {
	case f.Target != "" && f.Algo != "acopt":
		return cli.Usagef("--target: %s learns from rows; acopt approximates a network", f.Algo)
	case f.Target != "" && (f.Train != "" || f.Valid != ""):
		return cli.Usagef("--target replaces DATA and --valid; want one or the other")
	case f.Target == "" && f.Train == "" && !f.Counts.Given():
		return cli.Usagef("there is no data file; want pgmc learn %s DATA -o MODEL", f.Algo)
	case f.Slices.Given() && f.Slices.Column == "" && !f.OneSequence:
		return cli.Usagef("--time puts the rows of sequences in order; add --sequence-column COLUMN, or --one-sequence")
	case f.Form.HTML && f.Form.Vega:
		return cli.Usagef("found both --html and --vega; want one of them")
	case f.PriorNetwork != "" && f.Cmd.Flags().Lookup("edge-prior") == nil:
		return cli.Usagef("--prior-network is for learners with the score bde; %s has none", f.Algo)
	case f.PriorStructure != "" && f.Cmd.Flags().Lookup("prior-odds") == nil:
		return cli.Usagef("--prior-structure is for learners with --prior-odds, as hillclimb; %s has none", f.Algo)
	case f.PriorStructure == "" && f.Cmd.Flags().Changed("prior-odds"):
		return cli.Usagef("--prior-odds needs --prior-structure, the network that it is about")
	case f.Out == "" && f.Algo != Default:
		return cli.Usagef("--output is missing; name the file of the model, as in -o model.bif")
	}
	return nil
}

// loadTruth reads the network of --truth, with which the learned structure is compared. It returns
// nil for an empty path.
func loadTruth(ctx context.Context, a *cli.App, path string, vars []data.Var, sequences bool) (*model.Model, error) {
	if path == "" {
		return nil, nil
	}
	m, err := a.Load(ctx, path, "")
	if err != nil {
		return nil, err
	}
	if m.Kind != model.Bayes {
		return nil, fmt.Errorf("%s: the model is no Bayesian network; --truth wants one", path)
	}
	if (m.Transition != nil) != sequences {
		return nil, fmt.Errorf("%s: of the network and the data, one is about slices of sequences and the other is not; --truth wants both or neither", path)
	}
	if err := rate.SameVariables(m, vars); err != nil {
		return nil, fmt.Errorf("%s: %w; --truth wants the same variables", path, err)
	}
	return m, nil
}

// compare adds the distance between the structure of m and the true one. For templates it is two
// slices'.
func compare(out *report, truth, m *model.Model, vars []data.Var) {
	if truth.Transition != nil && m.Transition != nil {
		truth, m = truth.Unroll(2), m.Unroll(2)
		vars = data.VarsOf(m)
	}
	out.compare(truth, m, vars)
}

// held returns the rows by which to test the result: those that --split holds out, or sequences of
// --valid, which no learner uses; nil if there are none.
func (j *job) held() *data.Set {
	if j.test == nil && j.Train.Sequential() {
		return j.Valid
	}
	return j.test
}

// takes returns an error if the data has variables that the learner does not take.
func (f *Options) takes(job *learner.Job) error {
	l, err := learn.Find(f.Algo)
	if err != nil {
		return err
	}
	var untaken *model.Untaken
	switch err := learn.Check(l, job); {
	case !errors.As(err, &untaken) || untaken.Need.Pos.File != "": // nil, or of a model
		return err
	case untaken.Need.Trait == model.Reals:
		return cli.Usagef("%v; --bins makes intervals of numbers", err)
	default:
		return cli.Usage(err)
	}
}
