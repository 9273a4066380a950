package decide

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Rival is a strategy that is best for no willingness to pay in an interval: one that always takes
// an option of the first decision, and is the best of those for some willingness in the interval.
type Rival struct {
	Trade
	Equal bool // what By names is as good, and not better

	// By has the number of a strategy that is at least as good, or two of which a mixture is: of
	// the frontier, or of the rivals, which are counted on.
	By []int

	// Beyond is NaN, or By has one strategy that is worse outside the interval, beyond this
	// willingness to pay.
	Beyond float64
}

// Rivals returns what each option of the first open decision leads to that is not on a frontier, by
// ascending costs, and why it is not. Options of a first decision that a variable of a decision
// analysis network restricts are no strategies of their own: they have no rivals.
func Rivals(ctx context.Context, m *model.Model, likelihood [][]float64, low, high float64, o Options, trades []Trade) (list []Rival, err error) {
	if m.Transition != nil {
		if m, likelihood, err = condense(ctx, m, likelihood, o); err != nil {
			return nil, err
		}
	}
	any := scaled(m, func(c *model.Criterion) float64 { return c.Effect - c.Cost })
	s, _, err := diagram(ctx, any, likelihood, o)
	if err != nil || len(s.open) == 0 || m.Diagram.Asymmetry != nil && len(s.open[0].Known) > 0 {
		return nil, err
	}
	first := s.open[0].Var
	for k := range m.Card(first) {
		taken := slices.Clone(likelihood)
		taken[first] = make([]float64, m.Card(first))
		taken[first][k] = 1
		best, err := Frontier(ctx, m, taken, low, high, o)
		if err != nil {
			return nil, err
		}
		for _, t := range best {
			t.First, t.Option = first, k
			if r, ok := judge(t, trades); ok {
				list = append(list, r)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Rival) int { return cmp.Compare(a.Cost, b.Cost) })
	for i := range list { // beyond the interval, one may dominate another
		r := &list[i]
		for k := range list {
			x := list[k]
			if !math.IsNaN(r.Beyond) && x.Cost <= r.Cost && x.Effect >= r.Effect && (x.Cost < r.Cost || x.Effect > r.Effect) {
				r.By, r.Beyond = []int{len(trades) + k}, math.NaN()
			}
		}
	}
	return list, nil
}

// judge compares a strategy with a frontier, of which it is none if ok.
func judge(t Trade, frontier []Trade) (r Rival, ok bool) {
	r = Rival{Trade: t, Beyond: math.NaN()}
	cost, effect := t.Cost, t.Effect
	for _, x := range frontier {
		cost, effect = max(math.Abs(cost), math.Abs(x.Cost)), max(math.Abs(effect), math.Abs(x.Effect))
	}
	cost, effect = nearly*cost, nearly*effect // what is rounding
	for i, x := range frontier {
		less, more := t.Cost-x.Cost, x.Effect-t.Effect
		switch {
		case math.Abs(less) <= cost && math.Abs(more) <= effect:
			r.By, r.Equal = []int{i}, true
			return r, x.Option != t.Option
		case less >= -cost && more >= -effect:
			r.By = []int{i} // the last such one has the largest effect
		}
	}
	if r.By != nil {
		return r, true
	}
	for i := range len(frontier) - 1 {
		a, b := frontier[i], frontier[i+1]
		if a.Effect <= t.Effect && t.Effect <= b.Effect {
			share := (t.Effect - a.Effect) / (b.Effect - a.Effect)
			more := t.Cost - (a.Cost + share*(b.Cost-a.Cost))
			r.By, r.Equal = []int{i, i + 1}, more <= cost
			return r, true
		}
	}
	by := 0
	if t.Effect > frontier[0].Effect {
		by = len(frontier) - 1
	}
	r.By, r.Beyond = []int{by}, (t.Cost-frontier[by].Cost)/(t.Effect-frontier[by].Effect)
	return r, true
}

// constant returns the option that the first open decision always takes, or -1.
func (x *Solution) constant() int {
	if x.network == nil {
		return same(x.Policies[0].Choice)
	}
	root, err := x.network.plan()
	if err != nil {
		return -1
	}
	return same(root.choices(x.solver.open[0].Var))
}

// choices returns the choices of a decision.
func (b *Branch) choices(d model.VarID) (list []int) {
	for _, c := range b.Branches {
		if c.Var == d {
			list = append(list, c.State)
		} else {
			list = append(list, c.choices(d)...)
		}
	}
	return list
}

// same returns the only number of a list that is not negative, or -1.
func same(list []int) int {
	one := -1
	for _, k := range list {
		if one >= 0 && k >= 0 && k != one {
			return -1
		}
		one = max(one, k)
	}
	return one
}
