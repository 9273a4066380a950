package cli

import (
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/parquet"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// DataFlags are the flags of commands that read data files.
type DataFlags struct {
	Format, Separator      Choice
	NoHeader               bool
	Names                  []string // of the columns of a file without a header
	Columns, Drop, Missing []string
	Keep                   []string // of the columns that number slices, see [rowfile.Reader.Numbers]
	Split                  string   // empty: all rows
	TwoSlices              string   // the ends of the names of columns in rows of two slices; empty: a row is one
	Ordered                bool     // the order of rows matters
	BadRows                string   // fail, skip, or a file; empty is fail
}

// AddTo adds the flags to a command.
func (f *DataFlags) AddTo(cmd *cobra.Command) { f.add(cmd, cmd.Flags(), AddChoice) }

// AddPersistentTo adds the flags to the subcommands of a command.
func (f *DataFlags) AddPersistentTo(cmd *cobra.Command) {
	f.add(cmd, cmd.PersistentFlags(), AddPersistentChoice)
}

func (f *DataFlags) add(cmd *cobra.Command, fl *pflag.FlagSet, choice func(*cobra.Command, *Choice, string, string, ...string)) {
	choice(cmd, &f.Format, "data-format", "the format of the data; by name or content unless given", "auto", "csv", "jsonl", "data", "arff", "parquet")
	choice(cmd, &f.Separator, "separator", "what separates the values of a CSV file; by the first line unless given", "auto", "comma", "semicolon", "tab", "bar", "blank")
	fl.BoolVar(&f.NoHeader, "no-header", false, "the first line of the data is a row, and the columns are x0, x1, ...; if they are as many as the variables of the model, they are these in order")
	fl.StringArrayVar(&f.Names, "column-names", nil, "the first line of the data is a row, and the columns have these `names`, in order: A,B; repeatable")
	fl.StringArrayVar(&f.Columns, "columns", nil, "read these columns of the data alone: `A,B`; repeatable")
	fl.StringArrayVar(&f.Drop, "drop", nil, "leave out these columns of the data: `A,B`; repeatable")
	fl.StringVar(&f.BadRows, "bad-rows", "fail", "what becomes of rows of a wrong length, or with a value that is no state of its variable (unless --unseen missing): fail ends the command, skip leaves them out and counts them, and the name of a CSV `file` writes them there too, by part, row, column and text")
	fl.StringArrayVar(&f.Missing, "missing", nil, "the `texts` that mark a missing value, besides an empty cell; "+strings.Join(rowfile.DefaultMissing(), ",")+" in any case unless given, and none in Parquet, where null is missing")
}

// AddSplit adds --split, of a command that uses one part of the rows. usage says which.
func (f *DataFlags) AddSplit(fl *pflag.FlagSet, usage string) {
	fl.StringVar(&f.Split, "split", "", "divide the rows by --seed into parts of these `shares`, such as 0.8:0.2 or 0.8:0.1:0.1, of which the last is for tests; "+usage)
}

// AddTwoSlices adds --two-slices, of a command that reads sequences.
func (f *DataFlags) AddTwoSlices(fl *pflag.FlagSet) {
	fl.StringVar(&f.TwoSlices, "two-slices", "", "each row of the data holds two slices, a sequence of its own: the `suffixes` of the columns of slice 0 and of the next one, such as 0,t for x_0 and x_t")
}

// AddKeep adds --keep, of a command that leaves out the columns that number slices.
func (f *DataFlags) AddKeep(fl *pflag.FlagSet) {
	fl.StringArrayVar(&f.Keep, "keep", nil, "keep these `columns` of "+strings.Join(rowfile.NumberingColumns(), ",")+", which are left out if they number slices as pgmc sample writes them; repeatable")
}

// Numbering returns the columns to leave out if they number slices; none if --columns names some.
func (f *DataFlags) Numbering() ([]string, error) {
	kept, err := NamesOf("--keep", f.Keep...)
	switch {
	case err != nil:
		return nil, err
	case f.Columns != nil && kept != nil:
		return nil, Usagef("found both --columns and --keep; want one of them")
	case f.Columns != nil:
		return nil, nil
	}
	left := rowfile.NumberingColumns()
	for _, name := range kept {
		i := slices.Index(left, name)
		if i < 0 {
			return nil, Usagef("--keep: found the column %q; want some of %s, each once: others are not left out", name, strings.Join(rowfile.NumberingColumns(), ","))
		}
		left = slices.Delete(left, i, i+1)
	}
	return left, nil
}

// CheckTwoSlices refuses --two-slices for a model without a transition.
func (f *DataFlags) CheckTwoSlices(path string, m *model.Model) error {
	if f.TwoSlices != "" && m.Transition == nil {
		return Usagef("%s: the model has no transition from slice to slice; leave out --two-slices", path)
	}
	return nil
}

// Part is a part of the rows of a file that --split divides.
type Part uint8

// The parts.
const (
	Train Part = iota
	Test       // the last part
)

// options returns the flags as options of a reader.
func (f *DataFlags) options() (o rowfile.ReadOptions, err error) {
	o.Format = map[string]rowfile.Format{"auto": rowfile.Auto, "csv": rowfile.CSV, "jsonl": rowfile.JSONLines, "data": rowfile.Libra, "arff": rowfile.ARFF, "parquet": rowfile.Parquet}[f.Format.Value]
	o.Separator = map[string]rune{"comma": ',', "semicolon": ';', "tab": '\t', "bar": '|', "blank": ' '}[f.Separator.Value]
	o.NoHeader = f.NoHeader || f.Names != nil
	if f.TwoSlices != "" {
		first, next, err := suffixes("--two-slices", f.TwoSlices)
		if err != nil {
			return o, err
		}
		o.TwoSlices = []string{first, next}
	}
	if o.Names, err = NamesOf("--column-names", f.Names...); err != nil {
		return o, err
	}
	if o.Columns, err = NamesOf("--columns", f.Columns...); err != nil {
		return o, err
	}
	named := slices.DeleteFunc(slices.Clone(f.Drop), func(s string) bool { return s == "" })
	if o.Drop, err = NamesOf("--drop", named...); err != nil {
		return o, err
	}
	if len(named) < len(f.Drop) {
		o.Drop = append(o.Drop, "") // a column without a name
	}
	o.Missing, err = NamesOf("--missing", f.Missing...)
	return o, err
}

// Shares returns the shares of --split, which sum to 1; nil without the flag.
func (f *DataFlags) Shares() ([]float64, error) {
	if f.Split == "" {
		return nil, nil
	}
	var shares []float64
	sum := 0.0
	for _, text := range strings.Split(f.Split, ":") {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || !(x > 0 && x < 1) {
			return nil, f.wrongSplit()
		}
		shares, sum = append(shares, x), sum+x
	}
	if n := len(shares); n < 2 || n > 3 || sum < 1-1e-9 || sum > 1+1e-9 {
		return nil, f.wrongSplit()
	}
	return shares, nil
}

func (f *DataFlags) wrongSplit() error {
	return Usagef("--split %s: want the shares of two or three parts, whose sum is 1, such as 0.8:0.2", ShellQuote(f.Split))
}

// LoadData reads a data file into memory, or with --split the given part of it.
func (a *App) LoadData(ctx context.Context, path string, f *DataFlags, part Part, opt rowfile.LoadOptions) (*data.Set, error) {
	rows, err := a.OpenData(ctx, path, f, part)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	a.WarnColumns(rows, opt.Vars, []string{opt.Sequence})
	return Await(ctx, func() (*data.Set, error) { return rows.Load(opt) })
}

// OpenData opens a data file, and reads the given part of it with --split. The path - is standard
// input, from which reading ends with the context.
func (a *App) OpenData(ctx context.Context, path string, f *DataFlags, part Part) (*rowfile.Reader, error) {
	opt, err := f.options()
	if err != nil {
		return nil, err
	}
	shares, err := f.Shares()
	switch {
	case shares != nil && f.Ordered:
		return nil, Usagef("--split draws rows at random, and these are sequences, whose rows belong together")
	case err != nil:
		return nil, err
	case shares != nil && path == Standard:
		return nil, Usagef("--split counts the rows first, which standard input does not allow; name a file")
	}
	var rows []int
	if shares != nil {
		if rows, err = a.partOf(ctx, path, opt, shares, part); err != nil {
			return nil, err
		}
		opt.Rows = func(row int) bool { _, in := slices.BinarySearch(rows, row); return in }
	}
	if opt.Bad, err = a.leaveOut(path, f); err != nil {
		return nil, err
	}
	if path != Standard {
		r, err := Await(ctx, func() (*rowfile.Reader, error) { return parquet.OpenReader(opt, path, int64(a.MaxMem)) })
		switch a.known = 0; {
		case err != nil || opt.TwoSlices != nil:
		case rows != nil:
			a.known = int64(len(rows))
		default:
			a.known, _ = r.Known()
		}
		a.reads(r)
		return r, err
	}
	in, pipe := io.Pipe()
	go func() {
		_, err := io.Copy(pipe, a.Stdin)
		pipe.CloseWithError(err)
	}()
	context.AfterFunc(ctx, func() { pipe.CloseWithError(ctx.Err()) })
	return opt.NewReader(path, in)
}

// partOf returns the rows of a file that belong to a part, in ascending order.
func (a *App) partOf(ctx context.Context, path string, opt rowfile.ReadOptions, shares []float64, part Part) ([]int, error) {
	n, err := Await(ctx, func() (int, error) { return a.countRows(opt, path) })
	if err != nil {
		return nil, err
	}
	parts := data.Split(n, shares, a.Seed)
	rows := parts[0]
	if part == Test {
		rows = parts[len(parts)-1]
	}
	if len(rows) == 0 {
		return nil, Usagef("--split leaves a part of the %d rows empty; want larger shares or more rows", n)
	}
	return rows, nil
}

// countRows returns the number of rows of a file, those that cannot be read included.
func (a *App) countRows(opt rowfile.ReadOptions, path string) (n int, err error) {
	r, err := parquet.OpenReader(opt, path, int64(a.MaxMem))
	if err != nil {
		return 0, err
	}
	defer r.Close()
	a.reads(r)
	if known, ok := r.Known(); ok {
		return int(known), nil
	}
	for {
		var bad rowfile.RowError
		_, err := r.Next()
		switch {
		case err == io.EOF:
			return n, nil
		case err != nil && !errors.As(err, &bad):
			return n, err
		}
		n++
	}
}
