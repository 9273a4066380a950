package pass

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
)

// Limits of the static analysis, in bits. A float64 has full precision from 2^-1022 to 2^1024;
// safeBits leaves room on both sides. likelihoodBits is the budget of soft evidence, beyond which a
// program is not rescaled only for soft evidence.
const (
	safeBits       = 960
	likelihoodBits = 240
	operandBits    = 32  // how far from 1 an operand may be without being rescaled, if a product is in danger
	beliefBits     = 100 // how far below 1 the analysis takes a belief about an earlier slice to be
	extremeBits    = 500 // the bits of the constants of one contraction from which Extreme reports them
)

// ProgramScale inserts rescaling by powers of two if a static bound cannot exclude that numbers
// leave the range of float64. It bounds the logarithms of the smallest and largest non-zero element
// of every span. If the bounds of a product leave the safe range, the results that are its operands
// are rescaled directly after they are computed, and also the product if that is not enough. The
// exponents are added up for the root of the entry. In a Var problem, in which numbers may be
// replaced, every message is rescaled. Loops normalise their messages and stay as they are. Before
// anything is rescaled, bounds by element may prove that nothing has to be.
//
// This is two-sided interval analysis in the manner of static rounding analysis. Non-zero values
// are sums of products that use each parameter at most once, because the polynomial is multilinear
// (Darwiche 2003, section 3).
//
// If nothing is rescaled, the answers that depend on an Invert sum to one, and ProgramScale drops
// what normalises them. Otherwise it drops the Inverts.
func ProgramScale(p *ir.Program) {
	s := bounded(p)
	if len(s.rescaled) > 0 && dropInverts(p) {
		s = bounded(p) // the bounds are others without them
	}
	s.dropNormalising()
	s.roots()
	normalised := p.LoopBlocks()
	for i := range p.Blocks {
		if !normalised[i] {
			p.Blocks[i].Steps = s.block(p.Blocks[i].Steps)
		}
	}
	s.reset()
	p.SoftBits = s.softBits()
}

// Extreme returns the largest number of bits by which the constants of one contraction can make a
// product smaller, if numbers may underflow within the contraction, before rescaling can help.
// Otherwise it returns 0.
func Extreme(p *ir.Program) float64 {
	worst := 0.0
	for _, b := range p.Blocks {
		for _, step := range b.Steps {
			c, ok := step.(*ir.Contract)
			if !ok {
				continue
			}
			sum := 0.0
			for _, in := range c.In {
				if s := &p.Spans[in.Span]; s.ReadOnly() {
					sum -= min(0, ir.IntervalOf(s.Data).Lo)
				}
			}
			worst = max(worst, sum)
		}
	}
	if worst < extremeBits {
		return 0
	}
	return worst
}

func newScaler(p *ir.Program) *scaler {
	s := &scaler{p: p, exp: map[ir.SpanID]ir.SpanID{}, used: map[ir.SpanID]bool{}, rescaled: map[ir.SpanID]bool{}, unit: map[ir.SpanID]bool{}}
	s.bounds = &ir.Bounds{Program: p, Span: make([]ir.Interval, len(p.Spans)), Element: map[ir.SpanID][]ir.Interval{}}
	s.constants()
	return s
}

// bound finds the results that must be rescaled. With bounds by element it stops at the first one.
func (s *scaler) bound() {
	normalised := s.p.LoopBlocks()
	for s.more = true; s.more; {
		s.more, s.bounds.Worst = false, 0
		for i := range s.p.Blocks {
			if !normalised[i] {
				s.analyse(s.p.Blocks[i].Steps)
			}
		}
		if s.bounds.ByElement {
			return
		}
	}
}

type scaler struct {
	p      *ir.Program
	bounds *ir.Bounds
	exp    map[ir.SpanID]ir.SpanID // by span on which a root depends: the exponent to which its rescaling adds
	used   map[ir.SpanID]bool      // exponents that some step adds to

	rescaled map[ir.SpanID]bool    // results to rescale
	unit     map[ir.SpanID]bool    // results that depend on an Invert
	last     map[ir.SpanID]ir.Step // with bounds by element: the last step that reads a span
	more     bool                  // whether rescaled has grown since the bounds were computed
}

