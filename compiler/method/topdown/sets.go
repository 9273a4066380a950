package topdown

import (
	"encoding/binary"
	"slices"
)

// sets numbers sets of states, each in increasing order.
type sets struct {
	list       [][]int32
	ids        map[string]int32
	pairs      map[[2]int32]int32 // by a set and a part of it: the places of the part
	ones       map[int32][]int32  // by set: the sets of one of its states each
	singletons []int32            // by state: the set of it alone
}

func newSets() *sets {
	return &sets{ids: map[string]int32{}, pairs: map[[2]int32]int32{}, ones: map[int32][]int32{}}
}

// states returns the states of a set.
func (s *sets) states(set int32) []int32 { return s.list[set] }

// size returns the number of states of a set.
func (s *sets) size(set int32) int { return len(s.list[set]) }

// intern returns the number of a set.
func (s *sets) intern(states []int32) int32 {
	key := make([]byte, 0, 4*len(states))
	for _, x := range states {
		key = binary.LittleEndian.AppendUint32(key, uint32(x))
	}
	id, ok := s.ids[string(key)]
	if !ok {
		id = int32(len(s.list))
		s.list = append(s.list, slices.Clone(states))
		s.ids[string(key)] = id
	}
	return id
}

// below returns the set of the states below n.
func (s *sets) below(n int) int32 {
	states := make([]int32, n)
	for i := range states {
		states[i] = int32(i)
		if i == len(s.singletons) {
			s.singletons = append(s.singletons, s.intern(states[i:i+1]))
		}
	}
	return s.intern(states)
}

// singles returns the sets of one state of set each.
func (s *sets) singles(set int32) []int32 {
	list, ok := s.ones[set]
	if !ok {
		for _, x := range s.list[set] {
			list = append(list, s.singletons[x])
		}
		s.ones[set] = list
	}
	return list
}

// places returns the set of the places in set at which the states of part stand.
func (s *sets) places(set, part int32) int32 {
	if states := s.list[part]; len(states) == 1 {
		at, _ := slices.BinarySearch(s.list[set], states[0])
		return s.singletons[at]
	}
	key := [2]int32{set, part}
	id, ok := s.pairs[key]
	if !ok {
		var places []int32
		for _, x := range s.list[part] {
			at, _ := slices.BinarySearch(s.list[set], x)
			places = append(places, int32(at))
		}
		id = s.intern(places)
		s.pairs[key] = id
	}
	return id
}

// meet returns the set of the states of set that are also at the given places of from.
func (s *sets) meet(set, from, places int32) int32 {
	if list := s.list[places]; len(list) == 1 {
		if x := s.list[from][list[0]]; contains(s.list[set], x) {
			return s.singletons[x]
		}
		return s.intern(nil)
	}
	var states []int32
	for _, p := range s.list[places] {
		if x := s.list[from][p]; set == from || contains(s.list[set], x) {
			states = append(states, x)
		}
	}
	return s.intern(states)
}

func contains(states []int32, x int32) bool {
	_, ok := slices.BinarySearch(states, x)
	return ok
}
