// Package slicing opens data files in which rows are slices of sequences: rows of one name are one
// sequence, in the order of the file, or of a column of times. A model remembers both columns of
// the rows that it was learned from.
package slicing

import (
	"cmp"
	"context"
	"slices"

	"github.com/spf13/pflag"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
	"github.com/pgmc-go/pgmc/learn/data/timeline"
	"github.com/pgmc-go/pgmc/learn/data/times"
)

// Flags say how rows are slices of sequences. After Open, Column and Time are the columns in use.
type Flags struct {
	Column              string // that names the sequence of a row; empty: the model's, or all rows are one
	Time, Format, Every string

	// Report says how Open ordered the rows; nil if it did not.
	Report *timeline.Report
}

// Columns are the columns that a model does not know and that Open took from its data.
func (f *Flags) Columns() []string { return []string{f.Column, f.Time} }

// AddTo adds the flags of times.
func (f *Flags) AddTo(fl *pflag.FlagSet) {
	fl.StringVar(&f.Time, "time", "", "of sequences: put the rows in the order of this `column` of times, with a slice without values for each time that is missing")
	fl.StringVar(&f.Format, "time-format", "", "how --time writes times, if its texts do not show it: day-first, month-first, unix (seconds since 1970), or a `format` such as %d.%m.%y")
	fl.StringVar(&f.Every, "every", "", "with --time: make slices of this `length`, as 15m, 1h, 1d or 1mo, with the mean of real variables and the last value of others")
}

// AddOfModel adds all flags, of a command that takes a model.
func (f *Flags) AddOfModel(fl *pflag.FlagSet) {
	fl.StringVar(&f.Column, "sequence-column", "", "of a model with a transition: the `column` that names the sequence of a row")
	f.AddTo(fl)
}

// Given reports whether a flag is given.
func (f *Flags) Given() bool { return f.Column != "" || f.timed() }

// timed reports whether a flag of times is given.
func (f *Flags) timed() bool { return f.Time != "" || f.Format != "" || f.Every != "" }

// Check returns a usage error if there are flags, or --two-slices, and the model at path has no
// transition.
func (f *Flags) Check(path string, m *model.Model, d *cli.DataFlags) error {
	switch {
	case m.Transition != nil:
		return nil
	case f.timed():
		return cli.Usagef("%s: the model has no transition from slice to slice; leave out --time, --time-format and --every", path)
	case f.Column != "":
		return cli.Usagef("%s: the model has no transition from slice to slice; leave out --sequence-column", path)
	}
	return d.CheckTwoSlices(path, m)
}

// Source is a data file, and what its columns are.
type Source struct {
	Path  string
	Flags *cli.DataFlags
	Part  cli.Part
	Model *model.Model // which has the variables and remembers columns; nil if there is none
	// Real and Numeric say which columns besides the model's hold real variables, as in
	// [rowfile.LoadOptions].
	Real    []string
	Numeric bool
	// Live says that each row is wanted when it comes, so that rows are put in order only if a flag
	// says so.
	Live bool
}

