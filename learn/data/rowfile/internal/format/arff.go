package format

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile/internal/plain"
)

// arffRows reads the rows after @data.
type arffRows struct {
	lines   plain.Lines
	columns []data.Column
	zeros   []string // by column: the value in a sparse row that omits it; empty if a row may not
	seen    []int    // by column: the number, from 1, of the last sparse row that has it
	row     int
}

// The limits of a header.
const (
	maxHeader   = 4 << 20 // bytes of attributes
	maxDeclared = 1 << 18 // states
)

// ARFF reads the header.
func ARFF(name string, text *bufio.Reader, drop []string) (*File, error) {
	rows := &arffRows{lines: plain.Lines{Name: name, Text: text}}
	size, states := 0, 0
	for {
		line, err := rows.lines.Next()
		if err == io.EOF {
			return nil, diag.Diagnostic{Pos: diag.Pos{File: name}, Msg: "the file ends before @data"}
		}
		if err != nil {
			return nil, err
		}
		s := &arffLine{lines: &rows.lines, text: line}
		if s.ended() {
			continue
		}
		start := s.at
		switch word := s.bare(); strings.ToLower(word) {
		case "@relation":
		case "@attribute":
			if err := rows.attribute(s); err != nil {
				return nil, err
			}
			size += len(line)
			states += len(rows.columns[len(rows.columns)-1].States)
			switch {
			case len(rows.columns) > plain.MaxColumns:
				return nil, plain.TooWide(s.lines.Pos(start))
			case size > maxHeader || states > maxDeclared:
				return nil, s.errorAt(start, "the attributes take more than %d MiB of text or have more than %d states; want at most that much", maxHeader>>20, maxDeclared)
			}
		case "@data":
			if rows.seen = make([]int, len(rows.columns)); len(rows.columns) == 0 {
				return nil, s.errorAt(start, "there is no @attribute before @data")
			}
			return &File{Columns: rows.columns, Rows: rows}, Distinct(rows.columns, drop, false, "names of attributes")
		default:
			return nil, s.errorAt(start, "found %s; want @relation, @attribute or @data", plain.Quote(word))
		}
	}
}

// attribute reads the name and the type of a column.
func (a *arffRows) attribute(s *arffLine) error {
	s.blanks()
	c := data.Column{Pos: s.lines.Pos(s.at)}
	var err error
	if c.Name, _, err = s.word(); err != nil {
		return err
	}
	c.Name = strings.TrimSpace(c.Name) // as in a CSV header
	if s.blanks(); strings.HasPrefix(s.text[s.at:], "{") {
		if c.States, err = s.states(); err == nil && !s.ended() {
			err = s.errorAt(s.at, "found %s after the states; want the end of the line", plain.Quote(s.text[s.at:]))
		}
		if err != nil {
			return err
		}
		a.columns, a.zeros = append(a.columns, c), append(a.zeros, c.States[0])
		return nil
	}
	start, zero := s.at, ""
	switch kind := s.bare(); strings.ToLower(kind) {
	case "numeric", "real", "integer":
		zero = "0"
	case "string", "date":
	default:
		return s.errorAt(start, "attribute %q is of type %s; want states in braces, numeric, string or date", c.Name, plain.Quote(kind))
	}
	a.columns, a.zeros = append(a.columns, c), append(a.zeros, zero)
	return nil
}

// states reads a list in braces.
func (s *arffLine) states() ([]string, error) {
	s.at++ // past the brace
	var list []string
	seen := map[string]bool{}
	for {
		s.blanks()
		start := s.at
		state, _, err := s.word()
		if err != nil {
			return nil, err
		}
		if seen[state] {
			return nil, s.errorAt(start, "state %s occurs twice", plain.Quote(state))
		}
		if len(list) == data.MaxStates {
			return nil, s.errorAt(start, "there are more than %d states", data.MaxStates)
		}
		seen[state] = true
		list = append(list, state)
		switch {
		case s.skip(','):
		case s.skip('}'):
			return list, nil
		default:
			return nil, s.errorAt(s.at, "found %s; want a comma or a closing brace", plain.Quote(s.text[s.at:]))
		}
	}
}

// Next returns the next row.
func (a *arffRows) Next(rec *data.Record) error {
	for {
		line, err := a.lines.Next()
		if err != nil {
			return err
		}
		s := &arffLine{lines: &a.lines, text: line}
		if s.ended() {
			continue
		}
		rec.Pos = a.lines.Pos(s.at)
		if s.skip('{') {
			err = a.sparse(s, rec)
		} else {
			err = a.dense(s, rec)
		}
		if err == nil && !s.ended() {
			err = s.errorAt(s.at, "found %s; want the end of the row", plain.Quote(s.text[s.at:]))
		}
		return err
	}
}

// dense reads a value for each column, and a weight in braces if one follows.
func (a *arffRows) dense(s *arffLine, rec *data.Record) error {
	for i := range a.columns {
		if i > 0 && !s.skip(',') {
			if !s.ended() {
				return s.errorAt(s.at, "found %s; want a comma", plain.Quote(s.text[s.at:]))
			}
			return diag.Diagnostic{Pos: rec.Pos, Msg: countMessage(i, len(a.columns))}
		}
		var err error
		if rec.Cells[i], err = s.cell(); err != nil {
			return err
		}
	}
	return a.weight(s, rec)
}

