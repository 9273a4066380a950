package pgmrt

import "math"

// HistoryEdge is a way in which a history came about: the history of the slice before that it went
// on from, the element of what left the slice by which it did, and a weight in proportion to the
// probability of this way.
type HistoryEdge struct {
	From, Element int32
	Weight        float64
}

// historyTable is a list of histories of which no two have the same state and moments, bit by bit:
// their states, weights, and moments one after the other.
type historyTable struct {
	state   []int32
	weight  []float64
	moments []float64
	each    int     // numbers of moments of a history
	slots   []int32 // a hash table of places, plus 1
}

// newHistoryTable returns an empty list with room for a number of histories.
func newHistoryTable(each, room int) historyTable {
	size := 16
	for size < 2*(room+1) {
		size *= 2
	}
	return historyTable{make([]int32, 0, room), make([]float64, 0, room), make([]float64, 0, room*each+each), each, make([]int32, size)}
}

// reset removes all histories.
func (t *historyTable) reset() {
	t.state, t.weight, t.moments = t.state[:0], t.weight[:0], t.moments[:0]
	clear(t.slots)
}

// grow gives t, whose histories do not count any more, at least the room of another list.
func (t *historyTable) grow(as *historyTable) {
	if cap(t.state) < cap(as.state) {
		t.state = make([]int32, 0, cap(as.state))
	}
	if cap(t.weight) < cap(as.weight) {
		t.weight = make([]float64, 0, cap(as.weight))
	}
	if cap(t.moments) < cap(as.moments) {
		t.moments = make([]float64, 0, cap(as.moments))
	}
	if len(t.slots) < len(as.slots) {
		t.slots = make([]int32, len(as.slots))
	}
}

// at returns the moments of a history.
func (t *historyTable) at(place int) []float64 { return t.moments[place*t.each:][:t.each] }

// place returns the place of the history of a state, whose moments the caller has appended, and
// whether it is new, of weight 0. If it is not, the moments are removed again.
func (t *historyTable) place(state int32) (place int, isNew bool) {
	n := len(t.state)
	slot := t.slot(state, t.moments[n*t.each:])
	if at := int(t.slots[slot]) - 1; at >= 0 {
		t.moments = t.moments[:n*t.each]
		return at, false
	}
	t.state, t.weight = append(t.state, state), append(t.weight, 0)
	if t.slots[slot] = int32(n + 1); 2*len(t.state) > len(t.slots) {
		t.rehash()
	}
	return n, true
}

// slot returns the place in the hash table of the history with a state and moments, or a free one
// for it.
func (t *historyTable) slot(state int32, moments []float64) int {
	const odd = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio
	hash := (uint64(state) + 1) * odd
	for _, x := range moments {
		hash = (hash ^ math.Float64bits(x)) * odd
		hash ^= hash >> 29
	}
	mask := len(t.slots) - 1
	for k := int(hash>>32) & mask; ; k = (k + 1) & mask {
		at := int(t.slots[k]) - 1
		if at < 0 || t.state[at] == state && sameBits(t.at(at), moments) {
			return k
		}
	}
}

// sameBits reports whether two lists of the same length have the same numbers, bit by bit.
func sameBits(a, b []float64) bool {
	for i, x := range a {
		if math.Float64bits(x) != math.Float64bits(b[i]) {
			return false
		}
	}
	return true
}

// rehash doubles the hash table.
func (t *historyTable) rehash() {
	t.slots = make([]int32, 2*len(t.slots))
	for i, state := range t.state {
		t.slots[t.slot(state, t.at(i))] = int32(i + 1)
	}
}
