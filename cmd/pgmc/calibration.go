package main

import (
	"fmt"
	"math"
	"strconv"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
)

// confidenceBins is how many bins of the same length the probability of a prediction may fall into, as is usual since Guo et al. 2017, On
// calibration of modern neural networks.
const confidenceBins = 10

// reliability collects how often predictions of some confidence, which is the posterior of the predicted state, are right; and the Brier score.
type reliability struct {
	bins  [confidenceBins]struct{ weight, confidence, correct float64 }
	brier float64
}

// add counts a prediction.
func (r *reliability) add(posterior []float64, predicted, truth int, weight float64) {
	for k, p := range posterior {
		if k == truth {
			p--
		}
		r.brier += weight * p * p
	}
	b := &r.bins[min(confidenceBins-1, int(posterior[predicted]*confidenceBins))]
	b.weight += weight
	b.confidence += weight * posterior[predicted]
	if predicted == truth {
		b.correct += weight
	}
}

// reliabilityBin is what the predictions of one bin come to. A confidence on a border is in the upper bin, and 1 in the last.
type reliabilityBin struct {
	From       float64 `json:"from"`
	To         float64 `json:"to"`
	Weight     float64 `json:"weight"` // of its rows
	Confidence float64 `json:"confidence"`
	Accuracy   float64 `json:"accuracy"`
}

// summary gives the Brier score (Brier 1950, which adds up all states), the expected calibration error - the mean distance of confidence and
// accuracy over bins, by the weight of their rows - and the bins that have rows.
func (r *reliability) summary(weight float64) (brier, calibration *float64, bins []reliabilityBin) {
	score, off := r.brier/weight, 0.0
	for i, b := range r.bins {
		if b.weight == 0 {
			continue
		}
		x := reliabilityBin{float64(i) / confidenceBins, float64(i+1) / confidenceBins, b.weight, b.confidence / b.weight, b.correct / b.weight}
		off += b.weight / weight * math.Abs(x.Accuracy-x.Confidence)
		bins = append(bins, x)
	}
	return &score, &off, bins
}

// reliability is the table of the bins as text.
func (x *targetSummary) reliability() string {
	t := &table.Table{}
	t.Add(x.Name+", by confidence", "weight", "confidence", "accuracy")
	for _, b := range x.Reliability {
		t.Add(fmt.Sprintf("%.1f to %.1f", b.From, b.To), strconv.FormatFloat(b.Weight, 'g', 6, 64), table.Optional("%.6f", &b.Confidence), table.Optional("%.6f", &b.Accuracy))
	}
	return t.String()
}
