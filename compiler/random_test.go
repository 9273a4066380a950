package compiler_test

import (
	"context"
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method/methodtest"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// TestRandomModels compares every kind of query, interpreted, with brute force.
func TestRandomModels(t *testing.T) {
	methodtest.Random(t, "", irtest.Cases(t, 80, 2000))
}

// TestSamples draws from random models and compares frequencies with the conditional distribution
// by a chi-square test.
func TestSamples(t *testing.T) {
	const draws = 20000
	for seed := uint64(1); seed <= 20; seed++ {
		m := irtest.RandomModel(seed, irtest.Options{MaxVars: 4, MaxStates: 3})
		e := irtest.RandomEvidence(seed, m)
		joint, err := brute.New(m)
		if err != nil {
			t.Fatal(err)
		}
		want := joint.Conditional(e)
		if math.IsInf(joint.LogProb(e), -1) {
			continue
		}
		r, err := compiler.Compile(context.Background(), m, compiler.Options{Queries: []string{"sample"}, Rows: model.RowsAsIs, Check: true})
		if err != nil {
			t.Fatal(err)
		}
		machine := eval.New(r.Program, r.Model)
		machine.Rand = pgmrt.NewRand(seed)
		must := func(err error) {
			if err != nil {
				t.Fatal(err)
			}
		}
		for v, s := range e.Hard {
			must(machine.Observe(v, s))
		}
		for v, l := range e.Soft {
			must(machine.Likelihood(v, l))
		}
		counts := make([]float64, joint.Len())
		for range draws {
			must(machine.Run(r.Program.Entry("sample")))
			state := make([]int, len(m.Vars))
			for v, s := range machine.State() {
				state[v] = int(s)
			}
			counts[joint.Index(state)]++
		}
		chi, cells := 0.0, 0
		for i, p := range want {
			if p*draws >= 5 {
				chi += (counts[i] - p*draws) * (counts[i] - p*draws) / (p * draws)
				cells++
			}
		}
		// The mean of chi-square is the degrees of freedom, and its variance is twice that. 6
		// standard deviations are one in a billion.
		if limit := float64(cells) + 6*math.Sqrt(2*float64(cells)) + 6; chi > limit {
			t.Errorf("seed %d: chi-square %.1f over %d cells; want at most %.1f", seed, chi, cells, limit)
		}
	}
}
