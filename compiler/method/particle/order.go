package particle

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// turn is what a particle gets next: a real variable, or the state of a discrete one with the
// measurements that only wait for it. These choose the state: it is drawn by their density too.
type turn struct {
	discrete model.VarID // -1 for a real variable
	real     []model.VarID
}

// slicing is the order of the variables of one slice m.
type slicing struct {
	*kept
	m        *model.Model
	parents  [][]model.VarID // by variable
	children [][]model.VarID
	placed   []bool
}

// order returns the turns of a slice m. Real variables come before states, so that states are drawn
// by as much evidence as there is, and states that others wait for before those of measurements.
func (k *kept) order(m *model.Model) (turns []turn, of *slicing) {
	s := &slicing{kept: k, m: m, parents: make([][]model.VarID, len(m.Vars)), children: make([][]model.VarID, len(m.Vars)), placed: make([]bool, len(m.Vars))}
	for _, f := range m.Factors {
		v := f.ChildVar()
		s.parents[v] = f.Parents()
		for _, u := range s.parents[v] {
			s.children[u] = append(s.children[u], v)
		}
	}
	for v := len(k.base.Vars); v < len(m.Vars); v++ {
		s.placed[v] = true
	}
	sorted := m.Topological()
	find := func(wanted func(model.VarID) bool) model.VarID {
		if i := slices.IndexFunc(sorted, func(v model.VarID) bool { return !s.placed[v] && s.waits(v) == 0 && wanted(v) }); i >= 0 {
			return sorted[i]
		}
		return -1
	}
	for slices.Contains(s.placed, false) {
		next := turn{discrete: -1}
		if v := find(m.IsReal); v >= 0 {
			next.real = []model.VarID{v}
		} else {
			if next.discrete = find(s.early); next.discrete < 0 {
				next.discrete = find(func(model.VarID) bool { return true })
			}
			s.placed[next.discrete] = true
			for _, v := range sorted {
				if !s.placed[v] && s.isLeaf(v) && s.waits(v) == 0 && slices.Contains(s.parents[v], next.discrete) {
					next.real = append(next.real, v)
				}
			}
		}
		for _, v := range next.real {
			s.placed[v] = true
		}
		turns = append(turns, next)
	}
	return turns, s
}

// waits returns the number of parents of v that have no place yet.
func (s *slicing) waits(v model.VarID) (n int) {
	for _, u := range s.parents[v] {
		if !s.placed[u] {
			n++
		}
	}
	return n
}

// isLeaf reports whether v is a kept variable with an effect on no other one.
func (s *slicing) isLeaf(v model.VarID) bool {
	return s.m.IsReal(v) && int(v) < len(s.base.Vars) && len(s.children[v]) == 0 && !s.isDrawn(v) && !slices.Contains(s.after, v)
}

// early reports whether others than measurements wait for v.
func (s *slicing) early(v model.VarID) bool {
	return slices.ContainsFunc(s.children[v], func(u model.VarID) bool { return !s.isLeaf(u) })
}
