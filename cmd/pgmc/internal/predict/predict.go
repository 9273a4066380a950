package predict

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/classes"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/decision"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/slicing"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// Options are the flags of pgmc predict.
type Options struct {
	cli.ModelFlags
	cli.MethodFlags
	Targets    []string // the variables to predict, as cli.NamesOf reads them
	Unseen     cli.Choice
	Impossible cli.Choice
	Data       cli.DataFlags
	Out        cli.RowsOut
	Keep       cli.KeepFlags
	Interval   float64 // probability of the intervals of real targets; 0 for none
	Strategy   string  // of decisions, as decision.Follow reads it
	Classes    classes.Flags
	Folds      int           // parts of the rows, each predicted by numbers fitted to the others; 0 for none
	Slices     slicing.Flags // of a model with a transition
	Smooth     bool          // of such a model: posteriors given all rows of the sequence, not just those up to the row
}

// check returns a usage error if a flag is missing or out of range.
func (f *Options) check() error {
	switch {
	case f.Targets == nil:
		return cli.Usagef("--targets is missing; want the variables to predict")
	case !(f.Interval >= 0 && f.Interval < 1):
		return cli.Usagef("--interval is %v; want a probability from 0 to below 1", f.Interval)
	}
	if f.Folds != 0 && f.Out.Folder() {
		return cli.Usagef("-o %s: --folds divides the rows of all files together; want a file", f.Out.File)
	}
	if err := f.Keep.Check(&f.Data); err != nil {
		return err
	}
	return f.Out.Check(&f.Data)
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
	if m, err = decision.Follow(ctx, a, path, m, infer.NewFindings(len(m.Vars)), opt.Rows, f.Strategy); err != nil {
		return err
	}
	if err := f.Slices.Check(path, m, &f.Data); err != nil {
		return err
	}
	f.Data.Ordered = m.Transition != nil
	if err := f.Out.Check(&f.Data); err != nil {
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
	rows, err := openRows(ctx, a, dataPath, m, cli.Test, &f.Data, &f.Slices)
	if err != nil {
		return err
	}
	defer rows.Close()
	p, err := newPredictor(a, dataPath, rows, m, targets, f)
	if err != nil {
		return err
	}
	defer a.Progress("predicting "+filepath.Base(dataPath), p.done.Load).Stop()
	engine := func(m *model.Model) (*infer.Engine, error) {
		r, err := a.Compile(ctx, path, m, opt, nil)
		if err != nil {
			return nil, err
		}
		p.result = r
		return infer.Of(r, a.Seed), nil
	}
	e, err := engine(m)
	if err != nil {
		return err
	}
	p.by = f.Classes.Predictor(e, targets...)
	if f.Folds != 0 {
		p.folds, err = newFolds(ctx, a, m, dataPath, f, engine)
	}
	if err == nil && m.Transition != nil {
		p.slices, err = newSlices(e, rows, f)
	}
	if err != nil {
		return err
	}
	return p.finish(ctx, &f.Out)
}

// openRows opens the data, of a model with a transition in the order of slices.
func openRows(ctx context.Context, a *cli.App, path string, m *model.Model, part cli.Part, f *cli.DataFlags, order *slicing.Flags) (*rowfile.Reader, error) {
	if m.Transition == nil {
		return a.OpenData(ctx, path, f, part)
	}
	return order.Open(ctx, a, &slicing.Source{Path: path, Flags: f, Part: part, Model: m})
}

// partSums are what the list of the parts of an output folder says of the rows of a part.
type partSums struct {
	Impossible int `json:"impossible"`
}

// finish predicts, writes the predictions, and reports.
func (p *predictor) finish(ctx context.Context, o *cli.RowsOut) error {
	_, kept, err := cli.WriteRows(ctx, p.App, p.rows, o, p.model, func(rows *rowfile.Reader, out *cli.ResultFile) (n int64, sums partSums, err error) {
		done, impossible := p.done.Load(), p.impossible
		if p.rows = rows; o.Folder() {
			if err := p.bind(); err != nil {
				return 0, sums, err
			}
			if e := infer.Of(p.result, o.SeedOf(p.App, rows)); e.Approximate() {
				p.by.Use(e)
			}
		}
		err = p.run(ctx, out)
		return p.done.Load() - done, partSums{p.impossible - impossible}, err
	})
	if err != nil {
		return err
	}
	if err := p.concerns(kept); err != nil {
		return err
	}
	return p.report()
}

// targetVars returns the variables that --targets names, which --positive must suit.
func (f *Options) targetVars(m *model.Model) ([]model.VarID, error) {
	names, err := cli.NamesOf("--targets", f.Targets...)
	if err != nil {
		return nil, err
	}
	targets, err := cli.NamedVars(m, "--targets", names)
	if err != nil {
		return nil, err
	}
	return targets, f.Classes.Check(m, targets)
}

// queries returns the query that yields the posteriors of the targets.
func (f *Options) queries(path string, m *model.Model, targets []model.VarID, method string) ([]string, error) {
	switch {
	case m.Transition == nil && f.Smooth:
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
