package data

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
)

// Format is a file format of data.
type Format uint8

// The formats.
const (
	Auto  Format = iota // by the name of the file, or where that says nothing, by its start
	CSV                 // separated values with a header
	Libra               // numbers of states without a header
	ARFF                // Weka's attribute-relation file format
)

// Column is a column of a file.
type Column struct {
	Name   string
	States []string // as the file declares them, in its order; nil where it does not
	Pos    diag.Pos // where the file names it
	zero   string   // the value of a sparse row that leaves it out; empty where it may not
}

// Cell is one value as it stands in a file, without quotes.
type Cell struct {
	Text      string
	Unknown   bool // marked as missing in a way that no state can be spelled
	Line, Col int
}

// Record is one row of a file.
type Record struct {
	Cells  []Cell  // by column
	Weight float64 // 1 where the file gives none
	Pos    diag.Pos
}

// Reader reads the rows of a file.
type Reader struct {
	Columns []Column
	Format  Format
	Comma   rune // the separator of a CSV file

	name string
	rows interface{ next(*Record) error }
	rec  Record
	err  error // why no further row can be read
	file io.Closer
}

// Open opens the file at path; close the reader after use.
func Open(path string, format Format) (*Reader, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fail(diag.Pos{File: path}, inFile(err))
	}
	r, err := NewReader(path, file, format)
	if err != nil {
		file.Close()
		return nil, err
	}
	r.file = file
	return r, nil
}

// NewReader reads from in, which messages call name, up to the first row.
func NewReader(name string, in io.Reader, format Format) (*Reader, error) {
	text, err := plain(name, in)
	if err != nil {
		return nil, err
	}
	r := &Reader{name: name, Format: format}
	if format == Auto {
		r.Format = detect(name, text)
	}
	switch r.Format {
	case Libra:
		err = r.openLibra(text)
	case ARFF:
		err = r.openARFF(text)
	default:
		err = r.openCSV(text)
	}
	if err != nil {
		return nil, err
	}
	r.rec.Cells = make([]Cell, len(r.Columns))
	return r, nil
}

// Close closes the file that Open opened.
func (r *Reader) Close() error {
	if r.file == nil {
		return nil
	}
	return r.file.Close()
}

// RowError is an error about one row, behind which reading can go on.
type RowError struct{ diag.Diagnostic }

// Unwrap gives the diagnostic.
func (e RowError) Unwrap() error { return e.Diagnostic }

// Next gives the next row, which is good until the call after, and io.EOF after the last. Behind a RowError, it goes on; any
// other error is final.
func (r *Reader) Next() (*Record, error) {
	if r.err != nil {
		return nil, r.err
	}
	r.rec.Weight = 1
	err := r.rows.next(&r.rec)
	if err == nil {
		return &r.rec, nil
	}
	if d, ok := err.(diag.Diagnostic); ok {
		return nil, RowError{d}
	}
	r.err = err
	return nil, err
}

// CellPos is where a cell of a row stands.
func (r *Reader) CellPos(rec *Record, column int) diag.Pos {
	return diag.Pos{File: r.name, Line: rec.Cells[column].Line, Col: rec.Cells[column].Col}
}

// numbered reports whether the file holds numbers of states, and no names of columns or states.
func (r *Reader) numbered() bool { return r.Format == Libra }

// detect finds the format by name, or else by the start of the text.
func detect(name string, text *bufio.Reader) Format {
	base := strings.ToLower(filepath.Base(name))
	switch filepath.Ext(strings.TrimSuffix(base, ".gz")) {
	case ".csv", ".tsv", ".tab":
		return CSV
	case ".data", ".ev", ".q":
		return Libra
	case ".arff":
		return ARFF
	}
	word, _, _ := strings.Cut(firstLine(text, "%"), " ")
	if strings.EqualFold(word, "@relation") {
		return ARFF
	}
	return CSV
}
