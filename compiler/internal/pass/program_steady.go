package pass

import (
	"cmp"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// The most instructions of a part for means, which packages write out where they need it, and the
// most numbers that identify a step with recurring covariances.
const (
	mostMeans  = 512
	mostSteady = 1024
)

// ProgramSteady splits the steps of filters with covariances that do not depend on values into a
// part for gains and one for means; see [ir.Steady]. What crosses the cut are the results of the
// first part that the second one reads. A step is left whole if that saves less than a third of its
// operations, or takes too many numbers. Parameters that may be replaced rule it out.
func ProgramSteady(p *ir.Program) {
	if p.Params == ir.Var {
		return
	}
	for _, name := range []string{ir.FilterNext, ir.FilterBelief} {
		if s := newSteady(p, p.Entry(name)); s != nil && s.pays() {
			s.split()
		}
	}
}

// steady is a step of a filter that is one map without axes.
type steady struct {
	p     *ir.Program
	e     *ir.Entry
	m     *ir.Map
	moves []bool       // by value of m: it depends on an observed value
	cov   map[int]bool // numbers of the belief that depend on none
	cut   []int32      // values that do not move, and that those which do, or a result, read: the gains
}

// newSteady finds out what depends on values. It returns nil if e is another kind of step, if
// nothing persists, and if all of the belief depends on values.
func newSteady(p *ir.Program, e *ir.Entry) *steady {
	if e == nil || e.Stream == nil || e.Stream.Histories != nil || len(e.Stream.Columns) > 0 || len(e.Blocks) != 1 ||
		len(p.Blocks[e.Blocks[0]].Steps) != 1 || len(e.Stream.In) != 1 || len(e.Stream.Out) != 1 {
		return nil
	}
	m, ok := p.Blocks[e.Blocks[0]].Steps[0].(*ir.Map)
	if !ok || len(m.Axes) > 0 {
		return nil
	}
	s := &steady{p: p, e: e, m: m, moves: make([]bool, m.Values()), cov: map[int]bool{}}
	for k := range size(p, e.Stream.In) {
		s.cov[k] = true
	}
	for s.spread() {
	}
	if len(s.cov) == 0 {
		return nil
	}
	s.findCut()
	return s
}

// size returns the number of numbers of spans.
func size(p *ir.Program, ids []ir.SpanID) (n int) {
	for _, id := range ids {
		n += p.Spans[id].Len
	}
	return n
}

// placeIn returns the place of an element among the numbers of spans, or -1 if it is in none.
func placeIn(p *ir.Program, ids []ir.SpanID, v ir.MapView) int {
	i := slices.Index(ids, v.Span)
	if i < 0 {
		return -1
	}
	return size(p, ids[:i]) + v.At
}

// spread marks the values that depend on observed values, given which numbers of the belief before
// do. It reports whether more of the belief after does.
func (s *steady) spread() (more bool) {
	for i, in := range s.m.In {
		s.moves[i] = s.enters(in)
	}
	for i, c := range s.m.Code {
		s.moves[len(s.m.In)+len(s.m.Consts)+i] = s.moves[c.A] || !c.Op.Unary() && s.moves[c.B]
	}
	for i, out := range s.m.Out {
		if k := placeIn(s.p, s.e.Stream.Out, out); s.moves[s.m.Set[i]] && s.cov[k] {
			delete(s.cov, k)
			more = true
		}
	}
	return more
}

// enters reports whether an input depends on observed values. Of the evidence on a variable that is
// the value: without a measurement, the rest says whether there is one.
func (s *steady) enters(in ir.MapView) bool {
	if k := placeIn(s.p, s.e.Stream.In, in); k >= 0 {
		return !s.cov[k]
	}
	span := &s.p.Spans[in.Span]
	return !(span.ReadOnly() || span.Role == ir.RoleIn && in.At != valueAt)
}

// valueAt is the place of the value in the evidence on a real variable; see [model.RealWidth].
const valueAt = model.RealWidth - 1

// findCut lists the gains: numbers that the part for means reads and does not find elsewhere.
func (s *steady) findCut() {
	crosses := make([]bool, s.m.Values())
	read := func(v int32) { crosses[v] = crosses[v] || !s.moves[v] && !s.found(v) }
	for i, c := range s.m.Code {
		if s.moves[len(s.m.In)+len(s.m.Consts)+i] {
			read(c.A)
			if !c.Op.Unary() {
				read(c.B)
			}
		}
	}
	for i, out := range s.m.Out {
		if k := placeIn(s.p, s.e.Stream.Out, out); k < 0 || !s.cov[k] {
			read(s.m.Set[i])
		}
	}
	for v, is := range crosses {
		if is {
			s.cut = append(s.cut, int32(v))
		}
	}
}

// found reports whether a value that does not move is a number of the belief or a constant.
func (s *steady) found(v int32) bool {
	if int(v) >= len(s.m.In) {
		return int(v) < len(s.m.In)+len(s.m.Consts)
	}
	return s.p.Spans[s.m.In[v].Span].Role != ir.RoleIn
}

// pays reports whether the part for means does at most two thirds of the work, counting a gain that
// it loads as an operation.
func (s *steady) pays() bool {
	means := len(s.cut)
	for v := len(s.m.In) + len(s.m.Consts); v < len(s.moves); v++ {
		if s.moves[v] {
			means++
		}
	}
	return len(s.cut) > 0 && means <= mostMeans && 3*means <= 2*len(s.m.Code) && len(s.cut)+len(s.cov) <= mostSteady
}

// split adds the parts of the entry.
func (s *steady) split() {
	add := func(name string, role ir.Role, n int) ir.SpanID {
		s.p.Spans = append(s.p.Spans, ir.Span{Name: name + ", " + s.e.Query.Name, Role: role, Len: n, Var: -1, Offset: -1})
		return ir.SpanID(len(s.p.Spans) - 1)
	}
	kept, gains := add("gains", ir.RoleOut, len(s.cut)), add("gains kept", ir.RolePersistent, len(s.cut))
	var out []ir.MapView
	read := map[int32]ir.MapView{}
	for k, v := range s.cut {
		out, read[v] = append(out, element(kept, k)), element(gains, k)
	}
	first := &ir.Entry{Root: ir.NoSpan, Exp: ir.NoSpan, Stream: &ir.Stream{In: s.e.Stream.In, Out: []ir.SpanID{kept}, Part: true}}
	s.part(first, ir.GainsOf(s.e.Query.Name), s.cut, out, nil)

	second := *s.e
	second.Stream = &ir.Stream{In: append(slices.Clone(s.e.Stream.In), gains), Part: true}
	var set []int32
	out = nil
	if moved := size(s.p, s.e.Stream.Out) - len(s.cov); moved > 0 {
		after := add("means after", ir.RoleOut, moved)
		second.Stream.Out = []ir.SpanID{after}
		set, out = s.moved(after)
	}
	for i, v := range s.m.Out {
		if placeIn(s.p, s.e.Stream.Out, v) < 0 {
			set, out = append(set, s.m.Set[i]), append(out, v)
		}
	}
	s.part(&second, ir.MeansOf(s.e.Query.Name), set, out, read)

	s.e.Stream.Steady = &ir.Steady{Seen: s.seen()}
	for k := range size(s.p, s.e.Stream.In) {
		if s.cov[k] {
			s.e.Stream.Steady.Cov = append(s.e.Stream.Steady.Cov, k)
		}
	}
	s.p.Entries = append(s.p.Entries, *first, second)
}

// element returns element k of a span.
func element(id ir.SpanID, k int) ir.MapView { return ir.MapView{View: ir.View{Span: id}, At: k} }

// moved returns the values of the numbers of the belief after that depend on values, and their
// places in a span, in the order of the belief.
func (s *steady) moved(after ir.SpanID) (set []int32, out []ir.MapView) {
	type number struct {
		place int
		value int32
	}
	var list []number
	for i, v := range s.m.Out {
		if k := placeIn(s.p, s.e.Stream.Out, v); k >= 0 && !s.cov[k] {
			list = append(list, number{k, s.m.Set[i]})
		}
	}
	slices.SortFunc(list, func(a, b number) int { return cmp.Compare(a.place, b.place) })
	for k, x := range list {
		set, out = append(set, x.value), append(out, element(after, k))
	}
	return set, out
}

// seen returns the variables of which the map reads other evidence than the value.
func (s *steady) seen() (vars []model.VarID) {
	for _, in := range s.m.In {
		if span := &s.p.Spans[in.Span]; span.Role == ir.RoleIn && in.At != valueAt {
			vars = append(vars, span.Var)
		}
	}
	slices.Sort(vars)
	return slices.Compact(vars)
}

// part makes e run a map that sets out to values of the step's map; read says where it finds some.
func (s *steady) part(e *ir.Entry, name string, set []int32, out []ir.MapView, read map[int32]ir.MapView) {
	part := sliceOf(s.m, set, read)
	part.Out = out
	s.p.Spans = append(s.p.Spans, ir.Span{Name: "registers", Role: ir.RoleTemp, Len: max(1, part.ScratchLen()), Var: -1, Offset: -1})
	part.Scratch = ir.SpanID(len(s.p.Spans) - 1)
	s.p.Blocks = append(s.p.Blocks, ir.Block{Name: name, Steps: []ir.Step{part}})
	q := *s.e.Query
	q.Name = name
	e.Query, e.Blocks = &q, []int{len(s.p.Blocks) - 1}
}

// sliceOf returns the map that sets results to the given values of m, by the instructions of m that
// they need, in their order. It reads the values in read instead of computing them.
func sliceOf(m *ir.Map, set []int32, read map[int32]ir.MapView) *ir.Map {
	needed, code := neededFor(m, set, read), len(m.In)+len(m.Consts)
	part, to := &ir.Map{}, make([]int32, m.Values()) // by value of m: its number in the part
	number := func(v int) { to[v] = int32(part.Values() - 1) }
	for v := range m.Values() {
		if from, ok := read[int32(v)]; needed[v] && (ok || v < len(m.In)) {
			if !ok {
				from = m.In[v]
			}
			part.In = append(part.In, from)
			number(v)
		}
	}
	for i, x := range m.Consts {
		if v := len(m.In) + i; needed[v] {
			part.Consts = append(part.Consts, x)
			number(v)
		}
	}
	for i, c := range m.Code {
		v := code + i
		if _, ok := read[int32(v)]; ok || !needed[v] {
			continue
		}
		c.A, c.B = to[c.A], to[c.B]
		if c.Op.Unary() {
			c.B = c.A // not used
		}
		part.Code = append(part.Code, c)
		number(v)
	}
	for _, v := range set {
		part.Set = append(part.Set, to[v])
	}
	return part
}

// neededFor reports by value of m whether the given ones depend on it, otherwise than by values in
// read, which are needed if something else is.
func neededFor(m *ir.Map, set []int32, read map[int32]ir.MapView) []bool {
	needed, code := make([]bool, m.Values()), len(m.In)+len(m.Consts)
	for _, v := range set {
		needed[v] = true
	}
	for v := m.Values() - 1; v >= code; v-- {
		if _, ok := read[int32(v)]; ok || !needed[v] {
			continue
		}
		c := m.Code[v-code]
		needed[c.A] = true
		if !c.Op.Unary() {
			needed[c.B] = true
		}
	}
	return needed
}
