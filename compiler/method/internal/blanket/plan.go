package blanket

import (
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/loop"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Plan is a plan in the making that has rows: tables of what some variables weigh given all others.
type Plan struct {
	*loop.Plan
	LogLambda []ir.TableID // by variable: the logarithm of its likelihood; NoTable where it is latent, or no row wants it

	touching [][]int // by variable: the factors that its blanket is made of
	whole    map[place]ir.TableID
	leaves   map[place]ir.TableID
	as       map[ir.TableID]Numbers // of tables in whole
	lows     map[*model.Factor]float64
	merged   []merged
}

// place is where the numbers of a factor, or of a feature of it, go.
type place struct {
	as              Numbers
	factor, feature int
}

// place is where the numbers of a feature of a factor go; single factors are not scaled.
func (n Numbers) place(factor, feature int) place {
	if n == Scaled {
		n = Plain
	}
	return place{n, factor, feature}
}

// New begins a plan for p. In a dependency network the blanket of a variable is its own CPD.
func New(p *ir.Problem) *Plan {
	m := p.Model
	b := &Plan{Plan: loop.New(p), touching: make([][]int, len(m.Vars)), whole: map[place]ir.TableID{}, leaves: map[place]ir.TableID{},
		as: map[ir.TableID]Numbers{}, lows: map[*model.Factor]float64{}}
	for n, f := range m.Factors {
		for i, v := range f.Scope {
			if m.Kind != model.Dependency || i == f.Child {
				b.touching[v] = append(b.touching[v], n)
			}
		}
	}
	return b
}

// Touching are the factors that the blankets of some variables are made of.
func (b *Plan) Touching(vars []model.VarID) (factors []int) {
	for _, v := range vars {
		factors = append(factors, b.touching[v]...)
	}
	slices.Sort(factors)
	return slices.Compact(factors)
}

// FillRows gives the tables of all rows their numbers.
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
