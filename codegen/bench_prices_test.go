package codegen_test

import (
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/codegen/backendtest"
)

// BenchmarkPrices reports the measured time of messages of clique trees as a multiple of the time
// that each back-end predicts for them: the median and the quartiles. It says which group of prices
// in package price no longer fits the machine at hand.
func BenchmarkPrices(b *testing.B) {
	for _, backend := range codegen.Backends {
		b.Run(backend.Name, func(b *testing.B) {
			cases := backendtest.Possible(backend, backendtest.Messages())
			var ratios []float64
			for b.Loop() {
				ratios = ratios[:0]
				for i, ns := range backendtest.Time(b, backend, cases) {
					p := cases[i].Program
					ratios = append(ratios, ns/backend.Cost(p, &p.Blocks[0]).NS)
				}
			}
			slices.Sort(ratios)
			for k, name := range []string{"least", "quartile", "median", "3rd-quartile", "most"} {
				b.ReportMetric(ratios[k*(len(ratios)-1)/4], name)
			}
		})
	}
}
