package topdown

import (
	"encoding/binary"
	"hash/maphash"
	"slices"
)

// impossible is the number of the table that is zero everywhere.
const impossible int32 = 0

// zero is the symbol of the number 0.
const zero int32 = 0

// table is what is left of a factor after states of its variables have been ruled out. It has no
// axis along which all its numbers are equal, so that a variable on which the rest of a factor does
// not depend ties no other variables to itself (context-specific independence). Tables of equal
// content are one, whichever factors they come from: axes are positions in the scope of a factor.
type table struct {
	axes   []int32 // positions in the scope, increasing
	shape  []int32 // by axis: number of states, at least 2
	values []int32 // symbols of numbers, row-major
	keep   []int32 // by axis: the set of states that are not zero everywhere, or all
	single []int32 // by state of each axis, one axis after the other: the table of that state alone; -1 if not known
	next   int32   // the next table with the same hash; -1 for none
}

// all is the set that stands for all states of an axis.
const all int32 = -1

// constant reports whether the table has no variables.
func (t *table) constant() bool { return len(t.axes) == 0 }

// tables holds every table once, and the results of restricting them.
type tables struct {
	sets  *sets
	list  []table
	first map[uint64]int32      // by hash: the last table with that hash
	known map[restriction]int32 // results of restrictions to several states
	seed  maphash.Seed
	cells int // numbers of all tables
}

// restriction keeps some states of an axis of a table.
type restriction struct{ table, axis, keep int32 }

func newTables(s *sets) *tables {
	t := &tables{sets: s, first: map[uint64]int32{}, known: map[restriction]int32{}, seed: maphash.MakeSeed()}
	t.intern(nil, nil, []int32{zero})
	return t
}

// tableBytes is the memory of a table besides its numbers and axes.
const tableBytes = 192

// bytes returns about how much memory the tables take.
func (t *tables) bytes() int64 {
	return int64(len(t.list))*tableBytes + 4*int64(t.cells) + 32*int64(len(t.known))
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
	singles := int32(0)
	for k := range axes {
		x.keep = append(x.keep, t.support(shape, values, k))
		singles += shape[k]
	}
	x.single = make([]int32, singles)
	for i := range x.single {
		x.single[i] = -1
	}
	t.list = append(t.list, x)
	t.first[h] = int32(len(t.list) - 1)
	t.cells += len(values) + 3*len(axes) + int(singles)
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

// restrict returns table id with only the states of the set keep along axis k.
func (t *tables) restrict(id, k, keep int32) int32 {
	x := &t.list[id]
	states := t.sets.states(keep)
	if len(states) == 1 {
		at := states[0]
		for _, n := range x.shape[:k] {
			at += n
		}
		if x.single[at] < 0 {
			out := t.cut(x, k, states)
			t.list[id].single[at] = out // x may have moved
		}
		return t.list[id].single[at]
	}
	key := restriction{id, k, keep}
	out, ok := t.known[key]
	if !ok {
		out = t.cut(x, k, states)
		t.known[key] = out
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
	return t.sets.of(states)
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

// sets numbers sets of states, each in increasing order.
type sets struct {
	list  [][]int32
	known map[string]int32
	pairs map[[2]int32]int32 // by a set and a part of it: the places of the part
	ones  map[int32][]int32  // by set: the sets of one of its states each
}

func newSets() *sets {
	return &sets{known: map[string]int32{}, pairs: map[[2]int32]int32{}, ones: map[int32][]int32{}}
}

// states returns the states of a set.
func (s *sets) states(set int32) []int32 { return s.list[set] }

// size returns the number of states of a set.
func (s *sets) size(set int32) int { return len(s.list[set]) }

// of returns the number of a set.
func (s *sets) of(states []int32) int32 {
	key := make([]byte, 0, 4*len(states))
	for _, x := range states {
		key = binary.LittleEndian.AppendUint32(key, uint32(x))
	}
	id, ok := s.known[string(key)]
	if !ok {
		id = int32(len(s.list))
		s.list = append(s.list, slices.Clone(states))
		s.known[string(key)] = id
	}
	return id
}

// upTo returns the set of the states below n.
func (s *sets) upTo(n int) int32 {
	states := make([]int32, n)
	for i := range states {
		states[i] = int32(i)
	}
	return s.of(states)
}

// singles returns the sets of one state of set each.
func (s *sets) singles(set int32) []int32 {
	list, ok := s.ones[set]
	if !ok {
		for _, x := range s.list[set] {
			list = append(list, s.of([]int32{x}))
		}
		s.ones[set] = list
	}
	return list
}

// places returns the set of the places in set at which the states of part stand.
func (s *sets) places(set, part int32) int32 {
	key := [2]int32{set, part}
	id, ok := s.pairs[key]
	if !ok {
		var places []int32
		for _, x := range s.list[part] {
			at, _ := slices.BinarySearch(s.list[set], x)
			places = append(places, int32(at))
		}
		id = s.of(places)
		s.pairs[key] = id
	}
	return id
}

// meet returns the set of the states of set that are also at the given places of from.
func (s *sets) meet(set, from, places int32) int32 {
	var states []int32
	for _, p := range s.list[places] {
		if x := s.list[from][p]; set == from || contains(s.list[set], x) {
			states = append(states, x)
		}
	}
	return s.of(states)
}

func contains(states []int32, x int32) bool {
	_, ok := slices.BinarySearch(states, x)
	return ok
}
