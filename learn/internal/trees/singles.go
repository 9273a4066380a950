package trees

import pgmrt "github.com/pgmc-go/pgmc/runtime"

// Singles holds independent distributions of all variables of an index.
type Singles struct {
	*Index
	Total float64   // total weight of the rows
	base  float64   // log-probability of a row of most frequent states
	unit  []float64 // by unit: how much it changes the log-probability
}

// Singles estimates distributions from rows with weights, one a row, and prior rows of
// pseudo-counts.
func (x *Index) Singles(weights []float64, prior float64) *Singles {
	s := &Singles{Index: x, unit: make([]float64, x.units)}
	for r, w := range weights {
		if w == 0 {
			continue
		}
		s.Total += w
		for _, u := range x.Units(r) {
			s.unit[u] += w
		}
	}
	for i, card := range x.cards {
		states := x.States(i)
		usual, known := s.Total, s.Total
		for k := range card {
			if k == x.usual[i] {
				continue
			}
			n := s.unit[x.unit(i, k)]
			usual -= n
			if k == states {
				known -= n
			}
		}
		if x.usual[i] == states {
			known -= usual
		}
		log := func(n float64) float64 {
			return pgmrt.Ln((max(0, n) + prior/float64(states)) / (max(0, known) + prior))
		}
		own := 0.0 // log-probability of a missing value: its probability is 1
		if x.usual[i] < states {
			own = log(usual)
		}
		s.base += own
		for k := range card {
			switch u := x.unit(i, k); {
			case k == x.usual[i]:
			case k == states:
				s.unit[u] = -own
			default:
				s.unit[u] = log(s.unit[u]) - own
			}
		}
	}
	return s
}

// LogProb returns the log-probability of a row of the index.
func (s *Singles) LogProb(row int) float64 {
	sum := s.base
	for _, u := range s.Units(row) {
		sum += s.unit[u]
	}
	return sum
}
