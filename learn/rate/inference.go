package rate

import (
	"context"
	"math"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
)

// Engine answers questions about rows of states by an engine of package infer, exact or
// approximate. [data.Missing] is the state of an unknown variable. One goroutine may use it at a
// time.
type Engine struct {
	ctx    context.Context
	engine *infer.Engine
	// values holds the values of real variables in the current row, by index among the variables
	// that are not latent; nil if there are none.
	values []float64
	known  *infer.Findings
	last   *infer.Marginals
}

// NewEngine returns an engine for rows. ctx ends searches and iterations. values, if not
// nil, holds the values of the current row, by index among the variables that are not latent; it is
// read again for each row.
func NewEngine(ctx context.Context, e *infer.Engine, values []float64) *Engine {
	return &Engine{ctx: ctx, engine: e, values: values, known: infer.NewFindings(len(e.Model().Vars))}
}

// LogProb returns ln of the probability of some states: minus infinity if they are impossible, and
// NaN if the engine's method is approximate.
func (x *Engine) LogProb(states []int) (float64, error) {
	if x.engine.Approximate() {
		return math.NaN(), nil
	}
	x.observe(states)
	return x.engine.LogProb(x.ctx, x.known)
}

// Posteriors returns the posterior of each variable given some states, which must be possible. That
// of a real variable is a mean and a variance.
func (x *Engine) Posteriors(states []int) ([][]float64, error) {
	x.observe(states)
	var err error
	if x.last, err = x.engine.Marginals(x.ctx, x.known); err != nil {
		return nil, err
	}
	list := make([][]float64, len(x.last.List))
	for i := range list {
		list[i] = x.last.List[i].Numbers()
	}
	return list, nil
}

// LogDensity returns ln of the density of a real variable's value in the current row, under the
// normal distribution with the mean and the variance of its last posterior.
func (x *Engine) LogDensity(v int) (log float64, real bool) {
	d := &x.last.List[v]
	if d.P != nil {
		return 0, false
	}
	return logDensity(d.Numbers(), x.values[v]), true
}

// observe enters the states of a row as evidence.
func (x *Engine) observe(states []int) {
	x.known.Clear()
	for i, v := range x.engine.Vars() {
		if states[i] != data.Missing {
			x.known.Observe(v, valueAt(states, x.values, i))
		}
	}
}

// valueAt returns the value of variable i in a row. values may be nil if no variable is real.
func valueAt(states []int, values []float64, i int) model.Value {
	x := model.Value{State: states[i]}
	if values != nil {
		x.Real = values[i]
	}
	return x
}
