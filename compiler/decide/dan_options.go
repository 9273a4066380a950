package decide

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// options returns the states that decision d may take after the history whose potentials c has: its
// further state alone if it does not exist, and none if the history has probability 0. It is an
// error if the options depend on a variable that is not known, or if restrictions leave none.
func (n *asymmetric) options(c *solver, d model.VarID) (list []int, err error) {
	state := slices.Clone(n.state)
	var unknown [][]int // by parent: the possible states, if there are several
	for _, p := range n.above[d] {
		var possible []int
		if state[p] < 0 && (n.absent[p] >= 0 || n.restricts(p, d)) {
			if possible, err = n.possible(c, p); err != nil {
				return nil, err
			}
			if len(possible) == 1 {
				state[p], possible = possible[0], nil
			}
		}
		unknown = append(unknown, possible)
	}
	if !n.exists(d, state) {
		return []int{n.absent[d]}, nil
	}
	list = n.allowed(d, state)
	for i, p := range n.above[d] {
		for _, k := range unknown[i] {
			if state[p] = k; !n.exists(d, state) || !slices.Equal(n.allowed(d, state), list) {
				return nil, diag.ErrorfAt(n.m.Decides(d).Pos, "the options of decision %q depend on %q, which is not known when it is taken; want a variable that is observed or revealed by then", n.m.Vars[d].Name, n.m.Vars[p].Name)
			}
			state[p] = -1
		}
	}
	if list != nil {
		return list, nil
	}
	if p, err := n.marginal(c, nil); err != nil || p[0] == 0 {
		return nil, err
	}
	var by []model.VarID
	for _, p := range n.above[d] {
		if n.restricts(p, d) && state[p] >= 0 && state[p] != n.absent[p] {
			by = append(by, p)
		}
	}
	return nil, diag.ErrorfAt(n.m.Decides(d).Pos, "the restrictions of decision %q exclude all its options together, and none does alone,%s; want an option that all allow, or one restriction that excludes all, so that the decision does not exist", n.m.Vars[d].Name, n.where(by, state))
}

// taken adds a potential that says when a decision that was taken exists and allows its option.
func (n *asymmetric) taken(c *solver, d model.VarID) error {
	scope, state := append(slices.Clone(n.above[d]), d), slices.Clone(n.state)
	if size, ok := n.to.TableSize(scope); !ok || size > c.most {
		return c.tooLarge(scope)
	}
	for _, v := range scope {
		state[v] = 0
	}
	p := newPotential(n.to, scope, nil)
	for more := true; more; more = n.to.Next(scope, state) {
		x := 0.0
		if state[d] != n.absent[d] && n.exists(d, state) && n.allows(d, state[d], state) {
			x = 1
		}
		p.values = append(p.values, x)
	}
	c.chances.add(p)
	return nil
}

// restricts reports whether p restricts d.
func (n *asymmetric) restricts(p, d model.VarID) bool {
	return slices.ContainsFunc(n.m.Diagram.Asymmetry.Restrictions, func(r *model.Restriction) bool { return r.Parent == p && r.Child == d })
}

// exists reports whether decision d exists: no restriction excludes all its states, and all its
// parents exist or one of those that do is a decision.
func (n *asymmetric) exists(d model.VarID, state []int) bool {
	return !n.barred(d, state) && (!n.gone(n.above[d], state) || slices.ContainsFunc(n.above[d], func(p model.VarID) bool {
		return n.m.Vars[p].Given && state[p] != n.absent[p]
	}))
}

// allowed returns the states of d that restrictions allow.
func (n *asymmetric) allowed(d model.VarID, state []int) (list []int) {
	for k := range n.m.Card(d) {
		if n.allows(d, k, state) {
			list = append(list, k)
		}
	}
	return list
}

// possible returns the states of v that have positive probability after a history.
func (n *asymmetric) possible(c *solver, v model.VarID) (list []int, err error) {
	values, err := n.marginal(c, []model.VarID{v})
	for k, p := range values {
		if p > 0 {
			list = append(list, k)
		}
	}
	return list, err
}

// marginal returns the probability of each joint state of variables after a history, up to a
// factor: open decisions, on which they do not depend, are summed out.
func (n *asymmetric) marginal(c *solver, vars []model.VarID) (values []float64, err error) {
	d := c.with(nil, -1)
	d.utilities = pool{by: make([][]*potential, len(n.state))}
	if err := d.sumOut(slices.DeleteFunc(n.rest(), func(v model.VarID) bool { return slices.Contains(vars, v) })); err != nil {
		return nil, err
	}
	b, state := d.left(vars), make([]int, len(n.state))
	for more := true; more; more = n.to.Next(vars, state) {
		p, _ := b.value(state)
		values = append(values, p)
	}
	return values, nil
}

// rest returns the variables that are not in the history.
func (n *asymmetric) rest() (list []model.VarID) {
	for v, k := range n.state {
		if k < 0 && !n.s.barren[v] {
			list = append(list, model.VarID(v))
		}
	}
	return list
}
