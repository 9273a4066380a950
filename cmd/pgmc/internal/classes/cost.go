package classes

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// Flags choose a state to find, and say what mistakes cost.
type Flags struct {
	Positive string // the state
	Cost     string // of mistakes, such as fn=10,fp=1
	fn, fp   float64
	state    int
}

// AddTo adds the flags to a command.
func (f *Flags) AddTo(fl *pflag.FlagSet) {
	fl.StringVar(&f.Positive, "positive", "", "with --cost: the `state` of the target that is to be found")
	fl.StringVar(&f.Cost, "cost", "", "predict --positive from the probability on at which that costs least, given the `costs` of mistakes: fn=10,fp=1 says that a row with the state that is not found costs 10, and another row that is taken for one 1")
}

// Check reads the flags. It returns a usage error unless they are of one discrete target among
// targets, or none is given.
func (f *Flags) Check(m *model.Model, targets []model.VarID) error {
	switch {
	case f.Positive == "" && f.Cost == "":
		return nil
	case f.Positive == "" || f.Cost == "":
		return cli.Usagef("--positive names the state to find and --cost what mistakes cost, and one is missing; want both, such as --positive yes --cost fn=10,fp=1")
	case len(targets) != 1 || m.States(targets[0]) == nil:
		return cli.Usagef("--positive is for one discrete target; want one name in --targets")
	}
	states := m.States(targets[0])
	if f.state = slices.Index(states, f.Positive); f.state < 0 {
		return cli.Usagef("--positive: variable %q has no state %q; want one of %s%s", m.Vars[targets[0]].Name, f.Positive, cli.QuoteSome(states), diag.DidYouMean(f.Positive, states))
	}
	costs := map[string]float64{}
	for part := range strings.SplitSeq(f.Cost, ",") {
		name, text, _ := strings.Cut(strings.TrimSpace(part), "=")
		x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || !(x > 0 && x <= model.MaxReal) || costs[name] > 0 {
			return f.wrong()
		}
		costs[name] = x
	}
	if f.fn, f.fp = costs["fn"], costs["fp"]; len(costs) != 2 || f.fn == 0 || f.fp == 0 {
		return f.wrong()
	}
	return nil
}

func (f *Flags) wrong() error {
	return cli.Usagef("--cost %q; want the costs of a false negative and of a false positive, above 0, such as fn=10,fp=1", f.Cost)
}

// Given reports whether the flags are given.
func (f *Flags) Given() bool { return f.Cost != "" }

// Threshold returns the probability of the state from which on predicting it has the lower expected
// cost.
func (f *Flags) Threshold() float64 { return f.fp / (f.fn + f.fp) }

// Predictor returns a predictor of targets that decides as the costs want.
func (f *Flags) Predictor(e *infer.Engine, targets ...model.VarID) *rate.Predictor {
	p := rate.NewPredictor(e, targets...)
	if f.Given() {
		p.Decide(0, f.state, f.Threshold())
	}
	return p
}

// Decision says what mistakes cost at some thresholds.
type Decision struct {
	Positive      string  `json:"positive"`
	FalseNegative float64 `json:"false_negative_cost"`
	FalsePositive float64 `json:"false_positive_cost"`
	Rules         []Rule  `json:"thresholds"`
}

// Rule is a threshold and what it does on the rows.
type Rule struct {
	Rule      string   `json:"rule"`
	Threshold *float64 `json:"threshold"` // nil if the state is never predicted
	Cost      float64  `json:"cost"`      // the mean of a row
	Confusion
}

// Decide returns the costs of three thresholds on the rows of a report: that of the costs, one half,
// and the best for these rows. It returns nil without flags, rows or ranks.
func (f *Flags) Decide(r *rate.PredictionReport) *Decision {
	if !f.Given() || r.Weight == 0 || r.Ranks == nil {
		return nil
	}
	ranks := r.Ranks[f.state]
	d := &Decision{Positive: f.Positive, FalseNegative: f.fn, FalsePositive: f.fp}
	at := func(name string, threshold *float64) Rule {
		rule := Rule{Rule: name, Threshold: threshold}
		for _, x := range ranks {
			found := threshold != nil && x.P >= *threshold*(1-1e-12) // despite rounding errors
			*rule.cell(true, found) += x.With
			*rule.cell(false, found) += x.Without
		}
		rule.Cost = (float64(f.fn*rule.FalseNegative) + float64(f.fp*rule.FalsePositive)) / r.Weight
		return rule
	}
	d.Rules = append(d.Rules, at("by the costs", new(f.Threshold())), at("one half", new(.5)), at("best for these rows", f.best(ranks)))
	return d
}

// best returns the threshold of the least cost on the rows: of several, the one nearest to the
// threshold of the costs. It is a probability that rows have, or nil if no row should be found.
func (f *Flags) best(ranks []rate.Ranked) (threshold *float64) {
	missed, alarms := 0.0, 0.0
	for _, x := range ranks {
		missed += x.With
	}
	least, far := f.fn*missed, math.Inf(1)
	for _, x := range slices.Backward(ranks) {
		missed -= x.With
		alarms += x.Without
		cost, apart := float64(f.fn*missed)+float64(f.fp*alarms), math.Abs(x.P-f.Threshold())
		if cost < least || cost == least && apart < far {
			threshold, least, far = new(x.P), cost, apart
		}
	}
	return threshold
}

// Table returns the decision as a table.
func (d *Decision) Table() *table.Table {
	t := &table.Table{}
	t.Add(d.Positive+", threshold", "probability", "cost of a row", "TP", "FP", "FN", "TN")
	for _, x := range d.Rules {
		t.Add(append([]string{x.Rule, table.Optional("%.6f", x.Threshold), fmt.Sprintf("%.6f", x.Cost)}, x.counts()...)...)
	}
	return t
}
