package decide

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Trade is a strategy that is best in an interval of the willingness to pay for an effect.
type Trade struct {
	*Solution
	From, To     float64
	Cost, Effect float64 // the means

	First  model.VarID // the first open decision; -1 if there is none
	Option int         // of that, if the strategy always takes the same one; otherwise -1
}

// maxSolves bounds the work on a frontier.
const maxSolves = 10000

// Frontier returns the strategies that maximise willingness times effect minus cost for some
// willingness to pay in an interval, by ascending willingness. The frontier is exact up to
// rounding: its value is a convex piecewise linear function, so that two neighbours are known once
// no strategy is better where they are equally good. Each step solves the diagram; there are at
// most two for each strategy of the frontier, and two more. The result is that of an elimination of
// such functions (Arias and Diez 2011), whose tables would hold all pieces of each subproblem.
// A template must have no decisions in later slices; its likelihoods are about slice 0.
func Frontier(ctx context.Context, m *model.Model, likelihood [][]float64, low, high float64, o Options) ([]Trade, error) {
	if err := Check(m); err != nil {
		return nil, err
	}
	if err := comparable(m, low, high, o); err != nil {
		return nil, err
	}
	if m.Transition != nil {
		var err error
		if m, likelihood, err = condense(ctx, m, likelihood, o); err != nil {
			return nil, err
		}
	}
	f := &frontier{ctx: ctx, m: m, likelihood: likelihood, options: o}
	first, err := f.solve(low)
	if err != nil {
		return nil, err
	}
	last, err := f.solve(high)
	if err != nil {
		return nil, err
	}
	list, err := f.between(first, last)
	if err != nil {
		return nil, err
	}
	out := list[:0]
	for i := range list {
		list[i].To = high
		if i+1 < len(list) {
			list[i].To = list[i+1].From
		}
		if list[i].From < list[i].To || low == high {
			out = append(out, list[i])
		}
	}
	return out, nil
}

// comparable returns an error if costs and effects cannot be compared. A criterion with scale 0
// counts nothing.
func comparable(m *model.Model, low, high float64, o Options) error {
	if !(0 <= low && low <= high) || math.IsInf(high, 0) {
		return fmt.Errorf("the willingness to pay is from %v to %v; want two numbers, 0 or more, ascending", low, high)
	}
	if o.RiskTolerance > 0 {
		return errors.New("costs and effects are compared by their means; want no tolerance of risk")
	}
	parts := []*model.Model{m}
	if m.Transition != nil {
		parts = append(parts, m.Step())
	}
	for _, part := range parts {
		others, err := part.Weighted(part.Diagram.Roots(), cmp.Or(o.MaxTable, defaultMaxTable), func(c *model.Criterion) float64 {
			if c.Cost != 0 || c.Effect != 0 || c.Scale == 0 {
				return 0
			}
			return 1
		})
		if err != nil {
			return err
		}
		for _, u := range others {
			if slices.ContainsFunc(u.Values, func(x float64) bool { return x != 0 }) {
				return diag.ErrorfAt(u.Pos, "utility %q has no criterion that counts as a cost or an effect; want one", u.Name)
			}
		}
	}
	if !slices.ContainsFunc(m.Diagram.Criteria, func(c *model.Criterion) bool { return c.Effect != 0 }) {
		return errors.New("no criterion counts as an effect; want one")
	}
	return nil
}

// frontier searches for strategies.
type frontier struct {
	ctx        context.Context
	m          *model.Model
	likelihood [][]float64
	options    Options
	solves     int
}

