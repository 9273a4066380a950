package asm

import (
	"fmt"
	"math"
	"strings"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

const (
	registers = 32
	never     = math.MaxInt // later than any use
)

// place holds where a value is: in a register, a slot, both, or neither before it is computed.
type place struct {
	reg, slot int   // -1 if it is in none
	uses      []int // the times of the remaining reads
}

// writer writes the text of a graph. Time is the number of operands read.
type writer struct {
	first   int // the slot of the first number
	slots   int // the number of slots; those after them are for spills
	g       *graph
	numbers []int // the index in data memory, by number
	b       strings.Builder
	places  map[operand]*place
	holds   [registers]operand // none if it is free
	pinned  [registers]bool
	free    []int // spill slots
	spills  int
	late    []int // nodes to store at the end, because the former contents of their homes are read by other nodes
}

func newWriter(first, slots int, g *graph, numbers []int) *writer {
	w := &writer{first: first, slots: slots, g: g, numbers: numbers, places: map[operand]*place{}}
	for r := range w.holds {
		w.holds[r] = none
	}
	time := 0
	for _, n := range g.order {
		for _, t := range g.nodes[n].terms {
			for _, o := range t {
				if o != none {
					w.at(o).uses = append(w.at(o).uses, time)
					time++
				}
			}
		}
		if home := g.nodes[n].home; home >= 0 && g.reads[home] {
			w.late = append(w.late, n)
		}
	}
	for _, n := range w.late {
		w.at(operand(n)).uses = append(w.at(operand(n)).uses, time)
		time++
	}
	return w
}

// at returns the place of an operand.
func (w *writer) at(o operand) *place {
	p := w.places[o]
	if p == nil {
		p = &place{reg: -1, slot: -1}
		if o < 0 {
			p.slot = o.slot()
		}
		w.places[o] = p
	}
	return p
}

func (w *writer) line(format string, args ...any) { fmt.Fprintf(&w.b, "\t"+format+"\n", args...) }

func (w *writer) write() string {
	for _, n := range w.g.order {
		w.node(n)
	}
	for _, n := range w.late {
		r := w.load(operand(n))
		w.line("VMOVUPD Z%d, %s", r, w.memory(w.g.nodes[n].home))
		w.used(operand(n))
	}
	return w.b.String()
}

// memory returns a slot as the operand of an instruction.
func (w *writer) memory(slot int) string { return fmt.Sprintf("%d(BX)", 8*pgmrt.Lanes*slot) }

// number returns a number as the operand of a broadcasting instruction; ok is false if o is not a
// number.
func (w *writer) number(o operand) (text string, ok bool) {
	if o >= 0 {
		return "", false
	}
	i := o.slot() - w.first
	if i < 0 || i >= len(w.numbers) {
		return "", false
	}
	return fmt.Sprintf("%d(DX)", 8*w.numbers[i]), true
}

// node writes a sum, or another operation. Terms are added from the first to the last.
func (w *writer) node(n int) {
	if op := w.g.nodes[n].op; op != "" {
		w.define(n, w.operation(op, w.g.nodes[n].terms[0]))
		return
	}
	sum := -1
	terms := w.g.nodes[n].terms
	for i := 0; i < len(terms); i++ {
		t := terms[i]
		switch {
		case t[1] != none && sum < 0:
			sum = w.binary("VMULPD", t[0], t[1])
			w.pinned[sum] = true
		case t[1] != none:
			x := w.binary("VMULPD", t[0], t[1])
			w.line("VADDPD Z%d, Z%d, Z%d", x, sum, sum)
		case sum >= 0:
			w.instruction("VADDPD", t[0], sum, sum)
			w.used(t[0])
		case len(terms) == 1:
			r := w.load(t[0])
			w.used(t[0])
			if sum = w.register(); sum != r {
				w.line("VMOVAPD Z%d, Z%d", r, sum)
			}
		case terms[i+1][1] == none:
			i++
			sum = w.binary("VADDPD", t[0], terms[i][0])
			w.pinned[sum] = true
		default:
			i++
			sum = w.binary("VMULPD", terms[i][0], terms[i][1])
			w.pinned[sum] = true
			w.instruction("VADDPD", t[0], sum, sum)
			w.used(t[0])
		}
	}
	w.pinned[sum] = false
	w.define(n, sum)
}

// operation writes an operation that is no sum, with operands that have an order, and returns the
// register of the result.
func (w *writer) operation(op string, of [2]operand) int {
	a, b := w.load(of[0]), -1
	w.pinned[a] = true
	if of[1] != none {
		b = w.load(of[1])
		w.pinned[b] = true
	}
	to := w.register()
	switch {
	case b < 0:
		w.line("%s Z%d, Z%d", op, a, to)
	case op == ratio: // the mask leaves 0 if the divisor is 0
		w.line("VPXORQ Z%d, Z%d, Z%d", to, to, to)
		w.line("VCMPPD $4, Z%d, Z%d, K1", to, b)
		w.line("VDIVPD.Z Z%d, Z%d, K1, Z%d", b, a, to)
	default:
		w.line("%s Z%d, Z%d, Z%d", op, b, a, to)
	}
	w.pinned[a] = false
	w.used(of[0])
	if b >= 0 {
		w.pinned[b] = false
		w.used(of[1])
	}
	return to
}

// define records that the value of a node is in a register, and stores it to its home.
func (w *writer) define(n, r int) {
	p, home := w.at(operand(n)), w.g.nodes[n].home
	if home >= 0 && !w.g.reads[home] {
		w.line("VMOVUPD Z%d, %s", r, w.memory(home))
		p.slot = home
	}
	if len(p.uses) > 0 {
		p.reg, w.holds[r] = r, operand(n)
	}
}

// binary writes an operation on two operands and returns the register of the result, which is free
// to be overwritten. The operation commutes. At least one operand is loaded into a register.
func (w *writer) binary(op string, a, b operand) int {
	if w.at(a).reg < 0 && (w.at(b).reg >= 0 || w.prefers(b, a)) {
		a, b = b, a
	}
	r := w.load(a)
	text, suffix := w.source(b)
	inRegister := w.at(b).reg >= 0
	w.used(a)
	if inRegister {
		w.used(b)
	}
	to := w.register()
	w.line("%s%s %s, Z%d, Z%d", op, suffix, text, r, to)
	if !inRegister { // only now may another value take its slot
		w.used(b)
	}
	return to
}

// prefers reports whether to load a into a register rather than b, because a is read again sooner.
// Numbers are best broadcast.
func (w *writer) prefers(a, b operand) bool {
	if _, ok := w.number(a); ok {
		return false
	}
	if _, ok := w.number(b); ok {
		return true
	}
	return w.after(a) < w.after(b)
}

// after returns the time at which o is read after its next read.
func (w *writer) after(o operand) int {
	if uses := w.at(o).uses; len(uses) > 1 {
		return uses[1]
	}
	return never
}

// instruction writes an operation with a first operand that may be in memory.
func (w *writer) instruction(op string, a operand, b, to int) {
	text, suffix := w.source(a)
	w.line("%s%s %s, Z%d, Z%d", op, suffix, text, b, to)
}

// source returns an operand as an instruction reads it, and the suffix of the instruction's name.
func (w *writer) source(o operand) (text, suffix string) {
	if p := w.at(o); p.reg >= 0 {
		return fmt.Sprintf("Z%d", p.reg), ""
	}
	if text, ok := w.number(o); ok {
		return text, ".BCST"
	}
	return w.memory(w.at(o).slot), ""
}

// load loads an operand into a register, in which it stays while there is room.
func (w *writer) load(o operand) int {
	p := w.at(o)
	if p.reg >= 0 {
		return p.reg
	}
	r := w.register()
	if text, ok := w.number(o); ok {
		w.line("VBROADCASTSD %s, Z%d", text, r)
	} else {
		w.line("VMOVUPD %s, Z%d", w.memory(p.slot), r)
	}
	p.reg, w.holds[r] = r, o
	return r
}

// used records one read of an operand. After the last read its register and spill slot are free.
// The register keeps the value until it is set.
func (w *writer) used(o operand) {
	p := w.at(o)
	p.uses = p.uses[1:]
	if len(p.uses) > 0 {
		return
	}
	if p.reg >= 0 {
		w.holds[p.reg], p.reg = none, -1
	}
	if p.slot >= w.slots {
		w.free = append(w.free, p.slot)
		p.slot = -1
	}
}

// register returns a free register. If there is none, it frees the one with the value that is read
// last, after storing the value unless memory holds it.
func (w *writer) register() int {
	last := -1
	for r, o := range w.holds {
		switch {
		case w.pinned[r]:
		case o == none:
			return r
		case last < 0 || w.at(o).uses[0] > w.at(w.holds[last]).uses[0]:
			last = r
		}
	}
	p := w.at(w.holds[last])
	if p.slot < 0 {
		if k := len(w.free) - 1; k >= 0 {
			p.slot, w.free = w.free[k], w.free[:k]
		} else {
			p.slot = w.slots + w.spills
			w.spills++
		}
		w.line("VMOVUPD Z%d, %s", last, w.memory(p.slot))
	}
	p.reg, w.holds[last] = -1, none
	return last
}
