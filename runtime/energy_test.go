package pgmrt

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestMinSum compares least sums with their definition, on random tables of up to five axes of which any stand and any have operands.
func TestMinSum(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 2000 {
		axes, size := make([]EnergyAxis, r.IntN(6)), 1
		var s, p []float64
		states := make([]int32, len(axes))
		to := -1
		for i := range axes {
			a := EnergyAxis{Size: 1 + r.IntN(4), State: -1, In: -1}
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
		table, out := TapeSpan{Data: true, Len: size}, len(s)
		s = append(s, make([]float64, 4)...)
		want := leastSum(axes, to, p, s, states)
		if n%2 == 0 { // the table lies in work memory
			table.Data, table.Offset = false, len(s)
			s = append(s, p...)
			p = nil
		}
		RunEnergies(AppendMinSum(nil, out, to, table, axes), s, p, states)
		for i, w := range want {
			if got := s[out+i]; got != w && !(math.Abs(got-w) <= 1e-14) {
				t.Fatalf("case %d, %v to %d, state %d: %v; want %v", n, axes, to, i, got, w)
			}
		}
	}
}

// energy is one number, now and then infinite.
func energy(r *rand.Rand) float64 {
	if r.IntN(6) == 0 {
		return math.Inf(1)
	}
	return 4*r.Float64() - 1
}

// leastSum goes through all joint states by counting them.
func leastSum(axes []EnergyAxis, to int, table, s []float64, states []int32) []float64 {
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

// A variable of three states, the last of them impossible, hands out to two factors: half of the sum to the first, and nothing to the second.
func TestSpread(t *testing.T) {
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
	plan := &SpreadPlan{States: 3, Belief: 15, Alive: 18, Bound: 19, Residual: -1, Rate: -1, Share: [2]int32{1, 2},
		Edges: []EnergyEdge{{In: 3, Out: 9, Divide: 2}, {In: 6, Out: 12}}}
	RunEnergies(AppendSpread(nil, plan), s, nil, nil)
	same(t, s[9:], -.5, 1.5, inf, 0, -4, inf, 3, 5, inf, 1, 6.5, 7) // sums are 3, 5 and +Inf
	plan.Residual, plan.Share = 20, [2]int32{0, 1}
	s[15], s[16], s[20] = 3+math.Ln2, 3, .25 // as numbers 1/2 and 1, and now 1 and exp(-2)
	RunEnergies(AppendSpread(nil, plan), s, nil, nil)
	same(t, s[18:], 1, 6.5, 1-math.Exp(-2))
	s[20] = .25
	s = append(s, .5)
	plan.Rate, plan.Edges[1].Divide = 21, 1
	RunEnergies(AppendSpread(nil, plan), s, nil, nil)
	same(t, s[9:15], -.25, 1.75, inf, 1, -2, inf) // halfway to 0, 2 and to 2, 0, both less their least
	if want := math.Exp(4) - 1; math.Abs(s[20]-want) > 1e-12 {
		t.Errorf("residual %v; want %v, by the message of -4 before", s[20], want)
	}
	s[0], s[1], s[2] = inf, inf, inf
	RunEnergies(AppendSpread(nil, plan), s, nil, nil)
	same(t, s[9:15], inf, inf, inf, inf, inf, inf)
	same(t, s[18:19], 0)
}

// The tape machine runs steps on energies among others.
func TestRunEnergyTape(t *testing.T) {
	s := []float64{1, .5, 0, 0}
	code := AppendNormalize(AppendEnergy(nil, 2, 2, 0, nil), 2, 2)
	RunEnergyTape(code, s, nil, nil, nil)
	same(t, s[2:], 0, 1)
}

func TestEnergy(t *testing.T) {
	s, p := []float64{1, .5, 0, 0, 0, 0}, []float64{2, math.MaxFloat64, 1}
	code := AppendEnergy(nil, 3, 3, 0, []TapeSpan{{Data: true, Len: 3}})
	RunEnergies(code, s, p, nil)
	same(t, s[3:], 2, math.Inf(1), math.Inf(1))
	RunEnergies(AppendEnergy(nil, 3, 0, -1, nil), s, p, nil)
	same(t, s[:3], 0, 0, 0)
}

// Choices go to the first of equal sums; a belief with a second best state next to the best is a tie.
func TestChoose(t *testing.T) {
	s := []float64{
		3, 1, 1, // a row that is final
		0, 1, 1, // a row
		0, 1e-8, 2, // belief
		10, 0, // value, ties
	}
	state := []int32{7, 7}
	plan := &ChoosePlan{States: 3, State: 1, Final: 1, Value: 9, Ties: 10, Belief: 6, Rows: []int{0, 3}}
	RunEnergies(AppendChoose(nil, plan), s, nil, state)
	same(t, s[9:], 11, 1)
	if state[0] != 7 || state[1] != 1 {
		t.Errorf("states %v; want the second to be 1", state)
	}
	s[7], s[10] = 1, 0
	for i := range 3 {
		s[i] = math.Inf(1)
	}
	RunEnergies(AppendChoose(nil, plan), s, nil, state)
	same(t, s[9:], math.Inf(1), 0)
	if state[1] != 0 {
		t.Errorf("state %d where all are impossible; want 0", state[1])
	}
}

// Three rounds: states without a possible completion, good states, worse states. The bound rises by 1, by 2, and by nothing.
func TestJudge(t *testing.T) {
	run := [8]int{0, 1, 2, 3, 4, 5, 6, 7}
	s := []float64{math.Inf(1), 1, 0, 0, 0, math.MaxFloat64, 0, 0}
	state := []int32{1, 2, 0, 0}
	code := AppendJudge(nil, 0, 2, 2, run)
	round := func(value, bound float64, a, b int32) {
		s[0], s[1], s[7] = value, bound, 0
		state[0], state[1] = a, b
		RunEnergies(code, s, nil, state)
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

// TestDecodingReport has a case for each status.
func TestDecodingReport(t *testing.T) {
	settled, inf := Report{Status: Converged, Iterations: 3}, math.Inf(1)
	for _, c := range []struct {
		d    Decoding
		r    Report
		want DecodeStatus
		gap  float64
	}{
		{Decoding{LogP: -2, Bound: -2 + 1e-9, Bounds: true, Ties: true}, settled, DecodeConverged, 0},
		{Decoding{LogP: -2, Bound: -2, Bounds: true}, Report{}, DecodeConverged, 0},
		{Decoding{LogP: -2, Bound: -1, Bounds: true}, Report{}, DecodeNotConverged, 1},
		{Decoding{LogP: -2, Bound: -1, Bounds: true, Ties: true}, settled, DecodeAmbiguous, 1},
		{Decoding{LogP: -2, Bound: -1, Bounds: true}, settled, DecodeNotDecodable, 1},
		{Decoding{LogP: -inf, Bound: -1, Bounds: true, Ties: true}, settled, DecodeInfeasible, inf},
		{Decoding{LogP: -2, Bound: inf}, settled, DecodeConverged, inf},
		{Decoding{LogP: -2, Bound: inf, Settles: true}, settled, DecodeConverged, 0},
		{Decoding{LogP: -2, Bound: inf, Settles: true, Ties: true}, settled, DecodeAmbiguous, 0},
		{Decoding{LogP: -2, Bound: inf, Settles: true, Slack: .1}, settled, DecodeNotDecodable, inf},
		{Decoding{LogP: -2, Bound: inf, Settles: true}, Report{}, DecodeNotConverged, inf},
		{Decoding{LogP: -inf, Bound: inf, Slack: inf}, settled, DecodeInfeasible, inf},
	} {
		if got := c.d.Report(c.r); got.Status != c.want || got.Gap != c.gap || got.Iterations != c.r.Iterations {
			t.Errorf("%+v gives %+v; want %v with a gap of %v", c.d, got, c.want, c.gap)
		}
	}
}
