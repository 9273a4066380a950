package pass

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
)

// Limits of the static analysis, in bits. A float64 keeps full precision from 2^-1022 up to 2^1024; safeBits leaves room on both
// sides. likelihoodBits is what soft evidence may take beyond that before a program is rescaled for its sake alone.
const (
	safeBits       = 960
	likelihoodBits = 240
	operandBits    = 32  // how far from 1 an operand may lie that is left alone where a product is in danger
	extremeBits    = 500 // what the constants of one contraction may take together before Extreme mentions it
)

// ProgramScale inserts rescaling by powers of two where a static bound cannot rule out that numbers leave the range of float64.
// For every span it bounds the logarithms of the smallest and largest non-zero element. Where the bounds of a product leave the
// safe range, the results that are its operands are rescaled right after they are computed, and the product too where that is
// not enough; what was taken off is added up for the root of the entry. In a Var problem, whose numbers may be replaced,
// every message is rescaled. Loops normalise what they hand on, and are left alone.
//
// Two-sided interval analysis in the manner of static rounding analysis; that non-zero values are sums of products which
// use each parameter at most once follows from multilinearity (Darwiche 2003, section 3).
func ProgramScale(p *ir.Program) {
	s := &scaler{p: p, bound: make([]interval, len(p.Spans)), exp: map[ir.SpanID]ir.SpanID{}, rescaled: map[ir.SpanID]bool{}, element: map[ir.SpanID][]interval{}}
	s.constants()
	s.roots()
	normalised := p.LoopBlocks()
	for s.more = true; s.more; {
		s.more, s.worst = false, 0
		for i := range p.Blocks {
			if !normalised[i] {
				s.analyse(p.Blocks[i].Steps)
			}
		}
	}
	for i := range p.Blocks {
		if !normalised[i] {
			p.Blocks[i].Steps = s.block(p.Blocks[i].Steps)
		}
	}
	s.reset()
	p.SoftBits = s.softBits()
}

// Extreme gives the bits by which the constants of one contraction can bring a product down, where that is so much that numbers
// may vanish within the contraction, before rescaling can help; 0 otherwise.
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
					sum -= min(0, boundOf(s.Data).lo)
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

// interval bounds log2 of the non-zero elements of a span. An empty one (lo > hi) is all zeros.
type interval struct{ lo, hi float64 }

type scaler struct {
	p     *ir.Program
	bound []interval
	exp   map[ir.SpanID]ir.SpanID // by span that flows into a root: the exponent to which its rescaling adds
	used  map[ir.SpanID]bool      // exponents that something adds to
	worst float64                 // the furthest that an unscaled bound goes from 1, in bits

	element map[ir.SpanID][]interval // of spans that hold nodes of a circuit: bounds of each element

	rescaled map[ir.SpanID]bool // results to rescale
	more     bool               // whether there are more of them than when the bounds were worked out
}

func (s *scaler) constants() {
	for i := range s.p.Spans {
		if sp := &s.p.Spans[i]; sp.ReadOnly() {
			s.bound[i] = boundOf(sp.Data)
		}
	}
}

func boundOf(data []float64) interval {
	b := interval{math.Inf(1), math.Inf(-1)}
	for _, x := range data {
		if x > 0 {
			b.lo, b.hi = min(b.lo, math.Log2(x)), max(b.hi, math.Log2(x))
		}
	}
	return b
}

// roots gives each distinct root an exponent, and marks what flows into it.
func (s *scaler) roots() {
	s.used = map[ir.SpanID]bool{}
	for i := range s.p.Entries {
		e := &s.p.Entries[i]
		if e.Root == ir.NoSpan || e.Repeats() {
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
	for b := len(e.Blocks) - 1; b >= 0; b-- {
		steps := s.p.Blocks[e.Blocks[b]].Steps
		for k := len(steps) - 1; k >= 0; k-- {
			if slices.ContainsFunc(ir.WriteSpans(steps[k]), func(id ir.SpanID) bool { return s.exp[id] == exp }) {
				for _, in := range ir.ReadSpans(steps[k]) {
					s.exp[in] = exp
				}
			}
		}
	}
}

// analyse works out bounds, and what has to be rescaled for that.
func (s *scaler) analyse(steps []ir.Step) {
	for _, step := range steps {
		var c *ir.Contract
		switch step := step.(type) {
		case *ir.Contract:
			c = step
		case *ir.Sums:
			s.sums(step)
			continue
		case *ir.Rescale: // of a circuit
			s.rescaledElements(step.Span)
			continue
		default:
			continue
		}
		out := c.Out.Span
		b := s.product(c)
		unsafe := b.lo < -(safeBits-likelihoodBits) || b.hi > safeBits
		if s.p.Params == ir.Var || unsafe && !s.rescaleOperands(c) {
			s.rescale(out)
		}
		if s.rescaled[out] {
			b = interval{b.lo - b.hi, 1}
		} else {
			s.worst = max(s.worst, -b.lo)
		}
		s.bound[out] = b
	}
}

// rescaleOperands has the operands of c rescaled that are results themselves and may lie far from 1, or where there are none,
// all that may lie beyond 2; it reports whether there were any.
func (s *scaler) rescaleOperands(c *ir.Contract) (found bool) {
	for _, far := range []float64{operandBits, 1} {
		for _, in := range c.In {
			b := s.bound[in.Span]
			if sp := &s.p.Spans[in.Span]; sp.Role == ir.RoleTemp && !s.rescaled[in.Span] && (b.hi > far || b.lo < -far) {
				s.rescale(in.Span)
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

// block gives steps with the rescaling that analyse found.
func (s *scaler) block(steps []ir.Step) []ir.Step {
	var out []ir.Step
	for _, step := range steps {
		out = append(out, step)
		switch step := step.(type) {
		case *ir.Rescale: // of a circuit
			step.Exp = s.exponent(step.Span)
		case *ir.Contract:
			if id := step.Out.Span; s.rescaled[id] {
				out = append(out, &ir.Rescale{Span: id, Exp: s.exponent(id)})
			}
		}
	}
	return out
}

// exponent is where the rescaling of a span is counted; NoSpan where no root depends on it.
func (s *scaler) exponent(id ir.SpanID) ir.SpanID {
	exp, ok := s.exp[id]
	if !ok {
		return ir.NoSpan
	}
	s.used[exp] = true
	return exp
}

// product bounds the result of c. Likelihoods are at most 1 and, as states, at least 1 where they are not 0.
func (s *scaler) product(c *ir.Contract) interval {
	var b interval
	for _, in := range c.In {
		x := s.bound[in.Span]
		if x.lo > x.hi {
			return x
		}
		b.lo, b.hi = b.lo+x.lo, b.hi+x.hi
	}
	if c.Reduce == ir.ReduceSum {
		for _, a := range c.Axes {
			if a.Kind == ir.AxisReduced {
				b.hi += math.Log2(float64(a.Size))
			}
		}
	}
	return b
}

// reset clears the exponents that are used at the start of the first block of their entries, and drops the others.
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

// softBits is how far likelihoods may bring numbers down together before something might underflow. A rescaled program has
// its largest element near one in every message; only elements smaller by safeBits are at risk there. It is a
// whole number, so that it is the same on every machine.
func (s *scaler) softBits() float64 { return math.Floor(safeBits - s.worst) }
