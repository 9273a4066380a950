package net

import (
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/cpt"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/numbers"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/model"
)

// normal is a normal distribution as the file gives it: two expressions.
type normal struct {
	off            int    // of the word normal
	mean, variance string // without comments, as long as in the file
	meanOff        int
	varianceOff    int
}

// normal reads `normal ( mean, variance )` up to the closing bracket. Words of this language are
// not those of an expression, which package model parses.
func (p *parser) normal(q *potential) bool {
	n := normal{off: p.tok.off}
	p.advance()
	if p.tok.kind != '(' {
		return p.fail(`"("`)
	}
	start, comma, depth := p.off, -1, 1
	source := []byte(p.src[start:])
	end := 0
	for ; end < len(source) && depth > 0; end++ {
		switch c := source[end]; {
		case c == '%':
			for ; end < len(source) && source[end] != '\n'; end++ {
				source[end] = ' '
			}
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth == 1 && comma < 0:
			comma = end
		case c == ';' || c == '{' || c == '}':
			end = len(source)
		}
	}
	if depth > 0 {
		p.Errorf(p.pos(n.off), `found a normal distribution without end; want ")" after it`)
		return false
	}
	p.off = start + end - 1
	if comma < 0 {
		p.advance()
		return p.fail("a mean, a comma and a variance")
	}
	p.advance()
	n.mean, n.meanOff = string(source[:comma]), start
	n.variance, n.varianceOff = string(source[comma+1:end-1]), start+comma+1
	q.normals, q.Offsets = append(q.normals, n), append(q.Offsets, n.off)
	return true
}

// discreteParents reports a continuous parent of a discrete node.
func (p *parser) discreteParents(q *potential) bool {
	for _, name := range q.Parents {
		if v, ok := p.byName[name.Text]; ok && p.m.IsReal(v) {
			p.Errorf(name.Pos, "found the continuous parent %s of a discrete node; want discrete parents", text.Quote(name.Text))
			return false
		}
	}
	return true
}

// gaussian adds the CPD of a continuous node.
func (p *parser) gaussian(file *cpt.File, q *potential) {
	f, ok := file.Family(&q.Table)
	if !ok {
		return
	}
	child := text.Quote(q.Child.Text)
	if q.normals == nil {
		at := q.End
		if len(q.Offsets) > 0 {
			at = p.pos(q.Offsets[0])
		}
		p.Errorf(at, "found numbers for the continuous node %s; want normal distributions", child)
		return
	}
	discrete, real := p.m.SplitParents(f)
	rows, ok := p.m.TableSize(discrete)
	if !ok || rows != len(q.normals) {
		p.Errorf(p.pos(q.normals[0].off), "found %d normal distributions; want %d, one for each joint state of the discrete parents of %s", len(q.normals), rows, child)
		return
	}
	if rows > p.opt.MaxEntries/(1+len(real)) {
		p.Errorf(q.Pos, "CPD of %s would have %d coefficients for each of %d joint states; the limit is %d numbers", child, len(real), rows, p.opt.MaxEntries)
		return
	}
	if len(discrete) > 0 && !p.nested(q, discrete, "normal distributions") {
		return
	}
	d := &model.Gaussian{}
	for i := range q.normals {
		n := &q.normals[i]
		if undefined(n.mean) && undefined(n.variance) {
			nan := slices.Repeat([]float64{math.NaN()}, len(real)+2)
			d.Mean, d.Coef, d.Var = append(d.Mean, nan[0]), append(d.Coef, nan[2:]...), append(d.Var, nan[1])
			f.RowPos = append(f.RowPos, p.pos(n.off))
			continue
		}
		mean, coef, ok := p.linear(n.mean, n.meanOff, real, "a continuous parent")
		if !ok {
			return
		}
		variance, _, ok := p.linear(n.variance, n.varianceOff, nil, "a constant")
		if !ok {
			return
		}
		d.Mean, d.Coef, d.Var = append(d.Mean, mean), append(d.Coef, coef...), append(d.Var, variance)
		f.RowPos = append(f.RowPos, p.pos(n.off))
	}
	f.Scope = append(append(discrete, real...), f.ChildVar())
	f.Dist = d
	p.m.Factors = append(p.m.Factors, f)
}

// undefined reports whether an expression is NaN, as both of an undefined row are.
func undefined(source string) bool { return strings.EqualFold(strings.TrimSpace(source), "nan") }

// linear reads a linear expression of some variables; want describes them.
func (p *parser) linear(source string, off int, vars []model.VarID, want string) (constant float64, coef []float64, ok bool) {
	axis := make(map[model.VarID]int, len(vars))
	for i, v := range vars {
		axis[v] = i
	}
	names := model.FuncNames{Want: want, Axis: func(name string) (int, bool) {
		v, known := p.byName[name]
		i, ok := axis[v]
		return i, known && ok
	}}
	nodes, err := model.ParseFunc(source, names)
	var where *model.FuncError
	if errors.As(err, &where) {
		p.Errorf(p.pos(off+where.Off), "%s", where.Msg)
		return 0, nil, false
	}
	constant, coef, ok = (&model.Func{Nodes: nodes}).Linear(len(vars))
	if !ok {
		at := len(source) - len(strings.TrimLeft(source, " \t\r\n\v\f"))
		p.Errorf(p.pos(off+at), "found an expression that is not linear in the continuous parents; want one such as 3 - 0.5 * X")
	}
	return constant, coef, ok
}

// gaussian writes the normal distributions of a CPD.
func (w *writer) gaussian(f *model.Factor, d *model.Gaussian) {
	discrete, real := w.m.SplitParents(f)
	w.data(discrete, len(d.Mean), func(row int) {
		mean, coef, variance := d.Row(row)
		if math.IsNaN(mean) { // an undefined row
			w.buf.WriteString("normal (NaN, NaN)")
			return
		}
		w.buf.WriteString("normal (")
		w.linear(mean, coef, real)
		w.buf.WriteString(", ")
		numbers.Float(w.buf, variance)
		w.buf.WriteByte(')')
	})
}

// linear writes the terms of a linear expression that are not 0.
func (w *writer) linear(mean float64, coef []float64, real []model.VarID) {
	first := true
	if mean != 0 {
		numbers.Float(w.buf, mean)
		first = false
	}
	for i, c := range coef {
		if c == 0 {
			continue
		}
		switch {
		case first:
		case c < 0:
			w.buf.WriteString(" - ")
			c = -c
		default:
			w.buf.WriteString(" + ")
		}
		first = false
		numbers.Float(w.buf, c)
		w.buf.WriteString(" * " + w.ids[real[i]])
	}
	if first {
		w.buf.WriteByte('0')
	}
}
