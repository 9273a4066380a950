package timeline

import (
	"context"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
	"github.com/pgmc-go/pgmc/learn/data/times"
)

// Options say how rows are put in order.
type Options struct {
	Column   string        // the times
	Format   *times.Format // nil: the one that the texts of the column show
	Sequence string        // the column that names sequences; empty: all rows are one
	// Step is the step from one slice to the next. Rows that are nearer to each other, or not a
	// multiple of it apart, are joined. No step: the one that the times show.
	Step times.Step
	// Every makes slices of the length Step, which begin at multiples of it after the start of the
	// day, month or year of the first row, even if the rows themselves are such steps apart.
	Every bool
	// Real reports whether a column holds a real variable, of which joined rows have the mean.
	Real func(column string) bool
	// Numeric says that columns of numbers that look like measurements are real too, as
	// [rowfile.LoadOptions] does.
	Numeric bool
	MaxMem  int64 // maximal bytes of the rows and of the slices; 0: data.DefaultMaxMem
}

// Report says what Order found.
type Report struct {
	Step      times.Step `json:"-"`              // no step if no sequence has two rows
	Every     string     `json:"step,omitempty"` // Step as text; empty if there is none
	Rows      int        `json:"rows"`
	Sequences int        `json:"sequences"`
	Slices    int64      `json:"slices"`
	Empty     int64      `json:"empty_slices"` // slices without a row
	Joined    int        `json:"joined_rows"`  // rows beyond the first of their slice
	Moved     int        `json:"moved_rows"`   // rows of an earlier time than a row before them of their sequence
	First     string     `json:"first"`        // the least time
	Last      string     `json:"last"`

	format *times.Format
}

// Order reads the rows that are left of r, and makes r return them in order. Its column of times is
// no variable from then on, unless it is one of a known model.
func Order(ctx context.Context, r *rowfile.Reader, opt Options) (*Report, error) {
	o := &orderer{Options: opt, r: r, rows: newRows(len(r.Columns))}
	if o.MaxMem == 0 {
		o.MaxMem = data.DefaultMaxMem
	}
	var err error
	if o.time, err = r.Find(opt.Column); err != nil {
		return nil, err
	}
	if o.names, err = r.SequenceNames(opt.Sequence); err != nil {
		return nil, err
	}
	if err := o.read(ctx); err != nil {
		return nil, err
	}
	o.sort()
	if err := o.place(); err != nil {
		return nil, err
	}
	if o.report.Step = o.Step; o.Step != (times.Step{}) {
		o.report.Every = o.Step.String()
	}
	o.report.format = o.Format
	r.Columns[o.time].Time = true
	r.Rearrange((&writer{orderer: o}).next)
	return &o.report, nil
}

// orderer is the state of Order.
type orderer struct {
	Options
	r      *rowfile.Reader
	names  *rowfile.SequenceNames
	time   int // the column
	rows   *rows
	of     []*sequenceRows
	joins  bool   // rows are joined
	real   []bool // by column, if they are
	report Report
}

// sequenceRows is a sequence of rows.
type sequenceRows struct {
	name  string
	rows  []int // their numbers, in the order of time once they are sorted
	at    []times.Time
	slice []int64    // by place in rows: the slice, from 0
	start times.Time // where slice 0 begins
}

// badRow returns the error of a row in a column.
func (o *orderer) badRow(row, column int, format string, args ...any) error {
	return diag.At(o.rows.pos(row, column), diag.Errorf(format, args...))
}

// timeText returns the text of the time of a row.
func (o *orderer) timeText(row int) string { return o.rows.cell(row, o.time).Text }

// After returns the time n steps after the time that a text is, in its form. It is empty if there
// is no step.
func (r *Report) After(text string, n int64) string {
	if r.Every == "" {
		return ""
	}
	at, ok := r.format.Parse(strings.TrimSpace(text))
	if !ok {
		return ""
	}
	return r.Step.After(at, n).Like(strings.TrimSpace(text), r.format)
}

// StepText returns the step after " of ", and nothing if there is none.
func (r *Report) StepText() string {
	if r.Every == "" {
		return ""
	}
	return " of " + r.Every
}
