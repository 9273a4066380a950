package assemble

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestMinSum compares minimal sums with their definition on random tables of up to five axes. Any
// axis may be fixed, and any may have an operand.
func TestMinSum(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 2000 {
		axes, size := make([]axis, r.IntN(6)), 1
		var s, p []float64
		states := make([]int32, len(axes))
		to := -1
		for i := range axes {
			a := axis{Size: 1 + r.IntN(4), State: -1, In: -1}
			size *= a.Size
			if r.IntN(3) == 0 {
				a.State, states[i] = i, int32(r.IntN(a.Size))
			} else if r.IntN(2) == 0 {
				to = i
			}
			if r.IntN(3) > 0 {
				a.In = len(s)
				for range a.Size {
					s = append(s, energy(r))
				}
			}
			axes[i] = a
		}
		for range size {
			p = append(p, min(energy(r), math.MaxFloat64))
		}
		out := len(s)
		s = append(s, make([]float64, 4)...)
		want := leastSum(axes, to, p, s, states)
		m := newMemory(len(states), s, p)
		copy(m.t, states)
		table := m.data(0, size)
		if n%2 == 0 { // the table lies in work memory
			table = m.work(len(s), size)
			m.s = append(s, p...)
		}
		step := &ir.MinSum{Out: m.work(out, 4), Table: table, To: to}
		for i, a := range axes {
			x := ir.Axis{Var: model.VarID(i), Size: a.Size}
			if a.State >= 0 {
				x.Kind = ir.AxisFixed
			}
			step.Axes = append(step.Axes, x)
			step.In = append(step.In, m.numbers(a.Size, a.In)...)
		}
		m.run(step)
		s = m.s
		for i, w := range want {
			if got := s[out+i]; got != w && !(math.Abs(got-w) <= 1e-14) {
				t.Fatalf("case %d, %v to %d, state %d: %v; want %v", n, axes, to, i, got, w)
			}
		}
	}
}

// axis is an axis of a minimal sum: its size, the place of its state or -1, and the offset of its
// operand or -1.
type axis struct{ Size, State, In int }

// energy returns a random energy, sometimes infinite.
func energy(r *rand.Rand) float64 {
	if r.IntN(6) == 0 {
		return math.Inf(1)
	}
	return 4*r.Float64() - 1
}

// leastSum computes the minimal sums by counting through all joint states.
func leastSum(axes []axis, to int, table, s []float64, states []int32) []float64 {
	n := 1
	if to >= 0 {
		n = axes[to].Size
	}
	out := make([]float64, n)
	for i := range out {
		out[i] = math.Inf(1)
	}
next:
	for k, x := range table {
		at, rest := 0, k
		for i := len(axes) - 1; i >= 0; i-- {
			state := rest % axes[i].Size
			rest /= axes[i].Size
			if axes[i].State >= 0 && int(states[i]) != state {
				continue next
			}
			if axes[i].In >= 0 {
				x += s[axes[i].In+state]
			}
			if i == to {
				at = state
			}
		}
		if x >= 1e300 {
			x = math.Inf(1)
		}
		out[at] = min(out[at], x)
	}
	return out
}

// TestSendMessages sends the messages of a variable of three states, the last of them impossible,
// to two factors: half of the sum to the first, and nothing to the second.
func TestSendMessages(t *testing.T) {
	inf := math.Inf(1)
	s := []float64{
		1, 0, 0, // base
		2, 1, inf, // from the first
		0, 4, 0, // from the second
		9, 9, 9, // to the first
		9, 9, 9, // to the second
		0, 0, 0, // belief
		1, 5, 7, // alive, bound, residual
	}
	m := newMemory(0, s, nil)
	step := &ir.SendMessages{Base: m.work(0, 3), In: m.numbers(3, 3, 6), Out: m.numbers(3, 9, 12), Divide: []int32{2, 0}, Belief: m.work(15, 3),
		Alive: m.work(18, 1), Bound: m.work(19, 1), Residual: ir.NoSpan, Rate: ir.NoSpan, Share: [2]int32{1, 2}}
	m.run(step)
	same(t, s[9:], -.5, 1.5, inf, 0, -4, inf, 3, 5, inf, 1, 6.5, 7) // sums are 3, 5 and +Inf
	step.Residual, step.Share = m.work(20, 1), [2]int32{0, 1}
	s[15], s[16], s[20] = 3+math.Ln2, 3, .25 // as numbers 1/2 and 1, and now 1 and exp(-2)
	m.run(step)
	same(t, s[18:], 1, 6.5, 1-math.Exp(-2))
	s[20] = .25
	s = append(s, .5)
	m.s = s
	step.Rate, step.Divide[1] = m.work(21, 1), 1
	m.run(step)
	same(t, s[9:15], -.25, 1.75, inf, 1, -2, inf) // halfway to 0, 2 and to 2, 0, both less their minimum
	if want := math.Exp(4) - 1; math.Abs(s[20]-want) > 1e-12 {
		t.Errorf("residual %v; want %v, by the message of -4 before", s[20], want)
	}
	s[0], s[1], s[2] = inf, inf, inf
	m.run(step)
	same(t, s[9:15], inf, inf, inf, inf, inf, inf)
	same(t, s[18:19], 0)
}

