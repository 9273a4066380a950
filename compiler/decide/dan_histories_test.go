package decide_test

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/decide"
	"github.com/pgmc-go/pgmc/ir/model"
)

// histories evaluates a network by a tree of all histories and sums over the joint states; a
// variable that does not exist is in a state after its last one.
type histories struct {
	m     *model.Model
	above [][]model.VarID // parents, with those of restrictions and revelations
	links [][]model.VarID // without revelations

	refused bool // options are not known, or restrictions contradict each other

	cause []float64 // if not nil, a likelihood of the first variable

	random *rand.Rand    // if not nil, decisions are random
	steps  []decide.Step // what these do
}

func newHistories(m *model.Model) *histories {
	h := &histories{m: m, above: make([][]model.VarID, len(m.Vars)), links: make([][]model.VarID, len(m.Vars))}
	for _, f := range m.Factors {
		h.links[f.ChildVar()] = append(h.links[f.ChildVar()], f.Parents()...)
	}
	for _, d := range m.Diagram.Decisions {
		h.links[d.Var] = append(h.links[d.Var], d.Known...)
	}
	for _, r := range m.Diagram.Asymmetry.Restrictions {
		h.links[r.Child] = append(h.links[r.Child], r.Parent)
	}
	for v := range h.links {
		h.above[v] = slices.Clone(h.links[v])
	}
	for _, r := range m.Diagram.Asymmetry.Reveals {
		h.above[r.Var] = append(h.above[r.Var], r.By)
	}
	return h
}

// options returns the states of v that restrictions allow; none if it does not exist. They may
// leave none together, while none of them excludes all.
func (h *histories) options(v model.VarID, state []int) (list []int, contradictory bool) {
	gone, decided := false, false
	for _, p := range h.links[v] {
		gone = gone || state[p] == h.m.Card(p)
		decided = decided || h.m.Vars[p].Given && state[p] < h.m.Card(p)
	}
	if gone && !(h.m.Vars[v].Given && decided) {
		return nil, false
	}
	for _, r := range h.m.Diagram.Asymmetry.Restrictions {
		if x := state[r.Parent]; r.Child == v && x < h.m.Card(r.Parent) && !slices.Contains(r.Allowed[x*h.m.Card(v):(x+1)*h.m.Card(v)], true) {
			return nil, false
		}
	}
	for k := range h.m.Card(v) {
		if !slices.ContainsFunc(h.m.Diagram.Asymmetry.Restrictions, func(r *model.Restriction) bool {
			return r.Child == v && state[r.Parent] < h.m.Card(r.Parent) && !r.Allowed[state[r.Parent]*h.m.Card(v)+k]
		}) {
			list = append(list, k)
		}
	}
	return list, list == nil
}

// turn returns the options of decision d after a history: those of all its completions that are
// possible.
func (h *histories) turn(d model.VarID, state []int) (list []int) {
	first := true
	complete := func(state []int) {
		if p, _ := h.joint(state); p == 0 {
			return
		}
		options, contradictory := h.options(d, state)
		h.refused = h.refused || contradictory || !first && !slices.Equal(list, options)
		list, first = options, false
	}
	var each func(v int)
	each = func(v int) {
		switch {
		case v == len(state):
			complete(state)
		case state[v] >= 0:
			each(v + 1)
		default:
			for state[v] = range h.m.Card(model.VarID(v)) + 1 {
				each(v + 1)
			}
			state[v] = -1
		}
	}
	each(0)
	return list
}

// joint returns the probability of a joint state, and the sum of the utilities.
func (h *histories) joint(state []int) (p, u float64) {
	p = 1
	if h.cause != nil {
		p = append(slices.Clip(h.cause), 0)[state[0]]
	}
	for _, f := range h.m.Factors {
		v := f.ChildVar()
		list, _ := h.options(v, state)
		at, sum := slices.Clone(state), 0.0
		for _, k := range list {
			at[v] = k
			sum += h.m.Value(f, at)
		}
		switch exists := sum > 0; {
		case exists != (state[v] < h.m.Card(v)), exists && !slices.Contains(list, state[v]):
			return 0, 0
		case exists:
			p *= h.m.Value(f, state)
		}
	}
	for _, x := range h.m.Diagram.Utilities {
		scale := 1.0
		for _, c := range h.m.Diagram.Criteria {
			if c.Name == x.Criterion {
				scale = c.Scale
			}
		}
		if !slices.ContainsFunc(x.Scope, func(v model.VarID) bool { return state[v] == h.m.Card(v) }) {
			u += scale * at(h.m, x.Scope, x.Values, state)
		}
	}
	return p, u
}

// ready reports whether all decisions above v are taken.
func (h *histories) ready(v model.VarID, state []int) bool {
	for _, p := range h.above[v] {
		if h.m.Vars[p].Given && state[p] < 0 || !h.ready(p, state) {
			return false
		}
	}
	return true
}

