package main

import (
	"math"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
)

// deep rates rows of a circuit by logarithms: the few that are less probable than a float64 can tell, as rows of hundreds of variables may be.
type deep struct {
	scope   []model.VarID
	circuit *model.Circuit
	buf     []float64
	whole   float64 // the logarithm of the sum over all joint states
}

// newDeep gives what rates rows of a model; nil where it is not one circuit over variables none of which is latent.
func newDeep(m *model.Model) *deep {
	if len(m.Factors) != 1 || len(observable(m)) < len(m.Vars) {
		return nil
	}
	c := m.Factors[0].Circuit()
	if c == nil {
		return nil
	}
	d := &deep{scope: m.Factors[0].Scope, circuit: c, buf: make([]float64, len(c.Nodes))}
	d.whole = c.EvalLog(func(int, int32) float64 { return 1 }, d.buf)
	return d
}

// rate is log, or where that says that states are impossible, what logarithms say. States are by variable, data.Missing where there is none.
func (d *deep) rate(log float64, states []int) float64 {
	if d == nil || !math.IsInf(log, -1) {
		return log
	}
	return d.circuit.EvalLog(func(axis int, state int32) float64 {
		if x := states[d.scope[axis]]; x != data.Missing && x != int(state) {
			return 0
		}
		return 1
	}, d.buf) - d.whole
}
