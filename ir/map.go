package ir

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir/circuit"
)

// Map runs a straight line of arithmetic on numbers of either sign, once for each joint state of
// its looping axes. The values of the code are numbered: one for each element of In, then Consts,
// then one for each instruction. Element i of Out is set to value Set[i], and if axes are reduced,
// to its sum over them in the order of the axes, the last fastest. A map replaces matrices: the
// zeros and the shapes of linear algebra are known to the method that writes the code.
type Map struct {
	Axes    []Axis
	In, Out []MapView
	Consts  []float64
	Code    []Instr
	Set     []int32
	Scratch SpanID // Registers numbers for each of MapLanes joint states, undefined before and after
}

// MapView is an element of a span along the axes of a [Map]. At is its index at the first joint
// state.
type MapView struct {
	View
	At int
}

// Instr is an instruction of a [Map]: an operation on two earlier values. B of a unary operation is
// not used.
type Instr struct {
	Op   circuit.Op
	A, B int32
}

// MapLanes is the number of joint states for which the runtime runs an instruction at a time.
const MapLanes = 16

// Refs implements [Step].
func (s *Map) Refs(visit RefVisitor) {
	for i := range s.In {
		visit.one(&s.In[i].Span, Read)
	}
	for i := range s.Out {
		visit.one(&s.Out[i].Span, Write)
	}
	visit.one(&s.Scratch, Write)
}

// States implements [Step].
func (s *Map) States(_ *Program, visit StateVisitor) { visit.fixed(s.Axes) }

// Entries returns the number of joint states for which the code runs.
func (s *Map) Entries() int { return entries(s.Axes) }

// Products implements [Step]: the number of instructions that run.
func (s *Map) Products() int { return s.Entries() * len(s.Code) }

// Fills reports whether s sets every element of its results. It does unless a result moves along a
// fixed axis: the method that makes a map gives each part of a table a value.
func (s *Map) Fills(*Program) bool {
	return !slices.ContainsFunc(s.Out, func(v MapView) bool {
		for i, a := range s.Axes {
			if a.Kind == AxisFixed && v.Stride[i] != 0 {
				return true
			}
		}
		return false
	})
}

// Values returns the number of values of the code.
func (s *Map) Values() int { return len(s.In) + len(s.Consts) + len(s.Code) }

// Registers assigns a register to each value, such that no other value that is still used has it,
// and returns the number of registers. Inputs and constants are set before the first instruction.
func (s *Map) Registers() (of []int32, n int) {
	of = make([]int32, s.Values())
	last := make([]int, len(of)) // by value: the last instruction that uses it
	first := len(s.In) + len(s.Consts)
	for i, c := range s.Code {
		last[c.A], last[c.B] = i, i
	}
	for _, v := range s.Set {
		last[v] = len(s.Code)
	}
	var free []int32
	take := func() (r int32) {
		if len(free) == 0 {
			n++
			return int32(n - 1)
		}
		r, free = free[len(free)-1], free[:len(free)-1]
		return r
	}
	for v := range first {
		of[v] = take()
	}
	for i, c := range s.Code {
		for k, v := range []int32{c.A, c.B} {
			if last[v] == i && (k == 0 || v != c.A) {
				free = append(free, of[v])
			}
		}
		of[first+i] = take()
		if last[first+i] == 0 { // nothing uses it
			free = append(free, of[first+i])
		}
	}
	return of, n
}

// ScratchLen returns the length of the scratch memory of s.
func (s *Map) ScratchLen() int {
	_, n := s.Registers()
	return n * min(MapLanes, s.Entries())
}

// String writes
//
//	map [v1:2] scratch s9 in s3+4(1) s5+0(0) const 0.5 code sub:0:1 prod:2:3 out 4=s6+0(1)
func (s *Map) String() string {
	b := &strings.Builder{}
	fmt.Fprintf(b, "map %s scratch %s in", axesText(s.Axes), spanName(s.Scratch))
	for _, v := range s.In {
		b.WriteString(" " + v.text())
	}
	b.WriteString(" const")
	for _, x := range s.Consts {
		b.WriteString(" " + number(x))
	}
	b.WriteString(" code")
	for _, c := range s.Code {
		fmt.Fprintf(b, " %s:%d:%d", c.Op, c.A, c.B)
	}
	b.WriteString(" out")
	for i, v := range s.Out {
		fmt.Fprintf(b, " %d=%s", s.Set[i], v.text())
	}
	return b.String()
}

