package rowfile

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data"
)

// libraRows reads lines such as "2.5|0,1,*".
type libraRows struct {
	lines lines
	first string // the line that openLibra read ahead, until it is returned
	want  int
}

// openLibra counts the columns of the first row.
func (r *Reader) openLibra(text *bufio.Reader) error {
	rows := &libraRows{lines: lines{name: r.name, text: text}}
	line, err := rows.lines.next()
	if err == io.EOF {
		return diag.Diagnostic{Pos: diag.Pos{File: r.name}, Msg: "the file is empty; want rows of numbers"}
	}
	if err != nil {
		return err
	}
	rows.first, rows.want = line, 1+strings.Count(line, ",")
	if rows.want > maxColumns {
		return tooWide(rows.lines.pos(0))
	}
	for i := range rows.want {
		r.Columns = append(r.Columns, unnamed(i, rows.lines.pos(0)))
	}
	r.rows = rows
	return nil
}

func (l *libraRows) next(rec *data.Record) (err error) {
	line := l.first
	l.first = ""
	if line == "" {
		if line, err = l.lines.next(); err != nil {
			return err
		}
	}
	at := 0
	rec.Pos = l.lines.pos(0)
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
		rec.Cells[i] = data.Cell{Text: text, Line: l.lines.number, Col: at + 1}
		at += len(text) + 1
	}
	return nil
}

// parseWeight reads the weight of a row.
func parseWeight(s string) (float64, error) {
	w, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || !(w >= 0) || math.IsInf(w, 1) {
		return 0, fmt.Errorf("the weight is %s; want a number of at least 0", shorten(s))
	}
	return w, nil
}

// ReadSchema reads the numbers of states of columns from a file with one line such as "2,2,3".
func ReadSchema(path string) ([]int, error) {
	r, err := Open(path, Libra)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	rec, err := r.Next()
	if err != nil {
		return nil, err
	}
	cards := make([]int, len(rec.Cells))
	for i, c := range rec.Cells {
		n, err := strconv.Atoi(strings.TrimSpace(c.Text))
		if err != nil || n < 1 || n > data.MaxStates {
			return nil, diag.Diagnostic{Pos: r.CellPos(rec, i), Msg: fmt.Sprintf("the number of states is %s; want 1 to %d", shorten(c.Text), data.MaxStates)}
		}
		cards[i] = n
	}
	if rec, err = r.Next(); err == nil {
		return nil, diag.Diagnostic{Pos: rec.Pos, Msg: "found a second line; want one line of numbers of states"}
	}
	if err != io.EOF {
		return nil, err
	}
	return cards, nil
}

// shorten quotes a text for a message and cuts a long one.
func shorten(s string) string {
	const most = 60
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "..."
	}
	return strconv.Quote(s)
}
