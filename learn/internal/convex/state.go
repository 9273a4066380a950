package convex

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// State is where a minimisation stands. All else follows from the function.
type State struct {
	Steps   int         `json:"steps"`
	X       []float64   `json:"x"`
	Value   float64     `json:"value"`
	Moves   [][]float64 `json:"moves"`   // of the steps that are remembered
	Changes [][]float64 `json:"changes"` // of the gradient in each
}

// State gives where the minimisation stands.
func (m *Minimiser) State() State {
	s := State{Steps: m.steps, X: slices.Clone(m.x), Value: m.value}
	for _, p := range m.pairs {
		s.Moves, s.Changes = append(s.Moves, p.s), append(s.Changes, p.y)
	}
	return s
}

// Resume goes to where a minimisation of the same function stood, and says what is wrong with that.
func (m *Minimiser) Resume(s State) error {
	n := len(m.x)
	if len(s.X) != n || len(s.Moves) != len(s.Changes) || len(s.Moves) > memory || s.Steps < 0 {
		return fmt.Errorf("it has %d variables and remembers %d and %d of %d steps; want %d variables and at most %d steps", len(s.X), len(s.Moves), len(s.Changes), s.Steps, n, memory)
	}
	for i, move := range s.Moves {
		p := pair{s: move, y: s.Changes[i]}
		if len(p.s) != n || len(p.y) != n || !p.curved() {
			return fmt.Errorf("step %d that it remembers is none of %d variables, or flat", i, n)
		}
		m.pairs = append(m.pairs, p)
	}
	copy(m.x, s.X)
	if x := m.objective(m.x, m.gradient); math.IsInf(x, 0) {
		return errors.New("the objective has no value there")
	}
	m.steps, m.value = s.Steps, s.Value
	return nil
}
