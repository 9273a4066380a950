package ir

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Kernel is a step that calls one function of the runtime, so that a new one needs no change to any
// back-end. Kernels do what operations on tables cannot express and operations that are too large
// to be written out. The function is func(k []int32, s, p []float64, t []int32, r *Rand), where s,
// p and t are the memories of the program and r is a generator. The words k are the place of the
// states, then Numbers, then the places of Reads, Work, Ints and Writes, with -1 for NoSpan. A
// kernel is the only step of its block.
type Kernel struct {
	Func    string // the function's name
	Numbers []int32
	Reads   []SpanID // some may be NoSpan
	Work    SpanID   // scratch numbers, undefined before and after
	Ints    SpanID   // integers that persist between runs
	Writes  []SpanID // spans that it adds to, and so reads too
	Sets    []model.VarID
}

// KernelOp is the operation of [Kernel]. Kernels with the same Memory share their integers.
type KernelOp struct {
	Func    string
	Numbers []int32
	Reads   []TableID // some may be NoTable
	Writes  []TableID
	Sets    []model.VarID
	Work    int // length of the work memory, in numbers
	Ints    int // number of persistent integers
	Memory  string
}

// Words returns the words k of the call; place returns the place of a span.
func (k *Kernel) Words(states int, place func(SpanID) int) []int32 {
	words := append([]int32{int32(states)}, k.Numbers...)
	for _, id := range slices.Concat(k.Reads, []SpanID{k.Work, k.Ints}, k.Writes) {
		at := -1
		if id != NoSpan {
			at = place(id)
		}
		words = append(words, int32(at))
	}
	return words
}

// Refs implements [Step].
func (k *Kernel) Refs(visit RefVisitor) {
	visit.all(k.Reads, Read)
	visit.one(&k.Ints, Change)
	visit.all(k.Writes, Change)
	visit.one(&k.Work, Write)
}

// States implements [Step].
func (k *Kernel) States(_ *Program, visit StateVisitor) {
	for _, v := range k.Sets {
		visit(v, Write)
	}
}

// Products implements [Step].
func (*Kernel) Products() int { return 0 }

// String writes `kernel Name numbers 1 2 reads s1 - work s2 ints s3 writes s4 sets v0 v1`.
func (k *Kernel) String() string {
	b := &strings.Builder{}
	fmt.Fprintf(b, "kernel %s numbers", k.Func)
	for _, n := range k.Numbers {
		fmt.Fprintf(b, " %d", n)
	}
	fmt.Fprintf(b, " reads %s work %s ints %s writes %s sets", spanNames(k.Reads), spanName(k.Work), spanName(k.Ints), spanNames(k.Writes))
	for _, v := range k.Sets {
		fmt.Fprintf(b, " v%d", v)
	}
	return b.String()
}

func parseKernel(ps *parser, _ int) Step {
	k := &Kernel{Func: ps.word()}
	ps.expect("numbers")
	for _, n := range ps.ints("reads") {
		k.Numbers = append(k.Numbers, int32(n))
	}
	for w := ps.word(); w != "work"; w = ps.word() {
		k.Reads = append(k.Reads, ps.spanOf(w))
	}
	k.Work = ps.spanID()
	k.Ints = ps.named("ints")
	ps.expect("writes")
	for w := ps.word(); w != "sets"; w = ps.word() {
		k.Writes = append(k.Writes, ps.spanOf(w))
	}
	for ps.more() {
		k.Sets = append(k.Sets, model.VarID(ps.after("v", ps.word())))
	}
	return k
}

// verify checks the references of k. The meaning of the words is known only to the method and the
// runtime.
func (k *Kernel) verify(v *verifier) {
	for _, id := range present(k.Reads...) {
		v.numbers(id, "operand", false)
	}
	for _, id := range append(slices.Clone(k.Writes), k.Work) {
		v.numbers(id, "result", true)
	}
	if !v.known(k.Ints) || v.p.Spans[k.Ints].Elem != Int32 || k.Ints == v.p.State {
		v.errorf("the memory of a kernel is s%d; want a span of integers", k.Ints)
	}
	for _, id := range k.Sets {
		v.stateOf(id)
	}
}

// Tables implements [Op].
func (op *KernelOp) Tables(visit TableVisitor) {
	visit.all(op.Reads, Read)
	visit.all(op.Writes, Change)
}

// States implements [Op].
func (op *KernelOp) States(_ *Schedule, visit StateVisitor) {
	for _, v := range op.Sets {
		visit(v, Write)
	}
}

// Products implements [Op].
func (*KernelOp) Products(JointStates, *OpBlock) float64 { return 0 }

// Text implements [Op].
func (op *KernelOp) Text(s *Schedule) string {
	return fmt.Sprintf("kernel %s sets %s from %s", op.Func, s.scope(op.Sets), s.tables(presentTables(op.Reads...)...))
}

// verify checks the references of op, and that it is the only operation of its block.
func (op *KernelOp) verify(v *scheduleVerifier, b *OpBlock) {
	if len(b.Ops) != 1 {
		v.errorf("kernel %s shares its block with %d operations; want it alone", op.Func, len(b.Ops)-1)
	}
	if !v.vars("kernel", op.Sets) || !v.tables(presentTables(op.Reads...)...) || !v.tables(op.Writes...) {
		return
	}
	if len(op.Writes) == 0 || op.Work < 1 || op.Ints < 1 {
		v.errorf("kernel %s writes %d tables, with %d numbers and %d integers; want one of each at least", op.Func, len(op.Writes), op.Work, op.Ints)
	}
	for _, t := range op.Writes {
		v.writable(t)
	}
}

// Lower gives the kernel spans of its own. Other steps may use the memory of Work between two runs.
// The memory of Ints persists, and kernels with the same Memory share it.
func (op *KernelOp) Lower(l *Lowering) Step {
	k := &Kernel{Func: op.Func, Numbers: op.Numbers, Sets: op.Sets, Reads: l.Spans(op.Reads), Writes: l.Spans(op.Writes)}
	k.Work = l.AddSpan(Span{Name: "work of " + op.Func, Role: RoleTemp, Len: op.Work, Var: -1})
	if k.Ints = l.memory(op.Memory); k.Ints == NoSpan {
		k.Ints = l.AddSpan(Span{Name: op.Memory, Elem: Int32, Role: RolePersistent, Len: op.Ints, Var: -1})
	}
	return k
}

// memory returns the integers of the kernels with a Memory, or NoSpan if none was lowered.
func (l *Lowering) memory(name string) SpanID {
	for i := range l.Program.Spans {
		if span := &l.Program.Spans[i]; span.Elem == Int32 && span.Name == name {
			return SpanID(i)
		}
	}
	return NoSpan
}
