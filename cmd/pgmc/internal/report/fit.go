package report

import (
	"context"
	"fmt"
	"html/template"
	"math"
	"math/rand/v2"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/mle"
	"github.com/pgmc-go/pgmc/learn/rate"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Fit says how well a model fits its data, in nats.
type Fit struct {
	Rows       int
	Sequences  int    // that the rows are; 0 if they are independent
	Mean       string // log-likelihood of a row, or of a sequence, and its standard error
	Total      string
	Impossible int    // rows, or sequences, of probability 0
	Params     int    // free parameters; 0 if unknown
	AIC, BIC   string // log-likelihood less the penalty; empty if unknown
	Loss       string // the bound of what estimates of the parameters lose
	Drawn      *rate.Goodness
	Worst      []rate.PairStatistic // the pairs with the smallest p-values
}

// fit scores the rows by the model.
func (w *writer) fit(ctx context.Context, rows *data.Set) {
	t, err := w.score(ctx, w.m, rows)
	if err != nil {
		w.note("Fit", err)
		return
	}
	mean, stderr := t.Result()
	n := float64(rows.Len())
	f := &Fit{Rows: rows.Len(), Mean: fmt.Sprintf("%.5g ± %.2g", mean, stderr), Total: fmt.Sprintf("%.6g", mean*n), Impossible: t.Impossible}
	if r, err := w.refit(ctx, rows); err == nil && t.Impossible == 0 {
		f.Params = r.Report.Params
		f.AIC = fmt.Sprintf("%.6g", mean*n-float64(f.Params))
		f.BIC = fmt.Sprintf("%.6g", mean*n-float64(f.Params)/2*pgmrt.Ln(n))
	}
	if eps, err := rate.NetworkLoss(w.m, n, risk); err == nil {
		f.Loss = "no bound"
		if total := eps * float64(len(w.m.Vars)); !math.IsInf(total, 0) {
			f.Loss = fmt.Sprintf("%.3g", total)
		}
	}
	w.page.Fit = f
	if f.Drawn, err = w.goodness(ctx, rows); err != nil {
		w.note("Goodness of fit", err)
	} else {
		f.Worst = f.Drawn.Pairs[:min(worstPairs, len(f.Drawn.Pairs))]
	}
}

// fitSequences scores the sequences of rows by the model.
func (w *writer) fitSequences(ctx context.Context, rows *data.Set) {
	logs, err := rate.Sequences(ctx, w.m, rows)
	if err != nil {
		w.note("Fit", err)
		return
	}
	var t rate.Tally
	for _, x := range logs {
		t.Add(diag.Pos{}, x, 1)
	}
	mean, stderr := t.Result()
	w.page.Fit = &Fit{Rows: rows.Len(), Sequences: rows.Sequences(), Mean: fmt.Sprintf("%.5g ± %.2g", mean, stderr), Total: fmt.Sprintf("%.6g", mean*float64(len(logs))), Impossible: t.Impossible}
}

// risk is the probability that parameters estimated from the rows lose more than the bound.
const risk = .05

// Goodness of fit compares at most drawnRows rows with drawnSets sets that the model draws, and the
// page has the worstPairs worst pairs.
const (
	drawnRows  = 5000
	drawnSets  = 199
	worstPairs = 10
)

// goodness compares rows, or some of them, with rows that the model draws.
func (w *writer) goodness(ctx context.Context, rows *data.Set) (*rate.Goodness, error) {
	if rows.Len() > drawnRows {
		rows = rows.Subset(rand.New(rand.NewPCG(w.Seed, 2)).Perm(rows.Len())[:drawnRows])
	}
	return rate.CompareDrawn(ctx, w.m, rows, rate.GoodnessOptions{Sets: drawnSets, Seed: w.Seed})
}

// score returns the log-likelihood of rows.
func (w *writer) score(ctx context.Context, m *model.Model, rows *data.Set) (rate.Tally, error) {
	s, err := rate.NewScorer(m, rate.ScorerOptions{})
	if err != nil {
		return rate.Tally{}, err
	}
	if err := s.AddSet(ctx, rows); err != nil {
		return rate.Tally{}, err
	}
	t, ok := s.LL()
	if !ok {
		return t, fmt.Errorf("a %s has no log-likelihood", m.Kind)
	}
	return t, nil
}

// refit fits the numbers of the model to rows, with a uniform prior of weight 1 (BDeu) for
// discrete CPDs.
func (w *writer) refit(ctx context.Context, rows *data.Set) (*learner.Result, error) {
	prior, err := mle.ParsePrior("bdeu", 1)
	if err != nil {
		return nil, err
	}
	prior.Discrete = true
	opt := learn.ParameterOptions{}
	opt.Prior = prior
	return learn.FitParameters(ctx, &learner.Job{Train: rows, Init: w.m, Seed: w.Seed, Cores: 1, MaxMem: int64(w.MaxMem)}, opt)
}

// Curve is the learning curve: the log-likelihood of rows that were not learned from.
type Curve struct {
	Chart template.HTML
	Held  int // rows that were held out
}

// The share of the rows that the learning curve holds out is 1/heldOut, and it has curvePoints
// points, each with half the rows of the next.
const (
	heldOut     = 5
	curvePoints = 7
	leastRows   = 10
)

// learningCurve fits the structure to more and more rows.
func (w *writer) learningCurve(ctx context.Context, rows *data.Set) {
	if rows.Len() < 4*leastRows {
		w.note("Learning curve", fmt.Errorf("the data has %d rows; want at least %d", rows.Len(), 4*leastRows))
		return
	}
	order := rand.New(rand.NewPCG(w.Seed, 1)).Perm(rows.Len())
	held := rows.Len() / heldOut
	test, pool := rows.Subset(order[:held]), order[held:]
	var known, fresh line
	known.name, fresh.name = "rows that were learned from", "rows that were held out"
	for i := curvePoints - 1; i >= 0; i-- {
		n := len(pool) >> i
		if n < leastRows {
			continue
		}
		part := rows.Subset(pool[:n])
		r, err := w.refit(ctx, part)
		if err != nil {
			w.note("Learning curve", err)
			return
		}
		for _, x := range []struct {
			rows *data.Set
			line *line
		}{{part, &known}, {test, &fresh}} {
			t, err := w.score(ctx, r.Models[0], x.rows)
			if err != nil {
				w.note("Learning curve", err)
				return
			}
			if mean, _ := t.Result(); !math.IsInf(mean, 0) {
				x.line.add(math.Log10(float64(n)), mean)
			}
		}
	}
	text, err := lineChart{title: "learning curve", x: "rows", y: "log-likelihood of a row, in nats", xTicks: counts{}, lines: []line{known, fresh}}.svg()
	if err != nil {
		w.note("Learning curve", err)
		return
	}
	w.page.Curve = &Curve{template.HTML(text), held}
}

// percent writes a share as a percentage; nil is unknown.
func percent(x *float64) string {
	if x == nil {
		return "-"
	}
	return fmt.Sprintf("%.2f%%", 100**x)
}
