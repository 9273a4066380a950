package decide

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// ordered checks that a path leads from each open decision to the next one to which anything
// connects it. Parts of the diagram that nothing connects, once evidence fixes variables, may be
// solved in any order.
func (s *solver) ordered() error {
	near := s.neighbours()
	last := make([]*model.Decision, len(near)) // by variable: the last decision that something connects to it
	for i := len(s.open) - 1; i >= 0; i-- {
		d := s.open[i]
		if last[d.Var] == nil {
			for v, from := range connected(near, d.Var) {
				if from >= 0 {
					last[v] = d
				}
			}
			continue
		}
		at := slices.IndexFunc(s.open[i+1:], func(e *model.Decision) bool { return last[e.Var] == last[d.Var] })
		if e := s.open[i+1+at]; !s.leads(d.Var, e.Var) {
			advice := diag.Errorf(", or decide with %v, by which decisions know their parents alone", diag.Option{Name: "limited"})
			if s.packaged {
				advice = diag.Errorf(", since packages need decisions in one order")
			}
			return diag.ErrorfAt(e.Pos, "nothing orders the decisions %q and %q, connected by %s; want a path between them%v",
				s.m.Vars[d.Var].Name, s.m.Vars[e.Var].Name, s.between(connected(near, d.Var), d.Var, e.Var), advice)
		}
	}
	return nil
}

// neighbours returns, by variable, the others in the scopes of potentials and among what an open
// decision knows, without variables that evidence fixes.
func (s *solver) neighbours() [][]model.VarID {
	near := make([][]model.VarID, len(s.m.Vars))
	join := func(scope []model.VarID) {
		scope = s.varying(scope)
		for _, v := range scope {
			for _, u := range scope {
				if u != v {
					near[v] = append(near[v], u)
				}
			}
		}
	}
	for v := range s.m.Vars {
		for _, list := range [][]*potential{s.chances.by[v], s.utilities.by[v]} {
			for _, p := range list {
				if p.scope[0] == model.VarID(v) {
					join(p.scope)
				}
			}
		}
	}
	for _, d := range s.open {
		join(append(slices.Clone(d.Known), d.Var))
	}
	return near
}

// connected returns, by variable, the one before it on a shortest trail from v, or -1.
func connected(near [][]model.VarID, v model.VarID) []model.VarID {
	from := slices.Repeat([]model.VarID{-1}, len(near))
	from[v] = v
	for list := []model.VarID{v}; len(list) > 0; list = list[1:] {
		for _, u := range near[list[0]] {
			if from[u] < 0 {
				from[u] = list[0]
				list = append(list, u)
			}
		}
	}
	return from
}

// between says what connects a and b.
func (s *solver) between(from []model.VarID, a, b model.VarID) string {
	var names []string
	for v := from[b]; v != a; v = from[v] {
		names = append(names, fmt.Sprintf("%q", s.m.Vars[v].Name))
	}
	if names == nil {
		return "one utility or CPD"
	}
	slices.Reverse(names)
	return strings.Join(names, ", ")
}
