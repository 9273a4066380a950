package model

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/diag"
)

// NoisyMax is a CPD in which the child's state is the maximum of independent contributions, one per
// cause and a leak, in the order of the child's states (Díez 1993; noisy-or if all variables are
// binary). Cause[i] has a row of card(child) numbers for each state of parent i: the distribution
// of its contribution. Leak is one more such row, for the contribution of everything but the
// causes.
type NoisyMax struct {
	Leak  []float64
	Cause [][]float64
}

// Kind returns "noisy-max".
func (*NoisyMax) Kind() string { return "noisy-max" }

// Numbers returns the leak and then the causes, in a new slice.
func (d *NoisyMax) Numbers() []float64 {
	list := append(make([]float64, 0, d.Size()), d.Leak...)
	for _, c := range d.Cause {
		list = append(list, c...)
	}
	return list
}

// Size returns the number of numbers.
func (d *NoisyMax) Size() int {
	n := len(d.Leak)
	for _, c := range d.Cause {
		n += len(c)
	}
	return n
}

// HasZeros reports whether a number is 0.
func (d *NoisyMax) HasZeros() bool {
	return slices.Contains(d.Leak, 0) || slices.ContainsFunc(d.Cause, func(row []float64) bool { return slices.Contains(row, 0) })
}

// Work returns one step per variable.
func (d *NoisyMax) Work(m *Model, f *Factor) int { return len(f.Scope) }

func (d *NoisyMax) value(m *Model, f *Factor, state []int) float64 {
	k, x := m.Card(f.ChildVar()), state[f.ChildVar()]
	e := ExtremeOf(d.Leak[:x], d.Leak[x])
	for i, parent := range f.Parents() {
		row := d.Cause[i][state[parent]*k:]
		e = e.With(ExtremeOf(row[:x], row[x]))
	}
	return e.At
}

// Extreme describes the largest or the smallest of independent contributions: At is the probability
// that it is a given state, and Short the probability that it does not reach that state. It adds
// positive terms only, since the difference of P(max <= x) and P(max < x) loses the digits of small
// probabilities. Without contributions, Short is 1.
type Extreme struct{ At, Short float64 }

// ExtremeOf describes one contribution: at is the probability of the given state, and short holds
// the probabilities of the states that do not reach it.
func ExtremeOf(short []float64, at float64) Extreme {
	e := Extreme{At: at}
	for _, p := range short {
		e.Short += p
	}
	return e
}

// With describes the contributions of both.
func (e Extreme) With(o Extreme) Extreme {
	return Extreme{float64(e.At*o.Short) + float64(e.Short*o.At) + float64(e.At*o.At), float64(e.Short * o.Short)}
}

func (*NoisyMax) fits(cpd bool) bool { return cpd }

func (d *NoisyMax) check(c *checker, f *Factor, pos diag.Pos, what string) (rows [][]float64, ok bool) {
	child, parents := c.m.Card(f.ChildVar()), f.Parents()
	if len(d.Leak) != child || len(d.Cause) != len(parents) {
		c.Errorf(pos, "%s is a noisy-max with %d leak numbers and %d causes; want %d and %d", what, len(d.Leak), len(d.Cause), child, len(parents))
		return nil, false
	}
	rows = append(rows, d.Leak)
	for i, p := range parents {
		if len(d.Cause[i]) != child*c.m.Card(p) {
			c.Errorf(pos, "%s has %d noisy-max numbers for %q; want %d", what, len(d.Cause[i]), c.m.Vars[p].Name, child*c.m.Card(p))
			return nil, false
		}
		for s := range c.m.Card(p) {
			rows = append(rows, d.Cause[i][s*child:(s+1)*child])
		}
	}
	return rows, true
}

func (d *NoisyMax) normalized(m *Model, f *Factor) Dist {
	card := m.Card(f.ChildVar())
	out := &NoisyMax{Leak: slices.Clone(d.Leak), Cause: make([][]float64, len(d.Cause))}
	scaleRow(out.Leak, card, 1)
	for i := range d.Cause {
		out.Cause[i] = slices.Clone(d.Cause[i])
		for s := 0; s < len(out.Cause[i]); s += card {
			scaleRow(out.Cause[i][s:], card, 1)
		}
	}
	return out
}

