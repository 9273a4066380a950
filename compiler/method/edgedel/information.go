package edgedel

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// mutual prices edges by the mutual information of parent and child given the other parents. It
// approximates the joint distribution of parents by the product of their marginals, which it
// computes from the roots down in the same way, without inference. In a Markov network only the
// factor defines the distribution.
type mutual struct {
	m        *model.Model
	limit    int
	marginal [][]float64 // by variable; nil if not yet computed
	child    []int       // by variable: the index of its CPD, or -1
	prices   map[Edge]float64
}

func newMutual(m *model.Model, limit int) *mutual {
	x := &mutual{m: m, limit: limit, marginal: make([][]float64, len(m.Vars)), child: make([]int, len(m.Vars)), prices: map[Edge]float64{}}
	for v := range m.Vars {
		x.child[v] = -1
	}
	for n, f := range m.Factors {
		if v := f.ChildVar(); v >= 0 {
			x.child[v] = n
		}
	}
	return x
}

// of returns the marginal of v, which is uniform if v has no CPD. Ancestors are processed on a
// stack, since chains may be long.
func (x *mutual) of(v model.VarID) []float64 {
	stack := []model.VarID{v}
	for len(stack) > 0 {
		u := stack[len(stack)-1]
		n := x.child[u]
		if x.marginal[u] != nil {
			stack = stack[:len(stack)-1]
			continue
		}
		if n < 0 {
			x.marginal[u] = slices.Repeat([]float64{1 / float64(x.m.Card(u))}, x.m.Card(u))
			continue
		}
		ready := true
		for _, p := range x.m.Factors[n].Parents() {
			if x.marginal[p] == nil {
				stack, ready = append(stack, p), false
			}
		}
		if ready {
			x.marginal[u] = x.project(x.weighted(n), x.m.Factors[n].Scope, []model.VarID{u})
		}
	}
	return x.marginal[v]
}

// weighted returns factor n times the marginals of its variables except the child, normalized. It
// returns nil if the factor has no table within the limit.
func (x *mutual) weighted(n int) []float64 {
	f := x.m.Factors[n]
	values, err := x.m.Tabulate(f, x.limit)
	if err != nil {
		return nil
	}
	out := slices.Clone(values)
	state := make([]int, len(x.m.Vars))
	sum := 0.0
	for i := range out {
		for _, u := range f.Scope {
			if f.ChildVar() != u && f.Child >= 0 {
				out[i] *= x.marginal[u][state[u]]
			}
		}
		sum += out[i]
		x.m.Next(f.Scope, state)
	}
	for i := range out {
		if sum > 0 {
			out[i] /= sum
		}
	}
	return out
}

// project sums a distribution over scope onto vars. Nil values mean the uniform distribution.
func (x *mutual) project(values []float64, scope, vars []model.VarID) []float64 {
	size, _ := x.m.TableSize(vars)
	if values == nil {
		return slices.Repeat([]float64{1 / float64(size)}, size)
	}
	out := make([]float64, size)
	state := make([]int, len(x.m.Vars))
	for _, p := range values {
		out[x.m.Index(vars, state)] += p
		x.m.Next(scope, state)
	}
	return out
}

// leastPrice keeps prices above 0, so that an edge without information does not outweigh any number
// of others.
const leastPrice = 1e-6

// price returns the mutual information in nats of an edge's parent and the child given the other
// parents. Without a child it is that of the parent and all other variables of the factor.
func (x *mutual) price(e Edge) float64 {
	if p, ok := x.prices[e]; ok {
		return p
	}
	f := x.m.Factors[e.Factor]
	for _, u := range f.Scope {
		x.of(u)
	}
	values := x.weighted(e.Factor)
	price := leastPrice
	if values == nil { // the factor is too large to tabulate
		price = pgmrt.Ln(float64(x.m.Card(e.Parent)))
	} else {
		rest := without(slices.Clone(f.Scope), e.Parent)
		// I(Y; X | U) = H(X,U) + H(Y,U) - H(U) - H(X,Y,U); without a child, I(Y; rest).
		given := rest
		if f.Child >= 0 {
			given = without(slices.Clone(rest), f.ChildVar())
		} else {
			given = nil
		}
		with := append(slices.Clone(given), e.Parent)
		price += max(0, entropy(x.project(values, f.Scope, rest))+entropy(x.project(values, f.Scope, with))-
			entropy(x.project(values, f.Scope, given))-entropy(values))
	}
	x.prices[e] = price
	return price
}

// entropy returns the entropy of p in nats.
func entropy(p []float64) float64 {
	h := 0.0
	for _, x := range p {
		if x > 0 {
			h -= x * pgmrt.Ln(x)
		}
	}
	return h
}
