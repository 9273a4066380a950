package look

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/contents"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
	"github.com/pgmc-go/pgmc/learn/data/timeline"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// File describes a data file.
type File struct {
	Name       string   `json:"file"`
	Rows       int      `json:"rows"`
	Groups     int      `json:"row_groups,omitempty"` // of a Parquet file
	Incomplete int      `json:"incomplete_rows"`      // rows with a missing value
	Columns    []Column `json:"columns"`
	Headless   bool     `json:"headless,omitempty"` // the first line looks like a row
	Try        string   `json:"try,omitempty"`      // flags that remove the concerns
	Wanted     *Wanted  `json:"sample_size,omitempty"`
	// Order is how rows were put in the order of time; nil without --time.
	Order *timeline.Report `json:"order,omitempty"`
	// Missingness is what tests of missing values show; nil without --missingness.
	Missingness *rate.Missingness    `json:"missingness,omitempty"`
	Dependence  *contents.Dependence `json:"dependence,omitempty"` // nil with fewer than two columns to compare
	marks       []string             // that were given
	constants   []string             // real columns with one number in several rows
}

// Wanted is the number of rows that puts the share of an event within Error of its probability,
// except with a probability of at most Risk.
type Wanted struct {
	Error float64 `json:"error"`
	Risk  float64 `json:"risk"`
	Rows  float64 `json:"rows"`
}

// Want sets Wanted from the text of the flag --sample-size.
func (f *File) Want(text string) error {
	w := &Wanted{}
	a, b, _ := strings.Cut(text, ",")
	var err, failed error
	w.Error, err = strconv.ParseFloat(strings.TrimSpace(a), 64)
	w.Risk, failed = strconv.ParseFloat(strings.TrimSpace(b), 64)
	if errors.Join(err, failed) != nil {
		return cli.Usagef("--sample-size %q; want an error and the probability of a larger one, such as 0.05,0.01", text)
	}
	if w.Rows, err = rate.SampleSize(w.Error, w.Risk); err != nil {
		return cli.Usagef("--sample-size: %v", err)
	}
	f.Wanted = w
	return nil
}

// TestMissing sets Missingness, by the rows of the file at path. Columns of numbers that look like
// measurements are real variables.
func (f *File) TestMissing(ctx context.Context, a *cli.App, path string, flags *cli.DataFlags) error {
	if path == cli.Standard {
		return cli.Usagef("--missingness reads the rows a second time, which standard input does not allow; name a file")
	}
	set, err := a.LoadData(ctx, path, flags, cli.Train, rowfile.LoadOptions{Numeric: true, MaxMem: int64(a.MaxMem), Numbering: rowfile.NumberingColumns()})
	if err != nil {
		return err
	}
	if f.Missingness, err = rate.TestMissing(set); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// SetOrder sets Order to how rows were put in the order of a column of times: in a format that is
// known, so that the column has a first and a last time.
func (f *File) SetOrder(column string, order *timeline.Report) {
	f.Order = order
	for i := range f.Columns {
		if c := &f.Columns[i]; c.Name == column && c.From == "" {
			c.From, c.To, c.Concern, c.example = order.First, order.Last, "", ""
		}
	}
}

// Scan reads the rows of a file and describes them.
func Scan(ctx context.Context, r *rowfile.Reader) (*File, error) {
	f := &File{Name: r.Name(), Groups: r.Groups()}
	r.SkipAlien()
	var counters []*counter
	for _, c := range r.Columns {
		counters = append(counters, newCounter(c.Name, declares(r, c)))
	}
	sample := contents.NewSample(len(counters))
	var bad diag.List
	for !bad.Full() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rec, err := r.Next()
		if err == io.EOF {
			break
		}
		if r.Skip(err) {
			continue
		}
		if row := (rowfile.RowError{}); errors.As(err, &row) {
			bad.Errorf(row.Pos, "%s", row.Msg)
			continue
		} else if err != nil {
			return nil, err
		}
		f.Rows++
		if !countRow(r, rec, counters, sample) {
			f.Incomplete++
		}
	}
	f.finish(r, counters)
	if r.Numbers() {
		for i, name := range rowfile.NumberingColumns() {
			if c := &f.Columns[i]; c.Name == name {
				c.Concern, c.Unfit = Numbering, false
			}
		}
		f.Try = f.remedy()
	}
	f.describe(counters, sample)
	return f, bad.Err()
}

// countRow counts the values of a row, which the sample may keep. It reports whether the row has
// all of them.
func countRow(r *rowfile.Reader, rec *data.Record, counters []*counter, sample *contents.Sample) (whole bool) {
	kept := sample.Row()
	whole = true
	for i, cell := range rec.Cells {
		if r.Columns[i].Alien {
			continue
		}
		var v *contents.Value
		text := strings.TrimSpace(cell.Text)
		if !cell.Unknown {
			v = counters[i].again(text, 1)
		}
		if v == nil && r.IsMissing(&cell) {
			whole = false
			continue
		}
		if v == nil {
			v = counters[i].add(text, 1)
		}
		if kept != nil {
			sample.Put(kept, i, text, v)
		}
	}
	return whole
}

// describe adds the commonest values of columns and what a sample of rows shows: numbers of too
// many different values, and the dependence of columns.
func (f *File) describe(counters []*counter, sample *contents.Sample) {
	list := make([]contents.Column, len(counters))
	for i, c := range counters {
		x := &f.Columns[i]
		list[i] = contents.Column{Name: x.Name, Kind: x.grouping(), Numeric: x.numeric()}
		if x.Kind != Unread {
			x.Common = c.common()
		}
		if x.numeric() && x.More {
			x.Numbers = sample.Describe(i)
		}
	}
	f.Dependence = sample.Pairs(list)
}

