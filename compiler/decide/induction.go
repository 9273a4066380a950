package decide

import (
	"context"
	"errors"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Induction is the solution of a template of a sequence, slice by slice.
type Induction struct {
	First *Solution // of slice 0, with a utility for all that follows
	Later []*Policy // of the later slices in their order, over the numbers of [model.Model.Unroll]
}

// ErrHidden is the error of a template that is not solved slice by slice.
var ErrHidden = errors.New("the decisions of a slice do not know all that has an effect on the next one; want the diagram of all slices, Model.Unroll")

// errTemplate is the error of a template in place of a diagram.
var errTemplate = errors.New("the model is a template of a sequence; want the diagram of all its slices, Model.Unroll, or Induct")

// Induct solves a template of a sequence by backward induction (Bellman 1957): the utility of what
// follows is a function of the variables that have an effect on the next slice, which decisions must
// know, and of the decisions that are taken once. Decisions know what those of earlier slices knew.
// Its time grows with the horizon, and its tables do not. The likelihoods are about slice 0.
// Utilities are those of Solve, with the discounts of all slices. It returns ErrHidden, or the errors
// of Solve.
func Induct(ctx context.Context, m *model.Model, likelihood [][]float64, o Options) (*Induction, error) {
	return induct(ctx, m, likelihood, o, small)
}

// induct solves a template. With more than small joint states between slices, it leaves out those
// states of variables that they cannot have in a slice.
func induct(ctx context.Context, m *model.Model, likelihood [][]float64, o Options, small int) (*Induction, error) {
	if err := Check(m); err != nil {
		return nil, err
	}
	if o.Limited || m.Transition == nil || !markov(m) {
		return nil, ErrHidden
	}
	n, out := newInduction(ctx, m, o), &Induction{}
	later, err := n.back(out, likelihood, small)
	if err != nil {
		return nil, err
	}
	first, likelihood, err := n.first(later, likelihood)
	if err != nil {
		return nil, err
	}
	out.First, err = Solve(ctx, first, likelihood, o)
	return out, err
}

// back goes back from the last slice to slice 1. It adds the policies to out, and returns the
// utilities of what follows slice 0.
func (n *induction) back(out *Induction, likelihood [][]float64, small int) (later []*model.Utility, err error) {
	if size, ok := n.step.TableSize(n.kept); !ok || size > small {
		n.reach(likelihood)
	}
	for t := n.m.Diagram.Horizon - 1; t > 0; t-- {
		policies, value, err := n.slice(t, later)
		if err != nil {
			return nil, err
		}
		later = value
		slices.Reverse(policies)
		out.Later = append(out.Later, policies...)
	}
	slices.Reverse(out.Later)
	return later, nil
}

// markov reports whether each variable of the slice before is known to the decisions of a slice, or
// no slice has any.
func markov(m *model.Model) bool {
	t := m.Transition
	for _, v := range m.Vars {
		d := m.Decides(v.ID)
		later := slices.ContainsFunc(t.Decisions, func(x *model.Decision) bool { return x.Var == v.ID })
		if v.Given && !later && (d == nil || !d.Once) {
			return false // it takes evidence in all slices
		}
	}
	for i, v := range t.Before {
		knows := func(d *model.Decision) bool { return d.Var == v || slices.Contains(d.Known, v) }
		earlier := slices.ContainsFunc(m.Diagram.Decisions, knows) && slices.ContainsFunc(t.Decisions, knows)
		now := true
		for _, d := range t.Decisions {
			now = now && slices.Contains(d.Known, model.VarID(len(m.Vars)+i))
		}
		if len(t.Decisions) > 0 && !earlier && !now {
			return false
		}
	}
	return true
}

// induction solves the slices of m.
type induction struct {
	ctx     context.Context
	m, step *model.Model
	options Options
	kept    []model.VarID // of step: the variables of the slice before, and decisions that are taken once

	// By slice, the support of the variables of m, and then of step; nil if all states are possible
	// or some CPD has no table.
	supports []support
	tables   map[*model.Factor][]float64
	last     *model.Model // the step with support only
	support  support
}

func newInduction(ctx context.Context, m *model.Model, o Options) *induction {
	n := &induction{ctx: ctx, m: m, step: m.Step(), options: o, tables: map[*model.Factor][]float64{}}
	for i := range m.Transition.Before {
		n.kept = append(n.kept, model.VarID(len(m.Vars)+i))
	}
	for _, d := range m.Diagram.Decisions {
		if d.Once {
			n.kept = append(n.kept, d.Var)
		}
	}
	for _, v := range n.kept {
		x := *n.step.Vars[v]
		x.Given, n.step.Vars[v] = false, &x
	}
	return n
}

// of returns the diagram of slice t with the utilities of what follows.
func (n *induction) of(slice *model.Model, t int, d *model.Diagram, later []*model.Utility) *model.Model {
	out := *slice
	out.Transition = nil
	out.Diagram = &model.Diagram{Decisions: d.Decisions, Utilities: slices.Concat(d.Utilities, later), Criteria: n.m.Diagram.Discounted(t)}
	return &out
}

// slice returns the policies of slice t, and its value with all that follows, as utilities of the
// slice before.
func (n *induction) slice(t int, later []*model.Utility) ([]*Policy, []*model.Utility, error) {
	step, err := n.narrowed(t)
	if err != nil {
		return nil, nil, err
	}
	m := n.of(step, t, step.Diagram, later)
	s, err := newSolver(n.ctx, m, make([][]float64, len(m.Vars)), n.options)
	if err != nil {
		return nil, nil, err
	}
	s.kept = n.kept
	for _, v := range n.kept {
		s.fixed[v] = true
	}
	out := &Solution{}
	if err := s.eliminate(out); err != nil {
		return nil, nil, err
	}
	value, constant := []*model.Utility(nil), 0.0
	for _, p := range s.left(n.kept).utilities {
		if len(p.scope) == 0 {
			constant += p.values[0]
			continue
		}
		u := &model.Utility{Name: "later slices", Values: p.values}
		for _, v := range p.scope {
			u.Scope = append(u.Scope, n.now(v))
		}
		value = append(value, u)
	}
	value = append(value, &model.Utility{Name: "later slices", Values: []float64{constant}})
	for _, p := range out.Policies {
		p.simplify(m)
		n.widen(p, t)
		n.renumber(p, t)
	}
	return out.Policies, value, nil
}

// now returns the variable of a slice that the step of the next one calls v.
func (n *induction) now(v model.VarID) model.VarID {
	if i := int(v) - len(n.m.Vars); i >= 0 {
		return n.m.Transition.Before[i]
	}
	return v
}

// renumber gives the variables of a policy of slice t their numbers among all slices.
func (n *induction) renumber(p *Policy, t int) {
	size := model.VarID(len(n.m.Vars))
	p.Decision, p.Known = p.Decision+model.VarID(t)*size, slices.Clone(p.Known)
	for i, v := range p.Known {
		switch d := n.m.Decides(v); {
		case v >= size:
			p.Known[i] = n.now(v) + model.VarID(t-1)*size
		case d == nil || !d.Once:
			p.Known[i] += model.VarID(t) * size
		}
	}
}
