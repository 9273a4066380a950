package cpt

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Read reads the parameters of the CPD f from CSV of a name. The columns decide between a table, of
// at most limit numbers, and a noisy-max.
func Read(name string, r io.Reader, m *model.Model, f *model.Factor, limit int) (model.Dist, error) {
	in, err := open(name, r)
	if err != nil {
		return nil, err
	}
	discrete, real := m.SplitParents(f)
	if real != nil || m.IsReal(f.ChildVar()) {
		var d model.Regression = &model.Softmax{}
		if m.IsReal(f.ChildVar()) {
			d = &model.Gaussian{}
		}
		numbers, err := in.read(realSheet(m, f))
		if err != nil {
			return nil, err
		}
		return d.WithParameterRows(numbers, len(real)), nil
	}
	if causes := causeSheet(m, f); in.has(causes) && !in.has(tableColumns(m, f)) {
		numbers, err := in.read(causes)
		if err != nil {
			return nil, err
		}
		card := m.Card(f.ChildVar())
		d := &model.NoisyMax{Leak: numbers[:card]}
		numbers = numbers[card:]
		for _, p := range discrete {
			d.Cause, numbers = append(d.Cause, numbers[:card*m.Card(p)]), numbers[card*m.Card(p):]
		}
		return d, nil
	}
	if n, ok := m.TableSize(f.Scope); !ok || n > limit {
		return nil, fmt.Errorf("the table of the %s would have e^%.1f numbers; the limit is %d", m.FactorName(f), m.LogTableSize(f.Scope), limit)
	}
	numbers, err := in.read(tableSheet(m, f))
	return &model.Table{Values: numbers}, err
}

// ReadUtility reads the values of a utility.
func ReadUtility(name string, r io.Reader, m *model.Model, u *model.Utility) ([]float64, error) {
	in, err := open(name, r)
	if err != nil {
		return nil, err
	}
	return in.read(over(m, u.Scope, columnUtility))
}

// file is a CSV file of which the head is read.
type file struct {
	name string
	*csv.Reader
	head []string
}

// mostHead bounds the first line of a file, by which its separator is found.
const mostHead = 1 << 20

// open reads the head. Separators are commas, semicolons or tabs, whichever the head has most.
func open(name string, r io.Reader) (*file, error) {
	text := bufio.NewReaderSize(r, mostHead)
	first, err := text.Peek(mostHead)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if strings.HasPrefix(string(first), "\ufeff") { // a byte order mark
		text.Discard(len("\ufeff"))
	}
	line, _, _ := strings.Cut(string(first), "\n")
	in := &file{name: name, Reader: csv.NewReader(text)}
	for _, sign := range ";\t" {
		if strings.Count(line, string(sign)) > strings.Count(line, string(in.Comma)) {
			in.Comma = sign
		}
	}
	if in.head, err = in.Read(); errors.Is(err, io.EOF) {
		return nil, diag.Diagnostic{Pos: diag.Pos{File: name}, Msg: "the file is empty; want a line with the names of columns"}
	}
	return in, in.wrap(err)
}

// wrap adds the place to an error of the CSV.
func (in *file) wrap(err error) error {
	if p := (*csv.ParseError)(nil); errors.As(err, &p) {
		return diag.Diagnostic{Pos: diag.Pos{File: in.name, Line: p.Line, Col: p.Column}, Msg: p.Err.Error()}
	}
	return err
}

// errorf returns an error about column k of the record that was read last.
func (in *file) errorf(k int, format string, args ...any) error {
	line, col := in.FieldPos(k)
	return diag.Diagnostic{Pos: diag.Pos{File: in.name, Line: line, Col: col}, Msg: fmt.Sprintf(format, args...)}
}

// has reports whether the file has the columns of s.
func (in *file) has(s *sheet) bool {
	want := slices.Concat(s.keys, s.numbers)
	return len(want) == len(in.head) && !slices.ContainsFunc(want, func(c string) bool { return !slices.Contains(in.head, c) })
}

// read returns the numbers of all rows of s, in its order.
func (in *file) read(s *sheet) ([]float64, error) {
	want, err := s.columns()
	if err != nil {
		return nil, err
	}
	if !in.has(s) {
		for k, c := range in.head {
			if !slices.Contains(want, c) || slices.Contains(in.head[:k], c) {
				return nil, in.errorf(k, "found the column %.40q; want %q, each once%s", c, want, diag.DidYouMean(c, want))
			}
		}
		i := slices.IndexFunc(want, func(c string) bool { return !slices.Contains(in.head, c) })
		return nil, in.errorf(0, "there is no column %q; want %q", want[i], want)
	}
	rows := make(map[string]int, len(s.rows))
	for i, row := range s.rows {
		rows[key(row)] = i
	}
	line, numbers := make([]int, len(s.rows)), make([]float64, len(s.rows)*len(s.numbers))
	for {
		cells, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		switch {
		case errors.Is(err, csv.ErrFieldCount):
			return nil, in.errorf(0, "found %d %s; want %d, as in the first line", len(cells), table.Plural("cell", len(cells)), len(in.head))
		case err != nil:
			return nil, in.wrap(err)
		}
		i, err := in.row(s, cells, rows)
		if err != nil {
			return nil, err
		}
		if line[i] > 0 {
			return nil, in.errorf(0, "the row %s is there twice, first in line %d", s.text(i), line[i])
		}
		line[i], _ = in.FieldPos(0)
		for k, c := range s.numbers {
			at := slices.Index(in.head, c)
			x, err := strconv.ParseFloat(strings.TrimSpace(cells[at]), 64)
			if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
				return nil, in.errorf(at, "found %.40q; want a number", cells[at])
			}
			numbers[i*len(s.numbers)+k] = x
		}
	}
	if i := slices.Index(line, 0); i >= 0 {
		return nil, diag.Diagnostic{Pos: diag.Pos{File: in.name}, Msg: "there is no row " + s.text(i)}
	}
	return numbers, nil
}

// row returns the number of the row that the cells are about.
func (in *file) row(s *sheet, cells []string, rows map[string]int) (int, error) {
	names := make([]string, len(s.keys))
	for k, c := range s.keys {
		at := slices.Index(in.head, c)
		names[k] = cells[at]
		if s.match == nil {
			continue
		}
		name, ok := s.match(k, cells[at])
		if !ok {
			return 0, in.errorf(at, "found %.40q; want a state of %q", cells[at], c)
		}
		names[k] = name
	}
	i, ok := rows[key(names)]
	if !ok {
		return 0, in.errorf(0, "found the row %.40q; want %q, or a cause and its state", names, s.rows[0])
	}
	return i, nil
}

// key joins names so that no two lists give the same text.
func key(names []string) string { return fmt.Sprintf("%q", names) }