// The machine of energies also runs the steps of other machines.
func TestEnergyTape(t *testing.T) {
	m := newMemory(0, []float64{1, .5, 0, 0}, nil)
	out := m.work(2, 2)
	m.run(&ir.Energy{Out: out, Weight: m.work(0, 2)}, &ir.Normalize{Span: out})
	same(t, m.s[2:], 0, 1)
}

func TestEnergy(t *testing.T) {
	m := newMemory(0, []float64{1, .5, 0, 0, 0, 0}, []float64{2, math.MaxFloat64, 1})
	m.run(&ir.Energy{Out: m.work(3, 3), Weight: m.work(0, 3), In: []ir.SpanID{m.data(0, 3)}})
	same(t, m.s[3:], 2, math.Inf(1), math.Inf(1))
	m.run(&ir.Energy{Out: m.work(0, 3), Weight: ir.NoSpan})
	same(t, m.s[:3], 0, 0, 0)
}

// Choose takes the first of equal sums. If the second best belief is equal to the best, it counts a
// tie.
func TestChoose(t *testing.T) {
	s := []float64{
		3, 1, 1, // a final row
		0, 1, 1, // a row
		0, 1e-8, 2, // belief
		10, 0, // value, ties
	}
	m := newMemory(2, s, nil)
	state := m.t
	state[0], state[1] = 7, 7
	step := &ir.Choose{Axis: ir.Axis{Var: 1, Size: 3}, Final: 1, Value: m.work(9, 1), Ties: m.work(10, 1), Belief: m.work(6, 3), In: m.numbers(3, 0, 3)}
	m.run(step)
	same(t, s[9:], 11, 1)
	if state[0] != 7 || state[1] != 1 {
		t.Errorf("states %v; want the second to be 1", state)
	}
	s[7], s[10] = 1, 0
	for i := range 3 {
		s[i] = math.Inf(1)
	}
	m.run(step)
	same(t, s[9:], math.Inf(1), 0)
	if state[1] != 0 {
		t.Errorf("state %d where all are impossible; want 0", state[1])
	}
}

// TestUpdateIncumbent runs three rounds: states without a possible completion, good states, worse
// states. The bound rises by 1, by 2, and not at all.
func TestUpdateIncumbent(t *testing.T) {
	s := []float64{math.Inf(1), 1, 0, 0, 0, math.MaxFloat64, 0, 0}
	m := newMemory(2, s, nil)
	m.t = append(m.t, 0, 0)
	state := m.t
	step := &ir.UpdateIncumbent{Best: m.ints(2, 2)}
	for i, id := range step.Run.All() {
		*id = m.work(i, 1)
	}
	round := func(value, bound float64, a, b int32) {
		s[0], s[1], s[7] = value, bound, 0
		state[0], state[1] = a, b
		m.run(step)
	}
	round(math.Inf(1), 1, 1, 2)
	same(t, s[2:], 1, 0, 1, math.Inf(1), 1, math.MaxFloat64)
	round(5, 3, 3, 4)
	same(t, s[2:], 2, 1, 3, 5, 2, 2)
	round(6, 3, 5, 6)
	same(t, s[2:], 0, 2, 3, 5, 3, 2)
	if state[0] != 3 || state[1] != 4 {
		t.Errorf("states %v; want those of the second round", state[:2])
	}
	round(6, 3, 5, 6)
	same(t, s[7:], 0)
	round(3, 3, 5, 6)
	same(t, s[5:], 3, 5, 0)
}

func same(t *testing.T, got []float64, want ...float64) {
	t.Helper()
	for i, w := range want {
		if got[i] != w && !(math.Abs(got[i]-w) <= 1e-14*max(1, math.Abs(w))) {
			t.Errorf("number %d: %v; want %v", i, got[i], w)
		}
	}
}
