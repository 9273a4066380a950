package compiler_test

import (
	"context"
	"math"
	"runtime"
	"strconv"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestLoopRangesLeaveNothing checks that rounds over the states that evidence leaves possible
// compute the same bits as rounds over all states, whatever earlier evidence has left in tables.
func TestLoopRangesLeaveNothing(t *testing.T) {
	for _, tt := range []struct{ method, schedule string }{
		{"belief", "sequential"}, {"belief", "flooding"}, {"meanfield", "roundrobin"}, {"meanfield", "queue"},
	} {
		t.Run(tt.method+" "+tt.schedule, func(t *testing.T) {
			models := 0
			for seed := uint64(1); models < 6; seed++ {
				m := irtest.RandomModel(seed, largeTables)
				r, err := compiler.Compile(context.Background(), m, compiler.Options{Method: compiler.Named(tt.method, "schedule="+tt.schedule), Rows: model.RowsAsIs})
				if err != nil || !narrowable(r.Program) {
					continue
				}
				models++
				query := r.Program.Entries[0].Query.Name
				old, wide := eval.New(r.Program, r.Model), eval.New(r.Program, r.Model)
				wide.NoNarrowing = true
				for i := range uint64(200) {
					e := irtest.EvidenceOn(seed*1000+i, m, float64(i%5)/4, float64(i%3)/4)
					poison(old, r.Program, []float64{math.NaN(), 1e300, 3}[i%3])
					got := outcome(t, old, r.Program, query, e)
					if want := outcome(t, wide, r.Program, query, e); got != want {
						t.Fatalf("seed %d, evidence %d: %s; over all states %s", seed, i, got, want)
					}
				}
			}
		})
	}
}

// TestLoopRangesMemory checks that masks take memory for the variables that they have, and not for
// all: the program of a chain of 2,000 variables has a table for each. With room for all variables
// in each mask they took 32 MB.
func TestLoopRangesMemory(t *testing.T) {
	const n = 2000
	m := &model.Model{Kind: model.Markov}
	for v := range model.VarID(n) {
		m.NewVar("x"+strconv.Itoa(int(v)), "0", "1")
		if v > 0 {
			m.Factors = append(m.Factors, &model.Factor{Child: -1, Scope: []model.VarID{v - 1, v}, Dist: &model.Table{Values: []float64{3, 1, 1, 2}}})
		}
	}
	r, err := compiler.Compile(context.Background(), m, compiler.Options{Method: compiler.Named("cut")})
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	ir.RangesOf(r.Program, func(int, *ir.Contract, []bool) []bool { return nil })
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 8<<20 {
		t.Errorf("ranges of a chain of %d variables took %d bytes; want 8 MiB at most", n, took)
	}
}
