package predict

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strconv"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// Options are the flags of pgmc predict.
type Options struct {
	cli.ModelFlags
	cli.MethodFlags
	Targets    []string // the variables to predict, as cli.NamesOf reads them
	Unseen     cli.Choice
	Impossible cli.Choice
	Data       cli.DataFlags
	Interval   float64 // probability of the intervals of real targets; 0 for none
	File       string  // output file; empty for standard output
	Folds      int     // parts of the rows, each predicted by numbers fitted to the others; 0 for none
	// Of a model with a transition:
	Column string // the column that names the sequence of a row; empty if all rows are one sequence
	Smooth bool   // posteriors given all rows of the sequence, not just those up to the row
}

// check returns a usage error if a flag is missing or out of range.
func (f *Options) check() error {
	switch {
	case f.Targets == nil:
		return cli.Usagef("--targets is missing; want the variables to predict")
	case !(f.Interval >= 0 && f.Interval < 1):
		return cli.Usagef("--interval is %v; want a probability from 0 to below 1", f.Interval)
	}
	return cli.CheckRows(f.File)
}

// Run predicts targets of the rows of the file dataPath by the model at path.
func Run(ctx context.Context, a *cli.App, path, dataPath string, f *Options) error {
	if err := f.check(); err != nil {
		return err
	}
	m, opt, err := a.LoadWithOptions(ctx, path, &f.ModelFlags)
	if err != nil {
		return err
	}
	if err := f.Data.CheckTwoSlices(path, m); err != nil {
		return err
	}
	targets, err := f.targetVars(m)
	if err != nil {
		return err
	}
	opt.Method = f.MethodFlags.Options(&opt)
	if opt.Queries, err = f.queries(path, m, targets, opt.MethodName()); err != nil {
		return err
	}
	f.Data.Ordered = m.Transition != nil
	rows, err := a.OpenData(ctx, dataPath, &f.Data, cli.Test)
	if err != nil {
		return err
	}
	defer rows.Close()
	f.Column = rows.SequenceColumn(f.Column, m)
	p := &predictor{App: a, file: dataPath, rows: rows, model: m, targets: targets, skipImpossible: f.Impossible.Value == "empty", interval: f.Interval}
	if err := p.bind(f.Unseen.Value == "missing", f.Column); err != nil {
		return err
	}
	defer a.Progress("predicting "+filepath.Base(dataPath), p.done.Load).Stop()
	engine := func(m *model.Model) (*infer.Engine, error) {
		r, err := a.Compile(ctx, path, m, opt, nil)
		if err != nil {
			return nil, err
		}
		return infer.Of(r, a.Seed), nil
	}
	e, err := engine(m)
	if err != nil {
		return err
	}
	p.by = rate.NewPredictor(e, targets...)
	if f.Folds != 0 {
		if p.folds, err = newFolds(ctx, a, m, dataPath, f, engine); err != nil {
			return err
		}
	}
	if m.Transition != nil {
		if p.slices, err = newSlices(e, rows, f); err != nil {
			return err
		}
	}
	return p.finish(ctx, f.File)
}

// finish predicts, and writes the predictions to a file or, if its name is empty, to the standard
// output, where --json has only the report.
func (p *predictor) finish(ctx context.Context, file string) error {
	out, err := p.ResultFile(file)
	if err != nil {
		return err
	}
	if p.JSON && file == "" {
		out.Writer = io.Discard
	}
	if err := out.Finish(p.run(ctx, out)); err != nil {
		return err
	}
	return p.report()
}

// targetVars returns the variables that --targets names.
func (f *Options) targetVars(m *model.Model) ([]model.VarID, error) {
	names, err := cli.NamesOf("--targets", f.Targets...)
	if err != nil {
		return nil, err
	}
	return cli.NamedVars(m, "--targets", names)
}

// queries returns the query that yields the posteriors of the targets.
func (f *Options) queries(path string, m *model.Model, targets []model.VarID, method string) ([]string, error) {
	switch {
	case m.Transition == nil && (f.Column != "" || f.Smooth):
		return nil, cli.Usagef("%s: the model has no transition from slice to slice; leave out --sequence-column and --smooth", path)
	case f.Smooth:
		return []string{"smooth"}, nil
	case m.Transition != nil:
		return []string{"filter"}, nil
	}
	approximate, err := cli.PosteriorQuery(method)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, err)
	case approximate != "":
		return []string{approximate}, nil
	case len(targets) == 1: // one posterior needs one pass over the tree, all marginals two
		return []string{strconv.Quote(m.Vars[targets[0]].Name)}, nil
	}
	return []string{"marginals"}, nil
}
