package format

import (
	"bufio"
	"io"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile/internal/plain"
)

// libraRows reads lines such as "2.5|0,1,*".
type libraRows struct {
	lines plain.Lines
	first string // the line that Libra read ahead, until it is returned
	want  int
}

// Libra counts the columns of the first row.
func Libra(name string, text *bufio.Reader) (*File, error) {
	rows := &libraRows{lines: plain.Lines{Name: name, Text: text}}
	line, err := rows.lines.Next()
	if err == io.EOF {
		return nil, diag.Diagnostic{Pos: diag.Pos{File: name}, Msg: "the file is empty; want rows of numbers"}
	}
	if err != nil {
		return nil, err
	}
	rows.first, rows.want = line, 1+strings.Count(line, ",")
	if rows.want > plain.MaxColumns {
		return nil, plain.TooWide(rows.lines.Pos(0))
	}
	f := &File{Rows: rows}
	for i := range rows.want {
		f.Columns = append(f.Columns, unnamed(i, rows.lines.Pos(0)))
	}
	return f, nil
}

// Next returns the next row.
func (l *libraRows) Next(rec *data.Record) (err error) {
	line := l.first
	l.first = ""
	if line == "" {
		if line, err = l.lines.Next(); err != nil {
			return err
		}
	}
	at := 0
	rec.Pos = l.lines.Pos(0)
	if weight, _, ok := strings.Cut(line, "|"); ok {
		if rec.Weight, err = parseWeight(weight); err != nil {
			return diag.Diagnostic{Pos: rec.Pos, Msg: err.Error()}
		}
		at = len(weight) + 1
	}
	if n := 1 + strings.Count(line[at:], ","); n != l.want {
		return diag.Diagnostic{Pos: rec.Pos, Msg: countMessage(n, l.want)}
	}
	for i := range l.want {
		text, _, _ := strings.Cut(line[at:], ",")
		rec.Cells[i] = data.Cell{Text: text, Line: l.lines.Number, Col: at + 1}
		at += len(text) + 1
	}
	return nil
}