func (s *scaler) constants() {
	for i := range s.p.Spans {
		if sp := &s.p.Spans[i]; sp.ReadOnly() {
			s.bounds.Span[i] = ir.IntervalOf(sp.Data)
		}
	}
	for i := range s.p.Entries {
		if e := &s.p.Entries[i]; e.Stream != nil {
			for _, id := range e.Stream.In {
				s.bounds.Span[id] = ir.Interval{Lo: -beliefBits}
			}
			for _, c := range e.Stream.Columns {
				s.bounds.Span[c.To] = s.bounds.Span[c.Rows]
			}
		}
	}
}

// roots gives each distinct root an exponent, and marks the spans on which it depends.
func (s *scaler) roots() {
	for i := range s.p.Entries {
		e := &s.p.Entries[i]
		if e.Root == ir.NoSpan || !e.Rooted() {
			continue
		}
		exp, ok := s.exp[e.Root]
		if !ok {
			s.p.Spans = append(s.p.Spans, ir.Span{Name: "exponent", Elem: ir.Int32, Role: ir.RoleOut, Len: 1, Var: -1, Offset: -1})
			exp = ir.SpanID(len(s.p.Spans) - 1)
			s.markFlow(e, exp)
		}
		e.Exp = exp
	}
}

// markFlow marks the spans from which e.Root is computed.
func (s *scaler) markFlow(e *ir.Entry, exp ir.SpanID) {
	s.exp[e.Root] = exp
	flows := false
	writes := func(id *ir.SpanID, use ir.Use) { flows = flows || use.Writes() && s.exp[*id] == exp }
	reads := func(id *ir.SpanID, use ir.Use) {
		if use.Reads() {
			s.exp[*id] = exp
		}
	}
	for _, b := range slices.Backward(e.Blocks) {
		for _, step := range slices.Backward(s.p.Blocks[b].Steps) {
			flows = false
			if step.Refs(writes); flows {
				step.Refs(reads)
			}
		}
	}
}

// analyse computes bounds, and finds the results that must be rescaled to keep them.
func (s *scaler) analyse(steps []ir.Step) {
	for _, step := range steps {
		bounder, ok := step.(ir.Bounder)
		if !ok {
			continue
		}
		if s.bounds.ByElement && s.more {
			return
		}
		b, table := bounder.Bound(s.bounds)
		unit := s.inverts(step)
		if !table {
			continue
		}
		most := float64(safeBits)
		if unit {
			most -= likelihoodBits // the smaller the likelihoods, the larger a reciprocal
		}
		unsafe := b.Lo < -(safeBits-likelihoodBits) || b.Hi > most
		rescale := s.p.Params == ir.Var || unsafe && !s.rescaleOperands(step)
		for _, out := range ir.WriteSpans(step) {
			if rescale {
				s.rescale(out)
			}
			if s.rescaled[out] {
				b = ir.Interval{Lo: b.Lo - b.Hi, Hi: 1}
			} else {
				s.bounds.Worst = max(s.bounds.Worst, -b.Lo)
				if unit {
					s.bounds.Worst = max(s.bounds.Worst, b.Hi)
				}
			}
			s.bounds.Span[out] = b
		}
		s.forget(step)
	}
}

// inverts reports whether the results of step depend on an Invert, and notes it for later steps.
// They do through sums and products. What another step makes of such a number has its own sum.
func (s *scaler) inverts(step ir.Step) bool {
	unit := false
	switch step.(type) {
	case *ir.Invert:
		unit = true
	case *ir.Contract, *ir.Normalize:
		unit = slices.ContainsFunc(ir.ReadSpans(step), func(id ir.SpanID) bool { return s.unit[id] })
	}
	if unit {
		for _, out := range ir.WriteSpans(step) {
			s.unit[out] = true
		}
	}
	return unit
}