// sparse reads pairs of a column, counted from 0, and its value. All other columns have their first
// state, or zero.
func (a *arffRows) sparse(s *arffLine, rec *data.Record) error {
	a.row++
	for i, zero := range a.zeros {
		rec.Cells[i] = data.Cell{Text: zero, Line: rec.Pos.Line, Col: rec.Pos.Col}
	}
	for !s.skip('}') {
		s.blanks()
		start := s.at
		text := s.bare()
		i, err := strconv.Atoi(text)
		if err != nil || i < 0 || i >= len(a.columns) {
			return s.errorAt(start, "the number of the attribute is %s; want 0 to %d", plain.Quote(text), len(a.columns)-1)
		}
		if a.seen[i] == a.row {
			return s.errorAt(start, "attribute %d occurs twice in the row", i)
		}
		a.seen[i] = a.row
		if rec.Cells[i], err = s.cell(); err != nil {
			return err
		}
		if !s.skip(',') && !s.sees('}') {
			return s.errorAt(s.at, "found %s; want a comma or a closing brace", plain.Quote(s.text[s.at:]))
		}
	}
	for i, c := range a.columns {
		if a.zeros[i] == "" && c.States == nil && a.seen[i] != a.row {
			return diag.Diagnostic{Pos: rec.Pos, Msg: fmt.Sprintf("the sparse row leaves out attribute %q, which is neither numeric nor has states; want its value", c.Name)}
		}
	}
	return a.weight(s, rec)
}

// weight reads ", {5}" if the row continues.
func (a *arffRows) weight(s *arffLine, rec *data.Record) error {
	start := s.at
	if !s.skip(',') {
		return nil
	}
	if !s.skip('{') {
		s.at = start
		return s.errorAt(start, "found %s after %d values; want the end of the row", plain.Quote(s.text[start:]), len(a.columns))
	}
	text, _, ok := strings.Cut(s.text[s.at:], "}")
	if !ok {
		return s.errorAt(s.at, "the brace of the weight does not close")
	}
	w, err := parseWeight(text)
	if err != nil {
		return s.errorAt(s.at, "%v", err)
	}
	s.at += len(text) + 1
	rec.Weight = w
	return nil
}

// arffLine splits a line into words.
type arffLine struct {
	lines *plain.Lines
	text  string
	at    int
}

func (s *arffLine) errorAt(at int, format string, args ...any) error {
	return diag.Diagnostic{Pos: s.lines.Pos(at), Msg: fmt.Sprintf(format, args...)}
}

func (s *arffLine) blanks() {
	for s.at < len(s.text) && (s.text[s.at] == ' ' || s.text[s.at] == '\t' || s.text[s.at] == '\r') {
		s.at++
	}
}

// sees reports whether c is next after blanks.
func (s *arffLine) sees(c byte) bool {
	s.blanks()
	return s.at < len(s.text) && s.text[s.at] == c
}

// skip skips blanks and c, and reports whether c was there.
func (s *arffLine) skip(c byte) bool {
	if !s.sees(c) {
		return false
	}
	s.at++
	return true
}

// ended reports whether nothing but a comment follows.
func (s *arffLine) ended() bool {
	s.blanks()
	return s.at == len(s.text) || s.text[s.at] == '%'
}

// bare reads a word up to a blank or a delimiter of the format. It may be empty.
func (s *arffLine) bare() string {
	rest := s.text[s.at:]
	n := strings.IndexAny(rest, " \t\r,{}%'\"")
	if n < 0 {
		n = len(rest)
	}
	s.at += n
	return rest[:n]
}

// cell reads a value. An unquoted question mark is a missing value.
func (s *arffLine) cell() (data.Cell, error) {
	s.blanks()
	c := data.Cell{Line: s.lines.Number, Col: s.at + 1}
	text, quoted, err := s.word()
	c.Text, c.Unknown = text, text == "?" && !quoted
	return c, err
}

// word reads a word in single quotes, double quotes or none.
func (s *arffLine) word() (text string, quoted bool, err error) {
	s.blanks()
	start := s.at
	if start < len(s.text) && (s.text[start] == '\'' || s.text[start] == '"') {
		text, err = s.quotedWord()
		return text, true, err
	}
	if text = s.bare(); text == "" {
		if s.ended() {
			return "", false, s.errorAt(s.at, "the line ends; want a word")
		}
		return "", false, s.errorAt(start, "found %s; want a word", plain.Quote(s.text[start:]))
	}
	return text, false, nil
}

// arffEscapes maps the characters with a special meaning after a backslash in quotes. Any other
// character stands for itself.
var arffEscapes = map[byte]byte{'n': '\n', 't': '\t', 'r': '\r'}

func (s *arffLine) quotedWord() (string, error) {
	start, quote := s.at, s.text[s.at]
	var b strings.Builder
	for i := start + 1; i < len(s.text); i++ {
		switch c := s.text[i]; {
		case c == quote:
			s.at = i + 1
			return b.String(), nil
		case c == '\\' && i+1 < len(s.text):
			i++
			c = s.text[i]
			if e, ok := arffEscapes[c]; ok {
				c = e
			}
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return "", s.errorAt(start, "a quoted word does not end in its line")
}
