package bound

import (
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/internal/wcsp"
	"github.com/pgmc-go/pgmc/compiler/order"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Problem is a product of tables over discrete variables. Each variable is summed out, or maximised
// out if Max is set for it; sums come before maxima.
type Problem struct {
	Card    []int
	Factors []Factor
	Max     []bool
}

// Factor is a table of natural logarithms.
type Factor = wcsp.Factor

// FromModel returns the problem of summing out all variables of m except those in max. No table may
// have more than limit numbers. The error names the factor that has more, or that is not a table.
func FromModel(m *model.Model, max []bool, limit int) (*Problem, error) {
	p := &Problem{Card: make([]int, len(m.Vars)), Max: max}
	for v := range m.Vars {
		if p.Card[v] = m.Card(model.VarID(v)); p.Card[v] < 1 {
			return nil, fmt.Errorf("variable %q has no states", m.Vars[v].Name)
		}
	}
	for _, f := range m.Factors {
		values, err := m.Tabulate(f, limit)
		if err != nil {
			return nil, err
		}
		g := Factor{Log: make([]float64, len(values))}
		for i, x := range values {
			g.Log[i] = pgmrt.Ln(x)
		}
		for _, v := range m.Several(f) {
			g.Scope = append(g.Scope, int(v))
		}
		p.Factors = append(p.Factors, g)
	}
	return p, nil
}

// order returns an elimination order of m's graph, sums before maxima.
func (p *Problem) order(m *model.Model, opt order.Options) []int {
	if slices.Contains(p.Max, true) && slices.Contains(p.Max, false) {
		opt.Group = make([]int, len(p.Card))
		for v, max := range p.Max {
			if max {
				opt.Group[v] = 1
			}
		}
	}
	return order.Best(order.FromModel(m), opt).Order
}

// Value returns the logarithm of the product at a joint state.
func (p *Problem) Value(x []int) float64 {
	sum := 0.0
	for i := range p.Factors {
		sum += p.Factors[i].At(p.Card, x)
	}
	return sum
}

// slack returns how far rounding may have moved a bound: its terms are at most the largest
// logarithms of each factor and one for each variable. A sum over the joint states adds each term
// to at most four numbers for each factor and state, and in larger problems, that sum numbers up as
// a tree does, to at most mostRoundings.
func (p *Problem) slack() float64 {
	roundings := len(p.Factors)
	for _, n := range p.Card {
		roundings += n
	}
	sum := float64(len(p.Card))
	for i := range p.Factors {
		most := 0.0
		for _, x := range p.Factors[i].Log {
			if !math.IsInf(x, 0) {
				most = max(most, math.Abs(x))
			}
		}
		sum += most
	}
	return 0x1p-53 * float64(min(4*roundings, mostRoundings)) * sum
}

const mostRoundings = 1 << 12
