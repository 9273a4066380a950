package vector

import (
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/ir/vector"
)

const registers = 16

// never is later than any use.
const never = math.MaxInt

// place holds where a vector is: in a register, in memory, both, or neither before it is computed.
type place struct {
	reg    int // -1 if it is in none
	memory string
	until  int   // the time after which memory holds something else
	slot   int   // of scratch; -1 if it is in none
	uses   []int // the times of the remaining reads
}

// allocator assigns registers. Time is the number of operands read.
type allocator struct {
	places []place // by node
	holds  [registers]vector.ID
	pinned [registers]bool
	free   []int // scratch slots
	spills int
	slotAt func(slot int) string
	move   string // the instruction that stores a register, given its number and the operand in memory
	line   func(format string, args ...any)
}

func newAllocator(nodes int) *allocator {
	a := &allocator{places: make([]place, nodes)}
	for i := range a.places {
		a.places[i] = place{reg: -1, slot: -1}
	}
	for r := range a.holds {
		a.holds[r] = vector.None
	}
	return a
}

// inMemory returns the operand in memory that holds a vector until its last read.
func (a *allocator) inMemory(n vector.ID) (text string, ok bool) {
	p := &a.places[n]
	if p.slot >= 0 {
		return a.slotAt(p.slot), true
	}
	if k := len(p.uses); p.memory != "" && (k == 0 || p.uses[k-1] <= p.until) {
		return p.memory, true
	}
	return "", false
}

// used records one read of a vector. After the last read its register and slot are free. The
// register keeps the value until it is set.
func (a *allocator) used(n vector.ID) {
	p := &a.places[n]
	p.uses = p.uses[1:]
	if len(p.uses) > 0 {
		return
	}
	if p.reg >= 0 {
		a.holds[p.reg], p.reg = vector.None, -1
	}
	if p.slot >= 0 {
		a.free = append(a.free, p.slot)
		p.slot = -1
	}
}

// keep records that a register holds a vector, if it is still to be read.
func (a *allocator) keep(n vector.ID, r int) {
	if p := &a.places[n]; len(p.uses) > 0 {
		p.reg, a.holds[r] = r, n
	}
}

// register returns a free register. If there is none, it frees the one whose vector is read last,
// after storing the vector unless it can be had from memory.
func (a *allocator) register(loads func(n vector.ID) bool) int {
	last := -1
	for r, n := range a.holds {
		switch {
		case a.pinned[r]:
		case n == vector.None:
			return r
		case last < 0 || a.places[n].uses[0] > a.places[a.holds[last]].uses[0]:
			last = r
		}
	}
	n := a.holds[last]
	p := &a.places[n]
	if _, ok := a.inMemory(n); !ok && !loads(n) {
		if k := len(a.free) - 1; k >= 0 {
			p.slot, a.free = a.free[k], a.free[:k]
		} else {
			p.slot = a.spills
			a.spills++
		}
		a.line(a.move, last, a.slotAt(p.slot))
	}
	p.reg, a.holds[last] = -1, vector.None
	return last
}

// after returns the time at which n is read after its next read.
func (a *allocator) after(n vector.ID) int {
	if uses := a.places[n].uses; len(uses) > 1 {
		return uses[1]
	}
	return never
}

func (a *allocator) pin(r int) int {
	a.pinned[r] = true
	return r
}

func (a *allocator) unpin(list ...int) {
	for _, r := range list {
		a.pinned[r] = false
	}
}

// address returns an operand in memory: an element after the address in a register.
func address(element int, base string) string { return fmt.Sprintf("%d(%s)", 8*element, base) }
