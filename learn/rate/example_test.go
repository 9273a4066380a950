package rate_test

import (
	"fmt"
	"log"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// garden is a network of rain and a wet lawn.
func garden() *model.Model {
	m := &model.Model{Name: "garden"}
	rain, wet := m.NewVar("rain", "no", "yes"), m.NewVar("wet", "no", "yes")
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{rain.ID}, Dist: &model.Table{Values: []float64{0.6, 0.4}}},
		{Scope: []model.VarID{rain.ID, wet.ID}, Child: 1, Dist: &model.Table{Values: []float64{0.8, 0.2, 0.1, 0.9}}},
	}
	return m
}

// Rate rows by their log-likelihood and pseudo-log-likelihood.
func ExampleRows() {
	rows, err := rate.NewRows(garden())
	if err != nil {
		log.Fatal(err)
	}
	var ll, pll rate.Mean
	for _, row := range [][]int{{0, 0}, {0, 0}, {1, 1}, {1, 0}} {
		ll.Add(rows.Log(row), 1)
		pll.Add(rows.Pseudo(row), 1)
	}
	fmt.Printf("LL %.4f ± %.4f, PLL %.4f\n", ll.Value, ll.StdErr(), pll.Value)
	// Output:
	// LL -1.4271 ± 0.6011, PLL -1.4667
}

// Compare a learned structure with the true one: both give the parents of each variable.
func ExampleCompareStructures() {
	truth := [][]int{{}, {}, {0, 1}}
	learned := [][]int{{}, {0}, {1}}
	d := rate.CompareStructures(truth, learned)
	fmt.Println("SHD", d.SHD, "missing", d.Missing, "extra", d.Extra)
	// Output:
	// SHD 3 missing 1 extra 1
}

// Which of two models rates rows better: Student's paired t-test.
func ExamplePaired() {
	mean, p := rate.Paired([]float64{-1.0, -1.2, -0.9, -1.1}, []float64{-1.3, -1.4, -1.3, -1.2})
	fmt.Printf("%.3f nats a row, p %.3f\n", mean, p)
	// Output:
	// 0.250 nats a row, p 0.030
}
