package rowfile

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
)

// pairs makes two records of each row of a file with two slices a row: slice 0, and the next one.
// See [ReadOptions.TwoSlices].
type pairs struct {
	column [2][]int     // by slice and column of the reader: the column of the file, or -1
	row    *data.Record // of which the next record is the second slice; nil if that is of another row
	rec    data.Record
}

// pair makes the columns of two slices, whose names have the given ends, the columns of one.
func pair(columns []data.Column, ends []string) ([]data.Column, *pairs, error) {
	p := &pairs{}
	var left []data.Column
	index := map[string]int{}
	found := [2]bool{}
	for i, c := range columns {
		s, name := model.SliceOf(c.Name, ends[0], ends[1])
		if s < 0 {
			return nil, nil, diag.At(c.Pos, diag.Errorf("column %q ends neither in %q nor in %q; want each column in one of two slices, or leave it out by %v",
				c.Name, ends[0], ends[1], diag.Option{Name: "drop", Value: diag.QuoteName(c.Name)}))
		}
		k, ok := index[name]
		if !ok {
			k = len(left)
			index[name], left = k, append(left, data.Column{Name: name, States: c.States, Pos: c.Pos})
			p.column[0], p.column[1] = append(p.column[0], -1), append(p.column[1], -1)
		}
		switch {
		case p.column[s][k] >= 0:
			return nil, nil, diag.Diagnostic{Pos: c.Pos, Msg: fmt.Sprintf("columns %q and %q are both %q of one slice; want one", columns[p.column[s][k]].Name, c.Name, name)}
		case !slices.Equal(c.States, left[k].States):
			return nil, nil, diag.Diagnostic{Pos: c.Pos, Msg: fmt.Sprintf("column %q declares other states than its twin; want the same ones in the same order", c.Name)}
		}
		p.column[s][k], found[s] = i, true
	}
	for s, ok := range found {
		if !ok {
			return nil, nil, diag.Diagnostic{Pos: columns[0].Pos, Msg: fmt.Sprintf("no column ends in %q; want some in each of two slices", ends[s])}
		}
	}
	p.rec.Cells = make([]data.Cell, len(left))
	return left, p, nil
}

// slice returns the record of slice s of a row. What the slice has no column of is missing.
func (p *pairs) slice(s int, row *data.Record) *data.Record {
	p.rec.Weight, p.rec.Pos = row.Weight, row.Pos
	for k, c := range p.column[s] {
		p.rec.Cells[k] = data.Cell{Unknown: true, Line: row.Pos.Line, Col: row.Pos.Col}
		if c >= 0 {
			p.rec.Cells[k] = row.Cells[c]
		}
	}
	if p.row = nil; s == 0 {
		p.row = row
	}
	return &p.rec
}
