package data

import (
	"io"
	"os"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
)

// sourceRows reads the rows of a Source one by one.
type sourceRows struct {
	source  Source
	columns []int // those that are read
	group   int   // the next
	cursor  Cursor
}

// NewSourceReader returns a reader of the rows of a Source, at the first one. Messages call the
// file name, and the line of a position is the number of the row, from 1. Values are missing if
// they are null, NaN or an empty text; no mark such as NA is one unless Missing names it. Close of
// the reader closes the Source.
func (o ReadOptions) NewSourceReader(name string, s Source) (*Reader, error) {
	if o.NoHeader || o.Separator != 0 {
		return nil, diag.At(diag.Pos{File: name}, diag.Errorf("the file names its columns and has no separators; leave out %v and %v", diag.Option{Name: "no-header"}, diag.Option{Name: "separator"}))
	}
	if o.Missing == nil {
		o.Missing = []string{}
	}
	r := &Reader{name: name, Format: Parquet, Columns: s.Columns(), opt: o, marks: newMarks(o.Missing), file: s}
	if err := r.distinct("names of columns"); err != nil {
		return nil, err
	}
	r.src = &sourceRows{source: s}
	r.rows = r.src
	if err := r.begin(); err != nil {
		return nil, err
	}
	if r.src.columns = slices.Clone(r.kept); r.kept == nil {
		for i := range r.raw.Cells {
			r.src.columns = append(r.src.columns, i)
		}
	}
	return r, nil
}

func (s *sourceRows) next(rec *Record) error {
	for {
		if s.cursor == nil {
			if s.group == len(s.source.Groups()) {
				return io.EOF
			}
			var err error
			if s.cursor, err = s.source.Open(s.group, s.columns); err != nil {
				return err
			}
			s.group++
		}
		err := s.cursor.Next(rec)
		if err != io.EOF {
			return err
		}
		if err := s.cursor.Close(); err != nil {
			return err
		}
		s.cursor = nil
	}
}

// Source returns the Source that has the rows, or nil if the file holds text.
func (r *Reader) Source() Source {
	if r.src == nil {
		return nil
	}
	return r.src.source
}

// Known returns the number of rows in the file, and false if only reading tells it.
func (r *Reader) Known() (rows int64, ok bool) {
	if r.src == nil {
		return 0, false
	}
	for _, n := range r.src.source.Groups() {
		rows += n
	}
	return rows, true
}

// Only makes the reader leave out the other columns of a Source than those of the variables and
// those with the given names. The cells of the others are then missing. It has no effect on other
// files.
func (b *Binding) Only(names ...string) {
	r := b.r
	if r.src == nil || r.pairs != nil { // a column of a pair is two of the file
		return
	}
	r.src.columns = nil
	for i, c := range r.Columns {
		if !slices.Contains(b.Column, i) && !slices.Contains(names, c.Name) {
			continue
		}
		if r.kept != nil {
			i = r.kept[i]
		}
		r.src.columns = append(r.src.columns, i)
	}
}

// SkipAlien makes the reader leave out the columns of types that are not read. Their cells are then
// missing; without this call, they are an error.
func (r *Reader) SkipAlien() {
	if r.src != nil {
		columns := r.src.source.Columns()
		r.src.columns = slices.DeleteFunc(r.src.columns, func(i int) bool { return columns[i].Alien })
	}
}

// IsParquet reports whether the file at path is one of Parquet: by the format that the options
// name, by its name or, if that says nothing, by its first bytes.
func (o ReadOptions) IsParquet(path string) bool {
	if o.Format != Auto {
		return o.Format == Parquet
	}
	if f, ok := byExtension(path); ok {
		return f == Parquet && !strings.HasSuffix(strings.ToLower(path), ".gz")
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
	start := make([]byte, len(parquetMagic))
	_, err = io.ReadFull(in, start)
	return err == nil && string(start) == parquetMagic
}
