package eval

import (
	"errors"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Sensitivity runs e, a Sensitivity entry, and sets out[i] to the derivatives of a posterior number
// by the parameters of span i of Program.ParamSpans. The slices have the lengths of the spans: of
// the probability of a state of v, or if v is real, of its mean. It returns that number. Each
// parameter changes on its own. The derivatives are differences of two gradients; see [ir.Entry]
// about means.
func (m *Machine) Sensitivity(e *ir.Entry, v model.VarID, state int, out [][]float64) (answer float64, err error) {
	if err := m.Run(e); err != nil {
		return 0, err
	}
	all := m.LogP()
	for i := range out {
		m.Gradient(i, out[i])
	}
	if m.model.IsReal(v) {
		target := &m.Span(e.Tilt[0])[slices.Index(m.model.Reals(), v)]
		*target = 1
		err := m.Run(e)
		*target = 0
		if err != nil {
			return 0, err
		}
		t, scale := math.Exp(m.LogP()-all), m.Span(e.Tilt[1])
		m.contrast(out, scale[0]*t)
		return scale[1] + float64(scale[0]*(t-1)), nil
	}
	return pgmrt.Sensitivity(all, func(w float64) (float64, error) {
		if err := m.weigh(e, v, state, w); w > 0 || !errors.Is(err, ErrImpossible) {
			return m.LogP(), err
		}
		return math.Inf(-1), nil
	}, func(factor float64) { m.contrast(out, factor) })
}

// weigh runs e with the likelihoods of all states of v but one multiplied by w.
func (m *Machine) weigh(e *ir.Entry, v model.VarID, state int, w float64) error {
	return m.answer(e, func() {
		for _, id := range m.program.Inputs(e) {
			if m.program.Spans[id].Var == v {
				pgmrt.Weigh(m.Span(id), state, w)
			}
		}
		m.runAll(e.Blocks)
	})
}

// contrast sets out to factor times the difference between the gradient of the last run and out.
func (m *Machine) contrast(out [][]float64, factor float64) {
	for i, id := range m.program.ParamSpans() {
		slopes := m.Span(m.entry.Outs[i])
		if m.program.Spans[id].Role != ir.RoleSigned {
			pgmrt.Contrast(out[i], m.Span(id), slopes, factor)
			continue
		}
		for k, x := range slopes {
			out[i][k] = factor * (x - out[i][k])
		}
	}
}
