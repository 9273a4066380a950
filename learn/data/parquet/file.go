package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/parquet-go/parquet-go/format"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

const magic = "PAR1"

// File is an open Parquet file, a [data.Source].
type File struct {
	name    string
	in      io.ReaderAt
	size    int64
	closer  io.Closer
	limit   int64 // bytes of memory of a cursor
	columns []column
	meta    format.FileMetaData
}

// Open opens the file at path. Its description, and each of its cursors, take at most maxMem bytes
// of memory; 0 means [data.DefaultMaxMem].
func Open(path string, maxMem int64) (*File, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, wrong(path, err)
	}
	info, err := in.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("a Parquet file is read from its end; want a regular file and no pipe")
	}
	var f *File
	if err == nil {
		f, err = NewFile(path, in, info.Size(), maxMem)
	}
	if err != nil {
		in.Close()
		return nil, wrong(path, err)
	}
	f.closer = in
	return f, nil
}

// NewFile returns the Parquet file of size bytes that in has. Messages call it name.
func NewFile(name string, in io.ReaderAt, size, maxMem int64) (f *File, err error) {
	if maxMem == 0 {
		maxMem = data.DefaultMaxMem
	}
	f = &File{name: name, in: in, size: size, limit: maxMem}
	defer func() { err = wrong(name, recovered(recover(), err)) }()
	if err := f.open(); err != nil {
		return nil, err
	}
	return f, nil
}

// OpenReader opens the file at path as a reader of rows: a Parquet file by its name or its first
// bytes, and otherwise one of the formats of package data. The path of a folder or a pattern names
// all files that [rowfile.FindParts] finds.
func OpenReader(opt rowfile.ReadOptions, path string, maxMem int64) (*rowfile.Reader, error) {
	parts, err := rowfile.FindParts(path)
	if err != nil {
		return nil, err
	}
	open := func(opt rowfile.ReadOptions, path string) (*rowfile.Reader, error) {
		return openFile(opt, path, maxMem)
	}
	if parts != nil {
		return opt.NewPartsReader(path, parts, open)
	}
	return open(opt, path)
}

// openFile opens one file as a reader of rows.
func openFile(opt rowfile.ReadOptions, path string, maxMem int64) (*rowfile.Reader, error) {
	if !opt.IsParquet(path) {
		return opt.Open(path)
	}
	f, err := Open(path, maxMem)
	if err != nil {
		return nil, err
	}
	r, err := opt.NewSourceReader(path, f)
	if err != nil {
		f.Close()
		return nil, err
	}
	return r, nil
}

// open reads the footer.
func (f *File) open() error {
	var start, end [8]byte
	if f.size < int64(len(start)+len(end)) {
		return fmt.Errorf("the file has %d bytes; want a Parquet file", f.size)
	}
	if err := f.readAt(start[:], 0); err != nil {
		return err
	}
	if err := f.readAt(end[:], f.size-8); err != nil {
		return err
	}
	switch string(end[4:]) {
	case magic:
	case "PARE":
		return errors.New("the file is encrypted; want one that is not")
	default:
		return fmt.Errorf("the file ends with %q; want %q: it is no Parquet file, or a part of one", end[4:], magic)
	}
	if string(start[:4]) != magic {
		return fmt.Errorf("the file starts with %q; want %q, as Parquet files do", start[:4], magic)
	}
	n := int64(binary.LittleEndian.Uint32(end[:4]))
	switch {
	case n > f.size-12:
		return damaged("its footer has %d bytes of %d", n, f.size)
	case n > f.limit:
		return tooLarge("the footer", n, f.limit)
	}
	footer := make([]byte, n)
	if err := f.readAt(footer, f.size-8-n); err != nil {
		return err
	}
	if _, err := decode(footer, &f.meta, f.limit); err != nil {
		return inDamaged("its footer", err)
	}
	return f.check()
}

// readAt reads all of b.
func (f *File) readAt(b []byte, at int64) error {
	n, err := f.in.ReadAt(b, at)
	if n == len(b) {
		return nil
	}
	if err == io.EOF {
		err = damaged("it ends at byte %d", at+int64(n))
	}
	return err
}

// check checks the numbers of columns and rows of the row groups. Some writers leave out the number
// of all rows.
func (f *File) check() (err error) {
	leaves := 0
	if f.columns, leaves, err = columns(f.meta.Schema); err != nil {
		return damaged("%v", err)
	}
	if len(f.columns) == 0 {
		return errors.New("the file has no columns")
	}
	rows := int64(0)
	for i, g := range f.meta.RowGroups {
		switch {
		case len(g.Columns) != leaves:
			return damaged("row group %d has %d columns; want %d, as in the schema", i, len(g.Columns), leaves)
		case g.NumRows < 0 || g.NumRows > math.MaxInt64-rows:
			return damaged("row group %d has %d rows", i, g.NumRows)
		}
		rows += g.NumRows
	}
	return nil
}

// Columns returns the columns at the top of the schema.
func (f *File) Columns() []data.Column {
	var list []data.Column
	for _, c := range f.columns {
		list = append(list, data.Column{Name: c.name, Pos: diag.Pos{File: f.name}, Type: c.text, Alien: c.alien, Time: c.moment.unit > 0})
	}
	return list
}

// Groups returns the number of rows of each row group.
func (f *File) Groups() []int64 {
	list := make([]int64, len(f.meta.RowGroups))
	for i, g := range f.meta.RowGroups {
		list[i] = g.NumRows
	}
	return list
}

// Close closes the file.
func (f *File) Close() error {
	if f.closer == nil {
		return nil
	}
	return f.closer.Close()
}
