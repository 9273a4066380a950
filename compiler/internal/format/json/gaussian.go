package json

import "github.com/pgmc-go/pgmc/ir/model"

// gaussian reads a Gaussian CPD. It leaves the numbers of numbers to model.Check.
func (p *parser) gaussian(f *model.Factor) {
	o := p.Fields("a Gaussian CPD", "mean", "coef", "var")
	d := &model.Gaussian{}
	var offs []int
	p.Need(o, "mean")
	d.Mean, offs = p.numbers()
	for _, off := range offs {
		f.RowPos = append(f.RowPos, p.Pos(off))
	}
	if p.Enter(o, "coef") {
		d.Coef, _ = p.numbers()
	}
	p.Need(o, "var")
	d.Var, _ = p.numbers()
	p.Leave(o)
	f.Dist = d
}

// gaussian writes the means and variances on one line each for all states of the last discrete
// parent, and the coefficients row by row.
func (w *writer) gaussian(f *model.Factor, d *model.Gaussian) {
	discrete, real := w.m.SplitParents(f)
	n := w.lastCard(discrete)
	w.WriteString("{\n" + inNoisyMax + `"mean": `)
	w.grid(d.Mean, n)
	if len(real) > 0 {
		w.WriteString(",\n" + inNoisyMax + `"coef": `)
		w.grid(d.Coef, len(real))
	}
	w.WriteString(",\n" + inNoisyMax + `"var": `)
	w.grid(d.Var, n)
	w.WriteString("\n" + inFactor + "}")
}

// grid writes a list of numbers, n on each line, or on the same line if they fit one.
func (w *writer) grid(values []float64, n int) {
	if len(values) <= n {
		w.line(len(values), func(i int) { w.float(values[i]) })
		return
	}
	w.rows(inNoisyMax, values, n)
}

// diffuse reads true.
func (p *parser) diffuse(f *model.Factor) {
	if at := p.Peek().Off; !p.bool() {
		p.Fail(at, "found false; want true, or no such field")
	}
	f.Dist = &model.Diffuse{}
}

func (w *writer) diffuse(*model.Factor, *model.Diffuse) { w.WriteString("true") }
