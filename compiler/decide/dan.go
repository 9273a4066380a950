package decide

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// maxHistories is the most histories of a decision analysis network that are examined: some minutes
// of work.
const maxHistories = 1 << 21

// asymmetric evaluates a decision analysis network by decomposition (Diez, Luque and Bermejo 2018). In
// each history, a variable that is revealed is observed; if there is none, the best of the
// decisions whose turn it can be is taken; and if none is left, the other variables are summed out.
type asymmetric struct {
	*unfolded
	s       *solver // of the unfolded diagram
	before  [][]model.VarID
	active  []bool        // by variable: a decision or something that may be observed depends on it
	visible []model.VarID // decisions, and what may be observed
	state   []int         // the history, by variable: -1 if nothing is known
	memo    map[string]*outcome
	leaves  int
	imposed map[string]Step // by the history without what does not exist; nil to maximise
}

// outcome is what a history leads to.
type outcome struct {
	probability, utility float64
	next                 model.VarID // the variable that is observed or decided next; -1 for none
	choice               int         // of a decision
}

func newAsymmetric(u *unfolded, s *solver) *asymmetric {
	n := &asymmetric{unfolded: u, s: s, memo: map[string]*outcome{}, before: make([][]model.VarID, len(u.m.Vars)), active: make([]bool, len(u.m.Vars)),
		state: slices.Repeat([]int{-1}, len(u.m.Vars))}
	for v := range u.m.Vars {
		visible := u.m.Vars[v].Given || n.observable(model.VarID(v)) && !s.barren[v]
		if visible {
			n.visible = append(n.visible, model.VarID(v))
		}
		seen := make([]bool, len(u.m.Vars))
		for list := slices.Clone(u.above[v]); len(list) > 0; {
			p := list[len(list)-1]
			list = list[:len(list)-1]
			if seen[p] {
				continue
			}
			seen[p] = true
			list = append(list, u.above[p]...)
			n.active[p] = n.active[p] || visible
			if u.m.Vars[p].Given {
				n.before[v] = append(n.before[v], p)
			}
		}
	}
	return n
}

// observable reports whether a variable may be observed.
func (n *asymmetric) observable(v model.VarID) bool {
	return slices.Contains(n.to.Diagram.Asymmetry.Observed, v)
}

// best returns the outcome of the empty history, given the evidence. Decisions follow steps, unless
// these are nil.
func (n *asymmetric) best(steps []Step) (*outcome, error) {
	c, err := n.start(n.s)
	if err != nil {
		return nil, err
	}
	if steps != nil {
		if err := n.impose(steps); err != nil {
			return nil, err
		}
	}
	out, err := n.evaluate(c)
	if err == nil && out.probability == 0 {
		err = ErrImpossible
	}
	return out, err
}

// start returns the potentials of s given the variables that evidence fixes, and adds these to the
// history.
func (n *asymmetric) start(s *solver) (*solver, error) {
	c := s.with(nil, -1)
	for _, v := range n.m.Vars {
		if s.fixed[v.ID] {
			if v.Given {
				if err := n.taken(c, v.ID); err != nil {
					return nil, err
				}
			}
			n.state[v.ID] = slices.IndexFunc(s.likelihood[v.ID], func(x float64) bool { return x > 0 })
		}
	}
	for v, k := range n.state {
		if k >= 0 {
			c.slice(model.VarID(v), k)
		}
	}
	return c, nil
}

// key names the history.
func (n *asymmetric) key() string {
	var b []byte
	for _, v := range n.visible {
		k := n.state[v] + 1
		b = append(b, byte(k), byte(k>>8), byte(k>>16))
	}
	return string(b)
}

