package predict

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/classes"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// predictor predicts the targets of the rows of a file.
type predictor struct {
	*cli.App
	file           string
	rows           *rowfile.Reader
	model          *model.Model
	targets        []model.VarID
	skipImpossible bool
	interval       float64 // probability of the intervals of real targets; 0 for none
	classes        *classes.Flags

	unseen rowfile.Unseen
	kept   []int    // the columns that are copied
	needed []string // columns that are read, besides those of variables

	binding *rowfile.Binding
	by      *rate.Predictor
	result  *compiler.Result // with the engine's programs
	slices  *slicePosteriors // of a model with a transition; else nil
	folds   *folds           // of --folds; else nil
	done    atomic.Int64

	weighted   bool // a row has a weight other than 1
	impossible int
	first      diag.Diagnostic // the first impossible row
}

// newPredictor returns a predictor of rows, of which the columns are matched with variables. It
// warns of columns without a variable and of variables without a column, except the targets and the
// columns that tell slices apart.
func newPredictor(a *cli.App, path string, rows *rowfile.Reader, m *model.Model, targets []model.VarID, f *Options) (p *predictor, err error) {
	p = &predictor{App: a, file: path, rows: rows, model: m, targets: targets, skipImpossible: f.Impossible.Value == "empty", interval: f.Interval, classes: &f.Classes}
	if f.Unseen.Value == "missing" {
		p.unseen = rowfile.UnseenMissing
	}
	if p.kept, err = f.Keep.Columns(rows, data.VarsOf(m)); err != nil {
		return nil, err
	}
	p.needed = f.Slices.Columns()
	for _, c := range p.kept {
		p.needed = append(p.needed, rows.Columns[c].Name)
	}
	except := f.Slices.Columns()
	for _, t := range targets {
		except = append(except, m.Vars[t].Name)
	}
	if err := p.bind(); err != nil {
		return nil, err
	}
	a.WarnPassing(rows, data.VarsOf(m), except)
	return p, nil
}

// bind matches columns with variables.
func (p *predictor) bind() (err error) {
	if p.binding, err = p.rows.Bind(data.VarsOf(p.model), p.unseen); err == nil {
		p.binding.Only(p.needed...)
	}
	return err
}

// warn prints a warning about the file as a whole.
func (p *predictor) warn(format string, args ...any) {
	var list diag.List
	list.Warnf(diag.Pos{File: p.file}, format, args...)
	p.Warn(list.Warnings())
}

// run writes the rows with predictions. It returns an error if rows have probability 0 and must
// not.
func (p *predictor) run(ctx context.Context, out *cli.ResultFile) error {
	w, err := out.NewRowWriter(p.rows, p.binding, data.VarsOf(p.model), p.kept, p.further(), true)
	if err != nil {
		return err
	}
	if p.slices == nil {
		err = p.blocks(ctx, w)
	} else if err = p.binding.Each(ctx, func(rec *data.Record, states []int) error { return p.slice(ctx, w, rec, states) }); err == nil {
		err = p.smoothed(ctx, w)
	}
	if err := errors.Join(err, w.Flush()); err != nil || p.impossible == 0 || p.skipImpossible {
		return err
	}
	return p.concerns(0)
}

// concerns warns of what is special about the rows, besides those of files that an earlier run
// wrote. It returns an error if rows have probability 0 and must not.
func (p *predictor) concerns(kept int64) error {
	switch {
	case kept > 0:
		p.warn("the summary leaves out the %d rows of the files that were kept", kept)
	case p.done.Load() == 0:
		p.warn("there are no rows; want some below the names of the columns")
	}
	if p.weighted {
		p.warn("the weights of rows count in the summary, and are not in the output")
	}
	if p.by.Unsettled > 0 {
		p.warn("the method did not converge on %d of %d rows; their predictions are those of its last iteration", p.by.Unsettled, p.done.Load())
	}
	if p.impossible == 0 {
		return nil
	}
	return p.impossibleRows()
}

// impossibleRows reports rows of probability 0: as a warning if they are allowed, and otherwise as
// an error.
func (p *predictor) impossibleRows() error {
	var list diag.List
	report := list.Errorf
	if p.skipImpossible {
		report = list.Warnf
	}
	count := "the only such row"
	if p.impossible > 1 {
		count = fmt.Sprintf("the first of %d such rows", p.impossible)
	}
	report(p.first.Pos, "%s; it is %s", p.first.Msg, count)
	p.Warn(list.Warnings())
	return list.Err()
}

