package bnlearn

import (
	"slices"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/jsontext"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/model"
)

// discrete reads the CPD of a discrete node.
func (p *parser) discrete(c *cpd, f *model.Factor, v model.VarID) {
	parents := p.parents(c, "parents", nil)
	for _, u := range parents {
		if p.m.IsReal(u) {
			p.Fail(c.Off, "found the continuous parent %s of a discrete node; want discrete parents", text.Quote(p.m.Vars[u].Name))
		}
	}
	p.levels(c, "plevels")
	places := p.order(c.Off, parents)
	if p.HasErrors() {
		return
	}
	var rows [][]float64
	if p.Enter(c.Object, "cpt") {
		rows = p.table(parents, places, v)
	} else {
		p.Need(c.Object, "rows")
		at := p.Peek().Off
		p.Array("a list of rows", func() { rows = append(rows, p.values(p.m.Card(v), "a list of probabilities")) })
		if len(rows) != len(places) {
			p.Fail(at, "found %d rows; want %d, one for each joint state of the parents", len(rows), len(places))
		}
	}
	if p.HasErrors() {
		return
	}
	d := &model.Table{}
	for _, at := range places {
		d.Values = append(d.Values, rows[at]...)
	}
	f.Scope, f.Child, f.Dist = append(parents, v), len(parents), d
}

// table reads the object cpt: the probability of each level, for each joint state of the parents.
// It returns the rows with the first parent fastest.
func (p *parser) table(parents []model.VarID, places []int, v model.VarID) [][]float64 {
	rows := make([][]float64, len(places))
	if len(parents) == 0 {
		rows[0] = p.row(v)
		return rows
	}
	known := map[string]int{}
	state := make([]int, len(p.m.Vars))
	for r := range places {
		key := ""
		for i, u := range parents {
			if i > 0 {
				key += ","
			}
			key += p.m.Vars[u].Name + "=" + p.m.States(u)[state[u]]
		}
		known[key] = places[r]
		p.m.Next(parents, state)
	}
	at, count := p.Peek().Off, 0
	p.Members("an object with a row for each joint state of the parents", func(name jsontext.Token) {
		i, ok := known[name.Text]
		if !ok || rows[i] != nil {
			p.Fail(name.Off, "found %s; want each joint state of the parents, once", text.Quote(name.Text))
			return
		}
		rows[i] = p.row(v)
		count++
	})
	if count != len(rows) {
		p.Fail(at, "found %d rows; want %d, one for each joint state of the parents", count, len(rows))
	}
	return rows
}

// row reads an object with the probability of each level of v.
func (p *parser) row(v model.VarID) []float64 {
	states := p.m.States(v)
	row := make([]float64, len(states))
	var seen []int
	at := p.Peek().Off
	p.Members("an object with a probability for each level", func(name jsontext.Token) {
		x, _ := p.Entry()
		s := slices.Index(states, name.Text)
		if s < 0 || slices.Contains(seen, s) {
			p.Fail(name.Off, "found %s; want each level of %s, once", text.Quote(name.Text), text.Quote(p.m.Vars[v].Name))
			return
		}
		row[s], seen = x, append(seen, s)
	})
	if len(seen) != len(row) {
		p.Fail(at, "found %d probabilities; want %d, one for each level of %s", len(seen), len(row), text.Quote(p.m.Vars[v].Name))
	}
	return row
}

// gaussian reads the CPD of a continuous node.
func (p *parser) gaussian(c *cpd, f *model.Factor, v model.VarID) {
	parents := p.parents(c, "parents", nil)
	var discrete, real []model.VarID
	if c.kind == "cgnode" {
		if parents == nil {
			parents = []model.VarID{} // positions are allowed
		}
		discrete, real = p.parents(c, "dparents", parents), p.parents(c, "gparents", parents)
		p.levels(c, "dlevels")
	} else {
		real = parents
	}
	for i, u := range append(slices.Clone(discrete), real...) {
		if is := i >= len(discrete); p.m.IsReal(u) != is {
			p.Fail(c.Off, "found %s among the wrong parents of %s; want levels in dparents alone", text.Quote(p.m.Vars[u].Name), text.Quote(p.m.Vars[v].Name))
		}
	}
	places := p.order(c.Off, discrete)
	if p.HasErrors() || !p.fits(c, len(places), len(real)) {
		return
	}
	d := &model.Gaussian{}
	coef, intercept := p.coefficients(c, real, len(places))
	spread, variance := p.spread(c, len(places))
	if p.HasErrors() {
		return
	}
	for _, at := range places {
		d.Mean = append(d.Mean, intercept[at])
		for k := range real {
			d.Coef = append(d.Coef, coef[k][at])
		}
		if x := spread[at]; variance {
			d.Var = append(d.Var, x)
		} else {
			d.Var = append(d.Var, x*x)
		}
	}
	f.Scope, f.Child, f.Dist = slices.Concat(discrete, real, []model.VarID{v}), len(discrete)+len(real), d
}

// fits checks the number of coefficients.
func (p *parser) fits(c *cpd, rows, reals int) bool {
	if rows > p.opt.MaxEntries/(1+reals) {
		p.Fail(c.Off, "found %d coefficients for each of %d joint states; the limit is %d numbers", reals, rows, p.opt.MaxEntries)
		return false
	}
	return true
}

// coefficients reads the intercept and a list of coefficients for each continuous parent.
func (p *parser) coefficients(c *cpd, real []model.VarID, n int) (coef [][]float64, intercept []float64) {
	coef = make([][]float64, len(real))
	p.Need(c.Object, "coefficients")
	at := p.Peek().Off
	p.Members("an object with coefficients", func(name jsontext.Token) {
		v, ok := p.byName[name.Text]
		i := slices.Index(real, v)
		switch {
		case name.Text == "(Intercept)" && intercept == nil:
			intercept = p.values(n, "a list of intercepts")
		case ok && i >= 0 && coef[i] == nil:
			coef[i] = p.values(n, "a list of coefficients")
		default:
			p.Fail(name.Off, "found %s; want the intercept and each continuous parent, once", text.Quote(name.Text))
		}
	})
	if intercept == nil {
		p.Fail(at, `found coefficients without "(Intercept)"; want one`)
	}
	for i, list := range coef {
		if list == nil {
			p.Fail(at, "found no coefficient of %s; want one for each continuous parent", text.Quote(p.m.Vars[real[i]].Name))
		}
	}
	return coef, intercept
}

// spread reads standard deviations or, if the result says so, variances.
func (p *parser) spread(c *cpd, n int) (list []float64, variance bool) {
	if variance = p.Enter(c.Object, "variance"); !variance {
		if !p.Enter(c.Object, "sd") {
			p.Fail(c.Off, `found a Gaussian CPD without "sd" and "variance"; want one of them`)
			return nil, false
		}
	}
	at := p.Peek().Off
	list = p.values(n, "a list of deviations")
	for _, x := range list {
		if x < 0 {
			p.Fail(at, "found the deviation or variance %v; want at least 0", x)
		}
	}
	return list, variance
}
