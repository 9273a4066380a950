package ldfm_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// BenchmarkSweep times a sweep of each sampler for n variables of four states. Of the weights below
// states all are positive, or about one in twenty. Divided by the number of states, the ratio of
// determinant to gibbs is what the Schur form saves per state.
func BenchmarkSweep(b *testing.B) {
	for _, n := range []int{20, 40, 76} {
		for _, zeros := range []float64{0, .95} {
			m := fourStates(uint64(n), n, zeros)
			for _, sampler := range []string{"tree", "gibbs", "determinant"} {
				b.Run(fmt.Sprintf("%d/zeros%v/%s", n, zeros, sampler), func(b *testing.B) {
					machine, program := compiled(b, m, "sampler="+sampler, "chains=1", "iterations=20", "burn-in=0")
					for b.Loop() {
						if _, err := machine.RunChain(context.Background(), &program.Entries[0], pgmrt.ChainOptions{}); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(20*b.N), "us/sweep")
				})
			}
		}
	}
}

// fourStates returns a random model with the weights of RandomForest and variables of four states.
func fourStates(seed uint64, n int, zeros float64) *model.Model {
	m := irtest.RandomForest(seed, n, 1, false, 0)
	for _, v := range m.Vars {
		v.Domain = model.Discrete{States: []string{"a", "b", "c", "d"}}
	}
	irtest.RandomWeights(seed, m, zeros)
	return m
}
