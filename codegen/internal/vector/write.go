package vector

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/codegen/internal/registers"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/vector"
)

// writer writes the assembly of a block. BX points to work memory and DX to data memory.
type writer struct {
	*block
	*allocator
	out    *backend.Output
	b      strings.Builder
	pool   map[[vector.Lanes]uint64]int // places of constants in data memory
	named  ir.SpanID                    // the span that the last comment names
	within int                          // the register that marks the lanes whose sums were inverted; -1 before the first
}

func newWriter(out *backend.Output, x *block) *writer {
	w := &writer{block: x, allocator: newAllocator(len(x.graph.Nodes)), out: out, pool: map[[vector.Lanes]uint64]int{}, named: ir.NoSpan, within: -1}
	w.line = func(format string, args ...any) { fmt.Fprintf(&w.b, "\t"+format+"\n", args...) }
	w.move = "VMOVUPD Y%d, %s"
	w.slotAt = func(slot int) string { return address(x.p.Work+vector.Lanes*slot, "BX") }
	pool := *out.Pool
	for i := 0; i+vector.Lanes <= len(pool); i++ {
		key := bitsOf([vector.Lanes]float64(pool[i : i+vector.Lanes]))
		if _, ok := w.pool[key]; !ok {
			w.pool[key] = i
		}
	}
	w.count()
	return w
}

func bitsOf(v [vector.Lanes]float64) (out [vector.Lanes]uint64) {
	for l, x := range v {
		out[l] = math.Float64bits(x)
	}
	return out
}

// count notes the time of each read.
func (w *writer) count() {
	time := 0
	read := func(n vector.ID) {
		w.Note(int(n), time)
		time++
	}
	ends := make([]int, len(w.events)+1)
	for i, e := range w.events {
		switch {
		case e.span == ir.NoSpan:
			for _, a := range w.graph.Nodes[e.node].Arguments() {
				read(a)
			}
		case w.needed[e.value]:
			read(e.node)
		}
		ends[i+1] = time
	}
	for v, i := range w.dead {
		w.dead[v] = ends[i]
	}
}

// write returns the instructions.
func (w *writer) write() string {
	for _, e := range w.events {
		switch {
		case e.span == ir.NoSpan:
			w.compute(e.node)
		case w.needed[e.value]:
			w.store(e)
		}
	}
	if len(w.answers) > 0 {
		w.line("VMOVMSKPD Y%d, AX", w.within)
		w.line("CMPL AX, $15")
		w.line("SETEQ ret+16(FP)")
	}
	return w.b.String()
}

// store stores a node as a group of a span.
func (w *writer) store(e event) {
	if e.span != w.named {
		w.named = e.span
		fmt.Fprintf(&w.b, "\t%s\n", backend.Comment(w.p.Spans[e.span].Name))
	}
	r := w.load(e.node)
	text := address(w.p.Spans[e.span].Offset+vector.Lanes*e.group, "BX")
	w.line("VMOVUPD Y%d, %s", r, text)
	until, ok := w.dead[e.value]
	if !ok {
		until = registers.Never
	}
	if p := &w.places[e.node]; w.graph.Nodes[e.node].Op >= vector.Mul && until > p.until {
		p.memory, p.until = text, until
	}
	w.used(e.node)
}

// compute writes the operation of a node.
func (w *writer) compute(id vector.ID) {
	n := &w.graph.Nodes[id]
	r := -1
	switch n.Op {
	case vector.Mul:
		r = w.binary("VMULPD", n)
	case vector.Add:
		r = w.binary("VADDPD", n)
	case vector.Max:
		r = w.binary("VMAXPD", n)
	case vector.Across:
		r = w.across(n)
	case vector.Inverse:
		r = w.inverse(n)
	case vector.Reciprocal:
		r = w.reciprocal(n)
	case vector.Keep:
		from := w.load(n.Args[0])
		w.used(n.Args[0])
		r = w.take()
		w.line("VBLENDPD $%d, %s, Y%d, Y%d", dropped(n), address(w.p.Data+w.constant([vector.Lanes]float64{}), "DX"), from, r)
	case vector.Copy:
		from := w.load(n.Args[0])
		w.used(n.Args[0])
		if r = w.take(); r != from {
			w.line("VMOVAPD Y%d, Y%d", from, r)
		}
	case vector.Splat:
		from := w.load(n.Args[0])
		w.used(n.Args[0])
		r = w.take()
		w.line("VPERMPD $%d, Y%d, Y%d", n.At[0]*0x55, from, r)
	}
	w.Hold(int(id), r)
}

