package pgmrt

import (
	"math"
	"testing"
)

// The places of the numbers of a run of AscendDual in the test.
const (
	ascendGain = iota
	ascendLeast
	ascendBefore
	ascendRounds
	ascendResidual
	ascendValue
	ascendBase
)

// differing is a pair of variables of two states that like to be equal, of which one prefers its
// first state and the other its second. Without messages the bound is 0; the least energy is .6.
func differing(steps int32) (k []int32, s, p []float64, t []int32) {
	const message, own, work = ascendBase + 4, ascendBase + 8, ascendBase + 12
	k = []int32{0, 2, 1, 2, steps,
		2, 2, 0, 2, 4, 0, 2, 0, 1, 2, 1, // states; edges of the factor, their variables and strides
		0, 2, 4, 0, 4, 0, 1, 2, 0, 1, // messages; joint states; edges by variable
		ascendBase, ascendBase + 2, -1, 0, ascendGain, ascendLeast, ascendBefore, ascendRounds,
		work, 2, ascendResidual, ascendValue, message, message + 2, own, own + 2}
	s = make([]float64, work+8)
	copy(s[ascendBase:], []float64{0, .6, .6, 0})
	s[ascendLeast], s[ascendRounds], s[ascendValue] = .6, 2, 10
	return k, s, []float64{0, 1, 1, 0}, make([]int32, 12)
}

// TestAscendDual raises the bound of two variables to their least energy, and rounds to states that
// have it. No message changes the energy of a joint state, since each is added to one subproblem
// and taken from another.
func TestAscendDual(t *testing.T) {
	k, s, p, ints := differing(500)
	c := ascendOf(k, s, p, ints)
	for last := 0.0; ; {
		s[ascendResidual] = 0
		AscendDual(k, s, p, ints, nil)
		bound := c.dual(c.message)
		if bound < last || bound > .6+1e-9 {
			t.Fatalf("a bound of %v after %v; the least energy is .6", bound, last)
		}
		if last = bound; s[ascendResidual] == 0 || bound > .6-1e-6 {
			break
		}
	}
	if bound := c.dual(c.message); bound < .599 {
		t.Errorf("the bound is %v; want .6", bound)
	}
	if math.Abs(s[ascendValue]-.6) > 1e-12 || ints[0] != ints[1] {
		t.Errorf("states %v of energy %v; want equal ones of .6", ints[:2], s[ascendValue])
	}
}

func TestAscendAllocations(t *testing.T) {
	k, s, p, ints := differing(10)
	if n := testing.AllocsPerRun(10, func() { AscendDual(k, s, p, ints, nil) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
