package report

import (
	"html/template"
	"slices"

	"github.com/pgmc-go/pgmc/learn/rate"
)

// drawStates draws the calibration of a target with states, and for some states the ROC curve and
// precision against recall.
func (p *Prediction) drawStates(r *rate.PredictionReport) error {
	confidence := line{name: "predicted state", points: true}
	for _, b := range r.Reliability {
		confidence.add(b.Confidence, b.Accuracy)
	}
	roc := lineChart{title: "ROC curve", x: "false positive rate", y: "true positive rate", unit: true, diagonal: true}
	found := lineChart{title: "precision and recall", x: "recall", y: "precision", unit: true, left: true}
	for _, k := range drawn(r) {
		if l, pr := curves(r.States[k], r.Ranks[k]); l.xys != nil {
			roc.lines, found.lines = append(roc.lines, l), append(found.lines, pr)
		}
	}
	if len(found.lines) == 1 {
		found.title += " of " + found.lines[0].name
	}
	for _, c := range []lineChart{{title: "calibration", x: "probability of the predicted state", y: "share that is right", unit: true, diagonal: true, lines: []line{confidence}}, roc, found} {
		text, err := c.svg()
		if err != nil {
			return err
		}
		p.Charts = append(p.Charts, template.HTML(text))
	}
	return nil
}

// mostCurves is the most curves of a chart.
const mostCurves = 6

// drawn returns the states that curves are drawn of: of two states the rarer one.
func drawn(r *rate.PredictionReport) (list []int) {
	if r.Ranks == nil {
		return nil
	}
	if len(r.States) == 2 {
		var positive [2]float64
		for k, row := range r.Confusion {
			positive[k] = row[0] + row[1]
		}
		if positive[1] < positive[0] {
			return []int{1}
		}
		return []int{0}
	}
	for k := range min(len(r.States), mostCurves) {
		list = append(list, k)
	}
	return list
}

// curves returns the ROC curve of a state, and the precision by recall; rows of equal probability
// make one step. The curves are empty if all rows have the state, or none has.
func curves(name string, ranks []rate.Ranked) (roc, found line) {
	var with, without float64
	for _, x := range ranks {
		with += x.With
		without += x.Without
	}
	roc.name, found.name = name, name
	if with == 0 || without == 0 {
		return roc, found
	}
	roc.add(0, 0)
	var hit, miss float64
	for _, x := range slices.Backward(ranks) {
		hit += x.With
		miss += x.Without
		roc.add(miss/without, hit/with)
		found.add(hit/with, hit/(hit+miss))
	}
	return roc, found
}
