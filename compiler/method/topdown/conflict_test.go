package topdown

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// formula is a random formula: two halves of variables, each nearly or over-constrained, with few
// constraints between them, so that halves without a solution stand beside others.
type formula struct {
	cards  []int
	scopes [][]int32
	zeros  [][]int // by factor: the rows that are not possible
	weight [][]float64
}

func newFormula(rng *rand.Rand) *formula {
	f := &formula{}
	half := 5 + rng.IntN(3)
	for range 2 * half {
		n := 2
		if rng.IntN(6) == 0 {
			n = 3
		}
		f.cards = append(f.cards, n)
		w := make([]float64, n)
		for k := range w {
			w[k] = .25 + rng.Float64()
		}
		f.weight = append(f.weight, w)
	}
	dense := 2.5 + 2*rng.Float64()
	for i := range int(dense * float64(2*half)) {
		vars := rng.Perm(half)[:3-rng.IntN(8)/7]
		for k := range vars {
			if i%2 == 1 || i%10 == 0 && k == 0 {
				vars[k] += half
			}
		}
		rows := 1
		var scope []int32
		for _, v := range vars {
			scope, rows = append(scope, int32(v)), rows*f.cards[v]
		}
		f.scopes, f.zeros = append(f.scopes, scope), append(f.zeros, rng.Perm(rows)[:1+rng.IntN(2)])
	}
	return f
}

// search returns the search over the formula.
func (f *formula) search() *search {
	s := newSearch(f.cards)
	for i, scope := range f.scopes {
		rows := 1
		for _, v := range scope {
			rows *= f.cards[v]
		}
		symbols := slices.Repeat([]int32{1}, rows)
		for _, r := range f.zeros[i] {
			symbols[r] = zero
		}
		s.add(scope, symbols)
	}
	return s
}

// begin prepares a search; simplified for every fourth seed.
func (f *formula) begin(e *encoded, seed uint64) bool {
	if seed%4 == 1 {
		return e.begin(1 << 20)
	}
	if !e.reduce() {
		return false
	}
	e.setRoot()
	e.certain = e.fixed
	return true
}

// each calls visit for each solution.
func (f *formula) each(visit func(state []int)) {
	state := make([]int, len(f.cards))
	for more := true; more; {
		ok := true
		for i, scope := range f.scopes {
			at := 0
			for _, v := range scope {
				at = at*f.cards[v] + state[v]
			}
			ok = ok && !slices.Contains(f.zeros[i], at)
		}
		if ok {
			visit(state)
		}
		more = false
		for v := len(state) - 1; v >= 0 && !more; v-- {
			if state[v]++; state[v] < f.cards[v] {
				more = true
			} else {
				state[v] = 0
			}
		}
	}
}

// value evaluates a circuit, with the weights in place of indicators.
func (f *formula) value(c *model.Circuit) float64 {
	value := make([]float64, len(c.Nodes))
	for i, n := range c.Nodes {
		switch n.Op {
		case model.CircuitNumber:
			value[i] = n.Value
		case model.CircuitIndicator:
			value[i] = f.weight[n.Axis][n.State]
		case model.CircuitSum:
			for _, a := range n.Args {
				value[i] += value[a]
			}
		default:
			value[i] = 1
			for _, a := range n.Args {
				value[i] *= value[a]
			}
		}
	}
	return value[len(value)-1]
}

// TestLearn compiles random formulas, by both ways to branch and with a cache that overflows or
// not. The circuit has the weight of all solutions, and each has a pair of each learned clause.
func TestLearn(t *testing.T) {
	learned, zeros := 0, 0
	for _, seed := range irtest.Cases(t, 300, 3000) {
		rng := rand.New(rand.NewPCG(seed, 3))
		f := newFormula(rng)
		e := &encoded{search: f.search(), numbers: []float64{0, 1}}
		if !f.begin(e, seed) {
			continue
		}
		l := limits{nodes: 1 << 30, tables: 1 << 30, cache: 1 << 30, steps: 1 << 40}
		if seed%3 == 0 {
			l.cache = 2000
		}
		e.maxClauses = 8 // clauses are forgotten
		by := heuristic{rank: make([]int32, len(f.cards)), weight: make([]float64, len(f.cards)), strict: seed%4 == 3}
		for i, v := range rng.Perm(len(f.cards)) {
			by.rank[v], by.weight[v] = int32(i), float64(seed%2)*10*rng.Float64()
		}
		c := newCompiler(t.Context(), e, by, make([]bool, len(f.cards)), l)
		if err := c.run(); err != nil {
			t.Fatal(err)
		}
		want := 0.0
		f.each(func(state []int) {
			x := 1.0
			for v, k := range state {
				x *= f.weight[v][k]
			}
			want += x
			for _, y := range c.learned {
				if y.pairs != nil && !slices.ContainsFunc(y.pairs, func(p int32) bool { return int32(state[c.varOf[p]]) == p-c.base[c.varOf[p]] }) {
					t.Fatalf("seed %d: the solution %v has no pair of clause %v", seed, state, y.pairs)
				}
			}
		})
		if got := f.value(c.out.circuit(c.root, e.numbers)); math.Abs(got-want) > 1e-12*want {
			t.Errorf("seed %d: %v; want %v", seed, got, want)
		}
		learned += c.conflicts
		zeros += c.dropped
	}
	if learned < 500 || zeros < 10 {
		t.Errorf("%d conflicts, %d components taken back; want more", learned, zeros)
	}
}
