package mle_test

import (
	"fmt"
	"log"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/mle"
)

// The posterior mean of the probability of rain, with one pseudo-count of each state.
func Example() {
	m := &model.Model{Name: "garden"}
	rain := m.NewVar("rain", "no", "yes")
	m.Factors = []*model.Factor{{Scope: []model.VarID{rain.ID}, Dist: &model.Table{Values: []float64{0.5, 0.5}}}}
	est, err := mle.New(m, mle.Options{Prior: mle.Prior{Kind: mle.Each, Size: 1}})
	if err != nil {
		log.Fatal(err)
	}
	days := garden()
	column, err := mle.Columns(m, days.Vars[:1])
	if err != nil {
		log.Fatal(err)
	}
	counts, _, err := est.Count(days, column)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.4f\n", est.Fit(counts, m).Factors[0].Dist.(*model.Table).Values)
	// Output:
	// [0.5980 0.4020]
}

// Five wards with their own share of three outcomes: the prior that the wards share, and the share
// of the first one drawn to it.
func ExampleLearnDirichlet() {
	wards := [][]float64{{8, 1, 0}, {1, 6, 2}, {5, 0, 4}, {0, 3, 7}, {6, 2, 1}}
	d := mle.LearnDirichlet(wards)
	fmt.Printf("%.4f, %.3f rows, ln P %.4f\n", d.Alpha, d.Size(), d.LogML)
	fmt.Printf("%.3f in place of %.3f\n", (8+d.Alpha[0])/(9+d.Size()), 8./9)
	// Output:
	// [0.9758 0.7316 0.7807], 2.488 rows, ln P -42.9086
	// 0.781 in place of 0.889
}

// The belief in a mean of 1, worth two rows, after the rows 1, 2 and 6, and the density of a
// further row, which is not normal.
func ExampleNormalGamma_Posterior() {
	prior := mle.NormalGamma{Mean: 1, Strength: 2, Shape: 3, Scale: 4}
	rows := data.Moment{Weight: 3, Mean: []float64{3}, Cross: []float64{14}} // the sum of squares from the mean
	p := prior.Posterior(&rows, &rows)
	fmt.Printf("mean %.2f, variance %.3f\n", p.Mean, p.Variance(false))
	t := p.Predictive()
	fmt.Printf("Student's t at %.2f, scale %.3f, %v degrees of freedom: ln density of 9 is %.3f\n", t.Mu, t.Sigma, t.Nu, t.LogProb(9))
	// Output:
	// mean 2.20, variance 3.829
	// Student's t at 2.20, scale 1.890, 9 degrees of freedom: ln density of 9 is -6.039
}

// garden returns 100 days: the sprinkler is off when it rains, and either makes the lawn wet.
func garden() *data.Set {
	states := []string{"no", "yes"}
	vars := []data.Var{{Name: "rain", States: states}, {Name: "sprinkler", States: states}, {Name: "wet", States: states}}
	rows := [][]int{{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {0, 1, 1}, {1, 0, 0}, {1, 0, 1}, {1, 1, 0}, {1, 1, 1}}
	days, err := data.New(vars, rows, []float64{30, 2, 4, 24, 4, 30, 1, 5})
	if err != nil {
		log.Fatal(err)
	}
	return days
}
