package classes_test

import (
	"math"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/classes"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// report returns a report on rows of two states, no and yes, with probabilities of yes.
func report(p []float64, truth []int, weights []float64, threshold float64) *rate.PredictionReport {
	s := rate.NewPredictions("t", []string{"no", "yes"})
	for i, x := range p {
		predicted := 0
		if x >= threshold {
			predicted = 1
		}
		s.Add([]float64{1 - x, x}, predicted, truth[i], weights[i])
	}
	r := s.Report()
	return &r
}

func same(x *float64, want float64) bool { return x != nil && math.Abs(*x-want) < 1e-12 }

// TestOf has the example of scikit-learn's average_precision_score, .8333, and the same with a row
// twice. Figures of the other state were worked out by hand.
func TestOf(t *testing.T) {
	p, truth := []float64{.1, .4, .35, .8}, []int{0, 0, 1, 1}
	list := classes.Of(report(p, truth, []float64{1, 1, 1, 1}, .5))
	if c := list[1]; c.BaseRate != .5 || !same(c.Recall, .5) || !same(c.Precision, 1) || !same(c.F1, 2./3) || !same(c.AveragePrecision, 5./6) ||
		c.Confusion != (classes.Confusion{TruePositive: 1, FalseNegative: 1, TrueNegative: 2}) {
		t.Errorf("yes %+v", c)
	}
	// By P(no): .9 no, .65 yes, .6 no, .2 yes: precisions 1 and 2/3 at the two rows with no.
	if c := list[0]; !same(c.Recall, 1) || !same(c.Precision, 2./3) || !same(c.F1, .8) || !same(c.AveragePrecision, 5./6) {
		t.Errorf("no %+v", c)
	}
	// The row of .4 counts twice: yes has the precisions 1 and 2/4.
	if c := classes.Of(report(p, truth, []float64{1, 2, 1, 1}, .9))[1]; !same(c.AveragePrecision, .75) || c.Precision != nil || !same(c.F1, 0) || c.BaseRate != .4 {
		t.Errorf("weighted %+v", c)
	}
	if c := classes.Of(report(p[:2], truth[:2], []float64{1, 1}, .9))[1]; c.Recall != nil || c.Precision != nil || c.F1 != nil || c.AveragePrecision != nil {
		t.Errorf("without a row of yes %+v", c)
	}
	if list := classes.Of(report(nil, nil, nil, 0)); list != nil {
		t.Errorf("without rows %+v", list)
	}
}

// TestImbalance has 30 rows, of which one is yes.
func TestImbalance(t *testing.T) {
	r := report([]float64{.1, .3, .2}, []int{0, 1, 0}, []float64{20, 1, 9}, .5)
	if got, want := classes.Imbalance(r, classes.Of(r)), `the accuracy of "t" is 0.9667, and that of always predicting "no" is 0.9667; of 1 rows with "yes", 0 are found`; got != want {
		t.Errorf("%s; want %s", got, want)
	}
	for _, threshold := range []float64{.25, .15} {
		if r := report([]float64{.1, .3, .2}, []int{0, 1, 0}, []float64{20, 1, 9}, threshold); classes.Imbalance(r, classes.Of(r)) != "" {
			t.Errorf("a warning although the row is found")
		}
	}
	if r := report([]float64{.1, .3, .2}, []int{0, 1, 0}, []float64{12, 1, 3}, .5); classes.Imbalance(r, classes.Of(r)) != "" {
		t.Errorf("a warning about few rows")
	}
}

// network returns a network with a variable t of the states no and yes.
func network() *model.Model {
	m := &model.Model{}
	m.NewVar("t", "no", "yes")
	return m
}

// TestDecide compares costs with sums by hand.
func TestDecide(t *testing.T) {
	f := classes.Flags{Positive: "yes", Cost: "fp=1, fn=3"}
	if err := f.Check(network(), []model.VarID{0}); err != nil || f.Threshold() != .25 {
		t.Fatal(err, f.Threshold())
	}
	r := report([]float64{.1, .3, .2, .6}, []int{0, 1, 0, 0}, []float64{5, 1, 3, 1}, .25)
	d := f.Decide(r)
	// At .25: one found, one false alarm; at .5: one missed, one false alarm; the best is .3, as at .25.
	for i, want := range []struct{ threshold, cost float64 }{{.25, .1}, {.5, .4}, {.3, .1}} {
		if x := d.Rules[i]; math.Abs(*x.Threshold-want.threshold) > 1e-9 || !same(&x.Cost, want.cost) {
			t.Errorf("%s: threshold %v, cost %v; want %v", x.Rule, *x.Threshold, x.Cost, want)
		}
	}
	// Finding the one yes takes eight false alarms, which cost more.
	if x := f.Decide(report([]float64{.1, .3}, []int{1, 0}, []float64{1, 8}, .25)).Rules[2]; x.Threshold != nil || !same(&x.Cost, 3./9) {
		t.Errorf("%+v; want no threshold", x)
	}
	if none := (&classes.Flags{}); none.Decide(r) != nil || none.Check(network(), nil) != nil {
		t.Error("costs without flags")
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct{ positive, cost, want string }{
		{"yes", "", "and one is missing"},
		{"", "fn=1,fp=1", "and one is missing"},
		{"Yes", "fn=1,fp=1", `variable "t" has no state "Yes"; want one of "no", "yes"; did you mean "yes"?`},
		{"yes", "fn=1", `--cost "fn=1"; want the costs`},
		{"yes", "fn=0,fp=1", "above 0"},
		{"yes", "fn=1,fp=NaN", "above 0"},
		{"yes", "fn=1,fp=1,tp=1", "above 0"},
		{"yes", "fn=1,fn=1", "above 0"},
	} {
		f := classes.Flags{Positive: c.positive, Cost: c.cost}
		if err := f.Check(network(), []model.VarID{0}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("--positive %s --cost %s: %v; want %s", c.positive, c.cost, err, c.want)
		}
	}
}
