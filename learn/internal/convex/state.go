package convex

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// State is the part of a minimisation that a checkpoint stores. All else follows from the function.
type State struct {
	Steps   int         `json:"steps"`
	X       []float64   `json:"x"`
	Value   float64     `json:"value"`
	Moves   [][]float64 `json:"moves"`   // the remembered steps
	Changes [][]float64 `json:"changes"` // the change of the gradient along each of them
}

// State returns the current state.
func (m *Minimiser) State() State {
	s := State{Steps: m.steps, X: slices.Clone(m.x), Value: m.value}
	for _, p := range m.pairs {
		s.Moves, s.Changes = append(s.Moves, p.s), append(s.Changes, p.y)
	}
	return s
}

// Resume continues a minimisation of the same function from a stored state. It returns an error if
// the state does not fit.
func (m *Minimiser) Resume(s State) error {
	n := len(m.x)
	if len(s.X) != n || len(s.Moves) != len(s.Changes) || len(s.Moves) > memory || s.Steps < 0 {
		return fmt.Errorf("found %d variables and %d and %d remembered steps of %d; want %d variables and at most %d steps", len(s.X), len(s.Moves), len(s.Changes), s.Steps, n, memory)
	}
	for i, move := range s.Moves {
		p := pair{s: move, y: s.Changes[i]}
		if len(p.s) != n || len(p.y) != n || !p.curved() {
			return fmt.Errorf("remembered step %d does not have %d variables, or the function is flat along it", i, n)
		}
		m.pairs = append(m.pairs, p)
	}
	copy(m.x, s.X)
	if x := m.objective(m.x, m.gradient); math.IsInf(x, 0) {
		return errors.New("the objective has no finite value at the stored point")
	}
	m.steps, m.value = s.Steps, s.Value
	return nil
}
