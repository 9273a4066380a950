package ldfm

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

// In the data set clgaussian.test of R's bnlearn, E is normal given B and D, with a mean that is
// linear in D for each state of B. No single edge represents this. The model learned from 1,000
// rows predicts E of other rows better than the best edge, that from B, but worse than least
// squares by B and D.
func TestKnownData(t *testing.T) {
	all, err := rowfile.Load(filepath.Join(irtest.Shared(t), "data", "tables", "bnlearn-clgaussian.test.csv.gz"), rowfile.CSV, rowfile.LoadOptions{Real: []string{"D", "E", "G", "H"}})
	if err != nil {
		t.Fatal(err)
	}
	const b, d, e = 1, 3, 4
	rows := func(from, to int) (list []int) {
		for i := from; i < to; i++ {
			list = append(list, i)
		}
		return list
	}
	train, test := all.Subset(rows(0, 1000)), all.Subset(rows(1000, 1040))
	var fits [3][]float64
	var counts [3]float64
	row := make([]int, len(all.Vars))
	for r := range train.Len() {
		if train.Row(r, row); fits[row[b]] == nil {
			fits[row[b]] = make([]float64, sums)
		}
		counts[row[b]]++
		note(fits[row[b]], 0, 1, train.Real(e)[r], train.Real(d)[r])
	}
	m := learnertest.Learn(t, Plain, &learner.Job{Train: train, Cores: 2}).Models[0]
	var learned, edge, both float64
	x := make([]float64, len(all.Vars))
	for r := range test.Len() {
		test.Row(r, row)
		for v := range x {
			if real := test.Real(v); real != nil { // the value of E is ignored
				x[v] = real[r]
			}
		}
		mean, _ := conditional(m, row, x, e, -20, 60)
		learned += math.Pow(mean-x[e], 2)
		edge += math.Pow(regression(model.Normal{}, counts[row[b]], fits[row[b]], false).Mean-x[e], 2)
		fit := regression(model.Normal{}, counts[row[b]], fits[row[b]], true)
		both += math.Pow(fit.Mean+fit.Slope*x[d]-x[e], 2)
	}
	n := float64(test.Len())
	learned, edge, both = math.Sqrt(learned/n), math.Sqrt(edge/n), math.Sqrt(both/n)
	if learned > .8*edge || learned < both {
		t.Errorf("an error of %v; want well below %v, that by B alone, and not below %v, that by B and D", learned, edge, both)
	}
}
