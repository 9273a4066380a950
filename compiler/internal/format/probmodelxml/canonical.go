package probmodelxml

import (
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/model"
)

// checkParts checks the potentials of a canonical model: one of the child for each parent, and at
// most one without a parent, the leak.
func (f *family) checkParts(q *potential) bool {
	seen := make([]bool, len(f.refs)+1)
	for _, part := range q.parts {
		i := len(f.refs)
		if len(part.vars) > 1 {
			i = f.find(part.vars[1])
		}
		if !table(part) || len(part.vars) == 0 || len(part.vars) > 2 || i < 0 || seen[i] {
			f.Errorf(part.pos, "found a part of the canonical model of %s; want a table for each parent, and at most one for the leak", text.Quote(f.child.name))
			return false
		}
		if i < len(f.refs) && f.parents[i].numbers != nil {
			f.Errorf(part.pos, "found a part of the canonical model of %s for the number %s; want parents with states", text.Quote(f.child.name), text.Quote(f.refs[i].name))
			return false
		}
		if seen[i] = true; !f.check(part) {
			return false
		}
	}
	for i, r := range f.refs {
		if !seen[i] {
			f.Errorf(q.pos, "the canonical model of %s has no table for %s; want one", text.Quote(f.child.name), text.Quote(r.name))
			return false
		}
	}
	if len(q.parts) == 0 {
		f.Errorf(q.pos, "the canonical model of %s has no table; want one", text.Quote(f.child.name))
		return false
	}
	return true
}

// noisyMax returns the distribution of a canonical model whose child is a maximum.
func (f *family) noisyMax(q *potential) *model.NoisyMax {
	d := &model.NoisyMax{Leak: make([]float64, len(f.child.states)), Cause: make([][]float64, len(f.refs))}
	d.Leak[0] = 1
	for _, part := range q.parts {
		if len(part.vars) == 1 {
			d.Leak = part.values
			continue
		}
		d.Cause[f.find(part.vars[1])] = part.values
	}
	return d
}

// combine sets the distribution of the maximum or the minimum of the contributions of the parents
// and the leak.
func (f *family) combine(q *potential, out []float64) {
	extremes := make([]model.Extreme, len(out))
	for x := range extremes {
		extremes[x].Short = 1
	}
	row := make([]float64, len(out))
	for _, part := range q.parts {
		f.row(part, row)
		for x := range extremes {
			short := row[:x]
			if q.model != "OR/MAX" {
				short = row[x+1:]
			}
			extremes[x] = extremes[x].With(model.ExtremeOf(short, row[x]))
		}
	}
	for x := range out {
		out[x] = extremes[x].At
	}
}
