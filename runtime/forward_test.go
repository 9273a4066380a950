package pgmrt

import (
	"math"
	"slices"
	"testing"
)

// forwardKernels holds the kernels of Forward.Run that the processor has, by name.
var forwardKernels = map[string]func(f *Forward, in *[ForwardRows]ForwardRow){"Go": forwardPlain, "the fastest": forwardRun}

// TestForward compares the steps of all kernels with sums state by state, and bit by bit with each
// other, for numbers of states that fill blocks and that do not, and for few and many filters.
func TestForward(t *testing.T) {
	r := NewRand(1)
	list := func(n int) []float64 {
		l := make([]float64, n)
		for i := range l {
			l[i] = r.Float64()
		}
		return l
	}
	for _, states := range []int{1, 2, 3, 7, 8, 9, 16, 21, 32} {
		p, n := list(states*states), 1+states%ForwardRows
		var in [ForwardRows]ForwardRow
		for i := range n {
			in[i] = ForwardRow{list(states), list(states)}
		}
		f := NewForward(p, states, 1, states)
		f.Run(&in, n)
		for name, run := range forwardKernels {
			g := NewForward(p, states, 1, states)
			run(g, &in)
			if g.roots != f.roots || g.inverse != f.inverse || !slices.Equal(g.rows, f.rows) {
				t.Errorf("%d states: kernel %s computes\n%v, roots %v; Run\n%v, roots %v", states, name, g.rows, g.roots, f.rows, f.roots)
			}
		}
		for i, row := range in[:n] {
			want, root := make([]float64, states), 0.0
			for to := range want {
				for from, x := range row.Belief {
					want[to] += p[to+from*states] * x
				}
				want[to] *= row.Column[to]
				root += want[to]
			}
			got := make([]float64, states)
			f.Leave(i, got)
			forwardScalePlain(want, want, 1/root)
			for k := range got {
				if math.Abs(got[k]-want[k]) > 1e-14 || math.Abs(f.Root(i)-root) > 1e-13*root {
					t.Fatalf("%d states, filter %d: belief %v, root %v; want %v, %v", states, i, got, f.Root(i), want, root)
				}
			}
		}
	}
}
