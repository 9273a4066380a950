package ir

import (
	"fmt"
	"math"
	"slices"
)

// Lookup copies a row of Table to Out: the row at the row-major index of the states of the fixed
// axes. No operation of a schedule makes it; the tabulation of signatures does.
type Lookup struct {
	Axes       []Axis
	Out, Table SpanID
}

// Refs implements [Step].
func (s *Lookup) Refs(visit RefVisitor) {
	visit.one(&s.Table, Read)
	visit.one(&s.Out, Write)
}

// States implements [Step].
func (s *Lookup) States(_ *Program, visit StateVisitor) { visit.fixed(s.Axes) }

// Products implements [Step].
func (*Lookup) Products() int { return 0 }

// Fills implements [filler].
func (*Lookup) Fills(*Program) bool { return true }

// String writes `lookup [v1:3@] s12 = s11`.
func (s *Lookup) String() string {
	return fmt.Sprintf("lookup %s %s = %s", axesText(s.Axes), spanName(s.Out), spanName(s.Table))
}

func parseLookup(ps *parser, _ int) Step {
	s := &Lookup{Axes: ps.axes(), Out: ps.spanID()}
	ps.expect("=")
	s.Table = ps.spanID()
	return s
}

func (s *Lookup) verify(v *verifier) {
	v.axes(s.Axes)
	if slices.ContainsFunc(s.Axes, loops) {
		v.errorf("looks up along an axis that is not fixed")
	}
	if !v.numbers(s.Out, "result", true) || !v.numbers(s.Table, "table", false) {
		return
	}
	v.apart(s.Out, s.Table)
	want := int64(v.p.Spans[s.Out].Len)
	for _, a := range s.Axes {
		want = min(want*int64(a.Size), math.MaxInt32) // no span is longer
	}
	if got := v.p.Spans[s.Table].Len; int64(got) != want {
		v.errorf("table s%d has %d numbers; want %d, a row of s%d for each joint state", s.Table, got, want, s.Out)
	}
}
