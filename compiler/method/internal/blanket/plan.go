package blanket

import (
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/loop"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Plan builds a schedule with rows: weights of the joint states of some variables given all others.
type Plan struct {
	*loop.Plan
	LogLambda []ir.TableID // by variable: the logarithm of its likelihood; NoTable if it is latent, or if no row needs it

	factorsOf [][]int // by variable: the factors of its Markov blanket, without those that have real variables
	whole     map[place]ir.TableID
	leaves    map[place]ir.TableID
	as        map[ir.TableID]Numbers // for the tables in whole
	lows      map[*model.Factor]float64
	merged    []merged
}

// place identifies the table of a factor, or of one part of it.
type place struct {
	as              Numbers
	factor, feature int
}

// place returns the key of the table of a part of a factor. A table of one factor is never scaled.
func (n Numbers) place(factor, feature int) place {
	if n == Scaled {
		n = Plain
	}
	return place{n, factor, feature}
}

// New returns an empty plan for p. In a dependency network the blanket of a variable is its own
// CPD.
func New(p *ir.Problem) *Plan {
	m := p.Model
	b := &Plan{Plan: loop.New(p), factorsOf: make([][]int, len(m.Vars)), whole: map[place]ir.TableID{}, leaves: map[place]ir.TableID{},
		as: map[ir.TableID]Numbers{}, lows: map[*model.Factor]float64{}}
	for n, f := range m.Factors {
		if hasReals(m, f) {
			continue
		}
		for i, v := range f.Scope {
			if m.Kind != model.Dependency || i == f.Child {
				b.factorsOf[v] = append(b.factorsOf[v], n)
			}
		}
	}
	return b
}

// hasReals reports whether f has real variables, so that no table of states describes it.
func hasReals(m *model.Model, f *model.Factor) bool { return slices.ContainsFunc(f.Scope, m.IsReal) }

// BlanketFactors returns the factors of the Markov blankets of vars, ascending, without those that
// have real variables.
func (b *Plan) BlanketFactors(vars []model.VarID) (factors []int) {
	for _, v := range vars {
		factors = append(factors, b.factorsOf[v]...)
	}
	slices.Sort(factors)
	return slices.Compact(factors)
}

// FillRows computes the numbers of the tables of all rows.
func (b *Plan) FillRows(c *method.Context) error {
	err := b.Fill(c.MaxTable, func(t ir.TableID, values []float64) []float64 { return b.as[t].all(values) })
	for i := range b.merged {
		if err := c.Err(); err != nil {
			return err
		}
		b.fill(&b.merged[i])
	}
	return err
}
