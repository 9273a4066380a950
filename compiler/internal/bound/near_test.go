package bound

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// nearTies returns a random Markov network with few different numbers, from 1e-300 to 1, and
// relative differences of 1e-13 to 1e-9 between some of them.
func nearTies(rng *rand.Rand) *model.Model {
	m := &model.Model{Kind: model.Markov}
	n := 3 + rng.IntN(4)
	for v := range n {
		m.NewVar(string(rune('a'+v)), []string{"x", "y", "z"}[:2+rng.IntN(2)]...)
	}
	for range n + rng.IntN(n) {
		f := &model.Factor{Child: -1}
		size := 1
		for _, v := range rng.Perm(n)[:1+rng.IntN(3)] {
			f.Scope = append(f.Scope, model.VarID(v))
			size *= m.Card(model.VarID(v))
		}
		values := make([]float64, size)
		for i := range values {
			values[i] = []float64{1, 1, .1, .3, 1e-30, 1e-150}[rng.IntN(6)]
			if rng.IntN(3) == 0 {
				values[i] *= 1 + float64(rng.IntN(3))*math.Pow10(-9-rng.IntN(5))
			}
		}
		f.Dist = &model.Table{Values: values}
		m.Factors = append(m.Factors, f)
	}
	return m
}

// TestNear compares best states of networks with near ties with enumeration by exact sums: what is
// proven is best, in its order, and other answers are within the slack that they state. Logarithms
// are those of the states.
func TestNear(t *testing.T) {
	proven, open := 0, 0
	for seed := range irtest.Count(t, 300, 5000) {
		rng := rand.New(rand.NewPCG(uint64(seed), 11))
		m := nearTies(rng)
		p, opt := &Problem{Max: make([]bool, len(m.Vars))}, Options{MaxMem: 1 << (10 + rng.IntN(12)), Keep: 1 + rng.IntN(3)}
		mixed := rng.IntN(3) == 0
		for v := range m.Vars {
			p.Card = append(p.Card, m.Card(model.VarID(v)))
			p.Max[v] = !mixed || rng.IntN(3) > 0
		}
		if mixed {
			opt.Keep = 1
		}
		var all []contender
		for x := range states(p) {
			if !slices.ContainsFunc(all, func(c contender) bool { return slices.Equal(p.maxima(c.states), p.maxima(x)) }) {
				x := slices.Clone(x)
				all = append(all, contender{x, p.exactly(m, x)})
			}
		}
		slices.SortStableFunc(all, func(a, b contender) int { return b.value.Cmp(a.value) })
		f, err := Best(context.Background(), m, p.Max, opt)
		if err != nil {
			t.Fatal(err)
		}
		got := append([]Assignment{{f.States, f.Value}}, f.More...)
		if len(got) != min(opt.Keep, len(all)) {
			t.Fatalf("seed %d: %d states; want %d", seed, len(got), opt.Keep)
		}
		for i, x := range got {
			own := contender{value: p.exactly(m, slices.Clone(x.States))}
			if log := own.log(); math.Abs(x.Value-log) > 1e-14*(1+math.Abs(log)) {
				t.Errorf("seed %d: the logarithm of %v is %v; want %v", seed, x.States, x.Value, log)
			}
			if f.Proven && !slices.Equal(p.maxima(x.States), p.maxima(all[i].states)) {
				t.Errorf("seed %d: number %d is %v; want %v", seed, i, x.States, all[i].states)
			}
		}
		if f.Proven {
			proven++
			continue
		}
		open++
		ratio, _ := new(big.Float).Quo(all[0].value, p.exactly(m, f.States)).Float64()
		if gap := f.Bound - f.Value; gap <= 0 || gap > 1e-10 || math.Log(ratio) > gap {
			t.Errorf("seed %d: a gap of %v; the best is better by %v", seed, gap, math.Log(ratio))
		}
	}
	if proven < 100 {
		t.Errorf("%d answers were proven, %d not", proven, open)
	}
}

// maxima returns the states of the variables that are maximised.
func (p *Problem) maxima(states []int) (out []int) {
	for v, k := range states {
		if p.Max[v] {
			out = append(out, k)
		}
	}
	return out
}
