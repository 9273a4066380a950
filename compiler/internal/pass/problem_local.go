package pass

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// ProblemLocal splits a potential of features, which is a product of features, into one potential
// for each set of variables that some features share, so that methods see this structure. If
// anything changes, the problem gets a new model. Features stay together if exactly one of them
// holds at a time for methods that ask for it, such as belief propagation: the product of split
// features is full of cycles, but belief propagation takes such a factor in parts, as it does a
// tree.
//
// Source: Koller and Friedman, section 4.4.1.2 (log-linear models).
func ProblemLocal(p *ir.Problem) {
	var factors []*model.Factor
	for _, f := range p.Model.Factors {
		if d, ok := f.Dist.(*model.Features); ok && f.Child < 0 && !(keepsExclusive(p) && d.Exclusive(p.Model, f)) {
			factors = append(factors, split(f, d)...)
			continue
		}
		factors = append(factors, f)
	}
	if slices.Equal(factors, p.Model.Factors) {
		return
	}
	m := *p.Model
	m.Factors = factors
	p.Model = &m
}

// keepsExclusive reports whether the methods of all queries take exclusive features in one piece.
func keepsExclusive(p *ir.Problem) bool {
	return len(p.Queries) > 0 && !slices.ContainsFunc(p.Queries, func(q *ir.Query) bool { return q.By == nil || !q.By.KeepsExclusive })
}

// split returns a potential for each set of positions of the scope that occurs in a feature, in the
// order of first occurrence. If there is only one set and it is the scope, it returns f itself.
func split(f *model.Factor, d *model.Features) []*model.Factor {
	var parts []*model.Factor
	byScope := map[string]*model.Factor{}
	for i, x := range d.List {
		axes := axesOf(x)
		key := axesKey(axes)
		part := byScope[key]
		if part == nil {
			part = &model.Factor{Child: -1, Dist: &model.Features{}, Pos: f.Pos}
			for _, a := range axes {
				part.Scope = append(part.Scope, f.Scope[a])
			}
			if i < len(f.RowPos) {
				part.Pos = f.RowPos[i]
			}
			byScope[key] = part
			parts = append(parts, part)
		}
		y := model.Feature{Weight: x.Weight, Literals: slices.Clone(x.Literals)}
		for k := range y.Literals {
			y.Literals[k].Axis, _ = slices.BinarySearch(axes, y.Literals[k].Axis)
		}
		list := part.Dist.(*model.Features)
		list.List = append(list.List, y)
	}
	if len(parts) == 1 && len(parts[0].Scope) == len(f.Scope) {
		return []*model.Factor{f}
	}
	return parts
}

// axesOf returns the positions that a feature tests, each once, in order.
func axesOf(x model.Feature) []int {
	var axes []int
	for _, l := range x.Literals {
		axes = append(axes, l.Axis)
	}
	slices.Sort(axes)
	return slices.Compact(axes)
}

func axesKey(axes []int) string {
	var key []byte
	for _, a := range axes {
		key = append(key, byte(a), byte(a>>8), byte(a>>16), byte(a>>24))
	}
	return string(key)
}
