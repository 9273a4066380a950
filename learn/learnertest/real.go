package learnertest

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data"
)

// realSets returns small sets with real variables, and with discrete ones too if mixed is set, each
// with one awkward property. The last variable of the mixed ones is discrete, as a class must be.
func realSets(t *testing.T, mixed bool) []named {
	rng := rand.New(rand.NewPCG(8, 4))
	vars := []data.Var{{Name: "u", Real: true}, {Name: "v", Real: true}, {Name: "w", Real: true}, {Name: "z", Real: true}}
	var rows [][]float64
	var weights []float64
	for range 60 {
		a := float64(rng.IntN(2))
		u := 100 + rng.NormFloat64()
		v := 2*u + 5*a + rng.NormFloat64()
		row := []float64{u, v, -v + rng.NormFloat64(), rng.NormFloat64()}
		if mixed {
			row[3] = a
		}
		rows, weights = append(rows, row), append(weights, 0.5+rng.Float64())
	}
	if mixed {
		vars[3] = Vars("z", 2)[0]
	}
	constant, sum, missing, equal, double := changeReal(rows), changeReal(rows), changeReal(rows), changeReal(rows), changeReal(rows)
	for i := range rows {
		constant[i][1], sum[i][2] = 7, rows[i][0]+rows[i][1]
		missing[i][rng.IntN(4)] = math.NaN()
		equal[i], double[i][1] = rows[0], rows[i][0]
	}
	make := func(rows [][]float64, weights []float64) *data.Set {
		s, err := data.NewReal(vars, rows, weights)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	list := []named{
		{"real rows", make(rows, nil)},
		{"real weights", make(rows, weights)},
		{"real constant column", make(constant, nil)},
		{"real column that is a sum", make(sum, nil)},
		{"one real row", make(rows[:1], nil)},
		{"two real rows", make(rows[:2], nil)},
		{"missing real values", make(missing, nil)},
		{"equal real rows", make(equal, nil)},
		{"duplicate real column", make(double, nil)},
	}
	for i := range list {
		if mixed {
			list[i].name = "mixed, " + list[i].name
		}
	}
	return list
}

func changeReal(rows [][]float64) [][]float64 {
	out := make([][]float64, len(rows))
	for i, r := range rows {
		out[i] = append([]float64(nil), r...)
	}
	return out
}
