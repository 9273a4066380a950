package topdown

import (
	"encoding/binary"
	"hash/maphash"
	"math/bits"
	"slices"
)

// impossible is the number of the table that is zero everywhere.
const impossible int32 = 0

// zero is the symbol of the number 0.
const zero int32 = 0

// table is a factor after states of its variables have been ruled out. It has no axis along which
// all its numbers are equal, so that a variable on which the rest of a factor does not depend ties
// no other variables to itself (context-specific independence). Tables of equal content are one,
// whichever factors they come from: axes are positions in the scope of a factor.
type table struct {
	axes   []int32 // positions in the scope, increasing
	shape  []int32 // by axis: number of states, at least 2
	values []int32 // symbols of numbers, row-major
	keep   []int32 // by axis: the set of states that are not zero everywhere, or all
	next   int32   // the next table with the same hash; -1 for none
}

// head holds the parts of a table that the search reads most often.
type head struct {
	axes   uint64 // by position in the scope, a bit: the table has that axis; no table has more than 64
	first  int32  // the place in tables.start of its first axis
	prunes bool   // it is zero everywhere at some state of an axis
}

// all is the set that stands for all states of an axis.
const all int32 = -1

// constant reports whether the table has no variables.
func (t *table) constant() bool { return len(t.axes) == 0 }

// tables holds every table once, and the results of restricting them.
type tables struct {
	sets         *sets
	list         []table
	heads        []head
	start        []int32               // by axis of each table: the place in single of its first state
	single       []int32               // by state of each axis of each table: the table of that state alone; -1 if not known
	first        map[uint64]int32      // by hash: the last table with that hash
	restrictions map[restriction]int32 // results of restrictions to several states
	seed         maphash.Seed
	cells        int // numbers of all tables
}

// restriction keeps some states of an axis of a table.
type restriction struct{ table, axis, keep int32 }

func newTables(s *sets) *tables {
	t := &tables{sets: s, first: map[uint64]int32{}, restrictions: map[restriction]int32{}, seed: maphash.MakeSeed()}
	t.intern(nil, nil, []int32{zero})
	return t
}

// tableBytes is the memory of a table besides its numbers and axes.
const tableBytes = 176

// bytes returns about how much memory the tables take.
func (t *tables) bytes() int64 {
	return int64(len(t.list))*tableBytes + 4*int64(t.cells) + 32*int64(len(t.restrictions))
}

// intern returns the table with the given content, without axes that do not matter.
func (t *tables) intern(axes, shape, values []int32) int32 {
	if !slices.ContainsFunc(values, func(x int32) bool { return x != zero }) {
		axes, shape, values = nil, nil, []int32{zero}
	}
	for k := 0; k < len(axes); {
		if !flat(shape, values, k) {
			k++
			continue
		}
		values = slice(shape, values, k, []int32{0})
		axes, shape = slices.Delete(slices.Clone(axes), k, k+1), slices.Delete(slices.Clone(shape), k, k+1)
	}
	h := t.hash(axes, values)
	at, ok := t.first[h]
	if !ok {
		at = -1
	}
	for i := at; i >= 0; i = t.list[i].next {
		if x := &t.list[i]; slices.Equal(x.axes, axes) && slices.Equal(x.shape, shape) && slices.Equal(x.values, values) {
			return i
		}
	}
	x := table{axes: slices.Clone(axes), shape: slices.Clone(shape), values: slices.Clone(values), next: at}
	y := head{first: int32(len(t.start))}
	for k, a := range axes {
		keep := t.support(shape, values, k)
		x.keep = append(x.keep, keep)
		y.axes |= 1 << a
		y.prunes = y.prunes || keep != all
		t.start = append(t.start, int32(len(t.single)))
		for range shape[k] {
			t.single = append(t.single, -1)
		}
		t.cells += 4 + int(shape[k])
	}
	t.list, t.heads = append(t.list, x), append(t.heads, y)
	t.first[h] = int32(len(t.list) - 1)
	t.cells += len(values)
	return int32(len(t.list) - 1)
}

// hash returns a hash of the content of a table. Numbers of tables do not depend on it.
func (t *tables) hash(axes, values []int32) uint64 {
	var h maphash.Hash
	h.SetSeed(t.seed)
	var b [4]byte
	for _, list := range [2][]int32{axes, values} {
		for _, x := range list {
			binary.LittleEndian.PutUint32(b[:], uint32(x))
			h.Write(b[:])
		}
		h.WriteByte(1)
	}
	return h.Sum64()
}

// axis returns the place among the axes of table id of a position of the scope that it has.
func (t *tables) axis(id, position int32) int32 {
	return int32(bits.OnesCount64(t.heads[id].axes & (1<<position - 1)))
}

// fix returns table id with only one state along the axis at a position of the scope, that at a
// place among its states.
func (t *tables) fix(id, position, place int32) int32 {
	k := t.axis(id, position)
	i := t.start[t.heads[id].first+k] + place
	out := t.single[i]
	if out < 0 {
		out = t.cut(&t.list[id], k, []int32{place})
		t.single[i] = out // after cut, which may have moved it
	}
	return out
}

// restrict returns table id with only the states of the set keep along the axis at a position of
// the scope.
func (t *tables) restrict(id, position, keep int32) int32 {
	k := t.axis(id, position)
	key := restriction{id, k, keep}
	out, ok := t.restrictions[key]
	if !ok {
		out = t.cut(&t.list[id], k, t.sets.states(keep))
		t.restrictions[key] = out
	}
	return out
}

// cut returns the table of x with only the given states along axis k.
func (t *tables) cut(x *table, k int32, states []int32) int32 {
	values := slice(x.shape, x.values, int(k), states)
	shape := slices.Clone(x.shape)
	shape[k] = int32(len(states))
	return t.intern(x.axes, shape, values)
}

// support returns the set of the states along axis k at which some number is not zero.
func (t *tables) support(shape, values []int32, k int) int32 {
	some := make([]bool, shape[k])
	inner := inner(shape, k)
	for i, x := range values {
		if x != zero {
			some[i/inner%int(shape[k])] = true
		}
	}
	var states []int32
	for s, ok := range some {
		if ok {
			states = append(states, int32(s))
		}
	}
	if len(states) == len(some) {
		return all
	}
	return t.sets.intern(states)
}

// inner returns the distance between neighbouring states of axis k.
func inner(shape []int32, k int) int {
	n := 1
	for _, d := range shape[k+1:] {
		n *= int(d)
	}
	return n
}

// flat reports whether all numbers along axis k are equal.
func flat(shape, values []int32, k int) bool {
	in, d := inner(shape, k), int(shape[k])
	for from := 0; from < len(values); from += in * d {
		for s := 1; s < d; s++ {
			if !slices.Equal(values[from:from+in], values[from+s*in:from+(s+1)*in]) {
				return false
			}
		}
	}
	return true
}

// slice returns the numbers at the given states of axis k.
func slice(shape, values []int32, k int, states []int32) []int32 {
	in, d := inner(shape, k), int(shape[k])
	out := make([]int32, 0, len(values)/d*len(states))
	for from := 0; from < len(values); from += in * d {
		for _, s := range states {
			out = append(out, values[from+int(s)*in:from+(int(s)+1)*in]...)
		}
	}
	return out
}
