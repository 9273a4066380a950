package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/rows"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/rate"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// predictor goes through the rows of a file.
type predictor struct {
	app            *app
	file           string
	rows           *data.Reader
	model          *model.Model
	targets        []model.VarID
	skipImpossible bool
	ctx            context.Context // of its runs

	vars    []model.VarID // by variable of the data
	binding *data.Binding
	target  []int // by target: its place in vars
	engine  *infer.Engine
	known   *infer.Findings     // of the row at hand
	scores  []*rate.Predictions // by target; nil of real ones
	reals   []*rate.Values      // by target; nil of others
	done    atomic.Int64

	weighted   bool // a row has a weight other than 1
	unsettled  int  // rows on which an approximate method did not settle
	impossible int
	first      diag.Diagnostic // the first impossible row
}

// bind matches columns and variables, and says which are missing.
func (p *predictor) bind(unseenMissing bool) (err error) {
	unseen := data.UnseenError
	if unseenMissing {
		unseen = data.UnseenMissing
	}
	p.vars = rows.Observable(p.model)
	if p.binding, err = p.rows.Bind(data.VarsOf(p.model), unseen); err != nil {
		return err
	}
	var absent []string
	for i, v := range p.vars {
		if p.binding.Column[i] < 0 && !slices.Contains(p.targets, v) {
			absent = append(absent, strconv.Quote(p.model.Vars[v].Name))
		}
	}
	if absent != nil {
		const most = 10
		if more := len(absent) - most; more > 0 {
			absent = append(absent[:most], fmt.Sprintf("and %d more variables", more))
		}
		p.warn("there are no columns for %s, which count as unobserved", strings.Join(absent, ", "))
	}
	for _, t := range p.targets {
		p.target = append(p.target, slices.Index(p.vars, t))
		name := p.model.Vars[t].Name
		if p.model.IsReal(t) {
			p.scores, p.reals = append(p.scores, nil), append(p.reals, rate.NewValues(name))
		} else {
			p.scores, p.reals = append(p.scores, rate.NewPredictions(name, p.model.States(t))), append(p.reals, nil)
		}
	}
	return nil
}

// warn prints a warning about the file as a whole.
func (p *predictor) warn(format string, args ...any) {
	var list diag.List
	list.Warnf(diag.Pos{File: p.file}, format, args...)
	p.app.Warn(list.Warnings())
}

// run writes the rows with predictions, and ends with an error where some could not be.
func (p *predictor) run(ctx context.Context, out io.Writer) error {
	w := &lineWriter{out: out}
	if err := p.header(w); err != nil {
		return err
	}
	err := eachRow(ctx, p.rows, p.binding, len(p.vars), func(rec *data.Record, states []int) error { return p.row(w, rec, states) })
	if err := errors.Join(err, w.flush()); err != nil {
		return err
	}
	if p.weighted {
		p.warn("the weights of rows count in the summary, and are not in the output")
	}
	if p.unsettled > 0 {
		p.warn("the method has not settled on %d of %d rows, which have the predictions that it came to", p.unsettled, p.done.Load())
	}
	if p.impossible == 0 {
		return nil
	}
	return p.impossibleRows()
}

// impossibleRows reports rows of probability 0, as an error unless they were asked to pass.
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
	p.app.Warn(list.Warnings())
	return list.Err()
}

// row predicts the targets of one row.
func (p *predictor) row(w *lineWriter, rec *data.Record, states []int) error {
	defer p.done.Add(1)
	p.weighted = p.weighted || rec.Weight != 1
	p.known.Clear()
	for i, state := range states {
		switch v := p.vars[i]; {
		case state == data.Missing || slices.Contains(p.target, i):
		case p.model.IsReal(v):
			p.known.Value[v] = p.binding.Values[i]
		default:
			p.known.State[v] = state
		}
	}
	w.cells(rec)
	posteriors, err := p.posteriors()
	if errors.Is(err, infer.ErrImpossible) {
		p.noteImpossible(err, rec)
		for _, t := range p.targets {
			w.empty(len(p.columns(t)))
		}
		return w.end()
	}
	if err != nil {
		return cli.AtRow(rec.Pos, err)
	}
	for i, t := range p.targets {
		posterior := posteriors[i].Numbers()
		at := p.target[i]
		if p.model.IsReal(t) {
			w.numbers(posterior)
			if states[at] != data.Missing {
				p.reals[i].Add(posterior, p.binding.Values[at], rec.Weight)
			}
			continue
		}
		best := pgmrt.Argmax(posterior)
		w.numbers(posterior)
		w.text(p.model.States(t)[best])
		if truth := states[at]; truth != data.Missing {
			p.scores[i].Add(posterior, best, truth, rec.Weight)
		}
	}
	return w.end()
}

