package ir

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Kernel is a step that one function of the runtime takes by itself, so that a new one touches no back-end: what is too rich for
// operations on tables, and too large to be written out. The function is func(k []int32, s, p []float64, t []int32, r *Rand), over the
// memories of the program and a generator. Its words k are the place of the states, then Numbers, then the places of Reads, Work, Ints and
// Writes, where -1 is for NoSpan. A kernel stands alone in its block.
type Kernel struct {
	Func    string // the function's name
	Numbers []int32
	Reads   []SpanID // some may be NoSpan
	Work    SpanID   // numbers that mean nothing before and after
	Ints    SpanID   // integers that it keeps
	Writes  []SpanID // what it counts in, and so reads too
	Sets    []model.VarID
}

func (*Kernel) step() {}

// KernelOp is what the step [Kernel] is made of. Kernels whose Memory has one name share it.
type KernelOp struct {
	Func    string
	Numbers []int32
	Reads   []TableID // some may be NoTable
	Writes  []TableID
	Sets    []model.VarID
	Work    int // numbers of work memory
	Ints    int // integers that are kept
	Memory  string
}

func (*KernelOp) op() {}

// spans gives the references of k: those that it reads, and those that it writes.
func (k *Kernel) spans() (reads, writes []*SpanID, ok bool) {
	for i := range k.Reads {
		reads = append(reads, &k.Reads[i])
	}
	for i := range k.Writes {
		writes = append(writes, &k.Writes[i])
	}
	reads = append(append(reads, &k.Ints), writes...)
	return reads, append(writes, &k.Ints, &k.Work), true
}

// Words are what k is called with, where place gives the place of a span.
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

// text writes `kernel Name numbers 1 2 reads s1 - work s2 ints s3 writes s4 sets v0 v1`.
func (k *Kernel) text() string {
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

// kernel reads what text wrote.
func (ps *parser) kernel() *Kernel {
	k := &Kernel{Func: ps.word()}
	ps.expect("numbers")
	for _, n := range ps.ints("reads") {
		k.Numbers = append(k.Numbers, int32(n))
	}
	for w := ps.word(); w != "work"; w = ps.word() {
		k.Reads = append(k.Reads, ps.spanOf(w))
	}
	k.Work = ps.spanID()
	ps.expect("ints")
	k.Ints = ps.spanID()
	ps.expect("writes")
	for w := ps.word(); w != "sets"; w = ps.word() {
		k.Writes = append(k.Writes, ps.spanOf(w))
	}
	for ps.more() {
		k.Sets = append(k.Sets, model.VarID(ps.after("v", ps.word())))
	}
	return k
}

// kernel checks the references of k. What the words mean is between the method and the runtime.
func (v *verifier) kernel(k *Kernel) {
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

// kernelOp checks the references of k, and that it has its block for itself.
func (v *scheduleVerifier) kernelOp(b *OpBlock, k *KernelOp) {
	if len(b.Ops) != 1 {
		v.errorf("kernel %s shares its block with %d operations; want it alone", k.Func, len(b.Ops)-1)
	}
	if !v.vars("kernel", k.Sets) || !v.tables(presentTables(slices.Clone(k.Reads)...)...) || !v.tables(k.Writes...) {
		return
	}
	if len(k.Writes) == 0 || k.Work < 1 || k.Ints < 1 {
		v.errorf("kernel %s writes %d tables, with %d numbers and %d integers; want one of each at least", k.Func, len(k.Writes), k.Work, k.Ints)
	}
	for _, t := range k.Writes {
		v.writable(t)
	}
}
