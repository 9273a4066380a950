package rowfile

import (
	"cmp"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile/internal/format"
	"github.com/pgmc-go/pgmc/learn/data/rowfile/internal/plain"
)

// partRows reads the rows of the parts of a data set, one part after the other.
type partRows struct {
	*projection
	open  func(path string) (*Reader, error)
	parts []Part
	at    int     // of the next part
	now   *placed // of the part before it; nil if all its rows are read
}

// placed reads the rows of a part, with a cell for each column of the data set.
type placed struct {
	rows  format.Rows
	part  *Reader
	place []int       // by column of the data set: its place in the part, or -1
	rest  []data.Cell // by column of the data set: its cell in each row, if the place is -1
	rec   data.Record
}

// NewPartsReader returns a reader of the rows of the parts of the data set called name, one part
// after the other. It opens each by open twice, for its columns and for its rows. The columns of
// the data set are those that any part has, and those that folders name. A column that a part does
// not have is missing in its rows. The value of a folder counts if the file has a column of that
// name too.
func (o ReadOptions) NewPartsReader(name string, parts []Part, open func(o ReadOptions, path string) (*Reader, error)) (*Reader, error) {
	inner := o
	inner.part, inner.meter = true, &meter{}
	rows := &partRows{projection: &projection{further: map[string]bool{}}, parts: slices.Clone(parts), open: func(path string) (*Reader, error) { return open(inner, path) }}
	r := &Reader{name: name, meter: inner.meter, opt: o, parts: rows.parts, rows: rows, project: rows.projection, file: rows}
	place := map[string]int{}
	for i := range r.parts {
		if err := r.addPart(i, place, rows); err != nil {
			return nil, err
		}
	}
	for i := range r.parts {
		for _, k := range r.parts[i].keys {
			delete(rows.further, k.name)
			if _, known := place[k.name]; !known {
				place[k.name] = len(r.Columns)
				r.Columns = append(r.Columns, data.Column{Name: k.name, Pos: diag.Pos{File: r.parts[i].Path}})
			}
		}
	}
	r.meter.done.Store(0) // without the headers that were read
	if r.Format == Parquet {
		r.meter.total.Store(rows.rows)
	}
	rows.all = r.Columns
	if err := r.begin(); err != nil {
		return nil, err
	}
	r.readAll()
	return r, nil
}

// addPart adds the columns of a part, with their places by name, and what else its header says.
func (r *Reader) addPart(i int, place map[string]int, rows *partRows) error {
	p, before := &r.parts[i], &r.parts[max(0, i-1)]
	in, err := rows.open(p.Path)
	if err != nil {
		return err
	}
	defer in.Close()
	wrong := func(format string, args ...any) error {
		return diag.At(diag.Pos{File: p.Path}, diag.Errorf(format, args...))
	}
	switch {
	case i == 0:
		r.Format, r.Comma, r.marks, r.opt.Missing = in.Format, in.Comma, in.marks, in.opt.Missing
	case in.Format != r.Format:
		return wrong("this part is %s, and %s is %s; want one format, or a pattern such as '*.csv'", in.Format, before.Path, r.Format)
	case !in.Named() && len(in.Columns) != len(before.columns):
		return wrong("the rows have %d values, and those of %s have %d; want as many", len(in.Columns), before.Path, len(before.columns))
	}
	if file, ok := in.file.(*os.File); ok {
		r.meter.total.Add(sizeOf(file))
	}
	n, known := in.Known()
	rows.rows, rows.unknown = rows.rows+n, rows.unknown || !known
	rows.groups += in.Groups()
	if p.columns = in.Columns; i > 0 && slices.EqualFunc(p.columns, before.columns, like) {
		p.columns = before.columns // which saves memory
		return nil
	}
	for _, c := range p.columns {
		at, known := place[c.Name]
		if !known {
			rows.further[c.Name] = i > 0
			place[c.Name] = len(r.Columns)
			r.Columns = append(r.Columns, c)
		} else if old := r.Columns[at]; !like(c, old) && r.opt.wants(c.Name) {
			return wrong("column %q is of type %s, and in %s of type %s; want one type, or leave it out by %v", c.Name, typeText(c), old.Pos.File, typeText(old),
				diag.Option{Name: "drop", Value: diag.QuoteName(c.Name)})
		}
	}
	return nil
}

// like reports whether two columns have the same name and type.
func like(c, d data.Column) bool {
	return c.Name == d.Name && c.Type == d.Type && slices.Equal(c.States, d.States)
}

