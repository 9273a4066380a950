package assemble

import (
	"github.com/pgmc-go/pgmc/ir/circuit"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// The operations of lanes, for RunLanes.
const (
	laneSum = iota
	laneMax
	laneScale
	laneInvert
	laneClear
	laneObserve
	laneApply
)

// The operations of laneApply.
const (
	laneQuot = iota
	laneRatio
	laneMin
	laneSqrt
	laneExp
	laneLog
)

// laneOps holds the operations of laneApply.
var laneOps = map[circuit.Op]int32{
	circuit.Quot: laneQuot, circuit.Ratio: laneRatio, circuit.Min: laneMin, circuit.Sqrt: laneSqrt, circuit.Exp: laneExp, circuit.Log: laneLog,
}

// laneWords is about the largest size of an instruction of lanes, in words. Such an instruction
// takes some ten microseconds, during which nothing interrupts the kernel.
const laneWords = 1 << 16

// LaneSums appends the instructions for RunLanes that compute nodes in order: sums of their terms,
// or if max is set, maxima of terms that are single elements. Elements are slots.
func LaneSums(code []int32, nodes []Node, max bool) []int32 {
	op := int32(laneSum)
	if max {
		op = laneMax
	}
	for len(nodes) > 0 {
		start, words := len(code), 0
		code = append(code, op, 0)
		for len(nodes) > 0 && words < laneWords {
			kind, n := nodes[0].kind(), 0
			head := len(code)
			code = append(code, int32(kind), 0)
			for n < len(nodes) && nodes[n].kind() == kind && words < laneWords {
				words += 1 + 2*len(nodes[n].Terms)
				code = nodes[n].append(code, pgmrt.Lanes)
				n++
			}
			code[head+1] = int32(n)
			nodes = nodes[n:]
		}
		code[start+1] = int32(len(code) - start)
	}
	return code
}

// LaneScale appends the instruction that sets slot factor to the powers of two which bring the
// numbers of slot top into [1, 2), and adds the exponents to slot exp unless that is negative.
func LaneScale(code []int32, top, factor, exp int) []int32 {
	return append(code, laneScale, 5, place(top), place(factor), max(place(exp), -1))
}

// LaneInvert appends the instruction that sets slot inverse to the reciprocals of slot sum. Slot
// marks becomes 1 in the lanes with a sum without a good reciprocal.
func LaneInvert(code []int32, sum, inverse, marks int) []int32 {
	return append(code, laneInvert, 5, place(sum), place(inverse), place(marks))
}

// InLanes reports whether LaneApply takes an operation on numbers of either sign that is no sum,
// difference, product or maximum.
func InLanes(op circuit.Op) bool {
	_, ok := laneOps[op]
	return ok
}

// LaneApply appends the instruction that sets slot to to an operation on slots a and b: a quotient,
// a minimum, or an operation on only a.
func LaneApply(code []int32, op circuit.Op, to, a, b int) []int32 {
	return append(code, laneApply, 6, laneOps[op], place(to), place(a), place(b))
}

// LaneClear appends the instruction that clears slots.
func LaneClear(code []int32, slots ...int) []int32 {
	code = append(code, laneClear, int32(2+len(slots)))
	for _, s := range slots {
		code = append(code, place(s))
	}
	return code
}

// Observation is a variable with observations that lanes enter: the slot of its observed state,
// counted from 1 with 0 for none, the first slot of its likelihood, and its number of states, at
// least one.
type Observation struct{ State, Likelihood, States int }

// LaneObserve appends the instruction that sets the likelihoods of variables by their observations.
func LaneObserve(code []int32, variables ...Observation) []int32 {
	code = append(code, laneObserve, int32(2+3*len(variables)))
	for _, v := range variables {
		code = append(code, place(v.State), place(v.Likelihood), int32(v.States))
	}
	return code
}

// place returns the index of the first number of a slot.
func place(slot int) int32 { return int32(slot * pgmrt.Lanes) }
