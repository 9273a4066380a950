package nest

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/codegen/internal/registers"
	"github.com/pgmc-go/pgmc/ir/circuit"
)

// operation is an instruction on vectors, apart from loads.
type operation struct {
	op    opcode
	node  circuit.Node // the value that it sets or takes
	sum   circuit.Node // of add: the accumulator
	store int          // of store: the element of the tile's result
}

type opcode uint8

const (
	compute opcode = iota
	add            // to an accumulator
	store
)

// segment is straight-line code: code before a loop or after it.
type segment struct {
	sites   []site
	ops     []operation
	defined map[circuit.Node]bool
}

// vectorRegisters assigns the vectors of a kernel to registers. Accumulators have registers of
// their own as long as there are some. Other values stay in registers within a segment.
type vectorRegisters struct {
	w      *nestWriter
	segs   []*segment
	slot   map[circuit.Node]string // values and accumulators on the stack
	acc    map[circuit.Node]int    // accumulators in registers
	shared map[circuit.Node]bool   // variables that other segments read
	free   int                     // the registers below it are for other values

	*registers.File // of the segment
}

// maxAccumulators is the most accumulators in registers.
const maxAccumulators = maxVectors

func newVectorRegisters(w *nestWriter) *vectorRegisters {
	r := &vectorRegisters{w: w, slot: map[circuit.Node]string{}, acc: map[circuit.Node]int{}, shared: map[circuit.Node]bool{}, free: 16}
	for i := len(w.sums) - 1; i >= 0; i-- { // inner loops first
		if !w.sums[i].own {
			continue
		}
		for _, n := range w.sums[i].leaves {
			if 16-r.free < maxAccumulators {
				r.free--
				r.acc[n] = r.free
			} else {
				r.slot[n] = w.vector()
			}
		}
	}
	return r
}

// vector returns a further vector of the stack.
func (w *nestWriter) vector() string {
	w.vectors++
	return fmt.Sprintf("$words$+%d(SP)", 32*(w.vectors-1))
}

// segment plans the segments of the body of a level.
func (r *vectorRegisters) segment(level int) {
	k := r.w.kernel
	s := r.begin(site{level, false}, site{level, true})
	if level < len(k.loops) {
		s = r.begin(site{level, false})
		r.locals(s)
		r.segs = append(r.segs, s)
		r.segment(level + 1)
		s = r.begin(site{level, true})
		r.locals(s)
	}
	if i := level - k.results - 1; i >= 0 {
		for n, v := range k.sums[i].values {
			r.visit(s, v)
			s.ops = append(s.ops, operation{op: add, node: v, sum: k.sums[i].leaves[n]})
		}
	}
	if level == k.results {
		for e, n := range k.stores {
			r.visit(s, n)
			s.ops = append(s.ops, operation{op: store, node: n, store: e})
		}
	}
	r.segs = append(r.segs, s)
}

// begin returns a new segment for the given sites.
func (r *vectorRegisters) begin(sites ...site) *segment {
	return &segment{sites: sites, defined: map[circuit.Node]bool{}}
}

// locals adds the variables of a segment that has a loop before or after it, which may read them.
func (r *vectorRegisters) locals(s *segment) {
	k := r.w.kernel
	for n := range circuit.Node(k.c.Len()) {
		if k.text.local[n] && slices.Contains(s.sites, k.text.at[n]) {
			r.visit(s, n)
		}
	}
}

// define adds the operations that compute a node, in the order of its terms.
func (r *vectorRegisters) define(s *segment, n circuit.Node) {
	a, b := r.w.c.Args(n)
	r.visit(s, a)
	r.visit(s, b)
	s.ops = append(s.ops, operation{op: compute, node: n})
	s.defined[n] = true
}

// visit adds the operations that compute a node unless another segment does.
func (r *vectorRegisters) visit(s *segment, n circuit.Node) {
	switch {
	case r.w.c.Op(n) < circuit.Sum || s.defined[n]:
	case r.w.text.local[n] && !slices.Contains(s.sites, r.w.text.at[n]):
		r.shared[n] = true
	default:
		r.define(s, n)
	}
}

// write writes a segment.
func (r *vectorRegisters) write(s *segment) {
	r.File = registers.New(r.free, r.w.c.Len())
	for time, o := range s.ops {
		if o.op != compute {
			r.Note(int(o.node), time)
			continue
		}
		a, b := r.w.c.Args(o.node)
		r.Note(int(a), time)
		r.Note(int(b), time)
	}
	for _, o := range s.ops {
		switch o.op {
		case compute:
			r.compute(o.node)
		case add:
			r.add(o.node, o.sum)
		case store:
			r.store(o.node, o.store)
		}
	}
}

