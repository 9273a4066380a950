package rate

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
)

// denseScorer computes ln of the densities of rows under a Bayesian network with real variables.
type denseScorer struct {
	m      *model.Model
	latent bool            // a variable has no column, so that no row is complete
	states []int           // scratch, by variable
	values []float64       // the same
	apart  []*model.Factor // CPDs that the engine leaves out
	asked  *Engine
}

func newDenseScorer(m *model.Model) *denseScorer {
	d := &denseScorer{m: m, states: slices.Repeat([]int{data.Missing}, len(m.Vars)), values: make([]float64, len(m.Vars))}
	_, d.apart = apart(m)
	for _, v := range m.Vars {
		d.latent = d.latent || v.Latent
	}
	return d
}

// complete returns ln of the density of a row from the factors of the model. It reports false if
// the row misses a value.
func (d *denseScorer) complete(vars []*model.Var, states []int, values []float64) (log float64, ok bool) {
	missing := d.latent
	for i, v := range vars {
		missing = missing || states[i] == data.Missing
		d.states[v.ID], d.values[v.ID] = states[i], values[i]
	}
	if missing {
		return 0, false
	}
	return d.m.LogDensity(d.states, d.values), true
}

// engine returns ln of the density of a row under the network of an engine, which sums and
// integrates over its missing values.
func (d *denseScorer) engine(ctx context.Context, e *infer.Engine, states []int, values []float64) (float64, error) {
	if d.asked == nil {
		d.asked = NewEngine(ctx, e, make([]float64, len(values)))
	}
	copy(d.asked.values, values)
	log, err := d.asked.LogProb(states)
	if errors.Is(err, infer.ErrImpossible) {
		return math.Inf(-1), nil
	}
	return log, err
}
