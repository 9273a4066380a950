package json

import (
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
)

// This file makes copies of variables of earlier slices: a transition has an effect only on the
// next slice, so that x two slices ago is a variable of the slice before, which holds the x of one
// slice earlier. Nothing after the reader knows more than one slice back.

// maxAgo bounds the number of slices back.
const maxAgo = 100

// lag is a variable some slices ago.
type lag struct {
	v   model.VarID
	ago int
}

// copyOf returns the variable of a slice that holds v some slices ago. It makes that variable and
// those of fewer slices ago unless they are known. They are latent.
func (p *parser) copyOf(v model.VarID, ago, off int) model.VarID {
	for k := 1; k <= ago; k++ {
		if _, known := p.copies[lag{v, k}]; known {
			continue
		}
		n, first := p.repeats(p.plates.vars[v]), model.VarID(len(p.m.Vars))
		if len(p.m.Vars)+n > maxGround {
			p.Fail(off, "found more than %d variables and copies of some slices ago; want fewer", maxGround)
			return v
		}
		for i := range n {
			from := p.m.Vars[int(v)+i]
			w := p.m.NewVar(model.NameAgo(from.Name, k))
			w.Domain, w.Latent, w.Pos = from.Domain, true, p.Pos(off)
		}
		if list := p.plates.vars[v]; list != nil {
			p.plates.vars[first] = list
		}
		if len(p.copied) == 0 {
			p.ago = off
		}
		p.copies[lag{v, k}], p.copied = first, append(p.copied, lag{v, k})
		p.states = append(p.states, make([]map[string]int32, n)...)
	}
	return p.copies[lag{v, ago}]
}

// shift adds the CPDs of the copies to the transition: each takes the value of its original in the
// slice before.
func (p *parser) shift() {
	for _, c := range p.copied {
		if p.HasErrors() {
			return
		}
		from := c.v
		if c.ago > 1 {
			from = p.copies[lag{c.v, c.ago - 1}]
		}
		b, known := p.before[from]
		if !known {
			b = p.keep(from)
		}
		for i := range model.VarID(p.repeats(p.plates.vars[c.v])) {
			child := p.copies[c] + i
			f := &model.Factor{Scope: []model.VarID{b + i, child}, Child: 1, Pos: p.m.Vars[child].Pos}
			if p.m.IsReal(child) {
				f.Dist = &model.Gaussian{Mean: []float64{0}, Coef: []float64{1}, Var: []float64{0}}
			} else {
				states := make([]int32, p.m.Card(child))
				for s := range states {
					states[s] = int32(s)
				}
				f.Dist = &model.Deterministic{States: states}
			}
			p.m.Factors = append(p.m.Factors, f)
		}
	}
}

// named returns the variable that an expression calls by a name: x, or x@-2 for x two slices ago.
func (p *parser) named(name string) (v model.VarID, known bool) {
	if v, known = p.byName[name]; known {
		return v, true
	}
	i := strings.LastIndex(name, "@-")
	if i < 0 {
		return 0, false
	}
	ago, err := strconv.Atoi(name[i+2:])
	if v, known = p.byName[name[:i]]; !known || err != nil {
		return 0, false
	}
	if p.before == nil {
		v, known = p.copies[lag{v, ago}]
		return v, known
	}
	if ago > 1 {
		if v, known = p.copies[lag{v, ago - 1}]; !known {
			return 0, false
		}
	}
	v, known = p.before[v]
	return v, known && ago >= 1
}
