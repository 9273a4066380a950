package assemble

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// narrow gives a range to random looping axes of n, and clears the operands of reduced axes outside
// it. It appends the ranges to t.
func narrow(r *rand.Rand, n *nest, s, p []float64, t []int32) []int32 {
	for i := range n.Axes {
		a := &n.Axes[i]
		first := r.IntN(a.Size)
		end := first + r.IntN(a.Size-first+1)
		if a.State != looping || r.IntN(2) == 0 || n.Out.Stride[i] == 0 && !clearBeyond(n, i, first, end, s, p) {
			continue
		}
		t = append(t, int32(first), int32(end))
		a.Range = len(t) - 1
	}
	return t
}

// clearBeyond clears an operand beyond some states of axis i, and reports whether there is one that
// has the axis.
func clearBeyond(n *nest, i, first, end int, s, p []float64) bool {
	k := slices.IndexFunc(n.In, func(v nestView) bool { return v.Stride[i] != 0 })
	if k < 0 {
		return false
	}
	v, mem := n.In[k], s
	if v.Data {
		mem = p
	}
	at := make([]int, len(n.Axes))
	loops := nest{Axes: slices.Clone(n.Axes)}
	for j := range loops.Axes {
		loops.Axes[j].State = looping
	}
	walk(&loops, at, 0, nil, func() {
		if at[i] < first || at[i] >= end {
			mem[dot(at, v)] = 0
		}
	})
	return true
}

func dot(at []int, v nestView) int {
	place := v.Offset
	for i, k := range at {
		place += k * v.Stride[i]
	}
	return place
}

// TestContractNarrowed checks that a narrowed contraction computes the same bits within the ranges,
// and the same or zero outside.
func TestContractNarrowed(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	left, narrowed := 0, 0 // elements that were left out, and elements outside the ranges
	for round := range 4000 {
		n, s, p, state := randomNest(r, shape{8, 5, 5})
		wide := n.append(nil)
		state = narrow(r, n, s, p, state)
		code := n.append(nil)
		if int(code[1]) != len(code) {
			t.Fatalf("round %d: length %d of %d words", round, code[1], len(code))
		}
		want, got := slices.Clone(s), slices.Clone(s)
		pgmrt.RunTape(wide, want, p, state, nil)
		pgmrt.RunTape(code, got, p, state, nil)
		at, narrows := make([]int, len(n.Axes)), n.narrows()
		walk(n, at, 0, state, func() {
			within, out := true, false
			for i, a := range n.Axes {
				if a.Range > 0 && n.Out.Stride[i] != 0 && (at[i] < int(state[a.Range-1]) || at[i] >= int(state[a.Range])) {
					within, out = false, out || narrows[i]
				}
			}
			e := dot(at, n.Out)
			same := math.Float64bits(got[e]) == math.Float64bits(want[e])
			if !same && within || out && got[e] != 0 || !same && got[e] != 0 {
				t.Fatalf("round %d: element %d is %v; want %v; within ranges: %v, narrowed: %v", round, e, got[e], want[e], within, out)
			}
			if out {
				narrowed++
				if !same {
					left++
				}
			}
		})
	}
	if left < narrowed/4 {
		t.Errorf("of %d elements beyond ranges, %d were left out; want a quarter", narrowed, left)
	}
}
