package plain

import (
	"math"

	"github.com/pgmc-go/pgmc/ir"
)

func (m *Memory) mapping(s *ir.Map) {
	states := m.joint(s.Axes)
	for _, state := range states {
		for i := range s.Out {
			m.Numbers[s.Out[i].Span][place(&s.Out[i], state)] = 0
		}
	}
	for _, state := range states {
		var values []float64
		for i := range s.In {
			values = append(values, m.Numbers[s.In[i].Span][place(&s.In[i], state)])
		}
		values = append(values, s.Consts...)
		for _, c := range s.Code {
			values = append(values, c.Op.Of(values[c.A], values[c.B]))
		}
		for i := range s.Out {
			m.Numbers[s.Out[i].Span][place(&s.Out[i], state)] += values[s.Set[i]]
		}
	}
	m.Scratch[s.Scratch] = true
}

// place returns the index of an element at joint states of the axes.
func place(v *ir.MapView, state []int) int {
	at := v.At
	for i, x := range state {
		at += x * v.Stride[i]
	}
	return at
}

func (m *Memory) antilog(s *ir.Antilog) {
	most := math.Inf(-1)
	for i, x := range m.Numbers[s.In] {
		if m.Numbers[s.Weight][i] > 0 {
			most = math.Max(most, x)
		}
	}
	if math.IsInf(most, -1) {
		most = 0
	}
	m.Numbers[s.Most][0] = most
	for i, x := range m.Numbers[s.In] {
		m.Numbers[s.Out][i] = 0
		if m.Numbers[s.Weight][i] > 0 {
			m.Numbers[s.Out][i] = math.Exp(x - most)
		}
	}
}

func (m *Memory) noise(s *ir.Noise) {
	for i := range m.Numbers[s.Out] {
		if s.Known != nil && s.Known[i] != ir.NoSpan && m.Numbers[s.Known[i]][0] != 0 {
			m.Numbers[s.Out][i] = 0
		} else {
			m.Numbers[s.Out][i] = m.Rand.Normal()
		}
	}
}
