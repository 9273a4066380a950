package temporal

import (
	"fmt"

	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Draws draws slices from CPDs, or rows of a network without a transition.
type Draws struct {
	Rows [][]model.Value // the last draw, by slice and variable

	known []func(v *model.Var) (x model.Value, known bool) // by slice

	m, step *model.Model
	r       *pgmrt.Rand
	cpds    [2][]*model.Factor // of slice 0 and of a later one, parents before children
	state   []int              // by variable
	x       []float64
	seen    []model.VarID
}

// NewDraws returns draws of the variables seen, before its first slice is added.
func NewDraws(m *model.Model, seen []model.VarID, r *pgmrt.Rand) (*Draws, error) {
	f := &Draws{m: m, step: m, r: r, seen: seen}
	if m.Transition != nil {
		f.step = m.Step()
	}
	for i, of := range []*model.Model{m, f.step} {
		by := make([]*model.Factor, len(of.Vars))
		for _, x := range of.Factors {
			if x.Child >= 0 {
				by[x.ChildVar()] = x
			}
		}
		for _, v := range of.Topological() {
			if !of.Vars[v].Given {
				f.cpds[i] = append(f.cpds[i], by[v])
			}
		}
	}
	f.state, f.x = make([]int, len(f.step.Vars)), make([]float64, len(f.step.Vars))
	for _, x := range m.Factors {
		if _, diffuse := x.Dist.(*model.Diffuse); diffuse {
			return nil, fmt.Errorf("variable %q has a diffuse prior, from which nothing can be drawn; want a prior of finite variance", m.Vars[x.ChildVar()].Name)
		}
	}
	return f, nil
}

// Drawn returns the number of variables that a draw of slice 0 draws. A discrete one takes one
// random number.
func (f *Draws) Drawn() int { return len(f.cpds[0]) }

// Add adds a slice with the values of its given variables.
func (f *Draws) Add(known func(v *model.Var) (x model.Value, known bool)) {
	f.known, f.Rows = append(f.known, known), append(f.Rows, make([]model.Value, len(f.seen)))
}

// Draw draws the slices. An error is about the slice that it returns.
func (f *Draws) Draw() (slice int, err error) {
	n := len(f.m.Vars)
	state, x := f.state, f.x
	for t := range f.Rows {
		of, cpds := f.m, f.cpds[0]
		if t > 0 {
			of, cpds = f.step, f.cpds[1]
			for i, v := range f.m.Transition.Before {
				state[n+i], x[n+i] = state[v], x[v]
			}
		}
		for _, v := range f.m.Vars {
			if at, known := f.known[t](v); known {
				state[v.ID], x[v.ID] = at.State, at.Real
			}
		}
		for _, cpd := range cpds {
			if err := of.Draw(cpd, f.r, state, x); err != nil {
				return t, err
			}
		}
		for i, v := range f.seen {
			f.Rows[t][i] = model.Value{State: state[v], Real: x[v]}
		}
	}
	return 0, nil
}