// declares reports whether a file declares the states of a column, or has numbers of states.
func declares(r *rowfile.Reader, c data.Column) bool {
	return c.States != nil || r.Format == rowfile.Libra
}

// hasHeader reports whether the first line of the file was read as names of columns.
func hasHeader(r *rowfile.Reader) bool { return r.Named() && r.Format == rowfile.CSV }

// Of describes the rows of a set that r has read.
func Of(r *rowfile.Reader, set *data.Set) *File {
	f := &File{Name: r.Name(), Rows: set.Len()}
	declared := map[string]bool{}
	for _, c := range r.Columns {
		declared[c.Name] = declares(r, c)
	}
	incomplete := make([]bool, set.Len())
	var counters []*counter
	for v, x := range set.Vars {
		c := newCounter(x.Name, declared[x.Name] || x.Real)
		counters = append(counters, c)
		column := set.Column(v)
		counts := make([]int, max(1, len(x.States)))
		for row := range set.Len() {
			if s := column.At(row); s == data.Missing {
				incomplete[row] = true
			} else {
				counts[s]++
			}
		}
		for s, n := range counts {
			if n > 0 && !x.Real {
				c.add(x.States[s], n)
			}
		}
	}
	for _, x := range incomplete {
		if x {
			f.Incomplete++
		}
	}
	f.finish(r, counters)
	for v, x := range set.Vars {
		if x.Real && isConstant(set, v) {
			f.constants = append(f.constants, x.Name)
		}
	}
	return f
}

// isConstant reports whether the real variable v has one value in at least two rows.
func isConstant(set *data.Set, v int) bool {
	column, values, first, n := set.Column(v), set.Real(v), 0.0, 0
	for row := range set.Len() {
		if column.At(row) == data.Missing {
			continue
		}
		if n == 0 {
			first = values[row]
		} else if values[row] != first {
			return false
		}
		n++
	}
	return n > 1
}

// finish describes the columns and finds the flags that help.
func (f *File) finish(r *rowfile.Reader, counters []*counter) {
	header := 0
	f.marks = r.Missing()
	types := map[string]data.Column{}
	for _, c := range r.Columns {
		types[c.Name] = c
	}
	for _, c := range counters {
		c.Missing = f.Rows - c.present
		f.Columns = append(f.Columns, c.done())
		last := &f.Columns[len(f.Columns)-1]
		if last.Type = types[c.Name].Type; types[c.Name].Alien {
			last.Kind, last.Missing, last.Concern = Unread, 0, Alien
			continue
		}
		if types[c.Name].Time && last.Kind != Time {
			last.Kind, last.Concern, last.Unfit, last.Least, last.Most, last.Numbers = Time, "", false, nil, nil, nil
		}
		if !c.declared && c.Missing == f.Rows && f.Rows > 0 {
			f.Columns[len(f.Columns)-1].Concern = NoValues
		}
		if f.Columns[len(f.Columns)-1].header {
			header++
		}
	}
	f.Headless = hasHeader(r) && 2*header >= len(f.Columns) && header > 0
	f.Try = f.remedy()
}

// most is the number of columns that remedies list.
const most = 8

// remedy returns the flags that remove the concerns.
func (f *File) remedy() string {
	if f.Headless {
		return "--no-header"
	}
	var drop, bins []string
	missing := slices.Clone(f.marks)
	for i := range f.Columns {
		switch c := &f.Columns[i]; {
		case c.Concern == Unmarked:
			if !slices.Contains(missing, c.example) {
				missing = append(missing, c.example)
			}
		case c.Concern == TooFine && c.numeric():
			bins = append(bins, quote(c.Name)+"=5")
		case c.Concern != "" && c.Unfit || c.Concern == Identifier || c.Concern == TooFine || c.Concern == NoValues || c.Concern == Alien:
			drop = append(drop, quote(c.Name))
		}
	}
	var flags []string
	if len(missing) > len(f.marks) {
		flags = append(flags, missingFlag(missing))
	}
	if drop != nil {
		flags = append(flags, "--drop "+shell(strings.Join(drop, ",")))
	}
	switch {
	case len(bins) > most:
		flags = append(flags, "--bins 5")
	case bins != nil:
		flags = append(flags, "--bins "+shell(strings.Join(bins, ",")))
	}
	return strings.Join(flags, " ")
}

// missingFlag returns the flag that names the marks of missing values.
func missingFlag(marks []string) string {
	var names []string
	for _, m := range marks {
		names = append(names, quote(m))
	}
	return "--missing " + shell(strings.Join(names, ","))
}

// keepReal returns advice to keep numbers that have too many values for states; empty if there are
// none, or if the names of columns are rather values.
func (f *File) keepReal() string {
	if f.Headless {
		return ""
	}
	var names []string
	for i := range f.Columns {
		if c := &f.Columns[i]; c.Concern == TooFine && c.numeric() {
			names = append(names, quote(c.Name))
		}
	}
	switch {
	case names == nil:
		return ""
	case len(names) > most:
		names = []string{"*"}
	}
	return " (or --real " + shell(strings.Join(names, ",")) + " in place of --bins, to keep real numbers)"
}