// typeText returns the type for a message.
func typeText(c data.Column) string {
	if c.States != nil {
		return "{" + plain.QuoteList(c.States) + "}"
	}
	return cmp.Or(c.Type, "text")
}

// Parts returns the files that have the rows.
func (r *Reader) Parts() []Part {
	if r.parts == nil {
		return []Part{{Path: r.name, Name: filepath.Base(r.name)}}
	}
	return r.parts
}

// Part returns a reader of the rows of a part only, with the columns of all. Close it after use. If
// there is one file, it is r.
func (r *Reader) Part(i int) *Reader {
	rows, ok := r.rows.(*partRows)
	if !ok {
		return r
	}
	one := *rows
	one.parts, one.at, one.now = rows.parts[i:i+1], 0, nil
	p := *r
	p.name, p.parts, p.rows, p.file = one.parts[0].Path, one.parts, &one, &one
	p.raw.Cells, p.rec.Cells = make([]data.Cell, len(r.raw.Cells)), make([]data.Cell, len(r.rec.Cells))
	return &p
}

// Further reports whether the options do not name a column and the first of several files has none
// of its name. Such a column is read if it is one of a known variable, and otherwise ignored.
func (r *Reader) Further(name string) bool {
	return r.project != nil && r.project.further[name] && !slices.Contains(r.opt.Columns, name)
}

// Lacking returns the names of the parts that have no column of a name, if others have one.
func (r *Reader) Lacking(name string) (list []string) {
	has := false // the file before has the column
	for i := range r.parts {
		p := &r.parts[i]
		if i == 0 || &p.columns[0] != &r.parts[i-1].columns[0] {
			has = slices.ContainsFunc(p.columns, func(c data.Column) bool { return c.Name == name })
		}
		if !has && !slices.ContainsFunc(p.keys, func(k key) bool { return k.name == name }) {
			list = append(list, p.Name)
		}
	}
	if len(list) == len(r.parts) {
		return nil
	}
	return list
}

// begin opens the next part. It returns io.EOF after the last one.
func (p *partRows) begin() error {
	if p.at == len(p.parts) {
		return io.EOF
	}
	part := &p.parts[p.at]
	in, err := p.open(part.Path)
	if err != nil {
		return plain.Fail(diag.Pos{File: part.Path}, err)
	}
	p.at++
	n := &placed{rows: in.rows, part: in, rest: make([]data.Cell, len(p.all)), rec: data.Record{Cells: make([]data.Cell, len(in.Columns))}}
	place := map[string]int{}
	for i, c := range in.Columns {
		place[c.Name] = i
	}
	for i, c := range p.all {
		at, ok := place[c.Name]
		n.rest[i].Unknown = true
		for _, k := range part.keys {
			if k.name == c.Name {
				n.rest[i], ok = data.Cell{Text: k.value, Unknown: k.missing}, false
			}
		}
		if !ok {
			at = -1
		} else if in.project != nil && !slices.Contains(p.read, i) {
			in.project.leave(at)
		}
		n.place = append(n.place, at)
	}
	p.now = n
	return nil
}

// Next returns the next row.
func (p *partRows) Next(rec *data.Record) error {
	for {
		if p.now == nil {
			if err := p.begin(); err != nil {
				return err
			}
		}
		err := p.now.Next(rec)
		if err != io.EOF {
			return err
		}
		if err := p.Close(); err != nil {
			return err
		}
	}
}

// Close closes the part that is open.
func (p *partRows) Close() error {
	if p.now == nil {
		return nil
	}
	in := p.now.part
	p.now = nil
	return in.Close()
}

// Piece implements [format.Divided].
func (p *partRows) Piece() format.Rows {
	if p.now == nil {
		return nil
	}
	whole, ok := p.now.rows.(format.Divided)
	if !ok {
		return nil
	}
	rows := whole.Piece()
	if rows == nil {
		return nil
	}
	return &placed{rows: rows, part: p.now.part, place: p.now.place, rest: p.now.rest, rec: data.Record{Cells: make([]data.Cell, len(p.now.rec.Cells))}}
}

// Next returns the next row of the part.
func (p *placed) Next(rec *data.Record) error {
	p.rec.Weight = 1
	if err := p.rows.Next(&p.rec); err != nil {
		return err
	}
	rec.Weight, rec.Pos = p.rec.Weight, p.rec.Pos
	for i, at := range p.place {
		if at < 0 {
			rec.Cells[i] = p.rest[i]
			rec.Cells[i].Line, rec.Cells[i].Col = rec.Pos.Line, rec.Pos.Col
		} else {
			rec.Cells[i] = p.rec.Cells[at]
		}
	}
	return nil
}
