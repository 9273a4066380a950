package pgmrt_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/ir/assemble"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// randomNodes returns nodes over slots. Half of them overwrite a slot that an earlier node reads.
func randomNodes(r *rand.Rand, slots int, singles bool) []assemble.Node {
	var nodes []assemble.Node
	for range 1 + r.IntN(80) {
		n, pairs := assemble.Node{Set: r.IntN(slots)}, !singles && r.IntN(2) == 0
		for range 1 + r.IntN(7) {
			term := [2]int32{r.Int32N(int32(slots)), -1}
			if pairs {
				term[1] = r.Int32N(int32(slots))
			}
			n.Terms = append(n.Terms, term)
		}
		for range 1 + r.IntN(3) { // a run
			nodes = append(nodes, n)
			n.Set = r.IntN(slots)
		}
	}
	return nodes
}

// TestLaneKernels checks that every kernel computes the bits of the kernel in Go, and that those
// are the bits of the terms in their order.
func TestLaneKernels(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 300 {
		slots := 1 + r.IntN(40)
		l := pgmrt.NewLanes(slots)
		for i := range l {
			l[i] = float64(r.IntN(4)) * math.Exp(20*r.NormFloat64())
		}
		largest := round%2 == 1
		nodes := randomNodes(r, slots, largest)
		code := assemble.LaneSums(nil, nodes, largest)
		if int(code[1]) != len(code) {
			t.Fatalf("round %d: length %d of %d words", round, code[1], len(code))
		}
		want := slices.Clone(l)
		for j := range pgmrt.Lanes {
			sumsOf(want, j, nodes, largest)
		}
		for name, kernel := range pgmrt.LaneKernels() {
			got := slices.Clone(l)
			if largest {
				kernel[1](code[2:], got)
			} else {
				kernel[0](code[2:], got)
			}
			for i, x := range want {
				if math.Float64bits(got[i]) != math.Float64bits(x) {
					t.Fatalf("round %d: %s: slot %d, lane %d is %v; want %v", round, name, i/pgmrt.Lanes, i%pgmrt.Lanes, got[i], x)
				}
			}
		}
		if n := testing.AllocsPerRun(1, func() { pgmrt.RunLanes(code, l) }); n != 0 {
			t.Errorf("round %d: %v allocations", round, n)
		}
	}
}

// sumsOf computes the nodes of one lane.
func sumsOf(l []float64, lane int, nodes []assemble.Node, largest bool) {
	at := func(slot int32) float64 { return l[pgmrt.Lanes*int(slot)+lane] }
	for _, n := range nodes {
		value := 0.0
		for i, term := range n.Terms {
			x := at(term[0])
			if term[1] >= 0 {
				x = float64(x * at(term[1]))
			}
			switch {
			case i == 0:
				value = x
			case largest:
				value = max(value, x)
			default:
				value += x
			}
		}
		l[pgmrt.Lanes*n.Set+lane] = value
	}
}

// TestLaneScale checks that each lane is scaled by its own factor, and that exponents are added.
func TestLaneScale(t *testing.T) {
	l := pgmrt.NewLanes(4)
	numbers := [pgmrt.Lanes]float64{0, 1, 1.5, .75, 0x1p-1030, 0x1p1023, 0x1.8p-300, 5e-324}
	copy(l, numbers[:])
	for range 2 { // exponents are added
		pgmrt.RunLanes(assemble.LaneScale(nil, 0, 1, 2), l)
	}
	for j, want := range [pgmrt.Lanes]struct {
		scaled float64
		k      int
	}{{0, 0}, {1, 0}, {1.5, 0}, {1.5, -1}, {0x1p-7, -1023}, {2, 1022}, {1.5, -300}, {0x1p-51, -1023}} {
		if scaled, k := l[j]*l[pgmrt.Lanes+j], l[2*pgmrt.Lanes+j]; scaled != want.scaled || k != 2*float64(want.k) {
			t.Errorf("%v: %v and exponents %v; want %v and twice %v", numbers[j], scaled, k, want.scaled, want.k)
		}
	}
	pgmrt.RunLanes(assemble.LaneScale(nil, 0, 1, -1), l)
	if l[2*pgmrt.Lanes+3] != -2 || l[3*pgmrt.Lanes] != 0 {
		t.Errorf("an exponent without a slot was written to one")
	}
}

