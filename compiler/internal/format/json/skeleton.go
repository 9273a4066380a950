package json

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// This file reads the skeleton of plates: tables that say which objects there are, and which of
// them belong together. The ground network then has no variable for a joint index that is in no row
// (Koller and Friedman, section 6.4.1 and box 17.E).

// table is a table of the skeleton.
type table struct {
	*format.Table
	columns []int           // the columns that are plates
	plates  []int           // these plates
	rows    [][]int         // by row: the index of each plate of the model, 0 if it has no column
	first   [][]int         // the rows without repetitions
	known   map[string]bool // by the text of the objects of a row
}

// joint holds the joint indices of some plates.
type joint struct {
	tuples [][]int
	place  map[string]int // by the text of a tuple: its number
}

// of returns the indices of some plates.
func of(list, at []int) []int {
	out := make([]int, len(list))
	for i, plate := range list {
		out[i] = at[plate]
	}
	return out
}

// skeleton reads the tables of the options. The objects of a plate are in the order of their first
// rows.
func (p *parser) skeleton() {
	p.plates.joints = map[string]*joint{}
	if len(p.opt.Skeleton) > 0 && len(p.plates.names) == 0 {
		p.Fail(p.Off, "found no plates for the objects of %s; want \"plates\"", p.opt.Skeleton[0].Name)
	}
	number := make([]map[string]int, len(p.plates.names))
	for _, given := range p.opt.Skeleton {
		t := table{Table: given, known: map[string]bool{}}
		for i, name := range t.Columns {
			if plate := slices.Index(p.plates.names, name); plate >= 0 {
				t.columns, t.plates = append(t.columns, i), append(t.plates, plate)
			}
		}
		switch {
		case len(t.plates) == 0:
			p.tableError(&t, "found the columns %q; want one of the plates %q", t.Columns[:min(10, len(t.Columns))], p.plates.names)
			return
		case len(t.Rows) == 0:
			p.tableError(&t, "found no rows; want at least one")
			return
		}
		if p.objects(&t, number); p.HasErrors() {
			return
		}
		p.plates.tables = append(p.plates.tables, t)
	}
	for plate, list := range p.plates.object {
		if list != nil {
			p.plates.sizes[plate] = len(list)
		}
	}
}

// objects reads the rows of a table. number holds the numbers of the objects so far, by plate.
func (p *parser) objects(t *table, number []map[string]int) {
	for k, row := range t.Rows {
		at := make([]int, len(p.plates.names))
		for i, plate := range t.plates {
			name := row[t.columns[i]]
			if name == "" {
				p.tableError(t, "row %d names no object of the plate %s; want one", k+1, text.Quote(p.plates.names[plate]))
				return
			}
			if number[plate] == nil {
				number[plate] = map[string]int{}
			}
			x, known := number[plate][name]
			if !known {
				x = len(number[plate])
				number[plate][name], p.plates.object[plate] = x, append(p.plates.object[plate], name)
			}
			at[plate] = x
		}
		if key := fmt.Sprint(of(t.plates, at)); !t.known[key] {
			t.known[key], t.first = true, append(t.first, at)
		}
		t.rows = append(t.rows, at)
	}
}

// tableError reports an error of a table, unless there was one already.
func (p *parser) tableError(t *table, message string, args ...any) {
	if !p.HasErrors() {
		p.Errorf(diag.Pos{File: t.Name}, message, args...)
	}
}

// joint returns the joint indices of some plates that are in the rows of all tables of these
// plates. It returns nil if there is no such table: all joint indices exist.
func (p *parser) joint(list []int) *joint {
	var tables []*table
	widest := 0
	for i := range p.plates.tables {
		t := &p.plates.tables[i]
		if slices.ContainsFunc(t.plates, func(plate int) bool { return !slices.Contains(list, plate) }) {
			continue
		}
		if tables = append(tables, t); len(t.plates) > len(tables[widest].plates) {
			widest = len(tables) - 1
		}
	}
	if len(tables) == 0 {
		return nil
	}
	key := fmt.Sprint(list)
	if j := p.plates.joints[key]; j != nil {
		return j
	}
	tables[0], tables[widest] = tables[widest], tables[0]
	j := &joint{place: map[string]int{}}
	rows := p.extended(tables[0], list)
	for _, at := range rows {
		if len(rows) > maxGround || !slices.ContainsFunc(tables[1:], func(t *table) bool { return !t.known[fmt.Sprint(of(t.plates, at))] }) {
			tuple := of(list, at)
			j.place[fmt.Sprint(tuple)], j.tuples = len(j.tuples), append(j.tuples, tuple)
		}
	}
	p.plates.joints[key] = j
	return j
}

// extended returns the rows of a table, each with all objects of the other plates of a list. It
// stops after more than a model may have.
func (p *parser) extended(t *table, list []int) [][]int {
	rows := t.first
	for _, plate := range list {
		if slices.Contains(t.plates, plate) {
			continue
		}
		var longer [][]int
		for _, at := range rows {
			for x := range p.plates.sizes[plate] {
				if len(longer) <= maxGround {
					at = slices.Clone(at)
					at[plate] = x
					longer = append(longer, at)
				}
			}
		}
		rows = longer
	}
	return rows
}

// attributes finds the variables of the cells that are no objects.
func (p *parser) attributes() {
	for i := range p.plates.tables {
		t := &p.plates.tables[i]
		t.Vars = make([][]model.VarID, len(t.Rows))
		for k := range t.Vars {
			t.Vars[k] = slices.Repeat([]model.VarID{-1}, len(t.Columns))
		}
		for c, name := range t.Columns {
			if slices.Contains(t.columns, c) {
				continue
			}
			v, known := p.byName[name]
			list := p.plates.vars[v]
			if !known || list == nil || slices.ContainsFunc(list, func(plate int) bool { return !slices.Contains(t.plates, plate) }) {
				p.tableError(t, "found the column %s; want plates, and variables in plates that have columns", text.Quote(name))
				return
			}
			for k, at := range t.rows {
				if t.Vars[k][c] = v + model.VarID(p.offset(v, at)); t.Vars[k][c] < v {
					p.tableError(t, "found %s in row %d of objects that another table does not have together; want the row there", text.Quote(name), k+1)
					return
				}
			}
		}
	}
}
