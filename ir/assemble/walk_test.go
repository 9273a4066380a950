package assemble

import (
	"fmt"
	"testing"

	"github.com/pgmc-go/pgmc/ir"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// walked returns a walk over the circuit 0.3 a0 b0 + 0.7 a1 (0.4 b0 + 0.6 b1). Elements 0 to 3 are
// the indicators of A and B, and 4 to 7 the numbers, in data memory. Element 8 is b's sum, 9 is 0.7
// a1, 10 is 0.3 a0, and 11 the root.
func walked(draw bool) (code []int32, s, p []float64) {
	p = []float64{.3, .7, .4, .6}
	s = []float64{1, 1, 1, 1, 1, .7, .3, 1}
	prog := &ir.Program{State: 4, Spans: []ir.Span{
		{Role: ir.RoleIn, Len: 2, Var: 0, Offset: 0},
		{Role: ir.RoleIn, Len: 2, Var: 1, Offset: 2},
		{Role: ir.RoleConst, Len: 4, Offset: 0},
		{Role: ir.RoleTemp, Len: 4, Offset: 4},
		{Elem: ir.Int32, Role: ir.RolePersistent, Len: 2, Offset: 0},
		{Elem: ir.Int32, Role: ir.RoleTemp, Len: 2, Offset: 2},
	}}
	w := &ir.Walk{In: []ir.SpanID{0, 1, 2, 3}, Stack: 5, Node: []int32{8, 9, 10, 11}, First: []int32{0, 2, 3, 4, 6},
		Terms: [][2]int32{{6, 2}, {7, 3}, {5, 1}, {4, 0}, {10, 2}, {9, 8}}}
	if draw {
		w.Mode = ir.PickDraw
	}
	return mustAssemble(prog, w).Words, s, p
}

// TestTapeWalkBest checks that the walk takes the larger term at each node, and the first of equal
// ones.
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
		pgmrt.RunTape(code, s, c.p, state, nil)
		if state[0] != c.wantA || state[1] != c.wantB {
			t.Errorf("%s: states %v; want %d, %d", c.name, state[:2], c.wantA, c.wantB)
		}
	}
}

// TestTapeWalkDraw checks that joint states are drawn in proportion to their products 0.3, 0.28 and
// 0.42. The bounds are five standard deviations wide.
func TestTapeWalkDraw(t *testing.T) {
	code, s, p := walked(true)
	count := map[string]int{}
	r := pgmrt.NewRand(1)
	state := make([]int32, 4)
	for range 10_000 {
		pgmrt.RunTape(code, s, p, state, r)
		count[fmt.Sprint(state[:2])]++
	}
	for states, want := range map[string]int{"[0 0]": 3000, "[0 1]": 0, "[1 0]": 2800, "[1 1]": 4200} {
		if n := count[states]; n < want-min(want, 250) || n > want+min(want, 250) {
			t.Errorf("%s came %d times of 10000; want about %d", states, n, want)
		}
	}
	if n := testing.AllocsPerRun(10, func() { pgmrt.RunTape(code, s, p, state, r) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