// posteriors returns those of the targets.
func (p *predictor) posteriors() ([]infer.Distribution, error) {
	if len(p.targets) == 1 && !p.engine.Approximate() {
		d, err := p.engine.Posterior(p.ctx, p.known, p.model.Vars[p.targets[0]].Name)
		if err != nil {
			return nil, err
		}
		return []infer.Distribution{*d}, nil
	}
	all, err := p.engine.Marginals(p.ctx, p.known)
	if err != nil {
		return nil, err
	}
	if all.Report != nil && !all.Report.Converged {
		p.unsettled++
	}
	list := make([]infer.Distribution, len(p.target))
	for i, at := range p.target {
		list[i] = all.List[at]
	}
	return list, nil
}

// noteImpossible counts rows of probability 0 and keeps the first.
func (p *predictor) noteImpossible(err error, rec *data.Record) {
	if p.impossible == 0 {
		p.first = diag.Diagnostic{Pos: rec.Pos, Msg: cli.Text(err)}
	}
	p.impossible++
}

// header writes the names of columns, old and new, which must not be the same.
func (p *predictor) header(w *lineWriter) error {
	w.comma = ','
	if p.rows.Format == data.CSV {
		w.comma = byte(p.rows.Comma)
	}
	old := map[string]bool{}
	for _, c := range p.rows.Columns {
		old[c.Name] = true
		w.text(c.Name)
	}
	add := func(name string) error {
		if old[name] {
			return diag.Diagnostic{Pos: p.rows.Columns[0].Pos, Msg: fmt.Sprintf("there is a column %q already; want another name, since predictions are called so", name)}
		}
		old[name] = true
		w.text(name)
		return nil
	}
	for _, t := range p.targets {
		for _, name := range p.columns(t) {
			if err := add(name); err != nil {
				return err
			}
		}
	}
	return w.end()
}

// columns names what is written of a target.
func (p *predictor) columns(t model.VarID) (names []string) {
	name := p.model.Vars[t].Name
	if p.model.IsReal(t) {
		return []string{"mean(" + name + ")", "var(" + name + ")"}
	}
	for _, s := range p.model.States(t) {
		names = append(names, "P("+name+"="+s+")")
	}
	return append(names, name+"_predicted")
}

// report shows how good the predictions are.
func (p *predictor) report() error {
	s := summary{Rows: p.done.Load(), Impossible: p.impossible}
	for i, x := range p.scores {
		if x == nil {
			s.Targets = append(s.Targets, p.reals[i].Report())
		} else {
			s.Targets = append(s.Targets, x.Report())
		}
	}
	if p.app.JSON {
		return p.app.PrintJSON(&s)
	}
	if p.app.Quiet {
		return nil
	}
	return s.print(p.app.Stderr)
}

// lineWriter writes lines of CSV.
type lineWriter struct {
	out   io.Writer
	comma byte
	b     []byte
	begun bool // something stands in the line
}

func (w *lineWriter) separate() {
	if w.begun {
		w.b = append(w.b, w.comma)
	}
	w.begun = true
}

func (w *lineWriter) text(s string) {
	w.separate()
	w.b = data.AppendCSV(w.b, s)
}

func (w *lineWriter) cells(rec *data.Record) {
	for _, c := range rec.Cells {
		w.text(c.Text)
	}
}

func (w *lineWriter) numbers(list []float64) {
	for _, x := range list {
		w.separate()
		w.b = rows.AppendNumber(w.b, x)
	}
}

func (w *lineWriter) empty(n int) {
	for range n {
		w.separate()
	}
}

// end ends the line, and hands over what is there once that is a lot.
func (w *lineWriter) end() error {
	w.b, w.begun = append(w.b, '\n'), false
	if len(w.b) < 1<<16 {
		return nil
	}
	return w.flush()
}

func (w *lineWriter) flush() error {
	_, err := w.out.Write(w.b)
	w.b = w.b[:0]
	return err
}