// dropped returns the set of the lanes that a Keep sets to 0.
func dropped(n *vector.Node) (set int) {
	for l, keep := range n.At {
		set |= int(1-keep) << l
	}
	return set
}

// take returns a free register.
func (w *writer) take() int {
	return w.register(func(n vector.ID) bool { return w.graph.Nodes[n].Op < vector.Mul })
}

// binary writes an operation that commutes, and returns the register of the result. At least one
// operand is loaded into a register.
func (w *writer) binary(op string, n *vector.Node) int {
	a, b := n.Args[0], n.Args[1]
	if w.reg(a) < 0 && (w.reg(b) >= 0 || w.prefers(b, a)) {
		a, b = b, a
	}
	r := w.Pin(w.load(a))
	text := fmt.Sprintf("Y%d", r)
	if a != b {
		text = w.source(b)
	}
	w.Unpin(r)
	inRegister := w.reg(b) >= 0
	w.used(a)
	if a != b && inRegister {
		w.used(b)
	}
	to := w.take()
	w.line("%s %s, Y%d, Y%d", op, text, r, to)
	if a != b && !inRegister { // only now may another vector take its slot
		w.used(b)
	}
	return to
}

// prefers reports whether to load a into a register rather than b: because b can be an operand in
// memory and a can't, or because a is read again sooner.
func (w *writer) prefers(a, b vector.ID) bool {
	if x, y := w.operand(a), w.operand(b); x != y {
		return y
	}
	return w.After(int(a)) < w.After(int(b))
}

// operand reports whether a vector that is in no register can be an operand in memory.
func (w *writer) operand(n vector.ID) bool {
	x := &w.graph.Nodes[n]
	return x.Op == vector.Const || x.Op >= vector.Mul || vector.PatternOf(x.At) == vector.Contiguous
}

// source returns a vector as the first operand of an instruction.
func (w *writer) source(n vector.ID) string {
	if r := w.reg(n); r >= 0 {
		return fmt.Sprintf("Y%d", r)
	}
	if text, ok := w.memoryOf(n); ok {
		return text
	}
	return fmt.Sprintf("Y%d", w.load(n))
}

// memoryOf returns a vector as an operand in memory; ok is false if it is not one.
func (w *writer) memoryOf(n vector.ID) (text string, ok bool) {
	switch x := &w.graph.Nodes[n]; {
	case x.Op == vector.Const:
		return address(w.p.Data+w.constant(x.Value), "DX"), true
	case x.Op == vector.Load:
		return w.element(x, 0), vector.PatternOf(x.At) == vector.Contiguous
	}
	return w.inMemory(n)
}

// constant returns the place of a vector in the pool.
func (w *writer) constant(v [vector.Lanes]float64) int {
	key := bitsOf(v)
	at, ok := w.pool[key]
	if !ok {
		at = len(*w.out.Pool)
		*w.out.Pool = append(*w.out.Pool, v[:]...)
		w.pool[key] = at
	}
	return at
}

// element returns the operand of one lane of a load.
func (w *writer) element(n *vector.Node, lane int) string {
	s := &w.p.Spans[n.Span]
	base := "BX"
	if s.ReadOnly() {
		base = "DX"
	}
	return address(s.Offset+int(n.At[lane]), base)
}

// load loads a vector into a register, in which it stays while there is room.
func (w *writer) load(n vector.ID) int {
	if r := w.reg(n); r >= 0 {
		return r
	}
	r := w.Pin(w.take())
	if text, ok := w.memoryOf(n); ok {
		w.line("VMOVUPD %s, Y%d", text, r)
	} else {
		w.gather(&w.graph.Nodes[n], r)
	}
	w.Unpin(r)
	w.Hold(int(n), r)
	return r
}

// gather writes the load of a vector with numbers that are not contiguous.
func (w *writer) gather(n *vector.Node, r int) {
	switch vector.PatternOf(n.At) {
	case vector.Same:
		w.line("VBROADCASTSD %s, Y%d", w.element(n, 0), r)
	case vector.Pairs:
		w.line("VBROADCASTF128 %s, Y%d", w.element(n, 0), r)
	case vector.Window:
		window, choice := *n, 0
		window.At[0] = vector.Begin(w.p, n)
		for l, at := range n.At {
			choice |= int(at-window.At[0]) << (2 * l)
		}
		w.line("VPERMPD $%d, %s, Y%d", choice, w.element(&window, 0), r)
	default:
		w.halves(n, r)
	}
}

