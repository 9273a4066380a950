package ir

import (
	"fmt"
	"math"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
)

// encloser is a step that can run in interval arithmetic. If each operand encloses the number that
// exact arithmetic would have there, then so does each result.
type encloser interface {
	Step
	// Enclose runs the step on m.
	Enclose(m *Enclosed)
}

// Enclosed is the memory of a program that runs in interval arithmetic. Spans have their enclosures
// from their first use to their last.
type Enclosed struct {
	Program *Program
	spans   [][]Enclosure // by span; nil before its first use
	ints    [][]int32
}

// NotEnclosed reports a step that cannot run in interval arithmetic: it is no [encloser], or uses
// the states of variables.
type NotEnclosed struct{ Step Step }

// Error names the step by its word in the text form of programs.
func (e *NotEnclosed) Error() string {
	word, _, _ := strings.Cut(e.Step.String(), " ")
	return fmt.Sprintf("interval arithmetic does not cover step %q", word)
}

// Enclose runs blocks of p in interval arithmetic, in order. It calls input for the numbers of each
// input span, and keeps the enclosures of the spans of keep. Before each step it calls again, which
// stops the run by returning false. The error is a *NotEnclosed, before anything runs.
func Enclose(p *Program, blocks []int, input func(s *Span) []Enclosure, keep []SpanID, again func() bool) (*Enclosed, error) {
	m := &Enclosed{Program: p, spans: make([][]Enclosure, len(p.Spans)), ints: make([][]int32, len(p.Spans))}
	var steps []encloser
	last := make([]int, len(p.Spans)) // by span: the last step that uses it
	for _, b := range blocks {
		for _, step := range p.Blocks[b].Steps {
			e, ok := step.(encloser)
			step.States(p, func(model.VarID, Use) { ok = false })
			if x, is := step.(*Map); is && !x.encloses() {
				ok = false
			}
			if !ok {
				return nil, &NotEnclosed{step}
			}
			step.Refs(func(id *SpanID, _ Use) { last[*id] = len(steps) })
			steps = append(steps, e)
		}
	}
	for _, id := range keep {
		last[id] = len(steps)
	}
	for i := range p.Spans {
		if s := &p.Spans[i]; s.Role == RoleIn {
			m.spans[i] = input(s)
		}
	}
	for i, step := range steps {
		if !again() {
			break
		}
		step.Enclose(m)
		step.Refs(func(id *SpanID, _ Use) {
			if last[*id] == i {
				m.spans[*id] = nil
			}
		})
	}
	return m, nil
}

// Span returns the enclosures of a span of numbers, which are the memory's own.
func (m *Enclosed) Span(id SpanID) []Enclosure {
	if m.spans[id] == nil {
		s := &m.Program.Spans[id]
		m.spans[id] = make([]Enclosure, s.Len)
		for i, x := range s.Data {
			m.spans[id][i] = Exactly(x)
		}
	}
	return m.spans[id]
}

// Ints returns a span of integers, which is the memory's own.
func (m *Enclosed) Ints(id SpanID) []int32 {
	if m.ints[id] == nil {
		m.ints[id] = make([]int32, m.Program.Spans[id].Len)
	}
	return m.ints[id]
}

// Enclose implements [encloser].
func (c *Contract) Enclose(m *Enclosed) {
	out := m.Span(c.Out.Span)
	clear(out)
	in := make([][]Enclosure, len(c.In))
	for k, v := range c.In {
		in[k] = m.Span(v.Span)
	}
	for to, at := range c.elements() {
		x := Exactly(1)
		for k, i := range at {
			x = x.Mul(in[k][i])
		}
		if c.Reduce == ReduceMax {
			out[to] = Enclosure{max(out[to].Lo, x.Lo), max(out[to].Hi, x.Hi)}
		} else {
			out[to] = out[to].Add(x)
		}
	}
}

// Enclose implements [encloser].
func (s *Sums) Enclose(m *Enclosed) {
	var all []Enclosure
	for _, id := range s.spans() {
		all = append(all, m.Span(id)...)
	}
	for i, e := range s.Set {
		var node Enclosure
		for _, t := range s.Terms[s.First[i]:s.First[i+1]] {
			x := all[t[0]]
			if t[1] >= 0 {
				x = x.Mul(all[t[1]])
			}
			if s.Max {
				node = Enclosure{max(node.Lo, x.Lo), max(node.Hi, x.Hi)}
			} else {
				node = node.Add(x)
			}
		}
		all[e] = node
	}
	for k := len(s.Out) - 1; k >= 0; k-- {
		out := m.Span(s.Out[k])
		copy(out, all[len(all)-len(out):])
		all = all[:len(all)-len(out)]
	}
}

// Enclose implements [encloser]. A share is x / (x + rest), so that both ends of x occur once each.
func (s *Normalize) Enclose(m *Enclosed) {
	x := m.Span(s.Span)
	rest := make([]Enclosure, len(x)) // by element: the sum of the others
	var before, after Enclosure
	for i := range x {
		rest[i] = before
		before = before.Add(x[i])
	}
	for i := len(x) - 1; i >= 0; i-- {
		rest[i] = rest[i].Add(after)
		after = after.Add(x[i])
	}
	for i, a := range x {
		lo, hi := Exactly(a.Lo), Exactly(a.Hi)
		x[i] = Enclosure{lo.Div(lo.Add(Exactly(rest[i].Hi))).Lo, 1}
		if a.Hi <= math.MaxFloat64 {
			x[i].Hi = min(1, hi.Div(hi.Add(Exactly(rest[i].Lo))).Hi)
		}
	}
}

// Enclose implements [encloser].
func (s *Invert) Enclose(m *Enclosed) {
	in, out := m.Span(s.In)[0], m.Span(s.Out)
	switch {
	case in.Hi == 0:
		out[0] = Exactly(1)
	case in.Lo == 0:
		out[0] = Exactly(1).Div(in)
		out[0].Lo = min(out[0].Lo, 1)
	default:
		out[0] = Exactly(1).Div(in)
	}
}

// Enclose implements [encloser]. The power is the largest upper end's. Any would do, since powers
// of two are counted or cancel.
func (s *Rescale) Enclose(m *Enclosed) {
	x, top := m.Span(s.Span), 0.0
	for _, a := range x {
		top = max(top, a.Hi)
	}
	if top == 0 || top > math.MaxFloat64 {
		return
	}
	k := math.Ilogb(top)
	for i, a := range x {
		x[i] = a.Power(-k)
	}
	if s.Exp != NoSpan {
		m.Ints(s.Exp)[0] += int32(k)
	}
}

// Enclose implements [encloser].
func (s *Zero) Enclose(m *Enclosed) {
	if m.Program.Spans[s.Span].Elem == Int32 {
		clear(m.Ints(s.Span))
		return
	}
	clear(m.Span(s.Span))
}
