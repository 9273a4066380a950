package pgmrt

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// laneKernels are the kernels that this machine can run, by name; the first is the one in Go.
func laneKernels() map[string][2]func([]int32, []float64) {
	kernels := vectorKernels()
	kernels["chosen"] = [2]func([]int32, []float64){laneSums, laneMaxima}
	return kernels
}

// randomNodes are nodes over slots, half of them in place of what others read before.
func randomNodes(r *rand.Rand, slots int, singles bool) []TapeNode {
	var nodes []TapeNode
	for range 1 + r.IntN(80) {
		n, pairs := TapeNode{Set: r.IntN(slots)}, !singles && r.IntN(2) == 0
		for range 1 + r.IntN(7) {
			term := [2]int{r.IntN(slots), -1}
			if pairs {
				term[1] = r.IntN(slots)
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

// Every kernel gives the bits of the one in Go, and that those of the terms as they stand.
func TestLaneKernels(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 300 {
		slots := 1 + r.IntN(40)
		l := NewLanes(slots)
		for i := range l {
			l[i] = float64(r.IntN(4)) * math.Exp(20*r.NormFloat64())
		}
		largest := round%2 == 1
		nodes := randomNodes(r, slots, largest)
		code := AppendLaneSums(nil, nodes, largest)
		if int(code[1]) != len(code) {
			t.Fatalf("round %d: length %d of %d words", round, code[1], len(code))
		}
		want := slices.Clone(l)
		for j := range Lanes {
			sumsOf(want, j, nodes, largest)
		}
		for name, kernel := range laneKernels() {
			got := slices.Clone(l)
			if largest {
				kernel[1](code[2:], got)
			} else {
				kernel[0](code[2:], got)
			}
			for i, x := range want {
				if math.Float64bits(got[i]) != math.Float64bits(x) {
					t.Fatalf("round %d: %s: slot %d, lane %d is %v; want %v", round, name, i/Lanes, i%Lanes, got[i], x)
				}
			}
		}
		if n := testing.AllocsPerRun(1, func() { RunLanes(code, l) }); n != 0 {
			t.Errorf("round %d: %v allocations", round, n)
		}
	}
}

// sumsOf computes the nodes of one lane.
func sumsOf(l []float64, lane int, nodes []TapeNode, largest bool) {
	at := func(slot int) float64 { return l[Lanes*slot+lane] }
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
		l[Lanes*n.Set+lane] = value
	}
}

// Long lists of nodes become several instructions, none of which keeps the processor long.
func TestLaneSumsAreCut(t *testing.T) {
	nodes := make([]TapeNode, 100_000)
	for i := range nodes {
		nodes[i] = TapeNode{Set: 0, Terms: [][2]int{{0, -1}, {1, -1}}}
	}
	code := AppendLaneSums(nil, nodes, false)
	l := NewLanes(2)
	for j := range Lanes {
		l[Lanes+j] = float64(j)
	}
	RunLanes(code, l)
	for j := range Lanes {
		if l[j] != 1e5*float64(j) {
			t.Errorf("lane %d: %v; want %v", j, l[j], 1e5*float64(j))
		}
	}
	instructions := 0
	for ; len(code) > 0; code = code[code[1]:] {
		instructions++
		if code[1] > laneWords+2 {
			t.Errorf("an instruction of %d words", code[1])
		}
	}
	if want := 8; instructions != want { // five words a node by the count of a pair's, 13108 nodes
		t.Errorf("%d instructions; want %d", instructions, want)
	}
}

// Each lane gets a factor of its own, and the exponents add up.
func TestLaneScale(t *testing.T) {
	l := NewLanes(4)
	numbers := [Lanes]float64{0, 1, 1.5, .75, 0x1p-1030, 0x1p1023, 0x1.8p-300, 5e-324}
	copy(l, numbers[:])
	for range 2 { // exponents are added
		RunLanes(AppendLaneScale(nil, 0, 1, 2), l)
	}
	for j, want := range [Lanes]struct {
		scaled float64
		k      int
	}{{0, 0}, {1, 0}, {1.5, 0}, {1.5, -1}, {0x1p-7, -1023}, {2, 1022}, {1.5, -300}, {0x1p-51, -1023}} {
		if scaled, k := l[j]*l[Lanes+j], l[2*Lanes+j]; scaled != want.scaled || k != 2*float64(want.k) {
			t.Errorf("%v: %v and exponents %v; want %v and twice %v", numbers[j], scaled, k, want.scaled, want.k)
		}
	}
	RunLanes(AppendLaneScale(nil, 0, 1, -1), l)
	if l[2*Lanes+3] != -2 || l[3*Lanes] != 0 {
		t.Errorf("an exponent that nobody wants went to a slot")
	}
}

// Sums without a good reciprocal are marked, zeros are not.
func TestLaneInvert(t *testing.T) {
	l := NewLanes(3)
	copy(l, []float64{4, 0, 5e-324, math.Inf(1), 0x1p-1000, 0x1p1000, 0x1p1001, 1})
	RunLanes(AppendLaneClear(nil, 2), l)
	RunLanes(AppendLaneInvert(nil, 0, 1, 2), l)
	for j, want := range [Lanes][2]float64{{.25, 0}, {1, 0}, {1, 1}, {1, 1}, {0x1p1000, 0}, {0x1p-1000, 0}, {1, 1}, {1, 0}} {
		if l[Lanes+j] != want[0] || l[2*Lanes+j] != want[1] {
			t.Errorf("%v: reciprocal %v, mark %v; want %v", l[j], l[Lanes+j], l[2*Lanes+j], want)
		}
	}
	RunLanes(AppendLaneClear(nil, 2, 0), l)
	if !slices.Equal(l[2*Lanes:], make([]float64, Lanes)) || l[0] != 0 || l[Lanes] != .25 {
		t.Errorf("cleared slots 0 and 2: %v", l)
	}
}

// What is moved to a lane comes back from it, and the others keep theirs.
func TestLaneMoves(t *testing.T) {
	l, s, moves := NewLanes(5), []float64{1, 2, 3, 4, 5, 6}, []int32{4, 0, 2, 0, 2 * Lanes, 3}
	FillLanes(l, 0, []float64{7, 8, 9}, []int32{0, 0, 1, 2, 2})
	SetLane(l, 3, s, moves)
	for slot, want := range []float64{7, 7, 8, 9, 9} {
		for j := range Lanes {
			w := want
			if j == 3 {
				w = []float64{5, 6, 1, 2, 3}[slot]
			}
			if l[slot*Lanes+j] != w {
				t.Errorf("slot %d, lane %d is %v; want %v", slot, j, l[slot*Lanes+j], w)
			}
		}
	}
	back := make([]float64, len(s))
	GetLane(l, 3, back, moves)
	if !slices.Equal(back, []float64{1, 2, 3, 0, 5, 6}) {
		t.Errorf("got back %v", back)
	}
}

// Observations fill likelihoods as Observe does, by all kernels.
func TestLaneObserve(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		var variables [][3]int
		slots := 0
		for range r.IntN(6) {
			n := 1 + r.IntN(9)
			variables, slots = append(variables, [3]int{slots, slots + 1, n}), slots+1+n
		}
		l := NewLanes(slots)
		for i := range l {
			l[i] = 7
		}
		for _, v := range variables {
			for j := range Lanes {
				l[v[0]*Lanes+j] = float64(r.IntN(v[2] + 1))
			}
		}
		code := AppendLaneObserve(nil, variables...)
		plain := slices.Clone(l)
		laneObservationsPlain(code[2:], plain)
		RunLanes(code, l)
		if !slices.Equal(plain, l) {
			t.Fatalf("kernels differ:\n%v\n%v", plain, l)
		}
		for _, v := range variables {
			want := make([]float64, v[2])
			for j := range Lanes {
				Observe(want, uint(l[v[0]*Lanes+j]))
				for k, x := range want {
					if got := l[(v[1]+k)*Lanes+j]; got != x {
						t.Fatalf("state %v of %d: likelihood %d is %v; want %v", l[v[0]*Lanes+j], v[2], k, got, x)
					}
				}
			}
		}
	}
}