// value returns the largest mean utility.
func (h *histories) value() float64 {
	_, pu := h.best(slices.Repeat([]int{-1}, len(h.m.Vars)))
	return pu
}

// refuses reports whether the network is refused.
func (h *histories) refuses() bool {
	h.value()
	return h.refused
}

// candidates returns the decisions whose turn it can be: all on which another one depends, or
// something that may be observed, or else the first one.
func (h *histories) candidates(state []int) (active []*model.Decision) {
	var passive []*model.Decision
	for _, d := range h.m.Diagram.Decisions {
		if state[d.Var] >= 0 || !h.ready(d.Var, state) {
			continue
		}
		if slices.ContainsFunc(h.m.Vars, func(v *model.Var) bool { return h.visible(v.ID) && h.leads(d.Var, v.ID) }) {
			active = append(active, d)
		} else {
			passive = append(passive, d)
		}
	}
	if active == nil && passive != nil {
		return passive[:1]
	}
	return active
}

// visible reports whether v is a decision or may be observed.
func (h *histories) visible(v model.VarID) bool {
	a := h.m.Diagram.Asymmetry
	return h.m.Vars[v].Given || slices.Contains(a.Observed, v) || slices.ContainsFunc(a.Reveals, func(r *model.Reveal) bool { return r.Var == v })
}

// leads reports whether a path leads from u to another variable v.
func (h *histories) leads(u, v model.VarID) bool {
	return slices.ContainsFunc(h.above[v], func(p model.VarID) bool { return p == u || h.leads(u, p) })
}

// step notes what a random strategy does.
func (h *histories) step(d model.VarID, choice int, state []int) {
	x := decide.Step{Decision: d, Choice: choice}
	for v, k := range state {
		if k >= 0 && k < h.m.Card(model.VarID(v)) {
			x.Known, x.States = append(x.Known, model.VarID(v)), append(x.States, k)
		}
	}
	h.steps = append(h.steps, x)
}

// best returns the probability of a history, and the largest sum of probability times utility.
func (h *histories) best(state []int) (p, pu float64) {
	a := h.m.Diagram.Asymmetry
	each := func(v model.VarID, states []int, do func(p, pu float64)) {
		for _, k := range states {
			state[v] = k
			do(h.best(state))
		}
		state[v] = -1
	}
	sum := func(q, qu float64) { p, pu = p+q, pu+qu }
	for _, v := range h.m.Vars {
		seen := slices.Contains(a.Observed, v.ID) || slices.ContainsFunc(a.Reveals, func(r *model.Reveal) bool { return r.Var == v.ID && slices.Contains(r.States, state[r.By]) })
		if seen && state[v.ID] < 0 && h.ready(v.ID, state) {
			each(v.ID, []int{0, 1, 2, 3}[:h.m.Card(v.ID)+1], sum)
			return p, pu
		}
	}
	pu = math.Inf(-1)
	list := h.candidates(state)
	if h.random != nil && len(list) > 0 {
		list = list[h.random.IntN(len(list)):][:1]
	}
	for _, d := range list {
		if state[d.Var] < 0 && h.ready(d.Var, state) {
			options := h.turn(d.Var, state)
			if h.random != nil && options != nil {
				options = options[h.random.IntN(len(options)):][:1]
				h.step(d.Var, options[0], state)
			}
			if options == nil {
				options = []int{h.m.Card(d.Var)}
			}
			each(d.Var, options, func(q, qu float64) { p, pu = max(p, q), max(pu, qu) })
		}
	}
	if !math.IsInf(pu, -1) {
		return p, pu
	}
	pu = 0
	if i := slices.IndexFunc(h.m.Vars, func(v *model.Var) bool { return state[v.ID] < 0 }); i >= 0 {
		v := model.VarID(i)
		each(v, []int{0, 1, 2, 3}[:h.m.Card(v)+1], sum)
		return p, pu
	}
	q, u := h.joint(state)
	return q, q * u
}

// agrees reports whether a joint state follows the tree. Decisions without a branch do not exist.
func (h *histories) agrees(b *decide.Branch, state []int) bool {
	taken := make([]bool, len(state))
	for len(b.Branches) > 0 {
		v := b.Branches[0].Var
		taken[v] = true
		k := state[v]
		if k == h.m.Card(v) {
			k = -1
		}
		i := slices.IndexFunc(b.Branches, func(c *decide.Branch) bool { return c.State == k })
		if i < 0 {
			return false
		}
		b = b.Branches[i]
	}
	return !slices.ContainsFunc(h.m.Diagram.Decisions, func(d *model.Decision) bool { return !taken[d.Var] && state[d.Var] < h.m.Card(d.Var) })
}
