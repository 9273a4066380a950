package report

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"html/template"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/classes"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/picture"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/rate"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Prediction says how well a target is predicted from the other values of the rows.
type Prediction struct {
	Target           string
	Rows, Impossible int
	Measures         [][2]string
	Charts           []template.HTML
	Tables           []template.HTML // of the states
	Warning          string          // about most rows with one state
	States           []string
	Confusion        [][]string // by truth and prediction
}

// mostPredicted bounds the rows that are predicted.
const mostPredicted = 20_000

// predictions predicts a target for each row.
func (w *writer) predictions(ctx context.Context, b *picture.Beliefs, target model.VarID, rows *data.Set) {
	p := w.f.Classes.Predictor(b.Engine(), target)
	out := Prediction{Target: w.m.Vars[target].Name, States: w.m.States(target)}
	at := slices.IndexFunc(b.Engine().Vars(), func(v *model.Var) bool { return v.ID == target })
	var seen points
	states, values := make([]int, len(rows.Vars)), make([]float64, len(rows.Vars))
	n := min(rows.Len(), mostPredicted)
	for i := range n {
		w.Step(learner.Event{Done: i, Total: n})
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
		if out.States == nil && states[at] != data.Missing && i%(1+n/mostPoints) == 0 {
			seen.add(list[0].Mean, values[at])
		}
	}
	r := p.Report()[0]
	out.Rows = r.Rows
	out.measures(&r)
	var err error
	switch {
	case r.Rows == 0:
	case r.Real:
		err = out.drawReal(&r, seen)
	default:
		err = out.drawStates(&r)
		out.describe(&r, &w.f.Classes)
	}
	if err != nil {
		w.note("Predictions of "+out.Target, err)
	}
	w.page.Predictions = append(w.page.Predictions, out)
}

// describe sets the tables of a target with states.
func (p *Prediction) describe(r *rate.PredictionReport, f *classes.Flags) {
	list := classes.Of(r)
	p.Tables = append(p.Tables, template.HTML(classes.Table(p.Target, list).HTML()))
	if d := f.Decide(r); d != nil {
		p.Tables = append(p.Tables, template.HTML(d.Table().HTML()))
	} else {
		p.Warning = classes.Imbalance(r, list)
	}
	for _, row := range r.Confusion {
		cells := make([]string, len(row))
		for i, x := range row {
			cells[i] = fmt.Sprintf("%g", x)
		}
		p.Confusion = append(p.Confusion, cells)
	}
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
