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
	crps    float64
	pit     [confidenceBins]float64 // the weights of rows
}

// newValues returns the measures of a variable.
func newValues(name string) *Values { return &Values{name: name} }

// Add adds a row: the mean and the variance of the posterior, the true value, and the weight of the
// row.
func (v *Values) Add(posterior []float64, truth, weight float64) {
	v.rows++
	v.weight += weight
	v.squares += weight * (posterior[0] - truth) * (posterior[0] - truth)
	v.loss -= weight * logDensity(posterior, truth)
	v.crps += weight * CRPS(posterior, truth)
	v.pit[min(confidenceBins-1, int(below(posterior, truth)*confidenceBins))] += weight
}

// Report returns the measures of the rows so far.
func (v *Values) Report() PredictionReport {
	r := PredictionReport{Name: v.name, Rows: v.rows, Weight: v.weight, Real: true}
	if v.weight > 0 {
		rmse := math.Sqrt(v.squares / v.weight)
		crps := v.crps / v.weight
		r.RMSE, r.CRPS, r.LogLoss = &rmse, &crps, v.loss/v.weight
		for _, w := range v.pit {
			r.PIT = append(r.PIT, w/v.weight)
		}
	}
	return r
}

// below returns the probability of values below x under the normal distribution with the mean and
// the variance of a posterior; a half at the mean of one without variance.
func below(posterior []float64, x float64) float64 {
	apart := x - posterior[0]
	if apart == 0 {
		return .5
	}
	return math.Erfc(-apart/math.Sqrt(2*posterior[1])) / 2
}

// CRPS returns the continuous ranked probability score of x under the normal distribution with the
// mean and the variance of a posterior: the integral of the squared difference of its distribution
// function and the certain value x's, in units of x. Lower is better; without variance it is the
// absolute error.
//
// Source: Gneiting and Raftery 2007, "Strictly proper scoring rules, prediction, and estimation",
// equation 21.
func CRPS(posterior []float64, x float64) float64 {
	apart, sd := math.Abs(x-posterior[0]), math.Sqrt(posterior[1])
	if sd == 0 {
		return apart
	}
	z := apart / sd
	return sd * (z*math.Erf(z/math.Sqrt2) + math.Sqrt(2/math.Pi)*math.Exp(-z*z/2) - 1/math.Sqrt(math.Pi))
}

// Interval returns the bounds between which the normal distribution with the mean and the variance
// of a posterior has the given probability, as much above as below.
func Interval(posterior []float64, probability float64) (low, high float64) {
	far := math.Sqrt(2*posterior[1]) * math.Erfinv(probability)
	return posterior[0] - far, posterior[0] + far
}

// logDensity returns ln of the density of x under the normal distribution with the mean and the
// variance of a posterior. Variances are raised to the least that a model may have.
func logDensity(posterior []float64, x float64) float64 {
	return model.Normal{Mean: posterior[0], Var: max(posterior[1], 1/model.MaxReal)}.LogDensity(x, 0)
}
