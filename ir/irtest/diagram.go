package irtest

import (
	"fmt"
	"math/rand/v2"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Diagram returns an influence diagram: a decision d with the given number of options knows a sign
// y, which depends on x, and its utility depends on x.
func Diagram(options, states, signs int) *model.Model {
	m, rng := &model.Model{Name: "diagram", Diagram: &model.Diagram{}}, rand.New(rand.NewPCG(3, 0))
	d, x, y := m.NewVar("d", numbered(options)...), m.NewVar("x", numbered(states)...), m.NewVar("y", numbered(signs)...)
	d.Given = true
	given := &model.Table{}
	for range states {
		given.Values = append(given.Values, row(rng, signs)...)
	}
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{x.ID}, Dist: &model.Table{Values: row(rng, states)}},
		{Scope: []model.VarID{x.ID, y.ID}, Child: 1, Dist: given},
	}
	u := &model.Utility{Name: "u", Scope: []model.VarID{d.ID, x.ID}}
	for range options * states {
		u.Values = append(u.Values, rng.NormFloat64())
	}
	m.Diagram.Decisions, m.Diagram.Utilities = []*model.Decision{{Var: d.ID, Known: []model.VarID{y.ID}}}, []*model.Utility{u}
	return m
}

// numbered returns n names of states.
func numbered(n int) (names []string) {
	for i := range n {
		names = append(names, fmt.Sprint("s", i))
	}
	return names
}

// row returns a distribution over n states.
func row(rng *rand.Rand, n int) []float64 {
	p, sum := make([]float64, n), 0.0
	for i := range p {
		p[i] = rng.Float64()
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}