// blocks predicts the targets of all rows, on all cores unless the engine depends on the row, and
// writes them.
func (p *predictor) blocks(ctx context.Context, w *cli.RowWriter) error {
	states, values := make([]int, len(p.binding.Column)), make([]float64, len(p.binding.Column))
	opt := rowfile.BlockOptions{Cores: p.by.Cores(p.App.Cores()), Cells: p.kept != nil}
	if p.folds == nil {
		opt.Work = func(core int, k *rowfile.Block) (err error) {
			k.Scratch, err = p.by.Predict(ctx, core, k)
			return err
		}
	}
	opt.Then = func(k *rowfile.Block) error {
		p.weighted = p.weighted || k.Weights != nil
		for row := range k.Rows {
			if err := ctx.Err(); err != nil {
				return err
			}
			k.Row(row, states, values)
			var x rate.Prediction
			if p.folds != nil {
				p.by.Use(p.folds.engine(int(p.done.Load())))
				x.Posteriors, x.Err = p.by.Row(ctx, states, values, k.Weight(row))
			} else if x = k.Scratch.([]rate.Prediction)[row]; x.Err == nil {
				p.by.Compare(x.Posteriors, states, values, k.Weight(row))
			}
			rec := &data.Record{Cells: k.Cells(row), Pos: k.Pos(row), Weight: k.Weight(row)}
			if err := p.write(w, rec, x.Posteriors, x.Err); err != nil {
				return err
			}
		}
		return nil
	}
	return p.binding.EachBlock(ctx, opt)
}

// write writes a row with the posteriors of the targets, or without them if err says that it is
// impossible.
func (p *predictor) write(w *cli.RowWriter, rec *data.Record, posteriors []infer.Distribution, err error) error {
	defer p.done.Add(1)
	w.Copy(rec.Cells)
	if errors.Is(err, infer.ErrImpossible) {
		p.noteImpossible(err, rec)
		for _, t := range p.targets {
			w.Empty(len(p.columns(t)))
		}
		return w.End()
	}
	if err != nil {
		return cli.AtRow(rec.Pos, err)
	}
	for i, t := range p.targets {
		posterior := posteriors[i].Numbers()
		if states := p.model.States(t); states != nil {
			w.Probabilities(posterior)
			w.Text(states[p.by.State(i, posterior)])
			continue
		}
		w.Numbers(posterior)
		if p.interval > 0 && p.model.IsReal(t) {
			low, high := rate.Interval(posterior, p.interval)
			w.Numbers([]float64{low, high})
		}
	}
	return w.End()
}

// noteImpossible counts rows of probability 0 and keeps the first.
func (p *predictor) noteImpossible(err error, rec *data.Record) {
	if p.first.Msg == "" {
		p.first = diag.Diagnostic{Pos: rec.Pos, Msg: cli.Text(err)}
	}
	p.impossible++
}

// further returns the new columns.
func (p *predictor) further() (list []data.Output) {
	for _, t := range p.targets {
		for _, name := range p.columns(t) {
			list = append(list, data.Output{Name: name, Kind: data.Reals})
		}
		if p.model.States(t) != nil { // the last names a state
			list[len(list)-1].Kind = data.Texts
		}
	}
	return list
}

// columns returns the names of the new columns of a target.
func (p *predictor) columns(t model.VarID) (names []string) {
	name, states := p.model.Vars[t].Name, p.model.States(t)
	if states == nil {
		for _, part := range p.model.Vars[t].Domain.Parts() {
			names = append(names, part+"("+name+")")
		}
		if p.interval > 0 {
			names = append(names, "low("+name+")", "high("+name+")")
		}
		return names
	}
	for _, s := range states {
		names = append(names, "P("+name+"="+s+")")
	}
	return append(names, name+"_predicted")
}

// report prints the measures of the predictions.
func (p *predictor) report() error {
	s := summary{Rows: p.done.Load(), Impossible: p.impossible}
	for _, r := range p.by.Report() {
		t := target{PredictionReport: r, Classes: classes.Of(&r), Decision: p.classes.Decide(&r)}
		s.Targets = append(s.Targets, t)
		if text := classes.Imbalance(&r, t.Classes); text != "" && !p.classes.Given() {
			p.warn("%s; --positive and --cost choose a threshold by what mistakes cost", text)
		}
	}
	if p.folds != nil {
		s.Folds = len(p.folds.engines)
	}
	if p.JSON {
		return p.PrintJSON(&s)
	}
	if p.Quiet || s.Rows == 0 {
		return nil
	}
	return s.print(p.Stderr)
}
