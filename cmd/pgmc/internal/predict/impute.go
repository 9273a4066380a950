package predict

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"sync/atomic"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/slicing"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
	"github.com/pgmc-go/pgmc/learn/rate"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// ImputeOptions are the flags of pgmc impute.
type ImputeOptions struct {
	cli.ModelFlags
	cli.MethodFlags
	By     cli.Choice // best or sample
	Unseen cli.Choice
	Data   cli.DataFlags
	Slices slicing.Flags // of a model with a transition
	Out    cli.RowsOut
}

// imputer fills the missing cells of rows.
type imputer struct {
	*cli.App
	rows    *rowfile.Reader
	unseen  rowfile.Unseen
	binding *rowfile.Binding
	engine  *infer.Engine
	result  *compiler.Result // with the engine's programs
	by      *rate.Predictor  // turns rows into evidence
	draw    bool
	slices  *slicing.Flags
	vars    []*model.Var // by place in a row
	numbers []*intervals // the same

	weighted bool
	done     atomic.Int64
	filled   imputed
}

// imputed counts the filled cells.
type imputed struct {
	Rows   int64 `json:"rows"`
	Filled int64 `json:"filled_rows"`
	Cells  int64 `json:"filled_cells"`
}

// Impute fills the missing cells of the file dataPath by the model at path.
func Impute(ctx context.Context, a *cli.App, path, dataPath string, f *ImputeOptions) error {
	if err := f.Out.Check(&f.Data); err != nil {
		return err
	}
	m, opt, err := a.LoadWithOptions(ctx, path, &f.ModelFlags)
	if err != nil {
		return err
	}
	if err := f.Slices.Check(path, m, &f.Data); err != nil {
		return err
	}
	f.Data.Ordered = m.Transition != nil
	if err := f.Out.Check(&f.Data); err != nil {
		return err
	}
	i := &imputer{App: a, draw: f.By.Value == "sample", slices: &f.Slices}
	opt.Method = f.MethodFlags.Options(&opt)
	if opt.Queries, err = i.queries(path, m, opt.MethodName()); err != nil {
		return err
	}
	if i.rows, err = openRows(ctx, a, dataPath, m, cli.Train, &f.Data, &f.Slices); err != nil {
		return err
	}
	defer i.rows.Close()
	if f.Unseen.Value == "missing" {
		i.unseen = rowfile.UnseenMissing
	}
	if i.binding, err = i.rows.Bind(data.VarsOf(m), i.unseen); err != nil {
		return err
	}
	a.WarnPassing(i.rows, data.VarsOf(m), f.Slices.Columns())
	defer a.Progress("filling "+filepath.Base(dataPath), i.done.Load).Stop()
	r, err := a.Compile(ctx, path, m, opt, nil)
	if err != nil {
		return err
	}
	i.engine, i.result = infer.Of(r, a.Seed), r
	i.by, i.vars = rate.NewPredictor(i.engine), i.engine.Vars()
	if err := i.findNumbers(ctx, dataPath, &f.Data, m); err != nil {
		return err
	}
	sums, _, err := cli.WriteRows(ctx, a, i.rows, &f.Out, m, func(rows *rowfile.Reader, out *cli.ResultFile) (n int64, sum imputed, err error) {
		if f.Out.Folder() {
			i.engine = infer.Of(r, f.Out.SeedOf(a, rows))
		}
		err = i.run(ctx, rows, out)
		return i.filled.Rows, i.filled, err
	})
	if err != nil {
		return err
	}
	i.filled = sumOf(sums)
	return i.report(dataPath)
}

// queries returns the query that fills cells.
func (i *imputer) queries(path string, m *model.Model, method string) ([]string, error) {
	word, err := cli.PosteriorQuery(method)
	switch {
	case m.Transition != nil && i.draw:
		return []string{"trajectory"}, nil
	case m.Transition != nil:
		return []string{"smooth"}, nil
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, err)
	case word != "" && i.draw:
		return nil, fmt.Errorf("%s: method %s draws no completions; leave out --method, or fill in by best", path, method)
	case word != "":
		return []string{word}, nil
	case i.draw:
		return []string{"sample"}, nil
	}
	return []string{"marginals"}, nil
}

// sumOf adds up the numbers of filled cells.
func sumOf(list []imputed) (all imputed) {
	for _, x := range list {
		all.Rows += x.Rows
		all.Filled += x.Filled
		all.Cells += x.Cells
	}
	return all
}

