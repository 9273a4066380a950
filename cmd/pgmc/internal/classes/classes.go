package classes

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// Class holds the figures of one state against all others. Rows count by their weights. A figure is
// nil if it is undefined.
type Class struct {
	State     string   `json:"state"`
	BaseRate  float64  `json:"base_rate"` // the share of the rows with the state
	Recall    *float64 `json:"recall"`    // the share of those that is predicted so
	Precision *float64 `json:"precision"` // the share of the predictions that is right
	F1        *float64 `json:"f1"`        // the harmonic mean of recall and precision
	// AveragePrecision is the mean of the precisions at the thresholds that are probabilities of the
	// rows, weighted by the increase of recall.
	AveragePrecision *float64 `json:"average_precision"`
	Confusion
}

// Confusion is the confusion matrix of one state.
type Confusion struct {
	TruePositive  float64 `json:"true_positive"`
	FalsePositive float64 `json:"false_positive"`
	FalseNegative float64 `json:"false_negative"`
	TrueNegative  float64 `json:"true_negative"`
}

// Of returns the figures of each state of a target; nil for a real one, and without rows.
func Of(r *rate.PredictionReport) (list []Class) {
	if r.Real || r.Weight == 0 {
		return nil
	}
	for k, state := range r.States {
		c := Class{State: state}
		for truth, row := range r.Confusion {
			for predicted, w := range row {
				*c.cell(truth == k, predicted == k) += w
			}
		}
		positive := c.TruePositive + c.FalseNegative
		c.BaseRate = positive / r.Weight
		c.Recall = share(c.TruePositive, positive)
		c.Precision = share(c.TruePositive, c.TruePositive+c.FalsePositive)
		c.F1 = share(2*c.TruePositive, 2*c.TruePositive+c.FalsePositive+c.FalseNegative)
		if r.Ranks != nil && positive > 0 {
			p := averagePrecision(r.Ranks[k], positive)
			c.AveragePrecision = &p
		}
		list = append(list, c)
	}
	return list
}

// cell returns the cell of the matrix for rows.
func (c *Confusion) cell(truth, predicted bool) *float64 {
	switch {
	case truth && predicted:
		return &c.TruePositive
	case predicted:
		return &c.FalsePositive
	case truth:
		return &c.FalseNegative
	}
	return &c.TrueNegative
}

// share returns a part of a whole, nil if that is 0.
func share(part, whole float64) *float64 {
	if whole == 0 {
		return nil
	}
	part /= whole
	return &part
}

// averagePrecision returns the mean precision over the rows with the state, of which positive is the
// weight, at the threshold that is the row's probability.
func averagePrecision(list []rate.Ranked, positive float64) (sum float64) {
	var with, all float64
	for _, x := range slices.Backward(list) {
		with += x.With
		all += x.With + x.Without
		if x.With > 0 {
			sum += float64(x.With / positive * (with / all))
		}
	}
	return sum
}

// Table returns the figures as a table.
func Table(target string, list []Class) *table.Table {
	t := &table.Table{}
	t.Add(target+", by state", "base rate", "recall", "precision", "F1", "average precision", "TP", "FP", "FN", "TN")
	for _, c := range list {
		cells := []string{c.State, fmt.Sprintf("%.6f", c.BaseRate)}
		for _, x := range []*float64{c.Recall, c.Precision, c.F1, c.AveragePrecision} {
			cells = append(cells, table.Optional("%.6f", x))
		}
		t.Add(append(cells, c.counts()...)...)
	}
	return t
}

// counts writes the cells of the matrix.
func (c *Confusion) counts() (cells []string) {
	for _, n := range []float64{c.TruePositive, c.FalsePositive, c.FalseNegative, c.TrueNegative} {
		cells = append(cells, strconv.FormatFloat(n, 'g', 6, 64))
	}
	return cells
}

// A target is imbalanced if a state has at least largeShare of the rows, of which there are at least
// leastWeight.
const (
	largeShare  = .8
	leastWeight = 20
	missed      = .5 // recall below which a state counts as missed
)

// Imbalance returns a warning if most rows have one state of a target and the predictions miss
// another; empty otherwise.
func Imbalance(r *rate.PredictionReport, list []Class) string {
	if len(list) == 0 || r.Weight < leastWeight {
		return ""
	}
	most := slices.MaxFunc(list, func(a, b Class) int { return cmp.Compare(a.BaseRate, b.BaseRate) })
	if most.BaseRate < largeShare {
		return ""
	}
	for _, c := range list {
		if c.Recall != nil && *c.Recall < missed {
			return fmt.Sprintf("the accuracy of %q is %.4f, and that of always predicting %q is %.4f; of %g rows with %q, %g are found",
				r.Name, *r.Accuracy, most.State, most.BaseRate, c.TruePositive+c.FalseNegative, c.State, c.TruePositive)
		}
	}
	return ""
}
