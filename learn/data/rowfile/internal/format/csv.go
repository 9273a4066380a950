package format

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile/internal/plain"
)

// csvRows reads separated values. It splits most lines itself, and leaves rows with quotes inside
// values or over several lines to encoding/csv.
type csvRows struct {
	name  string
	text  *bufio.Reader
	plain int         // lines that csv has not read
	csv   *csv.Reader // of the other lines
	limit *limited    // passes them on to csv
	want  int         // number of fields of a row; 0 for any
	line  int         // first line of the last row
	end   int         // last line of the last row; -1 if unknown
	ahead []data.Cell // a row that was read ahead, until it is returned
	blank int         // rows before it, of one empty cell

	scratch []data.Cell // of piece

	blanks  bool // any number of blanks separates values
	unnamed bool // the last column has no name
	begun   bool // a row had the right number of fields
	lenient bool // the first row may have a wrong number
}

// CSVOptions say how CSV is read.
type CSVOptions struct {
	Name        string // of the file
	NoHeader    bool
	Names, Drop []string
	Separator   rune
	Lenient     bool                   // rows that cannot be read are left out
	Missing     func(text string) bool // reports whether a text marks a missing value
}

// CSV reads the header.
func CSV(text *bufio.Reader, o *CSVOptions) (*File, error) {
	text, comma, skipped, err := o.separate(text)
	if err != nil {
		return nil, err
	}
	f := &File{Comma: comma}
	if comma == ' ' {
		f.Comma = '\t' // of output
	}
	limit := &limited{in: text, comma: byte(comma)}
	c := csv.NewReader(limit)
	c.Comma, c.FieldsPerRecord, c.ReuseRecord = comma, -1, true
	c.TrimLeadingSpace = comma != '\t' // it would treat tabs as blanks
	rows := &csvRows{name: o.Name, text: text, csv: c, limit: limit, blanks: comma == ' ', lenient: o.Lenient}
	var header data.Record
	if err := rows.read(&header); err == io.EOF {
		return nil, diag.Diagnostic{Pos: diag.Pos{File: o.Name}, Msg: o.emptyMessage()}
	} else if err != nil {
		return nil, err
	}
	if len(header.Cells) > plain.MaxColumns {
		return nil, plain.TooWide(header.Pos)
	}
	if n := len(o.Names); n > 0 && n != len(header.Cells) {
		return nil, diag.At(header.Pos, diag.Errorf("the row has %d values, and %d names are given; want a name for each column", len(header.Cells), n))
	}
	if o.NoHeader {
		rows.readAhead(skipped, header.Cells)
		for i, cell := range header.Cells {
			c := unnamed(i, diag.Pos{File: o.Name, Line: cell.Line, Col: cell.Col})
			if o.Names != nil {
				c.Name = o.Names[i]
			}
			f.Columns = append(f.Columns, c)
		}
	}
	for _, cell := range header.Cells[len(rows.ahead):] {
		f.Columns = append(f.Columns, data.Column{Name: strings.TrimSpace(cell.Text), Pos: diag.Pos{File: o.Name, Line: cell.Line, Col: cell.Col}})
	}
	rows.want, rows.unnamed = len(f.Columns), f.Columns[len(f.Columns)-1].Name == ""
	f.Rows = rows
	return f, Distinct(f.Columns, o.Drop, true, "names in the first line")
}

// emptyMessage is the error about an empty file.
func (o *CSVOptions) emptyMessage() string {
	if o.NoHeader {
		return "the file is empty; want rows of values"
	}
	return "the file is empty; want a line of column names"
}

// Next returns the next row. In a file of one column, a blank line before another row is a row with
// an empty cell; in others, encoding/csv skips such lines.
func (c *csvRows) Next(rec *data.Record) error {
	if c.ahead == nil {
		end := c.end
		if err := c.read(rec); err != nil || c.want != 1 || end < 0 || c.line == end+1 {
			return err
		}
		c.readAhead(end, slices.Clone(rec.Cells))
	}
	if c.blank > 0 {
		rec.Cells[0] = data.Cell{Line: c.ahead[0].Line - c.blank, Col: 1}
		c.blank--
	} else {
		copy(rec.Cells, c.ahead)
		c.ahead = nil
	}
	rec.Pos = diag.Pos{File: c.name, Line: rec.Cells[0].Line, Col: rec.Cells[0].Col}
	return nil
}

