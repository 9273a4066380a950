package ir

import (
	"errors"
	"slices"
)

// joinUnit is the number at multiples of which the memory of a joined program begins, so that its
// spans keep their alignment.
const joinUnit = 16

// Join adds the spans, blocks and entries of another program of the same model, which must not be
// used afterwards. Both have been laid out, with the same Align. Inputs and states are shared,
// since no two entries run at a time. The error says why the programs cannot be one.
func (p *Program) Join(other *Program) error {
	if p.Align != other.Align {
		panic("ir: Join of programs with different Align")
	}
	if p.Params == Var || other.Params == Var {
		return errors.New("parameters can be replaced")
	}
	up := func(n int) int { return (n + joinUnit - 1) / joinUnit * joinUnit }
	base := [...]int{workMemory: up(p.Work), dataMemory: up(p.Data), intsMemory: up(p.Ints)}
	blocks, state, place := len(p.Blocks), other.State, make([]SpanID, len(other.Spans))
	for i, s := range other.Spans {
		if place[i] = p.inputLike(&s); place[i] != NoSpan {
			continue
		}
		place[i] = SpanID(len(p.Spans))
		s.Offset += base[memoryOf(&s)]
		if s.Copy > 0 {
			s.Copy += int32(base[workMemory])
		}
		p.Spans = append(p.Spans, s)
	}
	if state != NoSpan && p.State != NoSpan {
		place[state] = p.State
	}
	shift := func(id *SpanID, _ Use) { *id = place[*id] }
	for _, b := range other.Blocks {
		for _, step := range b.Steps {
			step.Refs(shift)
		}
		p.Blocks = append(p.Blocks, b)
	}
	for _, e := range other.Entries {
		e.Refs(shift)
		e.LogZ += other.LogZ - p.LogZ
		for i := range e.Blocks {
			e.Blocks[i] += blocks
		}
		p.Entries = append(p.Entries, e)
	}
	if p.State == NoSpan && state != NoSpan {
		p.State = place[state]
	}
	p.Work, p.Data, p.Ints = base[workMemory]+other.Work, base[dataMemory]+other.Data, base[intsMemory]+other.Ints
	p.SoftBits, p.Least = max(p.SoftBits, other.SoftBits), max(p.Least, other.Least)
	return nil
}

// inputLike returns the input of p that takes the same evidence as the input s, or NoSpan.
func (p *Program) inputLike(s *Span) SpanID {
	return SpanID(slices.IndexFunc(p.Spans, func(t Span) bool { return s.Role == RoleIn && t.Role == RoleIn && t.Var == s.Var && t.Len == s.Len }))
}
