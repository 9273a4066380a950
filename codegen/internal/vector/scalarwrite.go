package vector

import (
	"fmt"
	"strings"

	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/codegen/internal/registers"
	"github.com/pgmc-go/pgmc/codegen/internal/unroll"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/vector"
)

// scalarWriter writes the assembly of a block on single numbers. The nodes of the circuit are the
// vectors of the allocator. BX points to work memory and DX to data memory.
type scalarWriter struct {
	*unroll.Straight
	*allocator
	p        *ir.Program
	pool     *[]float64
	numbers  map[float64]int // places in data memory, by value; nil to count instructions alone
	b        strings.Builder
	named    ir.SpanID // the span that the last comment names
	count    int       // instructions
	memories int       // instructions with an operand in memory
}

// newScalarWriter returns a writer of s. It adds the constants that are not in numbers to the pool.
func newScalarWriter(p *ir.Program, pool *[]float64, numbers map[float64]int, s *unroll.Straight) *scalarWriter {
	w := &scalarWriter{Straight: s, allocator: newAllocator(s.Circuit.Len()), p: p, pool: pool, numbers: numbers, named: ir.NoSpan}
	w.move = "VMOVSD X%d, %s"
	w.line = func(format string, args ...any) {
		text := fmt.Sprintf(format, args...)
		w.count++
		if strings.HasSuffix(text, ")") || strings.Contains(text, "),") {
			w.memories++
		}
		fmt.Fprintf(&w.b, "\t%s\n", text)
	}
	w.slotAt = func(slot int) string { return address(p.Work+slot, "BX") }
	w.note()
	return w
}

// numbersOf returns the places of the numbers in data memory.
func numbersOf(p *ir.Program, pool []float64) map[float64]int {
	places := map[float64]int{}
	note := func(v float64, at int) {
		if _, ok := places[v]; !ok {
			places[v] = at
		}
	}
	for i := range p.Spans {
		if s := &p.Spans[i]; s.Role == ir.RoleConst {
			for k, v := range s.Data {
				note(v, s.Offset+k)
			}
		}
	}
	for i, v := range pool {
		note(v, p.Data+i)
	}
	return places
}

// note notes the time of each read.
func (w *scalarWriter) note() {
	time := 0
	read := func(n circuit.Node) {
		w.Note(int(n), time)
		time++
	}
	for _, e := range w.Events {
		switch e.Kind {
		case unroll.Compute:
			a, b := w.Circuit.Args(e.Node)
			switch op := w.Circuit.Op(e.Node); {
			case op == circuit.Sub && a == circuit.Zero:
				read(b)
			case a == b || op.Unary():
				read(a)
			default:
				read(a)
				read(b)
			}
		case unroll.Store, unroll.Home:
			read(e.Node)
		case unroll.Invert:
			read(e.From)
		}
	}
}

// write returns the instructions.
func (w *scalarWriter) write() string {
	for i := range w.Events {
		e := &w.Events[i]
		if e.Span != ir.NoSpan && e.Span != w.named {
			w.named = e.Span
			if name := w.p.Spans[e.Span].Name; name != "" {
				fmt.Fprintf(&w.b, "\t%s\n", backend.Comment(name))
			}
		}
		n := vector.ID(e.Node)
		switch e.Kind {
		case unroll.Compute:
			w.compute(n)
		case unroll.Invert:
			w.invert(n, vector.ID(e.From))
		case unroll.Load:
			r := w.take()
			w.line("VMOVSD %s, X%d", address(e.At, "BX"), r)
			w.Hold(int(n), r)
		default:
			text := address(e.At, "BX")
			w.line("VMOVSD X%d, %s", w.load(n), text)
			if e.Kind == unroll.Home {
				w.places[n].memory, w.places[n].until = text, registers.Never
			}
			w.used(n)
		}
	}
	return w.b.String()
}

var scalarOps = [...]string{circuit.Sum: "VADDSD", circuit.Prod: "VMULSD", circuit.Max: "VMAXSD", circuit.Sub: "VSUBSD", circuit.Quot: "VDIVSD"}

