package vector

import (
	"fmt"

	"github.com/pgmc-go/pgmc/codegen/internal/registers"
	"github.com/pgmc-go/pgmc/ir/vector"
)

// numRegisters is the number of vector registers.
const numRegisters = 16

// place holds where a vector is besides a register: in memory, in scratch, or nowhere.
type place struct {
	memory string
	until  int // the time after which memory holds something else
	slot   int // of scratch; -1 if it is in none
}

// allocator assigns registers. Time is the number of operands read.
type allocator struct {
	*registers.File
	places []place // by node
	free   []int   // scratch slots
	spills int
	slotAt func(slot int) string
	move   string // the instruction that stores a register, given its number and the operand in memory
	line   func(format string, args ...any)
}

func newAllocator(nodes int) *allocator {
	a := &allocator{File: registers.New(numRegisters, nodes), places: make([]place, nodes)}
	for i := range a.places {
		a.places[i].slot = -1
	}
	return a
}

// reg returns the register that holds a vector, or -1.
func (a *allocator) reg(n vector.ID) int { return a.Of(int(n)) }

// inMemory returns the operand in memory that holds a vector until its last read.
func (a *allocator) inMemory(n vector.ID) (text string, ok bool) {
	p := &a.places[n]
	if p.slot >= 0 {
		return a.slotAt(p.slot), true
	}
	if p.memory != "" && a.Last(int(n)) <= p.until {
		return p.memory, true
	}
	return "", false
}

// used records one read of a vector. After the last read its slot is free.
func (a *allocator) used(n vector.ID) {
	if p := &a.places[n]; a.Used(int(n)) && p.slot >= 0 {
		a.free = append(a.free, p.slot)
		p.slot = -1
	}
}

// register returns a free register. If there is none, it frees one after storing its vector, unless
// that can be had from memory.
func (a *allocator) register(loads func(n vector.ID) bool) int {
	r, out := a.Take()
	if out == registers.None {
		return r
	}
	n := vector.ID(out)
	if _, ok := a.inMemory(n); !ok && !loads(n) {
		p := &a.places[n]
		if k := len(a.free) - 1; k >= 0 {
			p.slot, a.free = a.free[k], a.free[:k]
		} else {
			p.slot = a.spills
			a.spills++
		}
		a.line(a.move, r, a.slotAt(p.slot))
	}
	return r
}

// address returns an operand in memory: an element after the address in a register.
func address(element int, base string) string { return fmt.Sprintf("%d(%s)", 8*element, base) }