// text writes `s3+4(1 0)`.
func (v *MapView) text() string {
	at := strings.Replace(viewText(v.View), "(", fmt.Sprintf("+%d(", v.At), 1)
	return at
}

func parseMap(ps *parser, _ int) Step {
	s := &Map{Axes: ps.axes()}
	s.Scratch = ps.named("scratch")
	ps.expect("in")
	for !ps.begins("const") {
		s.In = append(s.In, ps.mapView())
	}
	ps.expect("const")
	for !ps.begins("code") {
		s.Consts = append(s.Consts, ps.float())
	}
	ps.expect("code")
	for !ps.begins("out") {
		s.Code = append(s.Code, ps.instr())
	}
	ps.expect("out")
	for ps.more() {
		set, rest, ok := strings.Cut(ps.rest, "=")
		if !ok {
			ps.fail("found %q; want a result such as 4=s6+0(1)", ps.rest)
		}
		s.Set = append(s.Set, int32(ps.after("", set)))
		ps.rest = rest
		s.Out = append(s.Out, ps.mapView())
	}
	return s
}

// begins reports whether the next word is w.
func (ps *parser) begins(w string) bool { return ps.rest == w || strings.HasPrefix(ps.rest, w+" ") }

func (ps *parser) mapView() (v MapView) {
	span, rest, _ := strings.Cut(ps.rest, "+")
	at, strides, ok := strings.Cut(rest, "(")
	if !ok {
		ps.fail("found %q; want an element such as s3+4(1 0)", ps.rest)
	}
	v.At = ps.after("", at)
	ps.rest = span + "(" + strides
	v.View = ps.view()
	return v
}

func (ps *parser) instr() (c Instr) {
	text := ps.word()
	words := strings.Split(text, ":")
	op, ok := circuit.OpOf(words[0])
	if !ok || len(words) != 3 || op < circuit.Sum {
		ps.fail("found %q; want an instruction such as sum:0:1", text)
	}
	return Instr{op, int32(ps.after("", words[1])), int32(ps.after("", words[2]))}
}

func (s *Map) verify(v *verifier) {
	v.axes(s.Axes)
	for _, in := range s.In {
		s.verifyView(v, in, "operand")
	}
	for i, x := range s.Consts {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			v.errorf("constant %d is %v; want a finite number", i, x)
		}
	}
	if len(s.Set) != len(s.Out) || len(s.Out) == 0 {
		v.errorf("%d values for %d results", len(s.Set), len(s.Out))
		return
	}
	for i, c := range s.Code {
		if n := int32(len(s.In) + len(s.Consts) + i); c.Op < circuit.Sum || c.Op > circuit.LastOp || c.A < 0 || c.B < 0 || c.A >= n || c.B >= n {
			v.errorf("instruction %d is %d of values %d and %d; want an operation on two earlier ones", i, c.Op, c.A, c.B)
			return
		}
	}
	for i, out := range s.Out {
		if s.Set[i] < 0 || int(s.Set[i]) >= s.Values() {
			v.errorf("result %d is value %d of %d", i, s.Set[i], s.Values())
			return
		}
		s.verifyResult(v, out)
	}
	if v.numbers(s.Scratch, "scratch memory", true) && v.p.Spans[s.Scratch].Len < s.ScratchLen() {
		v.errorf("scratch memory s%d has %d numbers; want %d", s.Scratch, v.p.Spans[s.Scratch].Len, s.ScratchLen())
	}
}

// verifyResult checks a result: it does not move along reduced axes, and is no operand.
func (s *Map) verifyResult(v *verifier, out MapView) {
	if !s.verifyView(v, out, "result") {
		return
	}
	v.writable(out.Span)
	for i, a := range s.Axes {
		if a.Kind == AxisReduced && out.Stride[i] != 0 {
			v.errorf("result s%d moves along v%d, over which it is reduced", out.Span, a.Var)
		}
	}
	for _, in := range s.In {
		if v.known(in.Span) {
			v.apart(out.Span, in.Span)
		}
	}
	if v.known(s.Scratch) {
		v.apart(out.Span, s.Scratch)
	}
}

// verifyView checks that an element stays within its span.
func (s *Map) verifyView(v *verifier, m MapView, what string) bool {
	if m.At < 0 || !v.view(s.Axes, m.View, what) {
		return false
	}
	last := m.At
	for i, a := range s.Axes {
		last += m.Stride[i] * (a.Size - 1)
	}
	if n := v.p.Spans[m.Span].Len; last >= n {
		v.errorf("%s s%d reaches element %d of %d", what, m.Span, last, n)
		return false
	}
	return true
}
