package rate

import (
	"context"
	"errors"
	"math"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
)

// denseScorer computes ln of the densities of rows under a Bayesian network with real variables.
type denseScorer struct {
	m      *model.Model
	latent bool      // a variable has no column, so that no row is complete
	states []int     // scratch, by variable
	values []float64 // the same
	asked  *Engine
}

func newDenseScorer(m *model.Model) *denseScorer {
	d := &denseScorer{m: m, states: make([]int, len(m.Vars)), values: make([]float64, len(m.Vars))}
	for _, v := range m.Vars {
		d.latent = d.latent || v.Latent
	}
	return d
}

// complete returns ln of the density of a row from the factors of the model. It reports false if
// the row misses a value.
func (d *denseScorer) complete(vars []*model.Var, states []int, values []float64) (log float64, ok bool) {
	if d.latent {
		return 0, false
	}
	for i, v := range vars {
		if states[i] == data.Missing {
			return 0, false
		}
		d.states[v.ID], d.values[v.ID] = states[i], values[i]
	}
	return d.m.LogDensity(d.states, d.values), true
}

// engine returns ln of the density of a row, over whose missing values an engine sums and
// integrates.
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
