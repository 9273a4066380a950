package lanes

import (
	"cmp"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/assemble"
)

// CompileSteps compiles e, an entry of p, step by step: contractions stay loop nests, which read
// constants and parameters from data memory. The code, for RunLaneSteps, is a few words a step.
// Compile makes faster code for small programs. The program must have been laid out. The error is
// [ErrStep], or that the entry is too large.
func CompileSteps(p *ir.Program, e *ir.Entry, most Limit) (*Program, error) {
	s := &stepper{p: p, e: e, out: &Program{Exp: -1, Marks: -1, Nests: true}, set: make([]bool, len(p.Spans))}
	if err := s.check(); err != nil {
		return nil, err
	}
	s.layout()
	s.nests = assemble.LaneNests{Program: p, Slot: s.slot, Scratch: s.out.Slots}
	s.code = s.out.Begin()
	for _, b := range e.Blocks {
		for _, step := range p.Blocks[b].Steps {
			if !s.step(step) {
				return nil, ErrStep
			}
			if s.out.Ops > most.Products {
				return nil, errSize
			}
		}
	}
	s.out.Slots += s.nests.Used
	s.out.code, s.out.NS = s.code, s.ns+s.nests.NS
	if s.out.Slots > most.Slots {
		return nil, errSize
	}
	return s.out, nil
}

// stepper compiles an entry step by step.
type stepper struct {
	p      *ir.Program
	e      *ir.Entry
	out    *Program
	set    []bool // by span: a step has set it
	slots  []int  // by span: its first slot; -1 if it has none
	factor int    // a slot for factors
	nests  assemble.LaneNests
	code   []int32
	ns     float64
}

// check refuses steps that read a result of an earlier entry. It marks the spans that steps set.
func (s *stepper) check() error {
	for _, b := range s.e.Blocks {
		for _, step := range s.p.Blocks[b].Steps {
			for _, id := range ir.ReadSpans(step) {
				if !s.known(id) {
					return ErrStep
				}
			}
			for _, id := range ir.WriteSpans(step) {
				s.set[id] = true
			}
		}
	}
	for _, id := range s.answers() {
		if !s.known(id) {
			return ErrStep
		}
	}
	return nil
}

// known reports whether a span has a value for e.
func (s *stepper) known(id ir.SpanID) bool {
	span := &s.p.Spans[id]
	return span.Elem != ir.Float64 || span.ReadOnly() || span.Role == ir.RoleIn || s.set[id] || enters(s.e, id)
}

// answers returns the spans that the caller reads, in the order of memory.
func (s *stepper) answers() []ir.SpanID {
	return s.byPlace(s.e.Answers())
}

func (s *stepper) byPlace(ids []ir.SpanID) []ir.SpanID {
	slices.SortFunc(ids, func(a, b ir.SpanID) int {
		return cmp.Or(cmp.Compare(s.p.Spans[a].Offset, s.p.Spans[b].Offset), cmp.Compare(a, b))
	})
	return slices.Compact(ids)
}

// layout assigns slots to inputs, answers and other needs of the lanes, then to the other spans.
func (s *stepper) layout() {
	s.slots = slices.Repeat([]int{-1}, len(s.p.Spans))
	s.moves(&s.out.In, s.byPlace(s.p.Inputs(s.e)))
	if s.e.Stream != nil {
		s.moves(&s.out.Kept, s.byPlace(s.e.Stream.Enters()))
	}
	s.moves(&s.out.Out, s.answers())
	s.factor = s.fresh()
	if s.e.Exp != ir.NoSpan {
		s.out.Exp = s.fresh()
	}
	s.out.Marks = s.fresh()
	s.out.First = s.out.Slots
	s.temporaries()
}

// temporaries assigns slots to the spans that steps set for later steps. The slots of a span are
// free again after its last use, so that lanes often need fewer of them than a single query needs
// numbers, and more of them stay in the cache.
func (s *stepper) temporaries() {
	last, steps := make([]int, len(s.p.Spans)), 0
	s.eachStep(func(step ir.Step) {
		for _, id := range ir.RefSpans(step) {
			last[id] = steps
		}
		steps++
	})
	free, at := &freeSlots{end: s.out.Slots}, 0
	s.eachStep(func(step ir.Step) {
		for _, id := range ir.WriteSpans(step) {
			if span := &s.p.Spans[id]; s.slots[id] < 0 && span.Elem == ir.Float64 {
				s.slots[id] = free.take(span.Len)
			}
		}
		for _, id := range ir.RefSpans(step) {
			if s.slots[id] >= s.out.First && last[id] == at {
				free.give(s.slots[id], s.p.Spans[id].Len)
				last[id] = -1 // the step may refer to it twice
			}
		}
		at++
	})
	s.out.Slots = free.end
}

// eachStep calls f for each step of the entry, in order.
func (s *stepper) eachStep(f func(ir.Step)) {
	for _, b := range s.e.Blocks {
		for _, step := range s.p.Blocks[b].Steps {
			f(step)
		}
	}
}

func (s *stepper) fresh() int {
	s.out.Slots++
	return s.out.Slots - 1
}

// moves reserves slots for spans, in the order of memory, and sets their moves. Neighbours in
// memory have neighbouring slots and one move.
func (s *stepper) moves(list *[]Move, ids []ir.SpanID) {
	for _, id := range ids {
		span := &s.p.Spans[id]
		if s.slots[id] < 0 {
			s.slots[id] = s.out.Slots
			s.out.Slots += span.Len
		}
		k := len(*list) - 1
		if k >= 0 && (*list)[k].At+(*list)[k].Len == span.Offset && (*list)[k].Slot+(*list)[k].Len == s.slots[id] {
			(*list)[k].Len += span.Len
		} else {
			*list = append(*list, Move{span.Offset, s.slots[id], span.Len})
		}
	}
}

// slot returns the first slot of a span.
func (s *stepper) slot(id ir.SpanID) int { return s.slots[id] }

// step appends the code of a step, and reports whether lanes can run it.
func (s *stepper) step(step ir.Step) (ok bool) {
	s.out.Ops += step.Products()
	switch step := step.(type) {
	case *ir.Contract:
		s.code, ok = s.nests.Append(s.code, step)
		return ok
	case *ir.Normalize:
		t := s.table(step.Span)
		s.code = assemble.LaneNormalize(s.code, t, s.factor, s.out.Marks)
	case *ir.Invert:
		s.code = assemble.LaneInvert(s.code, s.slot(step.In), s.slot(step.Out), s.out.Marks)
	case *ir.Rescale:
		exp := -1
		if step.Exp != ir.NoSpan && step.Exp == s.e.Exp {
			exp = s.out.Exp
		}
		s.code = assemble.LaneRescale(s.code, s.table(step.Span), s.factor, exp)
	case *ir.Zero:
		s.zero(step.Span)
	default:
		return false
	}
	return true
}

// table returns the table of a span that is rescaled or normalised.
func (s *stepper) table(id ir.SpanID) assemble.LaneTable {
	t := assemble.LaneTable{Slot: s.slot(id), Len: s.p.Spans[id].Len}
	s.ns += assemble.LaneTableNS(t)
	return t
}

// zero clears a span.
func (s *stepper) zero(id ir.SpanID) {
	if s.p.Spans[id].Elem == ir.Int32 {
		if id == s.e.Exp {
			s.code = assemble.LaneClear(s.code, s.out.Exp)
		}
		return
	}
	t := s.table(id)
	slots := make([]int, t.Len)
	for i := range slots {
		slots[i] = t.Slot + i
	}
	s.code = assemble.LaneClear(s.code, slots...)
}
