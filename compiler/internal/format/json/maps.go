package json

import (
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/jsontext"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/model"
)

// gridMap reads a map.
func (p *parser) gridMap() {
	o := p.Fields("a map", "name", "origin", "cell", "rows")
	t := &model.Map{}
	p.Need(o, "name")
	name := p.Expect(jsontext.Str, "the name of a map")
	t.Name = strings.Clone(name.Text)
	if !model.IsMapName(t.Name) || slices.ContainsFunc(p.maps, func(u *model.Map) bool { return u.Name == t.Name }) {
		p.Fail(name.Off, "found the map %s; want a name of letters, digits and _ that is no function and no other map", text.Quote(t.Name))
	}
	p.Need(o, "origin")
	at := p.Peek().Off
	if origin, _ := p.numbers(); len(origin) == 2 {
		t.X, t.Y = origin[0], origin[1]
	} else {
		p.Fail(at, "found an origin of %d numbers; want x and y of the first number", len(origin))
	}
	p.Need(o, "cell")
	var off int
	if t.Cell, off = p.Float(); !(t.Cell > 0) {
		p.Fail(off, "found cells of the size %v; want a number above 0", t.Cell)
	}
	p.Need(o, "rows")
	p.Array("a list of rows", func() {
		at := p.Peek().Off
		row, _ := p.numbers()
		switch {
		case t.Columns == 0:
			t.Columns = len(row)
		case len(row) != t.Columns:
			p.Fail(at, "found a row of %d numbers; want %d, as in the first", len(row), t.Columns)
		}
		t.Values = append(t.Values, row...)
	})
	if len(t.Values) == 0 || len(t.Values) > model.MaxMap {
		p.Fail(name.Off, "found a map of %d numbers; want 1 to %d", len(t.Values), model.MaxMap)
	}
	p.Leave(o)
	p.maps = append(p.maps, t)
}

// maps writes the maps of a model.
func (w *writer) maps(list []*model.Map) {
	if len(list) == 0 {
		return
	}
	w.WriteString(",\n  \"maps\": ")
	w.block("  ", len(list), func(i int) {
		t := list[i]
		w.WriteString(`{"name": `)
		w.string(t.Name)
		w.WriteString(`, "origin": `)
		w.line(2, func(k int) { w.float([]float64{t.X, t.Y}[k]) })
		w.WriteString(`, "cell": `)
		w.float(t.Cell)
		w.WriteString(`, "rows": `)
		w.block("    ", t.Rows(), func(j int) { w.line(t.Columns, func(k int) { w.float(t.Values[j*t.Columns+k]) }) })
		w.WriteByte('}')
	})
}
