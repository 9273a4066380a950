package assemble

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestEnvelope compares messages by lower envelopes with those over all pairs of states: to the
// last bit, but for parabolas, whose crossings are rounded. Energies of states are infinite, equal,
// near each other or far apart.
func TestEnvelope(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for n := range 6000 {
		k, form := 2+r.IntN(12), ir.Form(1+n%3)
		if n%100 == 0 {
			k = 2 + r.IntN(300)
		}
		far := distances(r, form, k)
		e := &envelope{far: far, form: form, states: []int32{int32(r.IntN(k)), int32(r.IntN(k))}, in: [][]float64{someEnergies(r, k, far[1]-far[0]), someEnergies(r, k, far[1]-far[0])}}
		to := r.IntN(2)
		for _, fixed := range [][]int{nil, {0}, {1}, {0, 1}} {
			for _, to := range []int{to, -1} {
				if len(fixed) == 2 && to >= 0 || len(fixed) == 1 && to == fixed[0] || fixed == nil && to < 0 {
					continue
				}
				got, want := e.run(fixed, to, true), e.run(fixed, to, false)
				for x := range want {
					if near := form == ir.FormQuadratic && math.Abs(got[x]-want[x]) <= 1e-12*max(1, math.Abs(want[x])); got[x] != want[x] && !near {
						t.Fatalf("case %d: %v of %d states, fixed %v, to %d, distances %v, operands %v: state %d has %v; want %v", n, form, k, fixed, to, far, e.in, x, got[x], want[x])
					}
				}
			}
		}
	}
}

// distances returns energies of the distances from 0 to k-1.
func distances(r *rand.Rand, form ir.Form, k int) []float64 {
	step := math.Round(1<<20*r.ExpFloat64()) / (1 << 17)
	limit, start := math.Inf(1), 0.0
	if form == ir.FormQuadratic {
		step += .125
	}
	if form == ir.FormLinear && r.IntN(3) == 0 || form == ir.FormPotts && r.IntN(3) == 0 {
		start, step = step*float64(k-1), -step
	} else if r.IntN(2) == 0 {
		limit = step * (1 + 5*r.Float64())
	}
	far := make([]float64, k)
	for i := range far {
		x := float64(i)
		switch form {
		case ir.FormPotts:
			x = min(x, 1)
		case ir.FormQuadratic:
			x *= x
		}
		far[i] = min(start+step*x, limit)
	}
	return far
}

// someEnergies returns energies of k states. Those of some kinds rise by steps up to rounding, so
// that many states are equally good.
func someEnergies(r *rand.Rand, k int, step float64) []float64 {
	out := make([]float64, k)
	kind, first := r.IntN(6), r.NormFloat64()
	for i := range out {
		switch kind {
		case 0:
			out[i] = energy(r)
		case 1:
			out[i] = float64(r.IntN(4))
		case 2:
			out[i] = 3 + float64(i)*.1
		case 3:
			out[i] = 1e-3*r.NormFloat64() - .7*float64(i%7)
		case 4:
			out[i] = 100 * r.NormFloat64()
		case 5:
			out[i] = first + step*float64(i)
		}
	}
	if kind == 4 && r.IntN(4) == 0 {
		for i := range out {
			out[i] = math.Inf(1)
		}
	}
	return out
}

// envelope is a minimal sum over two variables, by distances.
type envelope struct {
	far    []float64
	form   ir.Form
	states []int32
	in     [][]float64
}

// run returns the sums, by distances or by the table of all pairs.
func (e *envelope) run(fixed []int, to int, byDistance bool) []float64 {
	k := len(e.far)
	var table []float64
	if byDistance {
		for i := range 2*k - 1 {
			table = append(table, e.far[max(i-k+1, k-1-i)])
		}
	} else {
		for i := range k {
			for j := range k {
				table = append(table, e.far[max(i-j, j-i)])
			}
		}
	}
	m := newMemory(2, append(append(make([]float64, k), e.in[0]...), e.in[1]...), table)
	copy(m.t, e.states)
	size := k
	if to < 0 {
		size = 1
	}
	step := &ir.MinSum{Out: m.work(0, size), Table: m.data(0, len(table)), To: to}
	if byDistance {
		step.Form = e.form
	}
	for i := range 2 {
		step.Axes = append(step.Axes, ir.Axis{Var: model.VarID(i), Size: k})
		step.In = append(step.In, m.numbers(k, k+i*k)...)
	}
	if to >= 0 {
		step.In[to] = ir.NoSpan
	}
	for _, i := range fixed {
		step.Axes[i].Kind = ir.AxisFixed
	}
	m.run(step)
	return m.s[:size]
}

// TestEnvelopeExample has the example of a linear energy that is worked out by hand: each state
// takes the best of its own and of its neighbours', one more per step.
func TestEnvelopeExample(t *testing.T) {
	e := &envelope{far: []float64{0, 1, 2, 3}, form: ir.FormLinear, states: make([]int32, 2), in: [][]float64{{5, 0, 3, 9}, make([]float64, 4)}}
	if got := fmt.Sprint(e.run(nil, 1, true)); got != "[1 0 1 2]" {
		t.Errorf("%v; want [1 0 1 2]", got)
	}
}
