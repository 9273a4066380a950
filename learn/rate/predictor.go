package rate

import (
	"context"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Predictor predicts targets from the other values of rows, and measures how good the predictions
// are. The values of targets are never evidence: those that a row has are the truth. It is for one
// goroutine at a time.
type Predictor struct {
	engine  *infer.Engine
	vars    []*model.Var // by place in a row
	targets []model.VarID
	places  []int // by target: its place in a row
	known   *infer.Findings
	scores  []*Predictions // by target; nil for real ones
	reals   []*Values      // by target; nil for discrete ones
	cores   []*blockPredictor
	decided *decision

	// Unsettled counts the rows on which an approximate method did not converge.
	Unsettled int
}

// NewPredictor returns a predictor of targets, which must not be latent.
func NewPredictor(e *infer.Engine, targets ...model.VarID) *Predictor {
	p := &Predictor{engine: e, vars: e.Vars(), targets: targets, known: infer.NewFindings(len(e.Model().Vars))}
	p.scores, p.reals = make([]*Predictions, len(targets)), make([]*Values, len(targets))
	for i, t := range targets {
		p.places = append(p.places, slices.IndexFunc(p.vars, func(v *model.Var) bool { return v.ID == t }))
		if v := e.Model().Vars[t]; e.Model().IsReal(t) {
			p.reals[i] = newValues(v.Name)
		} else {
			p.scores[i] = NewPredictions(v.Name, e.Model().States(t))
		}
	}
	return p
}

// Use sets the engine for the rows that follow. Its model must have the variables of the first one.
func (p *Predictor) Use(e *infer.Engine) { p.engine = e }

// Row returns the posteriors of the targets given the other states and values of a row, by place
// among the variables that are not latent, [data.Missing] without one. It counts them against the
// truth with the weight of the row. values are the values of real variables; nil if there are none.
// The error is an [infer.ErrImpossible] if the row has probability 0.
func (p *Predictor) Row(ctx context.Context, states []int, values []float64, weight float64) ([]infer.Distribution, error) {
	p.known.Clear()
	p.observe(p.known, states, values)
	list, err := p.posteriors(ctx)
	if err == nil {
		p.Compare(list, states, values, weight)
	}
	return list, err
}

// Compare counts posteriors of the targets against the truth: the states and the values that the
// row has.
func (p *Predictor) Compare(list []infer.Distribution, states []int, values []float64, weight float64) {
	for i, at := range p.places {
		switch posterior := list[i].Numbers(); {
		case states[at] == data.Missing:
		case p.reals[i] != nil:
			p.reals[i].Add(posterior, values[at], weight)
		default:
			p.scores[i].Add(posterior, p.State(i, posterior), states[at], weight)
		}
	}
}

// decision is a state of a target that is predicted from a probability on.
type decision struct {
	target, state int
	threshold     float64
}

// Decide makes the predicted state of a target the given one if that has at least a probability,
// and otherwise the most probable other one.
func (p *Predictor) Decide(target, state int, threshold float64) {
	p.decided = &decision{target, state, threshold}
}

// State returns the predicted state of a target with a posterior: the most probable one, or the
// first of several, unless [Predictor.Decide] says otherwise.
func (p *Predictor) State(target int, posterior []float64) int {
	d := p.decided
	if d == nil || d.target != target {
		return pgmrt.Argmax(posterior)
	}
	if posterior[d.state] >= d.threshold*(1-tie) {
		return d.state
	}
	others := slices.Clone(posterior)
	others[d.state] = -1
	return pgmrt.Argmax(others)
}

// tie is the relative distance up to which a probability counts as equal to a threshold.
const tie = 1e-12

// Report returns the measures of each target on the rows so far.
func (p *Predictor) Report() []PredictionReport {
	list := make([]PredictionReport, len(p.targets))
	for i, x := range p.scores {
		if x == nil {
			list[i] = p.reals[i].Report()
		} else {
			list[i] = x.Report()
		}
	}
	return list
}

// Evidence returns the row without the targets.
func (p *Predictor) Evidence(states []int, values []float64) *infer.Findings {
	known := infer.NewFindings(len(p.engine.Model().Vars))
	p.observe(known, states, values)
	return known
}

// observe enters the row without the targets.
func (p *Predictor) observe(known *infer.Findings, states []int, values []float64) {
	for i, state := range states {
		if state != data.Missing && !slices.Contains(p.places, i) {
			known.Observe(p.vars[i], valueAt(states, values, i))
		}
	}
}

// posteriors returns the posteriors of the targets. The posterior of a single one takes one pass
// over the clique tree, and the posteriors of all variables take two.
func (p *Predictor) posteriors(ctx context.Context) ([]infer.Distribution, error) {
	if len(p.targets) == 1 && !p.engine.Approximate() {
		d, err := p.engine.Posterior(ctx, p.known, p.engine.Model().Vars[p.targets[0]].Name)
		if err != nil {
			return nil, err
		}
		return []infer.Distribution{*d}, nil
	}
	all, err := p.engine.Marginals(ctx, p.known)
	if err != nil {
		return nil, err
	}
	if all.Report != nil && !all.Report.Converged {
		p.Unsettled++
	}
	return p.Select(all), nil
}

// Select returns the posteriors of the targets.
func (p *Predictor) Select(all *infer.Marginals) []infer.Distribution {
	list := make([]infer.Distribution, len(p.targets))
	for i, at := range p.places {
		list[i] = all.List[at]
	}
	return list
}
