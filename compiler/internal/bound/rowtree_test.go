package bound

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/pgmc-go/pgmc/ir/model"
)

// sparseProblem returns a product of tables over a few variables, of which many numbers are zero.
func sparseProblem(rng *rand.Rand) *Problem {
	p := &Problem{}
	n := 4 + rng.IntN(7)
	for range n {
		p.Card = append(p.Card, 2+rng.IntN(2))
	}
	p.Max = make([]bool, n)
	for range n + rng.IntN(n) {
		f := Factor{Scope: rng.Perm(n)[:1+rng.IntN(3)]}
		size := 1
		for _, v := range f.Scope {
			size *= p.Card[v]
		}
		for range size {
			x := 2 * rng.NormFloat64()
			if rng.IntN(3) == 0 {
				x = math.Inf(-1)
			}
			f.Log = append(f.Log, x)
		}
		p.Factors = append(p.Factors, f)
	}
	return p
}

// lnSum returns ln of the sum of p over all joint states.
func lnSum(p *Problem) float64 {
	x, sum := make([]int, len(p.Card)), 0.0
	for {
		sum += math.Exp(p.Value(x))
		v := len(x) - 1
		for ; v >= 0; v-- {
			if x[v]++; x[v] < p.Card[v] {
				break
			}
			x[v] = 0
		}
		if v < 0 {
			return math.Log(sum)
		}
	}
}

// TestRows compares bounds by lists of rows with enumeration: without a split bucket they are the
// sum, and with boxes of few rows they are above it, before and after every round, which tighten
// them.
func TestRows(t *testing.T) {
	never := func() bool { return false }
	exact, split, tighter, half := 0, 0, 0, 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 9))
		p := sparseProblem(rng)
		want, order := lnSum(p), rng.Perm(len(p.Card))
		if r := newRowTree(p, order, 1<<20, 1<<20, never); r != nil {
			e := newRowElimination(r)
			if e.forward(); math.Abs(e.value-want) > 1e-9 {
				t.Fatalf("seed %d: %v by one box for each variable; enumeration says %v", seed, e.value, want)
			}
			exact++
		} else if !math.IsInf(want, -1) {
			t.Fatalf("seed %d: a product without rows; enumeration says %v", seed, want)
		}
		r := newRowTree(p, order, 4, 1<<20, never)
		if r == nil || !r.splits() || math.IsInf(want, -1) {
			continue
		}
		e := newRowElimination(r)
		e.forward()
		first := e.value
		for range 20 {
			if e.improve(1, never); e.value < want-1e-9 {
				t.Fatalf("seed %d: a bound of %v; enumeration says %v", seed, e.value, want)
			}
		}
		split++
		if e.value < first-1e-9 {
			tighter++
		}
		if e.value-want < .5*(first-want) {
			half++
		}
	}
	if exact < 100 || split < 60 || tighter < split*9/10 || half < split/2 {
		t.Errorf("%d exact, of %d split %d tighter, %d by half; want 100, 60, nine tenths, half", exact, split, tighter, half)
	}
}

// TestRowsExact asks for the sum over a grid in which neighbours agree, with little memory: tables
// split its buckets, but two rows suffice for any box.
func TestRowsExact(t *testing.T) {
	const side = 9
	m := &model.Model{Kind: model.Markov}
	for i := range side * side {
		m.NewVar(fmt.Sprint(i), "0", "1")
	}
	edges := 0.0
	pair := func(a, b int) {
		edges++
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{model.VarID(a), model.VarID(b)}, Child: -1,
			Dist: &model.Table{Values: []float64{1, 0, 0, 2}}})
	}
	for i := range side * side {
		if i%side > 0 {
			pair(i-1, i)
		}
		if i >= side {
			pair(i-side, i)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	opt := Options{MaxMem: 1 << 17, Each: true}
	a := newQuery(ctx, opt)
	whole, err := a.tree(m, make([]bool, len(m.Vars)))
	if err != nil {
		t.Fatal(err)
	}
	want := edges*math.Ln2 + math.Log1p(math.Exp2(-edges))
	r := planRows(whole.Problem, whole.order, 1<<10, func() bool { return false })
	e := newRowElimination(r)
	e.forward()
	if !whole.splits() || !whole.manyZeros() || r.splits() || math.Abs(e.value-want) > 1e-9 {
		t.Fatalf("tables split: %v, many zeros: %v, rows split: %v with %v; want true, true, false with %v",
			whole.splits(), whole.manyZeros(), r.splits(), e.value, want)
	}
	got, err := Sum(ctx, m, opt)
	if err != nil {
		t.Fatal(err)
	}
	if got.Upper < want-1e-9 || got.Lower > want+1e-9 {
		t.Errorf("[%v, %v]; want an interval that holds %v", got.Lower, got.Upper, want)
	}
}

// TestRowMemory compares the memory of lists of rows and their elimination with what they are
// counted as, and asks how many rows fit beside tables.
func TestRowMemory(t *testing.T) {
	const n = 60
	rng := rand.New(rand.NewPCG(1, 10))
	p := &Problem{Max: make([]bool, n)}
	for range n {
		p.Card = append(p.Card, 3)
	}
	for range 2 * n {
		f := Factor{Scope: rng.Perm(n)[:3]}
		for range 27 {
			f.Log = append(f.Log, math.Log(float64(rng.IntN(3))))
		}
		p.Factors = append(p.Factors, f)
	}
	heap := func() int {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	before := heap()
	r := newRowTree(p, rng.Perm(n), 1<<13, 1<<20, func() bool { return false })
	e := newRowElimination(r)
	used := heap() - before
	if r.rows < 1<<16 || used > bytesARow*r.rows {
		t.Errorf("%d rows take %d bytes; want %d rows and at most %d bytes a row", r.rows, used, 1<<16, bytesARow)
	}
	runtime.KeepAlive(e)

	a := newQuery(t.Context(), Options{MaxMem: 1 << 24})
	whole := newTree(p, rng.Perm(n), 1<<10)
	if most := a.rowBudget(whole); float64(most)*bytesARow+whole.total*bytesANumber > 1<<23 || most < 1<<10 {
		t.Errorf("%d rows beside %v numbers; want no more than half of %d bytes", most, whole.total, 1<<24)
	}
	if whole.total = 1 << 20; a.rowBudget(whole) != 0 {
		t.Errorf("%d rows beside tables that fill the memory", a.rowBudget(whole))
	}
}

// TestRowsFree adds a variable that no factor has, and so no box: rounds with momentum leave it
// out, and the bound holds.
func TestRowsFree(t *testing.T) {
	never := func() bool { return false }
	split := 0
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 9))
		p := sparseProblem(rng)
		p.Card, p.Max = append(p.Card, 2), append(p.Max, false)
		want := lnSum(p)
		r := newRowTree(p, rng.Perm(len(p.Card)), 4, 1<<20, never)
		if r == nil || !r.splits() || math.IsInf(want, -1) {
			continue
		}
		split++
		e := newRowElimination(r)
		e.momentum = true
		if e.improve(10, never); e.value < want-1e-9 {
			t.Fatalf("seed %d: a bound of %v; enumeration says %v", seed, e.value, want)
		}
	}
	if split < 10 {
		t.Errorf("%d are split; want 10", split)
	}
}
