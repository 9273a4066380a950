package pgmrt

import "math"

// Lanes answer Lanes rows at once. Their memory consists of slots of that many numbers, one for
// each row; a place is the index of the first number of a slot. Lane code is a sequence of
// instructions. Each starts with its operation and its length in words, and does the same to all
// lanes. No lane has any influence on another.
const Lanes = 8

// The instructions.
const (
	laneSum     = iota // see lanes_sums.go
	laneMax            // see lanes_sums.go
	laneScale          // a slot of numbers, the slot for the factor that brings each into [1, 2), the slot to which to add the exponent or -1
	laneInvert         // a slot of sums, the slot for their reciprocals, a slot that marks lanes with extreme sums
	laneClear          // slots to clear
	laneObserve        // for each variable: the slot of its states, the first of its likelihood, and its number of states
	laneApply          // an operation, see lanes_apply.go; the slot that it sets, and those of its operands
)

// NewLanes returns memory for a number of slots, aligned for vector instructions.
func NewLanes(slots int) []float64 {
	const line = 64 // bytes that are loaded at once
	l := make([]float64, Lanes*slots+line/8)
	return l[laneSkip(l):][:Lanes*slots]
}

// FillLanes copies numbers of p to slots, from the given place on, for all lanes. From has the
// index of each in p.
func FillLanes(l []float64, place int, p []float64, from []int32) {
	for _, i := range from {
		slot := laneSlot(l, int32(place))
		for j := range slot {
			slot[j] = p[i]
		}
		place += Lanes
	}
}

// SetLane copies numbers of s to one lane. A move is the index of the first in s, the place of the
// first, and how many they are.
func SetLane(l []float64, lane int, s []float64, moves []int32) {
	for ; len(moves) >= 3; moves = moves[3:] {
		at := int(moves[1]) + lane
		for _, x := range s[moves[0]:][:moves[2]] {
			l[at] = x
			at += Lanes
		}
	}
}

// GetLane copies what SetLane would copy, the other way.
func GetLane(l []float64, lane int, s []float64, moves []int32) {
	for ; len(moves) >= 3; moves = moves[3:] {
		at := int(moves[1]) + lane
		to := s[moves[0]:][:moves[2]]
		for i := range to {
			to[i] = l[at]
			at += Lanes
		}
	}
}

// RunLanes runs lane code, which the compiler made, over l.
func RunLanes(code []int32, l []float64) {
	for len(code) > 0 {
		ins := code[:code[1]]
		code = code[len(ins):]
		switch ins[0] {
		case laneSum:
			laneSums(ins[2:], l)
		case laneMax:
			laneMaxima(ins[2:], l)
		case laneScale:
			laneFactors(l, laneSlot(l, ins[2]), laneSlot(l, ins[3]), ins[4])
		case laneInvert:
			laneReciprocals(laneSlot(l, ins[2]), laneSlot(l, ins[3]), laneSlot(l, ins[4]))
		case laneObserve:
			laneObservations(ins[2:], l)
		case laneApply:
			laneApplied(ins[2], laneSlot(l, ins[3]), laneSlot(l, ins[4]), laneSlot(l, ins[5]))
		case laneClear:
			for _, at := range ins[2:] {
				clear(laneSlot(l, at)[:])
			}
		}
	}
}

// laneSlot returns the slot at a place.
func laneSlot(l []float64, place int32) *[Lanes]float64 { return (*[Lanes]float64)(l[place:]) }

// laneFactors sets factor, for each number of top, to the power of two that brings it into [1, 2),
// and adds the negated exponent of the power to the slot at place exp unless that is negative. The
// exponent is limited to -1023 to 1022, for which the power is a normal number. Smaller numbers end
// below 1, without loss. Top and factor may be one slot.
func laneFactors(l []float64, top, factor *[Lanes]float64, exp int32) {
	for j, x := range top {
		bits := math.Float64bits(x)
		k := 0
		if bits != 0 {
			k = min(int(bits>>52)-1023, 1022)
		}
		factor[j] = math.Float64frombits(uint64(1023-k) << 52)
		if exp >= 0 {
			laneSlot(l, exp)[j] += float64(k)
		}
	}
}

// laneReciprocals sets the reciprocals of sums, and 1 for a sum of zero. It marks the lanes of sums
// below 2^-1000 or above 2^1000, since their reciprocals may lose precision.
func laneReciprocals(sum, inverse, marks *[Lanes]float64) {
	for j, x := range sum {
		inverse[j] = 1
		switch {
		case x >= 0x1p-1000 && x <= 0x1p1000:
			inverse[j] = 1 / x
		case x != 0:
			marks[j] = 1
		}
	}
}
