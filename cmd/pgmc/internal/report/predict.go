package report

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"html/template"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/picture"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/rate"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Prediction says how well a target is predicted from the other values of the rows.
type Prediction struct {
	Target           string
	Rows, Impossible int
	Measures         [][2]string
	Reliability, ROC template.HTML
	States           []string
	Confusion        [][]string // by truth and prediction
}

// mostPredicted bounds the rows that are predicted.
const mostPredicted = 20_000

// predictions predicts a target for each row.
func (w *writer) predictions(ctx context.Context, b *picture.Beliefs, target model.VarID, rows *data.Set) {
	p := rate.NewPredictor(b.Engine(), target)
	out := Prediction{Target: w.m.Vars[target].Name, States: w.m.States(target)}
	at := slices.IndexFunc(b.Engine().Vars(), func(v *model.Var) bool { return v.ID == target })
	curves := make([]roc, len(out.States))
	states, values := make([]int, len(rows.Vars)), make([]float64, len(rows.Vars))
	for i := range min(rows.Len(), mostPredicted) {
		rows.Row(i, states)
		list, err := p.Row(ctx, states, rows.Values(i, values), rows.Weight(i))
		switch {
		case errors.Is(err, infer.ErrImpossible):
			out.Impossible++
			continue
		case err != nil:
			w.note("Predictions of "+out.Target, err)
			return
		}
		if truth := states[at]; truth != data.Missing {
			for s := range curves {
				curves[s].add(list[0].P[s], truth == s, rows.Weight(i))
			}
		}
	}
	r := p.Report()[0]
	out.Rows = r.Rows
	out.measures(&r)
	var err error
	if !r.Real && r.Rows > 0 {
		if out.Reliability, err = reliability(&r); err == nil {
			out.ROC, err = rocChart(out.States, curves)
		}
	}
	if err != nil {
		w.note("Predictions of "+out.Target, err)
	}
	for _, row := range r.Confusion {
		cells := make([]string, len(row))
		for i, x := range row {
			cells[i] = fmt.Sprintf("%g", x)
		}
		out.Confusion = append(out.Confusion, cells)
	}
	w.page.Predictions = append(w.page.Predictions, out)
}

// measures sets the table of measures.
func (p *Prediction) measures(r *rate.PredictionReport) {
	add := func(name, value string) { p.Measures = append(p.Measures, [2]string{name, value}) }
	if r.Real {
		add("root mean squared error", table.Optional("%.5g", r.RMSE))
		add("continuous ranked probability score", table.Optional("%.5g", r.CRPS))
		add("log-loss of the density, in nats", fmt.Sprintf("%.5v", r.LogLoss))
		return
	}
	add("accuracy", percent(r.Accuracy))
	add("log-loss, in nats", fmt.Sprintf("%.5v", r.LogLoss))
	add("Brier score", table.Optional("%.5f", r.Brier))
	add("expected calibration error", table.Optional("%.5f", r.Calibration))
	add("area under the ROC curve ("+r.Average+")", table.Optional("%.5f", r.AUC))
}

// reliability draws accuracy against confidence.
func reliability(r *rate.PredictionReport) (template.HTML, error) {
	l := line{name: "predicted state", points: true}
	for _, b := range r.Reliability {
		l.add(b.Confidence, b.Accuracy)
	}
	text, err := lineChart{title: "calibration", x: "probability of the predicted state", y: "share that is right", unit: true, diagonal: true, lines: []line{l}}.svg()
	return template.HTML(text), err
}

// roc collects the points of a ROC curve.
type roc struct{ list []ranked }

// ranked is a row: the probability of a state, whether the row has it, and the row's weight.
type ranked struct {
	p, weight float64
	is        bool
}

func (c *roc) add(p float64, is bool, weight float64) { c.list = append(c.list, ranked{p, weight, is}) }

