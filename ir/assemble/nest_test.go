package assemble

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// naive computes a contraction by its definition, one product at a time.
func naive(n *nest, s, p []float64, t []int32) {
	at := make([]int, len(n.Axes))
	place := func(v nestView) (i int) {
		i = v.Offset
		for a, stride := range v.Stride {
			i += at[a] * stride
		}
		return i
	}
	walk(n, at, 0, t, func() { s[place(n.Out)] = 0 })
	walk(n, at, 0, t, func() {
		v := 1.0
		for _, in := range n.In {
			v *= map[bool][]float64{false: s, true: p}[in.Data][place(in)]
		}
		if o := &s[place(n.Out)]; n.Max {
			*o = max(*o, v)
		} else {
			*o += v
		}
	})
}

func walk(n *nest, at []int, axis int, t []int32, do func()) {
	if axis == len(at) {
		do()
		return
	}
	if a := n.Axes[axis]; a.State != looping {
		at[axis] = int(t[a.State])
		walk(n, at, axis+1, t, do)
		return
	}
	for at[axis] = 0; at[axis] < n.Axes[axis].Size; at[axis]++ {
		walk(n, at, axis+1, t, do)
	}
}

// shape bounds random nests.
type shape struct{ axes, size, operands int }

// randomNest returns a nest and memories that it fills: out first, then the operands, in either
// memory.
func randomNest(r *rand.Rand, sh shape) (n *nest, s, p []float64, t []int32) {
	n = &nest{Max: r.IntN(2) == 0}
	axes := r.IntN(sh.axes + 1)
	out := make([]bool, axes)
	for i := range axes {
		a := nestAxis{Size: 1 + r.IntN(sh.size), State: looping}
		if r.IntN(6) == 0 {
			a.State = len(t)
			t = append(t, int32(r.IntN(a.Size)))
		}
		n.Axes = append(n.Axes, a)
		out[i] = r.IntN(2) == 0
	}
	n.Out, s = randomView(r, n, s, func(i int) bool { return out[i] })
	for range r.IntN(sh.operands + 1) {
		density := 1 + r.IntN(4)
		has := func(int) bool { return r.IntN(density) == 0 }
		var v nestView
		if r.IntN(2) == 0 {
			v, p = randomView(r, n, p, has)
			v.Data = true
		} else {
			v, s = randomView(r, n, s, has)
		}
		n.In = append(n.In, v)
	}
	return n, fill(r, s), fill(r, p), t
}

// randomView lays out a table with the axes that has chooses at the end of mem, mostly with the
// last axis fastest.
func randomView(r *rand.Rand, n *nest, mem []float64, has func(int) bool) (nestView, []float64) {
	v := nestView{Offset: len(mem), Stride: make([]int, len(n.Axes))}
	order := make([]int, len(n.Axes))
	for i := range order {
		order[i] = len(order) - 1 - i
	}
	if r.IntN(4) == 0 {
		r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	}
	size := 1
	for _, i := range order {
		if has(i) {
			v.Stride[i] = size
			size *= n.Axes[i].Size
		}
	}
	return v, append(mem, make([]float64, size)...)
}

func fill(r *rand.Rand, x []float64) []float64 {
	for i := range x {
		x[i] = r.Float64()
		if r.IntN(5) == 0 {
			x[i] = 0
		}
	}
	return x
}

func TestContractRandom(t *testing.T) {
	for _, c := range []struct {
		name   string
		shape  shape
		rounds int
	}{
		{"usual", shape{8, 5, 5}, 3000},
		{"narrow", shape{4, 3, 2}, 3000},
		{"binary", shape{12, 2, 6}, 1000},
		{"many operands", shape{4, 3, 40}, 500},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, uint64(len(c.name))))
			for round := range c.rounds {
				n, s, p, state := randomNest(r, c.shape)
				checkNest(t, fmt.Sprint(round), n, s, p, state, n.append(nil))
				checkNest(t, fmt.Sprint(round, " plain"), n, s, p, state, n.appendPlain(nil))
			}
		})
	}
}

func checkNest(t *testing.T, name string, n *nest, s, p []float64, state []int32, code []int32) {
	t.Helper()
	size := 1
	for i, stride := range n.Out.Stride {
		if stride != 0 {
			size *= n.Axes[i].Size
		}
	}
	for i := range size { // earlier contents of out must not matter
		s[n.Out.Offset+i] = math.NaN()
	}
	want, got := append([]float64{}, s...), append([]float64{}, s...)
	naive(n, want, p, state)
	pgmrt.RunTape(code, got, p, state, nil)
	for i := range want {
		untouched := math.IsNaN(want[i]) && math.IsNaN(got[i])
		if !untouched && !(math.Abs(got[i]-want[i]) <= 1e-12*max(1, want[i])) {
			t.Fatalf("%s: %+v: element %d is %v; want %v", name, n, i, got[i], want[i])
		}
	}
}