// dropNormalising drops the steps that normalise numbers that depend on an Invert.
func (s *scaler) dropNormalising() {
	for i := range s.p.Blocks {
		b := &s.p.Blocks[i]
		b.Steps = slices.DeleteFunc(b.Steps, func(step ir.Step) bool {
			n, ok := step.(*ir.Normalize)
			return ok && s.unit[n.Span]
		})
	}
}

// dropInverts drops the Inverts, and the operands that are their results. It reports whether there
// were any.
func dropInverts(p *ir.Program) bool {
	inverse := map[ir.SpanID]bool{}
	for i := range p.Blocks {
		b := &p.Blocks[i]
		b.Steps = slices.DeleteFunc(b.Steps, func(step ir.Step) bool {
			s, ok := step.(*ir.Invert)
			if ok {
				inverse[s.Out] = true
			}
			return ok
		})
		for _, step := range b.Steps {
			if c, ok := step.(*ir.Contract); ok {
				c.In = slices.DeleteFunc(c.In, func(v ir.View) bool { return inverse[v.Span] })
			}
		}
	}
	return len(inverse) > 0
}

// rescaleOperands marks the operands of step that are results themselves and may be far from 1, or
// if there are none, all that may exceed 2 or fall below 1/2. It reports whether there were any.
func (s *scaler) rescaleOperands(step ir.Step) (found bool) {
	for _, far := range []float64{operandBits, 1} {
		for _, in := range ir.ReadSpans(step) {
			b := s.bounds.Span[in]
			if sp := &s.p.Spans[in]; sp.Role == ir.RoleTemp && !s.rescaled[in] && (b.Hi > far || b.Lo < -far) {
				s.rescale(in)
				found = true
			}
		}
		if found {
			break
		}
	}
	return found
}

func (s *scaler) rescale(id ir.SpanID) {
	if !s.rescaled[id] {
		s.rescaled[id], s.more = true, true
	}
}

// block returns steps with the rescaling that analyse found.
func (s *scaler) block(steps []ir.Step) []ir.Step {
	var out []ir.Step
	made := func(id *ir.SpanID, use ir.Use) {
		if use == ir.Write && s.rescaled[*id] {
			out = append(out, &ir.Rescale{Span: *id, Exp: s.exponent(*id)})
		}
	}
	for _, step := range steps {
		if r, ok := step.(*ir.Rescale); ok { // of a circuit
			r.Exp = s.exponent(r.Span)
		}
		out = append(out, step)
		step.Refs(made)
	}
	return out
}

// exponent returns the span that counts the rescaling of a span, or NoSpan if no root depends on
// it.
func (s *scaler) exponent(id ir.SpanID) ir.SpanID {
	exp, ok := s.exp[id]
	if !ok {
		return ir.NoSpan
	}
	s.used[exp] = true
	return exp
}

// reset clears the exponents that are used at the start of the first block of their entries, and
// drops the others.
func (s *scaler) reset() {
	done := map[ir.SpanID]bool{}
	for i := range s.p.Entries {
		e := &s.p.Entries[i]
		if e.Exp == ir.NoSpan {
			continue
		}
		if !s.used[e.Exp] {
			e.Exp = ir.NoSpan
			continue
		}
		if !done[e.Exp] {
			done[e.Exp] = true
			b := &s.p.Blocks[e.Blocks[0]]
			b.Steps = append([]ir.Step{&ir.Zero{Span: e.Exp}}, b.Steps...)
		}
	}
}

// softBits returns the bits by which likelihoods together may make numbers smaller before one might
// underflow. In a rescaled program the largest element of every message is near one, so that only
// elements smaller by safeBits are at risk. The result is a whole number, so that it is the same on
// every machine.
func (s *scaler) softBits() float64 { return math.Floor(safeBits - s.bounds.Worst) }
