package bound

import (
	"cmp"
	"context"
	"math"
	"math/big"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Limits of the comparison of states that a search may confuse by rounding: the most states of each
// part of the problem, the most nodes of the search for them, the most numbers that exact values
// multiply, and the most bits of a value.
const (
	maxTied   = 256
	tiedNodes = 1 << 16
	tiedWork  = 1 << 22
	tiedBits  = 1 << 13
)

// contender is a joint state with its exact value.
type contender struct {
	states []int
	value  *big.Float
}

// resolveTies decides which of the states that a search took for equal are best, by exact sums of
// products, if there are few. Otherwise f is no longer proven, and its bound allows for rounding.
func (f *Incumbent) resolveTies(ctx context.Context, m *model.Model, max []bool, opt Options) error {
	if !f.Proven || !f.Near || math.IsInf(f.Value, -1) {
		return nil
	}
	a := newQuery(ctx, opt)
	p, err := FromModel(m, max, a.MaxTable)
	if err != nil {
		return err
	}
	if ctx.Err() == nil {
		t, err := a.tree(m, max)
		if err != nil || a.resolveTies(t, m, f) {
			return err
		}
	}
	f.Proven, f.Bound = false, f.Value+p.slack()
	return nil
}

// resolveTies is settle over the mini-buckets of t. It reports whether the states of f are proven.
func (a *query) resolveTies(t *tree, m *model.Model, f *Incumbent) bool {
	s := newPseudo(t)
	if s == nil {
		return false
	}
	e := newElimination(t, upper)
	e.improve(rounds, a.deadlineAt(upperUntil))
	a.Nodes = min(a.Nodes, tiedNodes)
	if a.enumerateTies(m, s, e, f) {
		return true
	}
	if slices.Contains(t.Max, false) {
		t.fix(f.States)
		e.forward()
		if own := newSearch(a.ctx, s, e, Limits{Nodes: a.Nodes, Entries: a.memoLimit()}).run(nil); own.Proven {
			f.Value = own.Value
		}
	}
	return false
}

// enumerateTies replaces the states of f by the best of all that are as good up to rounding. It
// reports whether it found all of these.
func (a *query) enumerateTies(m *model.Model, s *pseudo, e *elimination, f *Incumbent) bool {
	a.Keep = 1 + len(f.More)
	gap := 0.0
	if a.Keep > 1 {
		gap = f.Value - f.More[a.Keep-2].Value
	}
	x := newSearch(a.ctx, s, e, Limits{Nodes: a.Nodes, Entries: a.memoLimit(), Keep: a.Keep + maxTied})
	x.offerStart(f.States)
	for _, c := range x.parts {
		c.minValue = c.value() - gap - 3*x.tie()
	}
	if !x.run(nil).Proven {
		return false
	}
	var best []contender
	for _, c := range x.parts {
		if work := x.terms() * float64(len(m.Factors)*len(c.best)*a.Keep); work > tiedWork || len(c.best) >= x.limits.Keep {
			return false
		}
		best = x.joined(m, c, best, f.States)
	}
	f.States, f.Value, f.More = best[0].states, best[0].log(), nil
	for _, y := range best[1:] {
		f.More = append(f.More, Assignment{y.states, y.log()})
	}
	f.Bound, f.Near = f.Value, false
	return true
}

// joined returns the best joint states of list with the states of c. An empty list stands for base.
func (x *search) joined(m *model.Model, c *component, list []contender, base []int) (out []contender) {
	if list == nil {
		list = []contender{{states: base}}
	}
	for _, y := range list {
		for _, s := range c.best {
			z := slices.Clone(y.states)
			for i, v := range c.vars {
				z[v] = s.states[i]
			}
			out = append(out, contender{z, x.exactly(m, z)})
		}
	}
	slices.SortFunc(out, func(a, b contender) int {
		return cmp.Or(b.value.Cmp(a.value), slices.Compare(a.states, b.states))
	})
	return out[:min(x.limits.Keep-maxTied, len(out))]
}

// terms returns the number of joint states of the variables that are summed out.
func (p *Problem) terms() float64 {
	n := 1.0
	for v, max := range p.Max {
		if !max {
			n *= float64(p.Card[v])
		}
	}
	return n
}

// exactly returns the sum of the product of the factors of m over the variables that are summed
// out, at states of the others.
func (p *Problem) exactly(m *model.Model, states []int) *big.Float {
	var summed []model.VarID
	for v, max := range p.Max {
		if !max {
			summed = append(summed, model.VarID(v))
			states[v] = 0
		}
	}
	precision := min(tiedBits, 64+53*uint(len(m.Factors)))
	sum := new(big.Float).SetPrec(precision)
	for more := true; more; more = m.Next(summed, states) {
		product := new(big.Float).SetPrec(precision).SetInt64(1)
		for _, f := range m.Factors {
			product.Mul(product, big.NewFloat(m.Value(f, states)))
		}
		sum.Add(sum, product)
	}
	return sum
}

// log returns the logarithm of the value.
func (x *contender) log() float64 {
	if y, _ := x.value.Float64(); y >= 0x1p-1022 && y <= math.MaxFloat64 {
		return pgmrt.Ln(y)
	}
	mant := new(big.Float)
	exp := x.value.MantExp(mant)
	y, _ := mant.Float64()
	return pgmrt.Ln(y) + float64(exp)*math.Ln2
}
