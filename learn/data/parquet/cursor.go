package parquet

import (
	"fmt"
	"io"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data"
)

// cursor reads columns of a row group in step.
type cursor struct {
	file      *File
	room      room
	readers   []reader
	byCol     []*reader // by column of the file; nil for those that are not read
	first     int64     // the number of the group's first row in the file, from 0
	row       int64     // the next row in the group
	rows      int64     // of the group
	at, ready int       // of the rows that Next has read ahead: the next, and how many
}

// Open returns a cursor at the first row of a row group.
func (f *File) Open(group int, columns []int) (_ data.Cursor, err error) {
	c := &cursor{file: f, byCol: make([]*reader, len(f.columns)), rows: f.meta.RowGroups[group].NumRows, room: room{limit: f.limit}}
	for _, g := range f.meta.RowGroups[:group] {
		c.first += g.NumRows
	}
	c.readers = make([]reader, len(columns))
	for i, number := range columns {
		r := &c.readers[i]
		r.column = &f.columns[number]
		if err := r.open(f, &c.room, group); err != nil {
			return nil, wrong(f.name, err)
		}
		c.byCol[number] = r
	}
	return c, nil
}

// Close releases the cursor.
func (c *cursor) Close() error {
	if c.room.zstd != nil {
		c.room.zstd.Close()
	}
	return nil
}

// Block reads the next rows of columns.
func (c *cursor) Block(columns []data.BlockColumn, most int) (n int, err error) {
	defer func() { err = wrong(c.file.name, recovered(recover(), err)) }()
	n = int(min(int64(most), c.rows-c.row))
	if n <= 0 {
		return 0, io.EOF
	}
	for i := range columns {
		b := &columns[i]
		r := c.byCol[b.Column]
		if r == nil {
			return 0, fmt.Errorf("the cursor does not read column %d", b.Column)
		}
		for at := 0; at < n; at += r.batch.rows {
			if err := r.next(n - at); err != nil {
				return 0, err
			}
			if b.Reals != nil {
				err = r.reals(b, at)
			} else {
				err = r.states(b, at)
			}
			if err != nil {
				return 0, damaged("column %q: %v", r.name, err)
			}
		}
	}
	c.row += int64(n)
	return n, nil
}

// Next reads the next row.
func (c *cursor) Next(rec *data.Record) (err error) {
	defer func() { err = wrong(c.file.name, recovered(recover(), err)) }()
	if c.at == c.ready {
		if err := c.readAhead(); err != nil {
			return err
		}
	}
	line := int(c.first+c.row) - c.ready + c.at + 1
	rec.Pos = diag.Pos{File: c.file.name, Line: line}
	for i, r := range c.byCol {
		cell := data.Cell{Unknown: true, Line: line}
		if r != nil {
			cell.Text, cell.Unknown = r.texts[c.at], r.null[c.at]
		}
		rec.Cells[i] = cell
	}
	c.at++
	return nil
}

// readAhead reads the texts of the next rows.
func (c *cursor) readAhead() error {
	n := int(min(batchRows, c.rows-c.row))
	if n == 0 {
		return io.EOF
	}
	for i := range c.readers {
		r := &c.readers[i]
		if r.texts == nil {
			r.texts, r.null = make([]string, batchRows), make([]bool, batchRows)
		}
		for at := 0; at < n; at += r.batch.rows {
			if err := r.next(n - at); err != nil {
				return err
			}
			if err := r.cells(at); err != nil {
				return damaged("column %q: %v", r.name, err)
			}
		}
	}
	c.at, c.ready = 0, n
	c.row += int64(n)
	return nil
}
