package format

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile/internal/plain"
)

// jsonRows reads JSON Lines: an object a line, with the cells as members. A member that is null or
// that a row lacks is missing.
type jsonRows struct {
	lines   plain.Lines
	columns map[string]int
	ahead   []*data.Record // the rows that were read to find the columns
	broken  error          // what ended these
}

// aheadRows is the number of rows with members that are the columns.
const aheadRows = 1000

// member is a cell of an object, with its name.
type member struct {
	name string
	data.Cell
	pos diag.Pos
}

// JSONLines reads the first rows and takes their members for columns.
func JSONLines(name string, text *bufio.Reader) (*File, error) {
	rows := &jsonRows{lines: plain.Lines{Name: name, Text: text}, columns: map[string]int{}}
	f := &File{Rows: rows}
	var objects [][]member
	size := 0
	for len(objects) < aheadRows && size < maxHeader {
		list, err := rows.object()
		if err != nil {
			rows.broken = err
			break
		}
		size += len(rows.lines.Buf)
		objects = append(objects, list)
		for _, m := range list {
			if _, known := rows.columns[m.name]; known {
				continue
			}
			if rows.columns[m.name] = len(f.Columns); len(f.Columns) == plain.MaxColumns {
				return nil, plain.TooWide(m.pos)
			}
			f.Columns = append(f.Columns, data.Column{Name: m.name, Pos: m.pos})
		}
	}
	switch {
	case len(f.Columns) > 0:
	case rows.broken != nil && rows.broken != io.EOF:
		return nil, rows.broken
	default:
		return nil, diag.Diagnostic{Pos: diag.Pos{File: name}, Msg: `the file has no columns; want an object a line, as in {"smoke": "yes", "age": 35}`}
	}
	for i, list := range objects {
		rec := &data.Record{Cells: make([]data.Cell, len(f.Columns)), Pos: diag.Pos{File: name, Line: i + 1, Col: 1}}
		if len(list) > 0 {
			rec.Pos.Line = list[0].Line
		}
		if err := rows.fill(rec, list); err != nil {
			return nil, err
		}
		rows.ahead = append(rows.ahead, rec)
	}
	return f, nil
}

// Next returns the next row.
func (j *jsonRows) Next(rec *data.Record) error {
	if len(j.ahead) > 0 {
		copy(rec.Cells, j.ahead[0].Cells)
		rec.Pos = j.ahead[0].Pos
		j.ahead = j.ahead[1:]
		return nil
	}
	if err := j.broken; err != nil {
		if j.broken = nil; err == io.EOF {
			j.broken = err
		}
		return err
	}
	list, err := j.object()
	if err != nil {
		return err
	}
	rec.Pos = j.lines.Pos(0)
	return j.fill(rec, list)
}

// fill sets the cells of a row.
func (j *jsonRows) fill(rec *data.Record, list []member) error {
	for i := range rec.Cells {
		rec.Cells[i] = data.Cell{Unknown: true, Line: rec.Pos.Line, Col: rec.Pos.Col}
	}
	for _, m := range list {
		i, known := j.columns[m.name]
		if !known {
			return diag.Diagnostic{Pos: m.pos, Msg: fmt.Sprintf("no object of the first %d lines has the member %q; want one of those", aheadRows, m.name)}
		}
		rec.Cells[i] = m.Cell
	}
	return nil
}

// object reads the next line as an object of texts, numbers, truth values and nulls.
func (j *jsonRows) object() ([]member, error) {
	line, err := j.lines.Next()
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(strings.NewReader(line))
	dec.UseNumber()
	wrong := func(format string, args ...any) error {
		return diag.Diagnostic{Pos: j.lines.Pos(int(dec.InputOffset())), Msg: fmt.Sprintf(format, args...)}
	}
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, diag.Diagnostic{Pos: j.lines.Pos(0), Msg: `the line is no JSON object; want one a line, as in {"smoke": "yes", "age": 35}`}
	}
	var list []member
	seen := map[string]bool{}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, wrong("the object is broken: %v", err)
		}
		m := member{name: strings.TrimSpace(key.(string)), pos: j.lines.Pos(int(dec.InputOffset()))}
		m.Line, m.Col = m.pos.Line, m.pos.Col
		if seen[m.name] {
			return nil, wrong("the object has two members %q; want one", m.name)
		}
		seen[m.name] = true
		value, err := dec.Token()
		if err != nil {
			return nil, wrong("the object is broken: %v", err)
		}
		switch x := value.(type) {
		case nil:
			m.Unknown = true
		case string:
			m.Text = x
		case json.Number:
			m.Text = x.String()
		case bool:
			m.Text = fmt.Sprint(x)
		default:
			return nil, wrong("the member %q is a list or an object; want a text, a number, true, false or null", m.name)
		}
		list = append(list, m)
	}
	if _, err := dec.Token(); err != nil {
		return nil, wrong("the object does not end; want a whole one in each line")
	}
	if strings.TrimSpace(line[dec.InputOffset():]) != "" {
		return nil, wrong("something follows the object; want one a line")
	}
	return list, nil
}

// Piece implements [Divided].
func (j *jsonRows) Piece() Rows {
	if len(j.ahead) > 0 || j.broken != nil {
		return nil
	}
	first := j.lines.Number
	rest, lines := takePiece(j.lines.Text, wholeLines(j.lines.Text))
	if lines == 0 {
		return nil
	}
	j.lines.Number += lines
	p := &jsonRows{columns: j.columns}
	p.lines.Name, p.lines.Number, p.lines.Text = j.lines.Name, first, bufio.NewReader(strings.NewReader(rest))
	return p
}
