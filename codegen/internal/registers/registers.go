// Package registers assigns values to the registers of a processor in straight-line code. If no
// register is free, the value that is read last gives way (Belady 1966).
//
// It writes no instructions. Package codegen/vector and package codegen/nest decide how a value is
// loaded, and whether one that gives way has to be stored.
package registers

import "math"

// None is no value, or no register.
const None = -1

// Never is later than any read.
const Never = math.MaxInt

// File is a set of registers, numbered from 0. Values are numbered from 0 as well.
type File struct {
	holds  []int // by register: its value, or None
	pinned []bool
	in     []int   // by value: its register, or None
	reads  [][]int // by value: the times of the reads to come
}

// New returns free registers for values below the given number.
func New(registers, values int) *File {
	f := &File{holds: make([]int, registers), pinned: make([]bool, registers), in: make([]int, values), reads: make([][]int, values)}
	for r := range f.holds {
		f.holds[r] = None
	}
	for v := range f.in {
		f.in[v] = None
	}
	return f
}

// Note notes a read to come. Calls are in the order of time.
func (f *File) Note(v, time int) { f.reads[v] = append(f.reads[v], time) }

// Of returns the register that holds v, or None.
func (f *File) Of(v int) int { return f.in[v] }

// Hold records that register r holds v, unless v is not read any more.
func (f *File) Hold(v, r int) {
	if len(f.reads[v]) > 0 {
		f.in[v], f.holds[r] = r, v
	}
}

// Used records one read of v, and reports whether it was the last. The register of v is free then,
// and keeps the value until it is set.
func (f *File) Used(v int) (last bool) {
	f.reads[v] = f.reads[v][1:]
	if len(f.reads[v]) > 0 {
		return false
	}
	if r := f.in[v]; r != None {
		f.in[v], f.holds[r] = None, None
	}
	return true
}

// Take returns a register that is not pinned. It is free, or out is the value that it held and that
// no register holds any more.
func (f *File) Take() (r, out int) {
	last := None
	for r, v := range f.holds {
		switch {
		case f.pinned[r]:
		case v == None:
			return r, None
		case last == None || f.reads[v][0] > f.reads[f.holds[last]][0]:
			last = r
		}
	}
	out = f.holds[last]
	f.in[out], f.holds[last] = None, None
	return last, out
}

// After returns the time at which v is read after its next read.
func (f *File) After(v int) int {
	if len(f.reads[v]) > 1 {
		return f.reads[v][1]
	}
	return Never
}

// Last returns the time of the last read of v, or None if no read is to come.
func (f *File) Last(v int) int {
	if k := len(f.reads[v]); k > 0 {
		return f.reads[v][k-1]
	}
	return None
}

// Pin keeps Take from returning r, and returns r. Registers that are not in the file need no pin.
func (f *File) Pin(r int) int {
	if r < len(f.pinned) {
		f.pinned[r] = true
	}
	return r
}

// Unpin undoes Pin.
func (f *File) Unpin(list ...int) {
	for _, r := range list {
		if r < len(f.pinned) {
			f.pinned[r] = false
		}
	}
}