// solve returns the best strategy for a willingness to pay.
func (f *frontier) solve(willingness float64) (Trade, error) {
	if f.solves++; f.solves > maxSolves {
		return Trade{}, fmt.Errorf("the frontier has more than %d strategies; want a smaller interval", maxSolves/2)
	}
	x, err := Solve(f.ctx, scaled(f.m, func(c *model.Criterion) float64 { return willingness*c.Effect - c.Cost }), f.likelihood, f.options)
	if err != nil {
		return Trade{}, err
	}
	if x.Bound > x.Utility {
		return Trade{}, cmp.Or(f.ctx.Err(), error(diag.Errorf("with limited memory, the strategy for a willingness to pay of %v is not proven to be the best; want %v", willingness, diag.Option{Name: "best"})))
	}
	t := Trade{Solution: x, From: willingness, First: -1, Option: -1}
	if len(x.solver.open) > 0 {
		t.First, t.Option = x.solver.open[0].Var, x.constant()
	}
	for _, part := range []struct {
		to *float64
		of func(*model.Criterion) float64
	}{{&t.Cost, func(c *model.Criterion) float64 { return c.Cost }}, {&t.Effect, func(c *model.Criterion) float64 { return c.Effect }}} {
		terms, err := f.m.Weighted(f.m.Diagram.Roots(), x.solver.most, part.of)
		if err != nil {
			return Trade{}, err
		}
		mean, err := x.momentsOf(f.ctx, terms)
		if err != nil {
			return Trade{}, err
		}
		*part.to = mean.Mean
	}
	return t, nil
}

// scaled returns a diagram with other scales of its criteria.
func scaled(m *model.Model, scale func(*model.Criterion) float64) *model.Model {
	out, d := *m, *m.Diagram
	out.Diagram, d.Criteria = &d, nil
	for _, c := range m.Diagram.Criteria {
		x := *c
		x.Scale = scale(c)
		d.Criteria = append(d.Criteria, &x)
	}
	return &out
}

// condense returns slice 0 of a template without decisions in later slices, with the costs and the
// effects of these as utilities, and the likelihoods for it.
func condense(ctx context.Context, m *model.Model, likelihood [][]float64, o Options) (*model.Model, [][]float64, error) {
	if len(m.Transition.Decisions) > 0 || !markov(m) || o.Limited {
		return nil, nil, ErrHidden
	}
	name := "later slices"
	for slices.ContainsFunc(m.Diagram.Criteria, func(c *model.Criterion) bool { return strings.HasPrefix(c.Name, name) }) {
		name += "'"
	}
	n, all := newInduction(ctx, m, o), []*model.Utility(nil)
	criteria := []*model.Criterion{{Name: name, Cost: 1}, {Name: name + ", effects", Effect: 1}}
	for i, scale := range []func(*model.Criterion) float64{func(c *model.Criterion) float64 { return c.Cost }, func(c *model.Criterion) float64 { return c.Effect }} {
		x := newInduction(ctx, scaled(m, scale), o)
		later, err := x.back(&Induction{}, likelihood, small)
		if err != nil {
			return nil, nil, err
		}
		for _, u := range later {
			u.Criterion = criteria[i].Name
		}
		n.supports, n.tables, all = x.supports, x.tables, append(all, later...)
	}
	first, likelihood, err := n.first(all, likelihood)
	if err != nil {
		return nil, nil, err
	}
	first.Diagram.Criteria = append(first.Diagram.Criteria, criteria...)
	return first, likelihood, nil
}

// between returns the strategies from a to b, each from where it begins to be the best.
func (f *frontier) between(a, b Trade) ([]Trade, error) {
	size := func(willingness float64) float64 {
		return math.Abs(a.Cost) + math.Abs(b.Cost) + willingness*(math.Abs(a.Effect)+math.Abs(b.Effect))
	}
	if b.From*(b.Effect-a.Effect) <= rounding*size(b.From) { // the same, or one that costs as much
		return []Trade{a}, nil
	}
	at := min(max((b.Cost-a.Cost)/(b.Effect-a.Effect), a.From), b.From)
	c, err := f.solve(at)
	if err != nil {
		return nil, err
	}
	if at == a.From || at == b.From || at*c.Effect-c.Cost <= at*a.Effect-a.Cost+rounding*size(at) {
		b.From = at
		return []Trade{a, b}, nil
	}
	left, err := f.between(a, c)
	if err != nil {
		return nil, err
	}
	right, err := f.between(c, b)
	if err != nil {
		return nil, err
	}
	right[0].From = left[len(left)-1].From
	return append(left[:len(left)-1], right...), nil
}
