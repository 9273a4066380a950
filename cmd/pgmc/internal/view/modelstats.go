package view

import "github.com/pgmc-go/pgmc/ir/model"

// modelStats holds the sizes of a model.
type modelStats struct {
	Kind           string  `json:"kind"`
	Variables      int     `json:"variables"`
	States         int     `json:"states"`
	MinStates      int     `json:"min_states"`
	MaxStates      int     `json:"max_states"`
	Reals          int     `json:"real_variables,omitempty"` // real variables have no states
	Factors        int     `json:"factors"`
	Parameters     int     `json:"parameters"`      // numbers that the model stores
	FreeParameters int     `json:"free_parameters"` // of CPDs, without the last number of each row
	Zeros          float64 `json:"zeros"`           // share of zeros among the parameters
	Ones           float64 `json:"ones"`

	Energies *model.EnergyCounts `json:"energies,omitempty"` // of a model whose factors are over at most two variables
}

// mostClassified is the largest table with classified energies: 4,096 states of two variables.
const mostClassified = 1 << 24

// statsOfModel measures m.
func statsOfModel(m *model.Model) modelStats {
	s := modelStats{Kind: m.Kind.String(), Variables: len(m.Vars), Factors: len(m.Factors), Reals: len(m.Reals())}
	for _, v := range m.Vars {
		n := m.Card(v.ID)
		if n == 0 { // a real variable
			continue
		}
		s.States += n
		s.MaxStates = max(s.MaxStates, n)
		if s.MinStates == 0 || n < s.MinStates {
			s.MinStates = n
		}
	}
	if e := m.CountEnergies(mostClassified); e.Pairs > 0 && e.Wider == 0 {
		s.Energies = &e
	}
	zeros, ones := 0, 0
	for _, f := range m.Factors {
		numbers := f.Dist.Numbers()
		s.Parameters += len(numbers)
		if f.Child >= 0 && m.Card(f.ChildVar()) > 0 {
			s.FreeParameters += len(numbers) / m.Card(f.ChildVar()) * (m.Card(f.ChildVar()) - 1)
		}
		for _, x := range numbers {
			switch x {
			case 0:
				zeros++
			case 1:
				ones++
			}
		}
	}
	if s.Parameters > 0 {
		s.Zeros, s.Ones = float64(zeros)/float64(s.Parameters), float64(ones)/float64(s.Parameters)
	}
	return s
}
