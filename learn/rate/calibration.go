package rate

import "math"

// confidenceBins is the number of bins of equal length for the confidence of predictions, as is
// usual since Guo et al. 2017, On calibration of modern neural networks.
const confidenceBins = 10

// calibration collects the accuracy of predictions by confidence, the posterior of the predicted
// state, and the Brier score.
type calibration struct {
	bins  [confidenceBins]struct{ weight, confidence, correct float64 }
	brier float64
}

// add counts a prediction.
func (c *calibration) add(posterior []float64, predicted, truth int, weight float64) {
	for k, p := range posterior {
		if k == truth {
			p--
		}
		c.brier += weight * p * p
	}
	b := &c.bins[binOf(posterior[predicted])]
	b.weight += weight
	b.confidence += weight * posterior[predicted]
	if predicted == truth {
		b.correct += weight
	}
}

// binOf returns the bin of a confidence. Confidences that differ by rounding errors are in one bin.
func binOf(p float64) int {
	const digits = 1e12
	return min(confidenceBins-1, int(math.Round(p*digits)/(digits/confidenceBins)))
}

// CalibrationBin holds the predictions with a confidence of at least From and below To; in the last
// bin, at most To.
type CalibrationBin struct {
	From       float64 `json:"from"`
	To         float64 `json:"to"`
	Weight     float64 `json:"weight"`     // of its rows
	Confidence float64 `json:"confidence"` // the mean
	Accuracy   float64 `json:"accuracy"`
}

// report returns the Brier score (Brier 1950, which sums over all states), the expected calibration
// error, and the bins that have rows. The error is the mean distance of confidence and accuracy
// over the bins, weighted by their rows.
func (c *calibration) report(weight float64) (brier, expected *float64, bins []CalibrationBin) {
	score, off := c.brier/weight, 0.0
	for i, b := range c.bins {
		if b.weight == 0 {
			continue
		}
		x := CalibrationBin{float64(i) / confidenceBins, float64(i+1) / confidenceBins, b.weight, b.confidence / b.weight, b.correct / b.weight}
		off += b.weight / weight * math.Abs(x.Accuracy-x.Confidence)
		bins = append(bins, x)
	}
	return &score, &off, bins
}
