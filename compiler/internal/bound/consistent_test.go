package bound

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// modelOf returns p as a model.
func modelOf(p *Problem) *model.Model {
	m := &model.Model{}
	for v, n := range p.Card {
		var d model.Discrete
		for k := range n {
			d.States = append(d.States, strconv.Itoa(k))
		}
		m.Vars = append(m.Vars, &model.Var{ID: model.VarID(v), Name: "x" + strconv.Itoa(v), Domain: d})
	}
	for i := range p.Factors {
		f := &model.Factor{Child: -1}
		for _, v := range p.Factors[i].Scope {
			f.Scope = append(f.Scope, model.VarID(v))
		}
		var values []float64
		for _, x := range p.Factors[i].Log {
			values = append(values, math.Exp(x))
		}
		f.Dist = &model.Table{Values: values}
		m.Factors = append(m.Factors, f)
	}
	return m
}

// TestBest compares [Best] with enumeration on random problems with zeros and ties, without a
// deadline on one core and on two, which is the same in all, and with one. If very many states tie,
// the bound allows for rounding.
func TestBest(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, seed := range irtest.Cases(t, 50, 1000) {
		rng := rand.New(rand.NewPCG(seed, 11))
		p := random(rng, 1)
		m := modelOf(p)
		want, best := enumerate(p)
		var before *Incumbent
		for i, cores := range []int{1, 2, 2} {
			runtime.GOMAXPROCS(cores)
			ctx, cancel := context.WithCancel(context.Background())
			if i == 2 {
				ctx, cancel = context.WithTimeout(ctx, time.Minute)
			}
			f, err := Best(ctx, m, p.Max, Options{MaxMem: 1 << 9})
			cancel()
			if err != nil {
				t.Fatal(err)
			}
			if !f.Proven && (!f.Near || f.Bound-f.Value > 1e-11) || f.Value != want && math.Abs(f.Value-want) > 1e-9 || want > math.Inf(-1) && !slices.Equal(f.States, best) {
				t.Fatalf("seed %d, run %d: %+v; want %v with %v", seed, i, f, best, want)
			}
			if i == 1 && !reflect.DeepEqual(f, before) {
				t.Fatalf("seed %d: %+v on two cores; %+v on one", seed, f, before)
			}
			before = f
		}
	}
}

// TestConsistentStops gives the search a few nodes: what it says then holds, and the next search
// begins with it.
func TestConsistentStops(t *testing.T) {
	open := 0
	for _, seed := range irtest.Cases(t, 30, 300) {
		rng := rand.New(rand.NewPCG(seed, 12))
		p := random(rng, 1)
		want, _ := enumerate(p)
		c := newConsistent(p, func() bool { return false })
		c.offer(&Incumbent{States: make([]int, len(p.Card)), Value: p.Value(make([]int, len(p.Card)))})
		c.run(1+rng.IntN(3), math.MaxInt)
		f := c.best()
		if f.Bound < want-1e-9 || f.Value > want+1e-9 || f.States != nil && p.Value(f.States) != f.Value {
			t.Fatalf("seed %d: %+v; want %v", seed, f, want)
		}
		if !f.Proven {
			open++
		}
	}
	if open == 0 {
		t.Error("every search came to its end")
	}
}