// TestLaneInvert checks that sums whose reciprocal is not exact are marked, and zeros are not.
func TestLaneInvert(t *testing.T) {
	l := pgmrt.NewLanes(3)
	copy(l, []float64{4, 0, 5e-324, math.Inf(1), 0x1p-1000, 0x1p1000, 0x1p1001, 1})
	pgmrt.RunLanes(assemble.LaneClear(nil, 2), l)
	pgmrt.RunLanes(assemble.LaneInvert(nil, 0, 1, 2), l)
	for j, want := range [pgmrt.Lanes][2]float64{{.25, 0}, {1, 0}, {1, 1}, {1, 1}, {0x1p1000, 0}, {0x1p-1000, 0}, {1, 1}, {1, 0}} {
		if l[pgmrt.Lanes+j] != want[0] || l[2*pgmrt.Lanes+j] != want[1] {
			t.Errorf("%v: reciprocal %v, mark %v; want %v", l[j], l[pgmrt.Lanes+j], l[2*pgmrt.Lanes+j], want)
		}
	}
	pgmrt.RunLanes(assemble.LaneClear(nil, 2, 0), l)
	if !slices.Equal(l[2*pgmrt.Lanes:], make([]float64, pgmrt.Lanes)) || l[0] != 0 || l[pgmrt.Lanes] != .25 {
		t.Errorf("cleared slots 0 and 2: %v", l)
	}
}

// TestLaneMoves checks that numbers moved to a lane come back from it, and that the other lanes
// keep theirs.
func TestLaneMoves(t *testing.T) {
	l, s, moves := pgmrt.NewLanes(5), []float64{1, 2, 3, 4, 5, 6}, []int32{4, 0, 2, 0, 2 * pgmrt.Lanes, 3}
	pgmrt.FillLanes(l, 0, []float64{7, 8, 9}, []int32{0, 0, 1, 2, 2})
	pgmrt.SetLane(l, 3, s, moves)
	for slot, want := range []float64{7, 7, 8, 9, 9} {
		for j := range pgmrt.Lanes {
			w := want
			if j == 3 {
				w = []float64{5, 6, 1, 2, 3}[slot]
			}
			if l[slot*pgmrt.Lanes+j] != w {
				t.Errorf("slot %d, lane %d is %v; want %v", slot, j, l[slot*pgmrt.Lanes+j], w)
			}
		}
	}
	back := make([]float64, len(s))
	pgmrt.GetLane(l, 3, back, moves)
	if !slices.Equal(back, []float64{1, 2, 3, 0, 5, 6}) {
		t.Errorf("got back %v", back)
	}
}

// TestLaneObserve checks that all kernels turn observations into the same likelihoods as
// pgmrt.Observe.
func TestLaneObserve(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		var variables []assemble.Observation
		slots := 0
		for range r.IntN(6) {
			n := 1 + r.IntN(9)
			variables, slots = append(variables, assemble.Observation{State: slots, Likelihood: slots + 1, States: n}), slots+1+n
		}
		l := pgmrt.NewLanes(slots)
		for i := range l {
			l[i] = 7
		}
		for _, v := range variables {
			for j := range pgmrt.Lanes {
				l[v.State*pgmrt.Lanes+j] = float64(r.IntN(v.States + 1))
			}
		}
		code := assemble.LaneObserve(nil, variables...)
		plain := slices.Clone(l)
		pgmrt.LaneObservationsPlain(code[2:], plain)
		pgmrt.RunLanes(code, l)
		if !slices.Equal(plain, l) {
			t.Fatalf("kernels differ:\n%v\n%v", plain, l)
		}
		for _, v := range variables {
			want := make([]float64, v.States)
			for j := range pgmrt.Lanes {
				pgmrt.Observe(want, uint(l[v.State*pgmrt.Lanes+j]))
				for k, x := range want {
					if got := l[(v.Likelihood+k)*pgmrt.Lanes+j]; got != x {
						t.Fatalf("state %v of %d: likelihood %d is %v; want %v", l[v.State*pgmrt.Lanes+j], v.States, k, got, x)
					}
				}
			}
		}
	}
}
