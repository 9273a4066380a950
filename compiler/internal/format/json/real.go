package json

import (
	"errors"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/jsontext"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/model"
)

// softmax reads the CPD of a discrete child with real parents. It leaves the numbers of numbers to
// model.Check, as all functions of this file do.
func (p *parser) softmax(f *model.Factor) {
	o := p.Fields("a softmax", "bias", "coef")
	d := &model.Softmax{}
	var offs []int
	p.Need(o, "bias")
	d.Bias, offs = p.numbers()
	if f.Child >= 0 {
		for i, card := 0, max(1, p.m.Card(f.ChildVar())); i < len(offs); i += card {
			f.RowPos = append(f.RowPos, p.Pos(offs[i]))
		}
	}
	p.Need(o, "coef")
	d.Coef, _ = p.numbers()
	p.Leave(o)
	f.Dist = d
}

// softmax writes the biases of a row on a line, and the coefficients of a state.
func (w *writer) softmax(f *model.Factor, d *model.Softmax) {
	_, real := w.m.SplitParents(f)
	w.WriteString("{\n" + inNoisyMax + `"bias": `)
	w.grid(d.Bias, w.m.Card(f.ChildVar()))
	w.WriteString(",\n" + inNoisyMax + `"coef": `)
	w.grid(d.Coef, len(real))
	w.WriteString("\n" + inFactor + "}")
}

// function reads a CPD whose mean is an expression.
func (p *parser) function(f *model.Factor) {
	o := p.Fields("an expression with variances", "mean", "var")
	d := &model.Func{}
	p.Need(o, "mean")
	t := p.Expect(jsontext.Str, "an expression")
	if p.HasErrors() {
		return
	}
	names := p.m.ScopeNames(f)
	names.Maps = p.maps
	names.Axis = func(name string) (int, bool) { // in a plate, a variable has another name than in the file
		v, known := p.named(name)
		i := slices.Index(f.Scope, v)
		return i, known && i >= 0
	}
	nodes, err := model.ParseFunc(t.Text, names)
	var where *model.FuncError
	if errors.As(err, &where) {
		p.Fail(t.Off, "in the expression, %v", where)
	}
	d.Nodes = nodes
	p.Need(o, "var")
	var offs []int
	d.Var, offs = p.numbers()
	for _, off := range offs {
		f.RowPos = append(f.RowPos, p.Pos(off))
	}
	p.Leave(o)
	f.Dist = d
}

func (w *writer) function(f *model.Factor, d *model.Func) {
	text, err := d.Text(w.m, f)
	if err != nil {
		w.err = err
		return
	}
	discrete, _ := w.m.SplitParents(f)
	w.WriteString("{\n" + inNoisyMax + `"mean": `)
	w.string(text)
	w.WriteString(",\n" + inNoisyMax + `"var": `)
	w.grid(d.Var, w.lastCard(discrete))
	w.WriteString("\n" + inFactor + "}")
}

// canonical reads a potential over real variables. A number of g may be "-inf".
func (p *parser) canonical(f *model.Factor) {
	o := p.Fields("a canonical form", "k", "h", "g")
	d := &model.Canonical{}
	p.Need(o, "k")
	d.K, _ = p.numbers()
	p.Need(o, "h")
	d.H, _ = p.numbers()
	p.Need(o, "g")
	p.Array("a list of numbers", func() {
		f.RowPos = append(f.RowPos, p.Pos(p.Peek().Off))
		d.G = append(d.G, p.weight())
	})
	p.Leave(o)
	f.Dist = d
}

func (w *writer) canonical(f *model.Factor, d *model.Canonical) {
	_, real := w.m.SplitParents(f)
	n := max(1, len(real))
	w.WriteString("{\n" + inNoisyMax + `"k": `)
	w.grid(d.K, n*(n+1)/2)
	w.WriteString(",\n" + inNoisyMax + `"h": `)
	w.grid(d.H, n)
	w.WriteString(",\n" + inNoisyMax + `"g": `)
	w.line(len(d.G), func(i int) { w.weight(d.G[i]) })
	w.WriteString("\n" + inFactor + "}")
}

// pairwise reads a potential of two variables by the difference of their states.
func (p *parser) pairwise(f *model.Factor) {
	o := p.Fields("a pairwise potential", "metric", "weight", "cap")
	d := &model.Pairwise{}
	p.Need(o, "metric")
	t := p.Expect(jsontext.Str, "the name of a metric")
	metric, err := model.ParseMetric(t.Text)
	if err != nil {
		p.Fail(t.Off, "%v", err)
	}
	d.Metric = metric
	p.Need(o, "weight")
	d.Weight, _ = p.Float()
	if p.Enter(o, "cap") {
		d.Cap, _ = p.Float()
	}
	p.Leave(o)
	f.Dist = d
}

func (w *writer) pairwise(_ *model.Factor, d *model.Pairwise) {
	w.WriteString(`{"metric": "` + d.Metric.String() + `", "weight": `)
	w.float(d.Weight)
	if d.Cap > 0 {
		w.WriteString(`, "cap": `)
		w.float(d.Cap)
	}
	w.WriteByte('}')
}

// tied reads the groups of variables whose CPDs share their numbers.
func (p *parser) tied() {
	p.Array("a list of groups", func() {
		var group []model.VarID
		p.Array("a list of variables", func() {
			v, t := p.variableName()
			if p.plates.vars[v] != nil {
				p.Fail(t.Off, "found %s, which is in a plate; want only others, since the CPDs of a plate are tied", text.Quote(t.Text))
			}
			group = append(group, v)
		})
		p.m.Tied = append(p.m.Tied, group)
	})
}

func (w *writer) tied() {
	w.WriteString(",\n  \"tied\": ")
	w.block("  ", len(w.m.Tied), func(i int) {
		w.line(len(w.m.Tied[i]), func(j int) { w.variableName(w.m.Tied[i][j]) })
	})
}