// evaluate returns the outcome of the history, whose potentials c has.
func (n *asymmetric) evaluate(c *solver) (out *outcome, err error) {
	if err := c.ctx.Err(); err != nil {
		return nil, err
	}
	switch v, list := n.revealed(), n.candidates(); {
	case v >= 0:
		out, err = n.observe(c, v)
	case list != nil:
		out, err = n.decide(c, list)
	default:
		out, err = n.leaf(c)
	}
	if err != nil {
		return nil, err
	}
	if n.memo[n.key()] = out; len(n.memo) > maxHistories {
		return nil, fmt.Errorf("the decision analysis network has more than %d histories; want fewer decisions and observations", maxHistories)
	}
	return out, nil
}

// all reports whether all of vars are in the history.
func (n *asymmetric) all(vars []model.VarID) bool {
	return !slices.ContainsFunc(vars, func(v model.VarID) bool { return n.state[v] < 0 })
}

// revealed returns a variable that is known and not yet in the history, or -1.
func (n *asymmetric) revealed() model.VarID {
	a := n.m.Diagram.Asymmetry
	for _, v := range n.visible {
		if n.m.Vars[v].Given || n.state[v] >= 0 || !n.all(n.before[v]) {
			continue
		}
		if slices.Contains(a.Observed, v) || slices.ContainsFunc(a.Reveals, func(r *model.Reveal) bool {
			return r.Var == v && n.state[r.By] >= 0 && slices.Contains(r.States, n.state[r.By])
		}) {
			return v
		}
	}
	return -1
}

// candidates returns the decisions whose turn it can be. One on which no other one and no
// observation depends waits until the others are taken, and then order does not matter.
func (n *asymmetric) candidates() (list []model.VarID) {
	for _, passive := range []bool{false, true} {
		for _, d := range n.m.Diagram.Decisions {
			if n.state[d.Var] < 0 && n.all(n.before[d.Var]) && n.active[d.Var] != passive {
				if list = append(list, d.Var); passive {
					return list
				}
			}
		}
		if list != nil {
			return list
		}
	}
	return nil
}

// after evaluates the history with a further state.
func (n *asymmetric) after(c *solver, v model.VarID, k int) (*outcome, error) {
	n.state[v] = k
	defer func() { n.state[v] = -1 }()
	if out := n.memo[n.key()]; out != nil {
		return out, nil
	}
	d := c.with(nil, -1)
	d.slice(v, k)
	return n.evaluate(d)
}

// observe averages over the states of a variable.
func (n *asymmetric) observe(c *solver, v model.VarID) (*outcome, error) {
	out := &outcome{next: v}
	var q, w []float64
	for k := range n.to.Card(v) {
		x, err := n.after(c, v, k)
		if err != nil {
			return nil, err
		}
		q, w = append(q, x.probability), append(w, x.utility)
		out.probability += x.probability
	}
	if out.probability > 0 {
		out.utility = n.s.mean(q, w, out.probability)
	}
	return out, nil
}

// decide takes the best option of the best decision.
func (n *asymmetric) decide(c *solver, list []model.VarID) (*outcome, error) {
	out := &outcome{next: list[0]}
	for _, d := range list {
		options, err := n.options(c, d)
		if err != nil {
			return nil, err
		}
		if n.imposed != nil {
			if options, err = n.follows(d, options); err != nil {
				return nil, err
			}
		}
		for _, k := range options {
			x, err := n.after(c, d, k)
			if err != nil {
				return nil, err
			}
			if x.probability > 0 && (out.probability == 0 || x.utility > out.utility+nearly*n.s.size) {
				*out = outcome{x.probability, x.utility, d, k}
			}
		}
	}
	if n.imposed != nil && out.probability == 0 {
		return out, n.missing(c, list)
	}
	return out, nil
}

// leaf sums out what was not observed.
func (n *asymmetric) leaf(c *solver) (*outcome, error) {
	if err := c.sumOut(n.rest()); err != nil {
		return nil, err
	}
	out := &outcome{next: -1}
	out.probability, out.utility = c.left(nil).value(nil)
	return out, nil
}