// Open opens a file. Its rows are in the order of time if a flag or the model names a column of
// times; otherwise reading them fails at a row that shows that they are not. It warns of columns
// that the model remembers and the file does not have, and of slices that are not one row.
func (f *Flags) Open(ctx context.Context, a *cli.App, s *Source) (*rowfile.Reader, error) {
	r, err := a.OpenData(ctx, s.Path, s.Flags, s.Part)
	if err != nil {
		return nil, err
	}
	if err := f.order(ctx, a, r, s); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// order is Open for a reader at its first row.
func (f *Flags) order(ctx context.Context, a *cli.App, r *rowfile.Reader, s *Source) error {
	opt, err := f.options(a, s)
	if err != nil {
		return err
	}
	var list diag.List
	if s.Flags.TwoSlices == "" {
		f.remembered(r, s, &list)
	}
	a.Warn(list.Warnings())
	if opt.Column, opt.Sequence = f.Time, f.Column; f.Time == "" {
		return timeline.Guard(r, f.Column, s.holds)
	}
	report, err := cli.Await(ctx, func() (*timeline.Report, error) { return timeline.Order(ctx, r, opt) })
	if err != nil {
		return err
	}
	f.Report = report
	a.Warn(warnings(r.Name(), report))
	return nil
}

// options returns the options of Order, without the columns. A step of the model, or of the rows
// that were opened first, is also the step of others.
func (f *Flags) options(a *cli.App, s *Source) (opt timeline.Options, err error) {
	opt = timeline.Options{Step: f.step(), MaxMem: int64(a.MaxMem), Real: s.real, Numeric: s.Numeric}
	switch t := s.transition(); {
	case f.timed() && s.Flags.TwoSlices != "":
		return opt, cli.Usagef("--two-slices: each row holds two slices, which are in order; leave out --time, --time-format and --every")
	case f.Time == "" && f.timed() && t.TimeColumn == "":
		return opt, cli.Usagef("--time-format and --every are about times; add --time COLUMN")
	case f.Time != "" && f.Time == f.Column:
		return opt, cli.Usagef("--time and --sequence-column are both %s; want one column with the times, and another that names sequences", cli.ShellQuote(f.Time))
	case f.Every != "":
		opt.Every = true
		if opt.Step, err = times.ParseStep(f.Every); err != nil {
			return opt, cli.Usagef("--every: %v", err)
		}
	case t.Step != "" && opt.Step == (times.Step{}):
		if opt.Step, err = times.ParseStep(t.Step); err != nil {
			return opt, diag.At(diag.Pos{File: s.Model.File}, diag.Errorf("the step of the transition: %v, or %v in its place", err, diag.Option{Name: "every", Value: "1h"}))
		}
	}
	if f.Format != "" {
		if opt.Format, err = times.ParseFormat(f.Format); err != nil {
			return opt, cli.Usagef("--time-format: %v", err)
		}
	}
	return opt, nil
}

// step returns the step of the rows that were opened last; no step if they have none.
func (f *Flags) step() times.Step {
	if f.Report == nil {
		return times.Step{}
	}
	return f.Report.Step
}

// transition returns the transition of the model, or an empty one.
func (s *Source) transition() *model.Transition {
	if s.Model == nil || s.Model.Transition == nil {
		return &model.Transition{}
	}
	return s.Model.Transition
}

// remembered sets the columns that no flag names to the model's, and warns if the file has none.
func (f *Flags) remembered(r *rowfile.Reader, s *Source, list *diag.List) {
	t := s.transition()
	pos := diag.Pos{File: r.Name()}
	switch {
	case f.Column != "" || t.SequenceColumn == "":
	case r.Has(t.SequenceColumn):
		f.Column = t.SequenceColumn
	default:
		list.Warnf(pos, "there is no column %q, which names sequences where the model was learned; all rows count as one sequence unless --sequence-column names a column", t.SequenceColumn)
	}
	switch {
	case f.Time != "" || t.TimeColumn == "":
	case s.Live && r.Has(t.TimeColumn):
		list.Warnf(pos, "rows are answered as they come; --time %s reads all of them first, and finds times that are missing", cli.ShellQuote(t.TimeColumn))
	case r.Has(t.TimeColumn):
		f.Time = t.TimeColumn
	default:
		list.Warnf(pos, "there is no column %q, which has the times where the model was learned; rows count in the order of the file unless --time names a column", t.TimeColumn)
	}
}

// holds reports whether the model has a variable of the name of a column.
func (s *Source) holds(column string) bool {
	if s.Model == nil {
		return false
	}
	_, ok := s.Model.VarByName(column)
	return ok
}

// real reports whether a column holds a real variable.
func (s *Source) real(column string) bool {
	if s.Model == nil {
		return slices.Contains(s.Real, column)
	}
	v, ok := s.Model.VarByName(column)
	return ok && s.Model.IsReal(v.ID) || slices.Contains(s.Real, column)
}

// warnings tells what slices are not one row of the file.
func warnings(name string, r *timeline.Report) []diag.Diagnostic {
	var list diag.List
	if r.Empty > 0 {
		list.Warnf(diag.Pos{File: name}, "slices of %s without a row, which count as unobserved: %d of %d", r.Every, r.Empty, r.Slices)
	}
	if r.Joined > 0 {
		list.Warnf(diag.Pos{File: name}, "slices of %s with several rows have the mean of real variables, and the last value of others: %d rows in %d slices", r.Every, r.Rows, r.Slices-r.Empty)
	}
	return list.Warnings()
}

// Remember returns m with the columns that Open used, and the step of the times. Without one of
// them, m keeps its own.
func (f *Flags) Remember(m *model.Model) *model.Model {
	if m.Transition == nil || f.Column == "" && f.Time == "" {
		return m
	}
	out, next := *m, *m.Transition
	next.SequenceColumn = cmp.Or(f.Column, next.SequenceColumn)
	if f.Time != "" {
		next.TimeColumn, next.Step = f.Time, ""
		if step := f.step(); step != (times.Step{}) {
			next.Step = step.String()
		}
	}
	out.Transition = &next
	return &out
}
