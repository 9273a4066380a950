package pgmrt

import (
	"fmt"
	"testing"
)

// walked is the circuit 0.3 a0 b0 + 0.7 a1 (0.4 b0 + 0.6 b1): elements 0 to 3 are the indicators of A and B, 4 to 7 the numbers, which lie
// in data memory, 8 is b's sum, 9 is 0.7 a1, 10 is 0.3 a0, 11 the root.
func walked(draw bool) (code []int32, s, p []float64) {
	p = []float64{.3, .7, .4, .6}
	s = []float64{1, 1, 1, 1, 1, .7, .3, 1}
	var elements []WalkElement
	for i := range 4 {
		elements = append(elements, WalkElement{NestView: NestView{Offset: i}, Var: i / 2, State: i % 2})
	}
	for i := range p {
		elements = append(elements, WalkElement{NestView: NestView{Data: true, Offset: i}, Var: -1})
	}
	for i := range 4 {
		elements = append(elements, WalkElement{NestView: NestView{Offset: 4 + i}, Var: -1})
	}
	terms := [][2]int32{{6, 2}, {7, 3}, {5, 1}, {4, 0}, {10, 2}, {9, 8}}
	return AppendWalk(nil, draw, 2, elements, []int32{8, 9, 10, 11}, []int32{0, 2, 3, 4, 6}, terms), s, p
}

// The best way down is the larger term at each node, and ties go to the first.
func TestTapeWalkBest(t *testing.T) {
	code, s, p := walked(false)
	for _, c := range []struct {
		name  string
		s     []float64 // of the elements 8 to 11
		p     []float64
		wantA int32
		wantB int32
	}{
		{"the second term", []float64{.6, .7, .3, .42}, p, 1, 1},
		{"the first term", []float64{.6, .2, .3, .3}, p, 0, 0},
		{"a tie", []float64{.5, .6, .3, .3}, []float64{.3, .6, .5, .5}, 0, 0},
		{"a tie below", []float64{.5, .7, .3, .35}, []float64{.3, .7, .5, .5}, 1, 0},
	} {
		copy(s[4:], c.s)
		state := []int32{-1, -1, 0, 0}
		RunTape(code, s, c.p, state, nil)
		if state[0] != c.wantA || state[1] != c.wantB {
			t.Errorf("%s: states %v; want %d, %d", c.name, state[:2], c.wantA, c.wantB)
		}
	}
}

// Joint states are drawn as often as their products say: 0.3, 0.28 and 0.42. The bounds are five standard deviations wide.
func TestTapeWalkDraw(t *testing.T) {
	code, s, p := walked(true)
	count := map[string]int{}
	r := NewRand(1)
	state := make([]int32, 4)
	for range 10_000 {
		RunTape(code, s, p, state, r)
		count[fmt.Sprint(state[:2])]++
	}
	for states, want := range map[string]int{"[0 0]": 3000, "[0 1]": 0, "[1 0]": 2800, "[1 1]": 4200} {
		if n := count[states]; n < want-min(want, 250) || n > want+min(want, 250) {
			t.Errorf("%s came %d times of 10000; want about %d", states, n, want)
		}
	}
	if n := testing.AllocsPerRun(10, func() { RunTape(code, s, p, state, r) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