// EachRow implements [Rowed]. The leak is for no states.
func (d *NoisyMax) EachRow(m *Model, f *Factor, visit func(at int, state []int)) {
	state, at := slices.Repeat([]int{-1}, len(m.Vars)), len(d.Leak)
	visit(0, state)
	for _, u := range f.Parents() {
		for s := range m.Card(u) {
			state[u] = s
			visit(at, state)
			at += len(d.Leak)
		}
		state[u] = -1
	}
}

// MapRows implements [Rowwise]. What is not known contributes the lowest state. Contributions are
// independent, so that the maximum of the leak and the mean contribution of a cause, which join the
// leak, is the mean over the states of the cause exactly.
func (d *NoisyMax) MapRows(_ *Model, f *Factor, scope []VarID, v VarID, change RowChange) Dist {
	lowest := make([]float64, len(d.Leak))
	lowest[0] = 1
	out := &NoisyMax{Leak: d.Leak, Cause: slices.Clone(d.Cause)}
	switch i := slices.Index(f.Parents(), v); {
	case v == f.ChildVar():
		out.Leak = change(d.Leak, nil, lowest)
		for i, cause := range d.Cause {
			out.Cause[i] = change(cause, nil, lowest)
		}
	case i < 0:
		out.Cause = append(out.Cause, change(lowest, nil, lowest))
	case slices.Contains(scope, v):
		out.Cause[i] = change(d.Cause[i], []VarID{v}, lowest)
	default:
		out.Leak = maximum(d.Leak, change(d.Cause[i], []VarID{v}, lowest))
		out.Cause = slices.Delete(out.Cause, i, i+1)
	}
	return out
}

// Layout implements [Fitted]. There is a row for the leak and one for each state of each cause.
// Certain rows, such as the row of an absent cause, define a state and are fixed.
func (d *NoisyMax) Layout(m *Model, f *Factor) Layout {
	l := Layout{Inner: 1, Hidden: true}
	card := m.Card(f.ChildVar())
	add := func(row []float64, share float64) {
		l.Fixed = append(l.Fixed, slices.Contains(row, 1))
		l.Share = append(l.Share, share)
	}
	add(d.Leak, 1)
	for _, cause := range d.Cause {
		states := len(cause) / card
		for s := range states {
			add(cause[s*card:(s+1)*card], 1/float64(states))
		}
	}
	return l
}

// WithNumbers implements [Fitted]. The numbers are the leak and then the causes.
func (d *NoisyMax) WithNumbers(numbers []float64) Dist {
	n := len(d.Leak)
	out := &NoisyMax{Leak: numbers[:n]}
	numbers = numbers[n:]
	for _, cause := range d.Cause {
		out.Cause = append(out.Cause, numbers[:len(cause)])
		numbers = numbers[len(cause):]
	}
	return out
}

// Links implements [Sequential]. It takes the maximum parent by parent. The first maximum is of the
// leak and the first cause.
//
// Source: Heckerman and Breese, "Causal independence for probability assessment and inference using
// Bayesian networks", 1996 (temporal decomposition).
func (d *NoisyMax) Links(m *Model, f *Factor) [][]float64 {
	k := m.Card(f.ChildVar())
	var links [][]float64
	for i, u := range f.Parents() {
		var values []float64
		for s := range m.Card(u) {
			cause := d.Cause[i][s*k : (s+1)*k]
			if i == 0 {
				values = append(values, maximum(d.Leak, cause)...)
				continue
			}
			for x := range k {
				at := make([]float64, k)
				at[x] = 1
				values = append(values, maximum(at, cause)...)
			}
		}
		links = append(links, values)
	}
	return links
}

// maximum returns the distribution of the larger of two independent states.
func maximum(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for x := range a {
		out[x] = ExtremeOf(a[:x], a[x]).With(ExtremeOf(b[:x], b[x])).At
	}
	return out
}
