package pass

import (
	"encoding/binary"
	"math/bits"
)

// setPool holds sets of numbers below bits, each once. A set is known by its place.
type setPool struct {
	bits  int
	words [][]uint64 // by set
	known map[string]int32
	pairs map[[2]int32]int32 // the unions that are known
}

// The first sets of a setPool: of no number, and of all.
const (
	emptySet = 0
	fullSet  = 1
)

func newSetPool(bits int) *setPool {
	p := &setPool{bits: bits, known: map[string]int32{}, pairs: map[[2]int32]int32{}}
	all := make([]uint64, (bits+63)/64)
	p.intern(all)
	all = make([]uint64, len(all))
	for i := range bits {
		all[i/64] |= 1 << (i % 64)
	}
	if bits > 0 {
		p.intern(all)
	}
	return p
}

// intern returns the set with the given words, which it keeps.
func (p *setPool) intern(words []uint64) int32 {
	var key []byte
	for _, w := range words {
		key = binary.LittleEndian.AppendUint64(key, w)
	}
	set, ok := p.known[string(key)]
	if !ok {
		set = int32(len(p.words))
		p.words = append(p.words, words)
		p.known[string(key)] = set
	}
	return set
}

// single returns the set of one number.
func (p *setPool) single(i int) int32 {
	words := make([]uint64, (p.bits+63)/64)
	words[i/64] |= 1 << (i % 64)
	return p.intern(words)
}

// union returns the union of two sets.
func (p *setPool) union(a, b int32) int32 {
	if a > b {
		a, b = b, a
	}
	switch {
	case a == b || a == emptySet:
		return b
	case a == fullSet:
		return a
	}
	set, ok := p.pairs[[2]int32{a, b}]
	if !ok {
		words := make([]uint64, len(p.words[a]))
		for i := range words {
			words[i] = p.words[a][i] | p.words[b][i]
		}
		set = p.intern(words)
		p.pairs[[2]int32{a, b}] = set
	}
	return set
}

// size returns the number of elements of a set.
func (p *setPool) size(set int32) (n int) {
	for _, w := range p.words[set] {
		n += bits.OnesCount64(w)
	}
	return n
}