// compute writes a product, a sum or a maximum.
func (r *vectorRegisters) compute(n circuit.Node) {
	op := map[circuit.Op]string{circuit.Sum: "VADDPD", circuit.Prod: "VMULPD", circuit.Max: "VMAXPD"}[r.w.c.Op(n)]
	a, b := r.w.c.Args(n)
	if _, ok := r.held(a); !ok {
		_, inB := r.held(b)
		_, fromA := r.memory(a)
		_, fromB := r.memory(b)
		if inB || fromA && !fromB {
			a, b = b, a
		}
	}
	x := r.Pin(r.load(a))
	text := r.source(b)
	r.Unpin(x)
	r.Used(int(a))
	r.Used(int(b))
	to := r.take()
	r.w.line("%s %s, Y%d, Y%d", op, text, x, to)
	if r.shared[n] {
		r.slot[n] = r.w.vector()
		r.w.line("VMOVUPD Y%d, %s", to, r.slot[n])
	}
	r.Hold(int(n), to)
}

// add adds a value to an accumulator.
func (r *vectorRegisters) add(n, sum circuit.Node) {
	op := "VADDPD"
	if r.w.max {
		op = "VMAXPD"
	}
	if acc, ok := r.acc[sum]; ok {
		r.w.line("%s %s, Y%d, Y%d", op, r.source(n), acc, acc)
		r.Used(int(n))
		return
	}
	x := r.load(n)
	r.Used(int(n))
	to := r.take()
	r.w.line("%s %s, Y%d, Y%d", op, r.slot[sum], x, to)
	r.w.line("VMOVUPD Y%d, %s", to, r.slot[sum])
}

// zero sets the accumulators of the loops within the body of a level to 0.
func (w *nestWriter) zero(level int) {
	for i := range w.sums {
		if !w.sums[i].own || w.results+w.outermost(i+1)-1 != level {
			continue
		}
		for _, n := range w.sums[i].leaves {
			if acc, ok := w.regs.acc[n]; ok {
				w.line("VXORPD Y%d, Y%d, Y%d", acc, acc, acc)
				continue
			}
			w.line("VXORPD Y0, Y0, Y0")
			w.line("VMOVUPD Y0, %s", w.regs.slot[n])
		}
	}
}

// held returns the register that holds a value.
func (r *vectorRegisters) held(n circuit.Node) (x int, ok bool) {
	if x, ok = r.acc[n]; !ok {
		x = r.Of(int(n))
	}
	return x, x >= 0
}

// memory returns a value as an operand in memory; ok is false if it is not one.
func (r *vectorRegisters) memory(n circuit.Node) (text string, ok bool) {
	if text, ok = r.slot[n]; ok {
		return text, true
	}
	if l, ok := r.leaf(n); ok && r.w.of.lane[l.in+1] == 1 {
		return r.w.element(l.in+1, l.offset), true
	}
	return "", false
}

// leaf returns an element of an operand.
func (r *vectorRegisters) leaf(n circuit.Node) (l leaf, ok bool) {
	if r.w.c.Op(n) == circuit.Input {
		l = r.w.leaves[r.w.c.Leaf(n)]
	}
	return l, r.w.c.Op(n) == circuit.Input && l.in >= 0
}

// source returns a value as an operand of an instruction.
func (r *vectorRegisters) source(n circuit.Node) string {
	if x, ok := r.held(n); ok {
		return fmt.Sprintf("Y%d", x)
	}
	if text, ok := r.memory(n); ok {
		return text
	}
	return fmt.Sprintf("Y%d", r.load(n))
}

// load returns the register of a value, which it loads unless it is in one.
func (r *vectorRegisters) load(n circuit.Node) int {
	if x, ok := r.held(n); ok {
		return x
	}
	x := r.take()
	if text, ok := r.memory(n); ok {
		r.w.line("VMOVUPD %s, Y%d", text, x)
	} else {
		r.loadLeaf(n, x)
	}
	r.Hold(int(n), x)
	return x
}

// take returns a free register, and makes one free if there is none.
func (r *vectorRegisters) take() int {
	x, out := r.Take()
	n := circuit.Node(out)
	if out == registers.None || r.w.c.Op(n) < circuit.Sum {
		return x
	}
	if _, ok := r.slot[n]; !ok {
		r.slot[n] = r.w.vector()
		r.w.line("VMOVUPD Y%d, %s", x, r.slot[n])
	}
	return x
}