// compute writes the operation of a node.
func (w *scalarWriter) compute(n vector.ID) {
	x, y := w.Circuit.Args(circuit.Node(n))
	op := w.Circuit.Op(circuit.Node(n))
	a, b := vector.ID(x), vector.ID(y)
	switch {
	case op == circuit.Sub && x == circuit.Zero: // Go's negation is a product with -1, for zeros too
		w.unary(n, b, "VMULSD "+address(w.constant(-1), "DX")+", X%d, X%d")
	case op.Unary():
		w.unary(n, a, "VSQRTSD X%d, X%[1]d, X%d")
	default:
		commutes := op == circuit.Sum || op == circuit.Prod || op == circuit.Max
		if commutes && w.reg(a) < 0 && (w.reg(b) >= 0 || w.After(int(b)) < w.After(int(a))) {
			a, b = b, a
		}
		w.binary(op, n, a, b)
	}
}

// binary writes an operation with the first operand in a register.
func (w *scalarWriter) binary(op circuit.Op, n, a, b vector.ID) {
	r := w.Pin(w.load(a))
	text := w.source(b)
	w.Unpin(r)
	inRegister := w.reg(b) >= 0
	w.used(a)
	if a != b && inRegister {
		w.used(b)
	}
	to := w.take()
	w.line("%s %s, X%d, X%d", scalarOps[op], text, r, to)
	if a != b && !inRegister { // only now may another number take its slot
		w.used(b)
	}
	w.Hold(int(n), to)
}

// unary writes an instruction of one number, with a format that takes its register and n's.
func (w *scalarWriter) unary(n, a vector.ID, format string) {
	r := w.load(a)
	w.used(a)
	to := w.take()
	w.line(format, r, to)
	w.Hold(int(n), to)
}

// invert writes a reciprocal, and 1 for 0.
func (w *scalarWriter) invert(n, from vector.ID) {
	x := w.Pin(w.load(from))
	divisor, to := w.Pin(w.take()), w.Pin(w.take())
	w.line("VMOVSD %s, X%d", address(w.constant(1), "DX"), to)
	w.line("VXORPD X%d, X%[1]d, X%[1]d", divisor)
	w.line("VCMPSD $0, X%d, X%d, X%d", x, divisor, divisor)
	w.line("VBLENDVPD X%d, X%d, X%d, X%d", divisor, to, x, divisor)
	w.line("VDIVSD X%d, X%d, X%d", divisor, to, to)
	w.Unpin(x, divisor, to)
	w.used(from)
	w.Hold(int(n), to)
}

// take returns a free register.
func (w *scalarWriter) take() int {
	return w.register(func(n vector.ID) bool {
		_, ok := w.memoryOf(n)
		return ok
	})
}

// source returns a number as the first operand of an instruction.
func (w *scalarWriter) source(n vector.ID) string {
	if r := w.reg(n); r >= 0 {
		return fmt.Sprintf("X%d", r)
	}
	text, _ := w.memoryOf(n)
	return text
}

// memoryOf returns a number as an operand in memory; ok is false if none holds it.
func (w *scalarWriter) memoryOf(id vector.ID) (text string, ok bool) {
	n := circuit.Node(id)
	switch w.Circuit.Op(n) {
	case circuit.Const:
		return address(w.constant(w.Circuit.Value(n)), "DX"), true
	case circuit.Input:
		if at, data, ok := w.Leaf(n); ok {
			base := "BX"
			if data {
				base = "DX"
			}
			return address(at, base), true
		}
	}
	return w.inMemory(id)
}

// constant returns the place of a number in data memory.
func (w *scalarWriter) constant(v float64) int {
	if w.numbers == nil {
		return 0 // only the instructions are counted
	}
	at, ok := w.numbers[v]
	if !ok {
		at = w.p.Data + len(*w.pool)
		*w.pool = append(*w.pool, v)
		w.numbers[v] = at
	}
	return at
}

// load loads a number into a register, in which it stays while there is room.
func (w *scalarWriter) load(n vector.ID) int {
	if r := w.reg(n); r >= 0 {
		return r
	}
	r := w.take()
	text, _ := w.memoryOf(n)
	w.line("VMOVSD %s, X%d", text, r)
	w.Hold(int(n), r)
	return r
}
