package temporal

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Places says where the variables that persist are in a particle, and where they enter the next
// slice.
type Places struct {
	State, Value []int         // by discrete and by real variable that persists: its place in a particle
	As           []model.VarID // by discrete variable that persists: its number in the next slice
	AsReal       []model.VarID
}

// NewPlaces returns the places of a model with a transition.
func NewPlaces(m *model.Model) *Places {
	p := &Places{}
	discrete, real := m.SplitReal(m.IDs())
	for i, v := range m.Transition.Before {
		as := model.VarID(len(m.Vars) + i)
		if m.IsReal(v) {
			p.Value, p.AsReal = append(p.Value, slices.Index(real, v)), append(p.AsReal, as)
		} else {
			p.State, p.As = append(p.State, slices.Index(discrete, v)), append(p.As, as)
		}
	}
	return p
}

// BackDraw draws trajectories, slice by slice.
type BackDraw struct {
	*pgmrt.BackDraws
	m      *model.Model // of a slice and the variables before it
	cpds   []*model.Factor
	places *Places
	vars   []model.VarID // all variables of a slice: discrete ones, then real ones
	nd     int           // of which discrete

	state []int
	x     []float64
}

// NewBackDraw returns draws of trajectories of base, as draw wants them.
func NewBackDraw(base *model.Model, draw *ir.Draw) *BackDraw {
	discrete, real := base.SplitReal(base.IDs())
	b := &BackDraw{BackDraws: pgmrt.NewBackDraws(draw.Paths, draw.Seed+1), m: base.Step(), places: NewPlaces(base), vars: slices.Concat(discrete, real), nd: len(discrete)}
	for _, f := range b.m.Factors {
		if slices.ContainsFunc(f.Scope, func(v model.VarID) bool { return int(v) >= len(base.Vars) }) {
			b.cpds = append(b.cpds, f)
		}
	}
	b.state, b.x = make([]int, len(b.m.Vars)), make([]float64, len(b.m.Vars))
	return b
}

// Enter enters a trajectory in a slice.
func (b *BackDraw) Enter(states []int32, values []float64) {
	for k, v := range b.vars {
		if k < b.nd {
			b.state[v] = int(states[k])
		} else {
			b.x[v] = values[k-b.nd]
		}
	}
}

// Density returns the logarithm of the density of the trajectory in the slice given a particle of
// the slice before.
func (b *BackDraw) Density(states []int32, values []float64) (log float64) {
	for k, at := range b.places.State {
		b.state[b.places.As[k]] = int(states[at])
	}
	for k, at := range b.places.Value {
		b.x[b.places.AsReal[k]] = values[at]
	}
	for _, f := range b.cpds {
		log += b.m.LogFactor(f, b.state, b.x)
	}
	return log
}