// TestContractDeep runs a nest of loops that cannot be merged, deeper than the tile, with an
// operand for each pair of neighbours.
func TestContractDeep(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	n := &nest{}
	for range 15 {
		n.Axes = append(n.Axes, nestAxis{Size: 2, State: looping})
	}
	var s, p []float64
	n.Out, s = randomView(r, n, s, func(i int) bool { return i%3 == 0 })
	for first := range 14 {
		var v nestView
		v, s = randomView(r, n, s, func(i int) bool { return i == first || i == first+1 })
		n.In = append(n.In, v)
	}
	checkNest(t, "deep", n, fill(r, s), p, nil, n.append(nil))
}

// TestContractGaps runs a nest whose result has gaps and cannot be cleared as one piece.
func TestContractGaps(t *testing.T) {
	n := &nest{
		Axes: []nestAxis{{Size: 2, State: looping}, {Size: 3, State: looping}},
		Out:  nestView{Offset: 1, Stride: []int{2, 0}},
		In:   []nestView{{Data: true, Stride: []int{3, 1}}},
	}
	s := []float64{7, 7, 7, 7}
	pgmrt.RunTape(n.append(nil), s, []float64{1, 2, 3, 4, 5, 6}, nil, nil)
	if want := [4]float64{7, 6, 7, 15}; [4]float64(s) != want {
		t.Errorf("got %v, want %v", s, want)
	}
}

func TestLoopsMerge(t *testing.T) {
	n := &nest{
		Axes: []nestAxis{{Size: 2, State: looping}, {Size: 1, State: looping}, {Size: 3, State: looping}, {Size: 4, State: 0}, {Size: 5, State: looping}},
		Out:  nestView{Stride: []int{3, 3, 1, 0, 0}},
		In:   []nestView{{Stride: []int{60, 60, 20, 5, 1}}, {Stride: []int{0, 1, 0, 0, 1}}},
	}
	loops := n.loops()
	if len(loops) != 2 || loops[0].size != 6 || loops[1].size != 5 {
		t.Errorf("loops %v; want sizes 6 and 5: the first and third axes are one", loops)
	}
}

func BenchmarkContract(b *testing.B) {
	// Each operand is a string of axis letters, slowest first.
	for _, c := range []struct {
		name  string
		sizes []int
		out   string
		in    []string
	}{
		{"up_ab_b/2x2", []int{2, 2}, "a", []string{"ab", "b"}},
		{"up_ab_b/4x4", []int{4, 4}, "a", []string{"ab", "b"}},
		{"up_abcd/4_4_3_4", []int{4, 4, 3, 4}, "abd", []string{"abcd", "ac", "d"}},
		{"up_abcd/64_4_3_4", []int{64, 4, 3, 4}, "abd", []string{"abcd", "ac", "d"}},
		{"up_abcd/1024_4_3_4", []int{1024, 4, 3, 4}, "abd", []string{"abcd", "ac", "d"}},
		{"up_ab_b/100x100", []int{100, 100}, "a", []string{"ab", "b"}},
		{"up_ab_a/100x100", []int{100, 100}, "b", []string{"ab", "a"}},
		{"up_tall/3x30000", []int{3, 30000}, "b", []string{"ab", "a"}},
		{"down_abc/20x20x20", []int{20, 20, 20}, "abc", []string{"abc", "ab", "bc"}},
		{"binary_abcdefgh_split", []int{2, 2, 2, 2, 2, 2, 2, 2}, "aceg", []string{"abcdefgh", "bd", "adf", "cgh"}},
		{"binary_12_split", []int{2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, "acegik", []string{"abcdefghijkl", "bdl", "adfk", "cghi"}},
		{"ternary_assemble", []int{3, 3, 3, 3, 3, 3, 3}, "abcdefg", []string{"abc", "cde", "efg", "beg", "adf"}},
		{"ternary_assemble_sum", []int{3, 3, 3, 3, 3, 3, 3}, "abcdef", []string{"abc", "cde", "efg", "beg", "adf"}},
	} {
		for _, maximum := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/max=%v", c.name, maximum), func(b *testing.B) {
				n := &nest{Max: maximum}
				entries := 1
				for _, size := range c.sizes {
					n.Axes = append(n.Axes, nestAxis{Size: size, State: looping})
					entries *= size
				}
				r := rand.New(rand.NewPCG(1, 2))
				var s []float64
				view := func(letters string) (v nestView) {
					v, s = letteredView(n, s, letters)
					return v
				}
				n.Out = view(c.out)
				for _, in := range c.in {
					n.In = append(n.In, view(in))
				}
				for i := range s {
					s[i] = r.Float64()
				}
				code := n.append(nil)
				for b.Loop() {
					pgmrt.RunTape(code, s, nil, nil, nil)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(entries), "ns/entry")
			})
		}
	}
}

// letteredView lays out a table whose axes are given by letters, slowest first.
func letteredView(n *nest, mem []float64, letters string) (nestView, []float64) {
	v := nestView{Offset: len(mem), Stride: make([]int, len(n.Axes))}
	size := 1
	for i := len(letters) - 1; i >= 0; i-- {
		axis := int(letters[i] - 'a')
		v.Stride[axis] = size
		size *= n.Axes[axis].Size
	}
	return v, append(mem, make([]float64, size)...)
}