// halves writes the load of two halves. The second one goes through another register unless it is
// contiguous.
func (w *writer) halves(n *vector.Node, r int) {
	w.half(n, 0, r)
	if n.At[3] == n.At[2]+1 {
		w.line("VINSERTF128 $1, %s, Y%d, Y%d", w.element(n, 2), r, r)
		return
	}
	high := w.take()
	w.half(n, 2, high)
	w.line("VINSERTF128 $1, X%d, Y%d, Y%d", high, r, r)
}

// half writes the load of lanes first and first+1 into the low half of a register.
func (w *writer) half(n *vector.Node, first, r int) {
	switch n.At[first+1] - n.At[first] {
	case 0:
		w.line("VMOVDDUP %s, X%d", w.element(n, first), r)
	case 1:
		w.line("VMOVUPD %s, X%d", w.element(n, first), r)
	default:
		w.line("VMOVSD %s, X%d", w.element(n, first), r)
		w.line("VMOVHPD %s, X%d, X%d", w.element(n, first+1), r, r)
	}
}

// across writes the sums of the lanes of up to four vectors.
func (w *writer) across(n *vector.Node) int {
	args := n.Args
	for i, a := range args {
		if a == vector.None {
			args[i] = slices.Max(n.Args[:])
		}
	}
	low := w.Pin(w.addPairs(args[0], args[1]))
	to := -1
	if n.Args[2] == vector.None && n.Args[3] == vector.None {
		to = w.Pin(w.take())
		w.line("VEXTRACTF128 $1, Y%d, X%d", low, to)
		w.line("VADDPD X%d, X%d, X%d", to, low, to)
	} else {
		high := w.Pin(w.addPairs(args[2], args[3]))
		to = w.Pin(w.take())
		w.line("VPERM2F128 $0x21, Y%d, Y%d, Y%d", high, low, to)
		w.line("VBLENDPD $12, Y%d, Y%d, Y%d", high, low, low)
		w.line("VADDPD Y%d, Y%d, Y%d", to, low, to)
		w.Unpin(high)
	}
	w.Unpin(low, to)
	for _, a := range n.Arguments() {
		w.used(a)
	}
	return to
}

// addPairs writes the sums of the pairs of lanes of two vectors, and returns their register.
func (w *writer) addPairs(a, b vector.ID) int {
	r := w.Pin(w.load(a))
	text := w.source(b)
	w.Unpin(r)
	to := w.take()
	w.line("VHADDPD %s, Y%d, Y%d", text, r, to)
	return to
}

// inverse writes the reciprocals of the numbers from 2^-1000 to 2^1000, and 1 for others. It keeps
// the marks of the lanes that it has inverted in a register.
func (w *writer) inverse(n *vector.Node) int {
	sum := w.Pin(w.load(n.Args[0]))
	marks, other, to := w.Pin(w.take()), w.Pin(w.take()), w.Pin(w.take())
	bound := func(x float64) string {
		return address(w.p.Data+w.constant([vector.Lanes]float64{x, x, x, x}), "DX")
	}
	w.line("VCMPPD $13, %s, Y%d, Y%d", bound(0x1p-1000), sum, marks)
	w.line("VCMPPD $2, %s, Y%d, Y%d", bound(0x1p1000), sum, other)
	w.line("VANDPD Y%d, Y%d, Y%d", other, marks, marks)
	w.line("VMOVUPD %s, Y%d", bound(1), other)
	w.line("VDIVPD Y%d, Y%d, Y%d", sum, other, to)
	w.line("VBLENDVPD Y%d, Y%d, Y%d, Y%d", marks, to, other, to)
	w.Unpin(sum, other, to)
	w.used(n.Args[0])
	if w.within < 0 {
		w.within = marks // pinned from now on
		return to
	}
	w.line("VANDPD Y%d, Y%d, Y%d", marks, w.within, w.within)
	w.Unpin(marks)
	return to
}

// reciprocal writes the reciprocals of the numbers, and 1 for 0.
func (w *writer) reciprocal(n *vector.Node) int {
	one := w.constant([vector.Lanes]float64{1, 1, 1, 1})
	x := w.Pin(w.load(n.Args[0]))
	zeros, to := w.Pin(w.take()), w.Pin(w.take())
	w.line("VCMPPD $0, %s, Y%d, Y%d", address(w.p.Data+w.constant([vector.Lanes]float64{}), "DX"), x, zeros)
	w.line("VBLENDVPD Y%d, %s, Y%d, Y%d", zeros, address(w.p.Data+one, "DX"), x, zeros)
	w.line("VMOVUPD %s, Y%d", address(w.p.Data+one, "DX"), to)
	w.line("VDIVPD Y%d, Y%d, Y%d", zeros, to, to)
	w.Unpin(x, zeros, to)
	w.used(n.Args[0])
	return to
}
