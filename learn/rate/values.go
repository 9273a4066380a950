package rate

import (
	"math"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Values measures the posteriors of one real variable on rows in which it is observed.
type Values struct {
	name    string
	rows    int
	weight  float64
	squares float64
	loss    float64 // sum of minus the log density of the true values
}

// NewValues returns the measures of a variable.
func NewValues(name string) *Values { return &Values{name: name} }

// Add adds a row: the mean and the variance of the posterior, the true value, and the weight of the
// row.
func (v *Values) Add(posterior []float64, truth, weight float64) {
	v.rows++
	v.weight += weight
	v.squares += weight * (posterior[0] - truth) * (posterior[0] - truth)
	v.loss -= weight * LogDensity(posterior, truth)
}

// Report returns the measures of the rows so far.
func (v *Values) Report() PredictionReport {
	r := PredictionReport{Name: v.name, Rows: v.rows, Weight: v.weight, Real: true}
	if v.weight > 0 {
		rmse := math.Sqrt(v.squares / v.weight)
		r.RMSE, r.LogLoss = &rmse, v.loss/v.weight
	}
	return r
}

// LogDensity returns ln of the density of x under the normal distribution with the mean and the
// variance of a posterior. Variances are raised to the least that a model may have.
func LogDensity(posterior []float64, x float64) float64 {
	return model.Normal{Mean: posterior[0], Var: max(posterior[1], 1/model.MaxReal)}.LogDensity(x, 0)
}
