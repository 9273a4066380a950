package bound

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
)

// marginals returns those of a problem of sums by enumeration.
func marginals(p *Problem) [][]float64 {
	out := make([][]float64, len(p.Card))
	for v, n := range p.Card {
		out[v] = make([]float64, n)
	}
	for x := range states(p) {
		w := math.Exp(p.Value(x))
		for v, k := range x {
			out[v][k] += w
		}
	}
	for _, list := range out {
		normalize(list)
	}
	return out
}

// TestMarginalBounds compares bounds of the marginals of random problems, by regions and by
// clamping with boxes of every size, with enumeration.
func TestMarginalBounds(t *testing.T) {
	tight, open := 0, 0
	for _, seed := range irtest.Cases(t, 60, 1000) {
		up, down, z := bounded(t, seed, 2)
		if math.IsInf(z, -1) {
			continue
		}
		want := marginals(up.Problem)
		for name, list := range map[string][][]Bound{
			"regions": byRegions(up.Problem),
			"clamps":  byClamps(up, down, newRefiner(newPseudo(up.tree), up, down).run(t.Context(), 4)),
			"search":  bySearch(t, up, down, 10),
			"all":     bySearch(t, up, down, 1<<20),
		} {
			for v, p := range want {
				for k, x := range p {
					b := list[v][k]
					if x < b.Lower-1e-13 || x > b.Upper+1e-13 || b.Lower < -1e-9 || b.Upper > 1+1e-9 {
						t.Fatalf("seed %d, %s: state %d of %d has probability %v; the bounds are %+v", seed, name, k, v, x, b)
					}
					switch {
					case b.Upper-b.Lower < 1e-6:
						tight++
					case b.Upper-b.Lower < .9:
						open++
					}
				}
			}
		}
	}
	if tight < 100 || open < 100 {
		t.Errorf("%d bounds are tight and %d hold something; want 100 of each", tight, open)
	}
}

func byRegions(p *Problem) [][]Bound {
	out := p.anything()
	newRegions(p, never).propagate(out, never)
	return out
}

func bySearch(t *testing.T, up, down *elimination, nodes int) [][]Bound {
	out := up.anything()
	r := newRefiner(newPseudo(up.tree), up, down)
	at := r.run(t.Context(), nodes)
	r.tightenMarginals(out, at.Upper)
	for _, v := range r.sequence {
		if at.Exact && out[v][0].Upper-out[v][0].Lower > 1e-9 {
			t.Errorf("variable %d has bounds %+v after a whole search", v, out[v])
		}
	}
	return out
}

func byClamps(up, down *elimination, of Interval) [][]Bound {
	value, dead := up.value, slices.Clone(up.evidence[0])
	sums := clamps(up, down, true, never)
	if up.value != value || !slices.Equal(up.evidence[0], dead) {
		panic("clamps left a trace")
	}
	out := make([][]Bound, len(up.Card))
	for v, n := range up.Card {
		out[v] = slices.Repeat([]Bound{{0, 1}}, n)
		if sums[v] != nil {
			clampToBounds(out[v], sums[v], of.Lower, of.Upper)
		}
	}
	return out
}

// TestRegionsSmall makes regions that do not reach the whole of a problem, with bounds that
// propagate from the ends of a chain.
func TestRegionsSmall(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	p := &Problem{}
	const side = 6
	for range side * side {
		p.Card, p.Max = append(p.Card, 2), append(p.Max, false)
	}
	for i := range side * side {
		for _, j := range []int{i + 1, i + side} {
			if j < side*side && (j == i+side || j%side > 0) {
				w := rng.NormFloat64() / 2
				p.Factors = append(p.Factors, Factor{Scope: []int{i, j}, Log: []float64{w, 0, 0, w}})
			}
		}
		p.Factors = append(p.Factors, Factor{Scope: []int{i}, Log: []float64{0, rng.NormFloat64()}})
	}
	order := rng.Perm(len(p.Card))
	slices.Sort(order)
	exact := newTree(p, order, 1e9)
	exact.fill()
	e := newElimination(exact, upper)
	e.forward()
	want := e.beliefs()
	wide := 0.0
	for v, list := range byRegions(p) {
		for k, b := range list {
			if want[v][k] < b.Lower || want[v][k] > b.Upper {
				t.Errorf("state %d of %d has probability %v; the bounds are %+v", k, v, want[v][k], b)
			}
			wide = max(wide, b.Upper-b.Lower)
		}
	}
	if wide > .2 || wide == 0 {
		t.Errorf("the widest bound is %v; want at most .2, and regions that end", wide)
	}
}
