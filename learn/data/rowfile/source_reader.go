package rowfile

import (
	"io"
	"os"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile/internal/format"
	"github.com/pgmc-go/pgmc/learn/data/rowfile/internal/plain"
	"github.com/pgmc-go/pgmc/learn/data/rowfile/internal/states"
)

// sourceRows reads the rows of a Source one by one.
type sourceRows struct {
	source data.Source
	*projection
	group  int // the next
	cursor data.Cursor
	meter  *meter // counts the rows
}

// projection says which columns are read of a file that allows to leave out others, and how many
// rows there are.
type projection struct {
	all     []data.Column
	read    []int // numbers in all
	rows    int64
	unknown bool // rows are not all that there are
	groups  int
	further map[string]bool // the columns that the first of several files does not have
}

// readAll makes the reader read all columns that the options choose.
func (r *Reader) readAll() {
	if r.project.read = slices.Clone(r.kept); r.kept == nil {
		for i := range r.raw.Cells {
			r.project.read = append(r.project.read, i)
		}
	}
}

// leave leaves out a column.
func (p *projection) leave(column int) {
	p.read = slices.DeleteFunc(p.read, func(i int) bool { return i == column })
}

// NewSourceReader returns a reader of the rows of a Source, at the first one. Messages call the
// file name, and the line of a position is the number of the row, from 1. Values are missing if
// they are null, NaN or an empty text; no mark such as NA is one unless Missing names it. Close of
// the reader closes the Source.
func (o ReadOptions) NewSourceReader(name string, s data.Source) (*Reader, error) {
	if o.NoHeader || o.Separator != 0 {
		return nil, diag.At(diag.Pos{File: name}, diag.Errorf("the file names its columns and has no separators; leave out %v and %v", diag.Option{Name: "no-header"}, diag.Option{Name: "separator"}))
	}
	if o.Missing == nil {
		o.Missing = []string{}
	}
	rows := &sourceRows{source: s, projection: &projection{all: s.Columns(), groups: len(s.Groups())}}
	for _, n := range s.Groups() {
		rows.rows += n
	}
	if rows.meter = o.meter; rows.meter == nil {
		rows.meter = &meter{}
		rows.meter.total.Store(rows.rows)
	}
	r := &Reader{name: name, meter: rows.meter, Format: Parquet, Columns: rows.all, opt: o, marks: states.NewMarks(o.Missing), rows: rows, project: rows.projection, file: s}
	if err := format.Distinct(r.Columns, o.Drop, false, "names of columns"); err != nil {
		return nil, err
	}
	if err := r.begin(); err != nil {
		return nil, err
	}
	r.readAll()
	return r, nil
}

// Next returns the next row of a Source.
func (s *sourceRows) Next(rec *data.Record) error {
	for {
		if s.cursor == nil {
			if s.group == len(s.source.Groups()) {
				return io.EOF
			}
			var err error
			if s.cursor, err = s.source.Open(s.group, s.read); err != nil {
				return err
			}
			s.group++
		}
		err := s.cursor.Next(rec)
		if err != io.EOF {
			s.meter.add(1)
			return err
		}
		if err := s.cursor.Close(); err != nil {
			return err
		}
		s.cursor = nil
	}
}

// Known returns the number of rows, and false if only reading tells it.
func (r *Reader) Known() (rows int64, ok bool) {
	if r.project == nil || r.project.unknown {
		return 0, false
	}
	return r.project.rows, true
}

// Groups returns the number of groups in which the rows of Sources lie, and 0 for other files.
func (r *Reader) Groups() int {
	if r.project == nil {
		return 0
	}
	return r.project.groups
}

// Only makes the reader leave out the other columns of a Source than those of the variables and
// those with the given names. The cells of the others are then missing. It has no effect on other
// files.
func (b *Binding) Only(names ...string) {
	r := b.r
	if r.project == nil || r.pairs != nil { // a column of a pair is two of the file
		return
	}
	r.project.read = nil
	for i, c := range r.Columns {
		if !slices.Contains(b.Column, i) && !slices.Contains(names, c.Name) && !r.watches(i) {
			continue
		}
		if r.kept != nil {
			i = r.kept[i]
		}
		r.project.read = append(r.project.read, i)
	}
}

// SkipAlien makes the reader leave out the columns of types that are not read. Their cells are then
// missing; without this call, they are an error.
func (r *Reader) SkipAlien() {
	if r.project != nil {
		r.project.read = slices.DeleteFunc(r.project.read, func(i int) bool { return r.project.all[i].Alien })
	}
}

// IsParquet reports whether the file at path is one of Parquet: by the format that the options
// name, by its name, or by its first bytes.
func (o ReadOptions) IsParquet(path string) bool {
	if o.Format != Auto {
		return o.Format == Parquet
	}
	if f, _ := byExtension(path); f == Parquet {
		return !strings.HasSuffix(strings.ToLower(path), ".gz")
	}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	in, err := os.Open(path)
	if err != nil {
		return false
	}
	defer in.Close()
	start := make([]byte, len(plain.ParquetMagic))
	_, err = io.ReadFull(in, start)
	return err == nil && string(start) == plain.ParquetMagic
}
