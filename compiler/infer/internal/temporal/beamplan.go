package temporal

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// beamPlan is the order in which the variables of a slice get states in a beam search.
type beamPlan struct {
	of      *model.Model
	cpd     []*model.Factor // by variable; nil for one that is given
	parents [][]model.VarID // by variable

	seen   []bool          // by variable: it is observed, as the order assumes
	order  []model.VarID   // nil before the first slice
	needed [][]model.VarID // by place in the order: the variables that matter afterwards
}

func newBeamPlan(of *model.Model) *beamPlan {
	p := &beamPlan{of: of, cpd: make([]*model.Factor, len(of.Vars)), parents: make([][]model.VarID, len(of.Vars))}
	for _, f := range of.Factors {
		p.cpd[f.ChildVar()], p.parents[f.ChildVar()] = f, f.Parents()
	}
	return p
}

// arrange finds the order for the evidence on a slice of m. An observed variable comes as soon as
// its parents have states, so that its evidence counts early.
func (p *beamPlan) arrange(m *model.Model, found Slice) {
	seen := make([]bool, len(m.Vars))
	for v := range seen {
		seen[v] = found.State[v] != Unknown || found.Soft[v] != nil
	}
	if p.order != nil && slices.Equal(seen, p.seen) {
		return
	}
	p.seen, p.order, p.needed = seen, []model.VarID{}, nil
	done := make([]bool, len(p.of.Vars))
	for v := len(m.Vars); v < len(done); v++ {
		done[v] = true // of the slice before
	}
	ready := func(v model.VarID) bool {
		return int(v) < len(m.Vars) && !done[v] && !slices.ContainsFunc(p.parents[v], func(w model.VarID) bool { return !done[w] })
	}
	sorted := p.of.Topological()
	for len(p.order) < len(m.Vars) {
		at := slices.IndexFunc(sorted, func(v model.VarID) bool { return ready(v) && seen[v] })
		if at < 0 {
			at = slices.IndexFunc(sorted, ready)
		}
		done[sorted[at]] = true
		p.order = append(p.order, sorted[at])
	}
	for place := range p.order {
		p.needed = append(p.needed, p.matter(m, place))
	}
}

// matter returns the variables with states after a place in the order that have a child later in
// it, or an effect on the next slice.
func (p *beamPlan) matter(m *model.Model, place int) (list []model.VarID) {
	later := func(v model.VarID) bool {
		return slices.ContainsFunc(p.order[place+1:], func(w model.VarID) bool { return slices.Contains(p.parents[w], v) })
	}
	for v := range p.of.Vars {
		id := model.VarID(v)
		assigned := v >= len(m.Vars) || slices.Contains(p.order[:place+1], id)
		if assigned && (later(id) || slices.Contains(m.Transition.Before, id)) {
			list = append(list, id)
		}
	}
	return list
}

// key appends the states that matter after a place in the order.
func (p *beamPlan) key(b []byte, state []uint16, place int) []byte {
	for _, v := range p.needed[place] {
		b = append(b, byte(state[v]), byte(state[v]>>8))
	}
	return b
}