// line returns the curve: rows of equal probability make one step. It is empty if all rows have the
// state, or none has.
func (c *roc) line(name string) line {
	slices.SortStableFunc(c.list, func(a, b ranked) int { return cmp.Compare(b.p, a.p) })
	var with, without float64
	for _, x := range c.list {
		if x.is {
			with += x.weight
		} else {
			without += x.weight
		}
	}
	l := line{name: name}
	if with == 0 || without == 0 {
		return l
	}
	l.add(0, 0)
	var hit, miss float64
	for i, x := range c.list {
		if x.is {
			hit += x.weight
		} else {
			miss += x.weight
		}
		if i+1 == len(c.list) || c.list[i+1].p != x.p {
			l.add(miss/without, hit/with)
		}
	}
	return l
}

// mostCurves is the most curves of a chart.
const mostCurves = 6

// rocChart draws the curve of each state against the rest; of two states, the first's.
func rocChart(states []string, curves []roc) (template.HTML, error) {
	if len(states) == 2 {
		states = states[:1]
	}
	var lines []line
	for s := range states[:min(len(states), mostCurves)] {
		if l := curves[s].line(states[s]); l.xys != nil {
			lines = append(lines, l)
		}
	}
	text, err := lineChart{title: "ROC curve", x: "false positive rate", y: "true positive rate", unit: true, diagonal: true, lines: lines}.svg()
	return template.HTML(text), err
}

// Sensitivity says how much the observation of each variable tells about a target, and between what
// probabilities of its first state it moves.
type Sensitivity struct {
	Target, State string
	P             string
	Rows          []Influence
	Chart         template.HTML
}

// Influence is what observing one variable does.
type Influence struct {
	Variable    string
	Information float64 // mutual information with the target, in nats
	Low, High   float64 // the probability of the target's state over the states of the variable
	LowBy       string  // the state that makes it lowest
	HighBy      string
}

// mostInfluences is the most variables of a chart.
const mostInfluences = 15

// sensitivity computes the information of the other variables about a discrete target: by Bayes'
// rule, from the posteriors given each of its states.
func (w *writer) sensitivity(ctx context.Context, b *picture.Beliefs, target model.VarID) {
	own := b.After.Of(w.m.Vars[target].Name)
	if own == nil || own.P == nil {
		return
	}
	given := make([]*infer.Marginals, len(own.P))
	for s, p := range own.P {
		if p == 0 {
			continue
		}
		var err error
		if given[s], err = b.Engine().Marginals(ctx, b.Known.With(target, s)); err != nil {
			w.note("Sensitivity of "+own.Var, err)
			return
		}
	}
	out := Sensitivity{Target: own.Var, State: own.States[0], P: fmt.Sprintf("%.6f", own.P[0])}
	known := map[string]bool{}
	for _, v := range b.Known.Known() {
		known[w.m.Vars[v].Name] = true
	}
	for i := range b.After.List {
		if d := &b.After.List[i]; d.P != nil && d.Var != own.Var && !known[d.Var] {
			out.Rows = append(out.Rows, influence(own, d, given))
		}
	}
	slices.SortStableFunc(out.Rows, func(a, b Influence) int { return cmp.Compare(b.Information, a.Information) })
	out.Rows = out.Rows[:min(len(out.Rows), mostInfluences)]
	text, err := tornado(&out, own.P[0])
	if err != nil {
		w.note("Sensitivity of "+own.Var, err)
		return
	}
	out.Chart = template.HTML(text)
	w.page.Sensitivity = append(w.page.Sensitivity, out)
}

// influence returns what observing d does to the target own. given holds the posteriors by state of
// the target; nil for an impossible one.
func influence(own, d *infer.Distribution, given []*infer.Marginals) Influence {
	out := Influence{Variable: d.Var, Low: math.Inf(1), High: math.Inf(-1)}
	for k, q := range d.P {
		if q == 0 {
			continue
		}
		for s, p := range own.P {
			if given[s] == nil {
				continue
			}
			if joint := p * given[s].Of(d.Var).P[k]; joint > 0 {
				out.Information += joint * pgmrt.Ln(joint/(p*q))
			}
		}
		first := 0.0
		if given[0] != nil {
			first = own.P[0] * given[0].Of(d.Var).P[k] / q
		}
		if first < out.Low {
			out.Low, out.LowBy = first, d.States[k]
		}
		if first > out.High {
			out.High, out.HighBy = first, d.States[k]
		}
	}
	out.Information = max(out.Information, 0)
	return out
}
