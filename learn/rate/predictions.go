package rate

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/integrate"
	"gonum.org/v1/gonum/stat"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// maxRanks is the most distinct posteriors for which Predictions computes the area under the ROC
// curve. It bounds the memory.
const maxRanks = 1 << 20

// Predictions measures the posteriors of one discrete variable on rows in which it is observed.
// Add adds a row, and Report returns the measures.
type Predictions struct {
	name      string
	states    []string
	rows      int
	weight    float64
	correct   float64
	loss      float64     // the sum of -ln P(truth)
	zero      int         // rows whose truth has probability 0
	confusion [][]float64 // by truth and prediction: weights
	calibration

	// ranks holds, by state and then by its probability, the weights of the rows of another state
	// and of this one. It is nil once it grew beyond maxRanks.
	ranks []map[uint64]*[2]float64
}

// NewPredictions returns the measures of a variable with these states.
func NewPredictions(name string, states []string) *Predictions {
	p := &Predictions{name: name, states: states}
	for range states {
		p.confusion = append(p.confusion, make([]float64, len(states)))
		p.ranks = append(p.ranks, map[uint64]*[2]float64{})
	}
	return p
}

// Add adds a row: the posterior of the variable, the state that was predicted from it, the true
// state, and the weight of the row.
func (p *Predictions) Add(posterior []float64, predicted, truth int, weight float64) {
	p.rows++
	p.weight += weight
	p.confusion[truth][predicted] += weight
	if predicted == truth {
		p.correct += weight
	}
	if posterior[truth] == 0 {
		p.zero++
	} else {
		p.loss -= weight * pgmrt.Ln(posterior[truth])
	}
	p.calibration.add(posterior, predicted, truth, weight)
	p.rank(posterior, truth, weight)
}

// rank adds a row to the rows of the same probability of a state, for each state; of two states,
// for the second only, which determines the other. Probabilities that differ by rounding errors
// count as equal: rank rounds off eight bits of the fraction.
func (p *Predictions) rank(posterior []float64, truth int, weight float64) {
	size := 0
	for k := range p.ranks {
		if len(p.states) == 2 && k == 0 {
			continue
		}
		key := (math.Float64bits(posterior[k]) + 1<<7) >> 8
		w := p.ranks[k][key]
		if w == nil {
			w = new([2]float64)
			p.ranks[k][key] = w
		}
		if truth == k {
			w[1] += weight
		} else {
			w[0] += weight
		}
		size += len(p.ranks[k])
	}
	if size > maxRanks {
		p.ranks = nil
	}
}

// Ranked holds the weights of the rows in which a state has one probability.
type Ranked struct {
	P             float64
	Without, With float64 // of the rows of another true state, and of this one
}

// ranked returns the rows by the probability of state k, ascending; nil if there are too many.
func (p *Predictions) ranked(k int) []Ranked {
	if p.ranks == nil {
		return nil
	}
	if len(p.states) == 2 && k == 0 {
		list := p.ranked(1)
		slices.Reverse(list)
		for i, x := range list {
			list[i] = Ranked{1 - x.P, x.With, x.Without}
		}
		return list
	}
	keys := make([]uint64, 0, len(p.ranks[k]))
	for key := range p.ranks[k] {
		keys = append(keys, key)
	}
	slices.Sort(keys) // positive floats sort like their bits
	list := make([]Ranked, len(keys))
	for i, key := range keys {
		w := p.ranks[k][key]
		list[i] = Ranked{math.Float64frombits(key << 8), w[0], w[1]}
	}
	return list
}

// area returns the area under the ROC curve of a state against the others: the probability that the
// first of two rows, one with the state and one without, has the larger probability of it; ties
// count half (Hanley and McNeil 1982). ok is false if one kind of row is missing.
func area(list []Ranked) (auc float64, ok bool) {
	var y, weights []float64
	var classes []bool
	var with, without float64
	for _, x := range list {
		y = append(y, x.P, x.P)
		classes, weights = append(classes, false, true), append(weights, x.Without, x.With)
		without += x.Without
		with += x.With
	}
	if without == 0 || with == 0 {
		return 0, false
	}
	tpr, fpr, _ := stat.ROC(nil, y, classes, weights)
	return integrate.Trapezoidal(fpr, tpr), true
}

// auc returns the area of the second of two states, or the mean over the states that some rows have
// and some do not. It is nil if there are none, or too many distinct posteriors.
func (p *Predictions) auc() *float64 {
	sum, n := 0.0, 0
	for k := range p.ranks {
		if len(p.states) == 2 && k == 0 {
			continue
		}
		if a, ok := area(p.ranked(k)); ok {
			sum += a
			n++
		}
	}
	if n == 0 {
		return nil
	}
	sum /= float64(n)
	return &sum
}

// PredictionReport holds the measures of the predictions of one variable. Undefined measures, such
// as without rows, are nil.
type PredictionReport struct {
	Name      string      `json:"target"`
	Rows      int         `json:"rows"`   // with a known true state
	Weight    float64     `json:"weight"` // of those rows
	Accuracy  *float64    `json:"accuracy"`
	LogLoss   any         `json:"log_loss"` // a float64, in nats a row, or "inf" if Zero is not 0
	Zero      int         `json:"zero_probability_rows"`
	AUC       *float64    `json:"auc"`
	Average   string      `json:"auc_average"` // "binary", or "one-vs-rest macro"
	States    []string    `json:"states"`
	Confusion [][]float64 `json:"confusion"` // weights of rows, by truth and then prediction

	// Brier is the mean over rows of the squared distance of the posterior from the true state's
	// indicator, summed over states.
	Brier       *float64         `json:"brier"`
	Calibration *float64         `json:"calibration_error"` // expected, by the bins of Reliability
	Reliability []CalibrationBin `json:"reliability"`

	// Ranks has, by state, the rows by the probability of the state, ascending. Probabilities that
	// differ by rounding errors are one. It is nil if there are too many different ones.
	Ranks [][]Ranked `json:"-"`

	// For a real variable, LogLoss is of densities, RMSE is the root mean squared error of the
	// posterior mean, CRPS the mean continuous ranked probability score, and PIT the histogram of
	// the probability integral transform: the shares of the rows by the posterior probability of
	// smaller values, in ten bins, all a tenth if posteriors are calibrated. The other measures are
	// undefined.
	Real bool      `json:"real,omitempty"`
	RMSE *float64  `json:"rmse,omitempty"`
	CRPS *float64  `json:"crps,omitempty"`
	PIT  []float64 `json:"pit,omitempty"`
}

// Report returns the measures of the rows so far.
func (p *Predictions) Report() PredictionReport {
	r := PredictionReport{
		Name: p.name, Rows: p.rows, Weight: p.weight, Zero: p.zero, AUC: p.auc(), Average: "one-vs-rest macro",
		States: p.states, Confusion: p.confusion,
	}
	if len(p.states) == 2 {
		r.Average = "binary"
	}
	for k := range p.ranks {
		r.Ranks = append(r.Ranks, p.ranked(k))
	}
	if p.weight > 0 {
		accuracy := p.correct / p.weight
		r.Accuracy = &accuracy
		r.LogLoss = p.loss / p.weight
		r.Brier, r.Calibration, r.Reliability = p.calibration.report(p.weight)
		if p.zero > 0 {
			r.LogLoss = "inf"
		}
	}
	return r
}