// readAhead keeps cells, which were read, until the blank lines after the line end have been
// returned, if there is one column.
func (c *csvRows) readAhead(end int, cells []data.Cell) {
	c.ahead = cells
	if len(cells) == 1 {
		c.blank = c.line - end - 1
	}
}

// read reads the next row that is not a blank line.
func (c *csvRows) read(rec *data.Record) error {
	c.end = -1
	for {
		line, err := c.text.ReadSlice('\n')
		if err == nil {
			number := c.plain + c.limit.lines + 1
			text := string(bytes.TrimSuffix(line[:len(line)-1], []byte("\r")))
			if text == "" {
				c.plain++
				continue
			}
			if cells, ok := c.split(rec.Cells[:0], text, number); ok {
				c.plain++
				c.line, c.end = number, number
				return c.accept(rec, cells)
			}
		}
		c.limit.begin(line, err)
		return c.readQuoted(rec)
	}
}

// readQuoted reads a row by encoding/csv.
func (c *csvRows) readQuoted(rec *data.Record) error {
	fields, err := c.csv.Read()
	if err != nil {
		return c.failed(err)
	}
	cells := rec.Cells[:0]
	for i, f := range fields {
		line, col := c.csv.FieldPos(i)
		cells = append(cells, data.Cell{Text: f, Line: line + c.plain, Col: col})
	}
	c.line = cells[0].Line
	c.end = c.line + strings.Count(fields[0], "\n") // right if there is one field
	return c.accept(rec, cells)
}

// accept stores the cells of a row if they have the right number.
func (c *csvRows) accept(rec *data.Record, cells []data.Cell) error {
	if n := len(cells) - 1; c.blanks && n > 0 && cells[n].Text == "" {
		cells = cells[:n] // a blank ends the line
	}
	rec.Pos = diag.Pos{File: c.name, Line: cells[0].Line, Col: cells[0].Col}
	if c.want > 0 && len(cells) != c.want {
		c.end = -1
		return c.wrongCount(rec.Pos, len(cells))
	}
	c.begun = c.want > 0
	rec.Cells = cells
	return nil
}

// wrongCount returns the error for a row of a wrong number of values. If it is the first row, the
// first line is likely to be wrong, and the error is final.
func (c *csvRows) wrongCount(pos diag.Pos, found int) error {
	text := countMessage(found, c.want)
	switch {
	case c.begun || c.lenient:
		return diag.Diagnostic{Pos: pos, Msg: text}
	case found == c.want-1 && c.unnamed:
		text += ": a separator ends the first line, as if another column followed; take it away there"
	case found == c.want+1:
		text += ", as many as the first line has names; if the first column names the rows, name it too"
	default:
		text += ", as many as the first line has names"
	}
	return plain.Fail(pos, errors.New(text))
}

// failed rewords an error of encoding/csv.
func (c *csvRows) failed(err error) error {
	var parse *csv.ParseError
	pos, next := diag.Pos{File: c.name, Line: c.line}, "what follows this line"
	if c.line == 0 {
		next = "the first row"
	}
	switch {
	case err == io.EOF:
		return err
	case errors.Is(err, errWide):
		return plain.Fail(pos, fmt.Errorf("%s has more than %d columns; want at most that many", next, plain.MaxColumns))
	case errors.Is(err, plain.ErrLong):
		return plain.Fail(pos, fmt.Errorf("%s is longer than %d MiB; is there a quote that does not end?", next, plain.MaxLine>>20))
	case errors.Is(err, io.ErrUnexpectedEOF):
		return plain.Fail(pos, fmt.Errorf("%s is missing: the file that gzip compressed is cut off; get the whole file", next))
	case !errors.As(err, &parse):
		return plain.Fail(pos, fmt.Errorf("%s can't be read: %w", next, plain.InFile(err)))
	}
	pos.Line, pos.Col = parse.Line+c.plain, parse.Column
	if errors.Is(err, csv.ErrBareQuote) {
		return diag.Diagnostic{Pos: pos, Msg: `a quote is inside a value; want the whole value in quotes and that quote doubled`}
	}
	return diag.Diagnostic{Pos: pos, Msg: fmt.Sprintf(`a quoted value does not end (its row starts in line %d); want a closing quote before a separator, and quotes inside doubled`, parse.StartLine+c.plain)}
}