// run writes rows with their missing cells filled.
func (i *imputer) run(ctx context.Context, rows *rowfile.Reader, out *cli.ResultFile) (err error) {
	i.rows, i.filled = rows, imputed{}
	if i.binding, err = rows.Bind(data.VarsOf(i.engine.Model()), i.unseen); err != nil {
		return err
	}
	vars := data.VarsOf(i.engine.Model())
	w, err := out.NewRowWriter(rows, i.binding, vars, cli.AllColumns(rows, vars), nil, rows.Named())
	if err != nil {
		return err
	}
	if i.engine.Model().Transition != nil {
		err = i.sequences(ctx, w)
	} else {
		err = i.binding.Each(ctx, func(rec *data.Record, states []int) error { return i.row(ctx, w, rec, states) })
	}
	return errors.Join(err, w.Flush())
}

// row writes one row.
func (i *imputer) row(ctx context.Context, w *cli.RowWriter, rec *data.Record, states []int) error {
	i.weighted = i.weighted || rec.Weight != 1
	if i.missing(states) > 0 {
		values, err := i.values(ctx, i.by.Evidence(states, i.binding.Values))
		if errors.Is(err, infer.ErrImpossible) {
			return diag.Diagnostic{Pos: rec.Pos, Msg: cli.Text(err)}
		} else if err != nil {
			return cli.AtRow(rec.Pos, err)
		}
		i.fill(rec, states, values)
	}
	return i.write(w, rec)
}

// missing returns the number of cells that a row misses.
func (i *imputer) missing(states []int) (n int) {
	for v, c := range i.binding.Column {
		if c >= 0 && states[v] == data.Missing {
			n++
		}
	}
	return n
}

// fill sets the cells that a row misses to values of their variables.
func (i *imputer) fill(rec *data.Record, states []int, values []model.Value) {
	for v, c := range i.binding.Column {
		if c >= 0 && states[v] == data.Missing {
			rec.Cells[c].Text, rec.Cells[c].Unknown = i.text(v, values[v]), false
		}
	}
	i.filled.Filled++
	i.filled.Cells += int64(i.missing(states))
}

// write writes a row.
func (i *imputer) write(w *cli.RowWriter, rec *data.Record) error {
	i.done.Add(1)
	i.filled.Rows++
	w.Copy(rec.Cells)
	return w.End()
}

// values returns a value of each variable given the others: the most probable state and the mean of
// its own posterior, or a draw of all together.
func (i *imputer) values(ctx context.Context, known *infer.Findings) ([]model.Value, error) {
	if i.draw {
		for row, err := range i.engine.Values(ctx, known) {
			return row, err
		}
	}
	all, err := i.engine.Marginals(ctx, known)
	if err != nil {
		return nil, err
	}
	return i.best(all), nil
}

// best returns the most probable state, or the mean, of each variable.
func (i *imputer) best(all *infer.Marginals) []model.Value {
	list := make([]model.Value, len(i.vars))
	for v := range i.vars {
		posterior := &all.List[v]
		if i.real(v) {
			list[v].Real = posterior.Mean
		} else {
			list[v].State = pgmrt.Argmax(posterior.P)
		}
	}
	return list
}

// real reports whether the variable with a place is real.
func (i *imputer) real(v int) bool { return i.engine.Model().IsReal(i.vars[v].ID) }

// text returns a value as text.
func (i *imputer) text(v int, x model.Value) string {
	if i.real(v) {
		return strconv.FormatFloat(x.Real, 'g', -1, 64)
	}
	if !i.rows.Named() && i.rows.Format == rowfile.Libra {
		return strconv.Itoa(x.State)
	}
	name := i.engine.Model().States(i.vars[v].ID)[x.State]
	if n := i.numbers[v]; n != nil {
		return n.text(x.State, name)
	}
	return name
}

// report prints the numbers of filled cells.
func (i *imputer) report(path string) error {
	var list diag.List
	if i.weighted {
		list.Warnf(diag.Pos{File: path}, "the weights of rows are not in the output")
	}
	i.Warn(list.Warnings())
	if i.JSON {
		return i.PrintJSON(&i.filled)
	}
	if i.Quiet {
		return nil
	}
	_, err := fmt.Fprintf(i.Stderr, "filled %d cells in %d of %d rows\n", i.filled.Cells, i.filled.Filled, i.filled.Rows)
	return err
}
