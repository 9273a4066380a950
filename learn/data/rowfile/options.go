package rowfile

import (
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile/internal/format"
	"github.com/pgmc-go/pgmc/learn/data/rowfile/internal/plain"
	"github.com/pgmc-go/pgmc/learn/data/rowfile/internal/states"
)

// ReadOptions say how a file is read. The zero value is for a file with a header and a format that
// is found by its name or start.
type ReadOptions struct {
	Format Format

	// NoHeader says that the first line of separated values is a row. The columns are x0, x1, ...,
	// and Bind may match them by position, as in files of state numbers.
	NoHeader bool
	// Names names the columns of a file without a header. NoHeader must be set.
	Names []string
	// Separator separates values: ',', ';', '\t', '|', or ' ' for any number of blanks. If it is 0,
	// the file decides.
	Separator rune
	// Missing holds the texts that mark a missing value, besides an empty cell; nil:
	// DefaultMissing, in any case of letters. A state of a known variable is none, even if it has
	// such a name.
	Missing []string
	Columns []string // the columns to read, in the order of the file; nil: all
	Drop    []string // columns to leave out, as if the file did not have them
	// TwoSlices says that each row holds two slices of a sequence of its own, and holds the ends
	// of the names of columns: x0 and xt, or x_0 and x_t, for 0 and t are x in slice 0 and in the
	// next one. The reader has a column x and two records for each row. Nil: a row is one slice.
	TwoSlices []string
	// Rows reports whether to read the row with a number, from 0; nil: all rows. It is called once
	// for each row, in order.
	Rows func(row int) bool
	// Bad gets the rows that cannot be read, in order, and the rows are then left out. Nil: such a
	// row is an error.
	Bad func(RowError)

	meter *meter // of all parts, if the file is one; else nil
	part  bool   // the file is a part of a data set, to which Columns, TwoSlices and the like apply
}

// wants reports whether to read a column of a name.
func (o *ReadOptions) wants(name string) bool {
	return !slices.Contains(o.Drop, name) && (o.Columns == nil || slices.Contains(o.Columns, name))
}

// DefaultMissing returns the texts that mark a missing value unless options name others.
func DefaultMissing() []string { return states.DefaultMissing() }

// Open opens the file at path. Close the reader after use.
func (o ReadOptions) Open(path string) (*Reader, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, plain.Fail(diag.Pos{File: path}, plain.InFile(err))
	}
	count := o.meter
	if count == nil {
		count = &meter{}
		count.total.Store(sizeOf(file))
	}
	r, err := o.NewReader(path, metered{file, count})
	if err != nil {
		file.Close()
		return nil, err
	}
	r.file, r.meter = file, count
	return r, nil
}

// sizeOf returns the bytes of a regular file, and otherwise 0.
func sizeOf(file *os.File) int64 {
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	return info.Size()
}

// NewReader returns a reader of in at the first row. Messages call the file name.
func (o ReadOptions) NewReader(name string, in io.Reader) (*Reader, error) {
	text, err := plain.Open(name, in)
	if err != nil {
		return nil, err
	}
	r := &Reader{name: name, Format: o.Format, opt: o, marks: states.NewMarks(o.Missing)}
	if r.Format == Auto {
		r.Format = detect(name, text)
	}
	if r.Format == Parquet {
		return nil, diag.Diagnostic{Pos: diag.Pos{File: name}, Msg: "this is no Parquet file; want one, which starts with " + plain.ParquetMagic}
	}
	var f *format.File
	switch r.Format {
	case Libra:
		f, err = format.Libra(name, text)
	case ARFF:
		f, err = format.ARFF(name, text, o.Drop)
	case JSONLines:
		f, err = format.JSONLines(name, text)
	default:
		f, err = format.CSV(text, &format.CSVOptions{Name: name, NoHeader: o.NoHeader, Names: o.Names, Drop: o.Drop, Separator: o.Separator, Lenient: o.Bad != nil, Missing: r.marks.Has})
	}
	if err != nil {
		return nil, err
	}
	r.Columns, r.Comma, r.rows = f.Columns, f.Comma, f.Rows
	return r, r.begin()
}

// begin chooses the columns.
func (r *Reader) begin() error {
	r.raw.Cells = make([]data.Cell, len(r.Columns))
	if r.opt.part {
		return nil
	}
	if err := r.choose(); err != nil {
		return err
	}
	if r.opt.TwoSlices == nil {
		return nil
	}
	var err error
	r.Columns, r.pairs, err = pair(r.Columns, r.opt.TwoSlices)
	return err
}

// choose leaves out the columns that the options do not want.
func (r *Reader) choose() error {
	if r.opt.Columns == nil && r.opt.Drop == nil {
		return nil
	}
	wanted, err := r.named(r.opt.Columns)
	if err != nil {
		return err
	}
	dropped, err := r.named(r.opt.Drop)
	if err != nil {
		return err
	}
	var left []data.Column
	for i, c := range r.Columns {
		if !dropped[c.Name] && (r.opt.Columns == nil || wanted[c.Name]) {
			r.kept, left = append(r.kept, i), append(left, c)
		}
	}
	if left == nil {
		return diag.Diagnostic{Pos: r.Columns[0].Pos, Msg: "no column is left; want one at least"}
	}
	r.Columns = left
	r.rec.Cells = make([]data.Cell, len(left))
	return nil
}

// named returns the set of some names of columns. All must be columns of the file.
func (r *Reader) named(names []string) (map[string]bool, error) {
	known, set := r.names(), map[string]bool{}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, diag.Diagnostic{Pos: r.Columns[0].Pos, Msg: fmt.Sprintf("there is no column %q; found %s%s", name,
				plain.QuoteList(known), diag.DidYouMean(name, known))}
		}
		set[name] = true
	}
	return set, nil
}
