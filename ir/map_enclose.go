package ir

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/circuit"
)

// encloses reports whether interval arithmetic has all operations of s.
func (s *Map) encloses() bool {
	return !slices.ContainsFunc(s.Code, func(i Instr) bool { return enclosing[i.Op] == nil })
}

// enclosing holds the operations of interval arithmetic.
var enclosing = map[circuit.Op]func(a, b Enclosure) Enclosure{
	circuit.Sum:   Enclosure.Add,
	circuit.Sub:   func(a, b Enclosure) Enclosure { return a.Add(b.Neg()) },
	circuit.Prod:  Enclosure.Mul,
	circuit.Max:   Enclosure.Max,
	circuit.Min:   func(a, b Enclosure) Enclosure { return a.Neg().Max(b.Neg()).Neg() },
	circuit.Quot:  Enclosure.Quot,
	circuit.Ratio: Enclosure.Ratio,
	circuit.Exp:   func(a, _ Enclosure) Enclosure { return a.Exp() },
	circuit.Log: func(a, _ Enclosure) Enclosure {
		if a.Lo < 0 {
			return unknown
		}
		return a.Log()
	},
}

// enclose returns the result of an instruction on two values. A ratio of a number to itself is 1 or
// 0, and a square is not negative.
func (i Instr) enclose(value []Enclosure) Enclosure {
	a, b := value[i.A], value[i.B]
	switch {
	case i.A != i.B || i.Op != circuit.Ratio && i.Op != circuit.Prod:
	case i.Op == circuit.Prod && a.Lo < 0:
		size := Enclosure{0, max(-a.Lo, a.Hi)}
		if a.Hi < 0 {
			size.Lo = -a.Hi
		}
		return size.Mul(size)
	case i.Op == circuit.Ratio && (a.Lo > 0 || a.Hi < 0):
		return Exactly(1)
	case i.Op == circuit.Ratio && a != Enclosure{}:
		return Enclosure{0, 1}
	}
	return enclosing[i.Op](a, b)
}

// Enclose implements [encloser].
func (s *Map) Enclose(m *Enclosed) {
	value := make([]Enclosure, s.Values())
	for k, x := range s.Consts {
		value[len(s.In)+k] = Exactly(x)
	}
	for _, v := range s.Out {
		m.Span(v.Span)
	}
	state := make([]int, len(s.Axes))
	index := func(v *MapView) int {
		at := v.At
		for i, n := range v.Stride {
			at += n * state[i]
		}
		return at
	}
	for range s.Entries() {
		for k := range s.In {
			value[k] = m.Span(s.In[k].Span)[index(&s.In[k])]
		}
		for k, i := range s.Code {
			value[len(s.In)+len(s.Consts)+k] = i.enclose(value)
		}
		for k := range s.Out {
			s.accumulate(m, k, index(&s.Out[k]), state, value[s.Set[k]])
		}
		advance(state, s.Axes)
	}
}

// accumulate sets element at of result k, or adds x to it if it has been set at an earlier joint
// state.
func (s *Map) accumulate(m *Enclosed, k, at int, state []int, x Enclosure) {
	to := &m.Span(s.Out[k].Span)[at]
	for i, n := range s.Out[k].Stride {
		if n == 0 && state[i] > 0 {
			*to = to.Add(x)
			return
		}
	}
	*to = x
}

// advance moves a joint state to the next one.
func advance(state []int, axes []Axis) {
	for i := len(axes) - 1; i >= 0; i-- {
		if state[i]++; state[i] < axes[i].Size {
			return
		}
		state[i] = 0
	}
}
