package infer

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/infer/internal/temporal"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// mostClamped is the most joint states of discrete variables that persist for which an approximate
// method runs once each.
const mostClamped = 64

// front returns the distribution of the variables that persist after the last slice of a window,
// whose network of has the evidence all and the answers m: with the moments of the real ones for
// each joint state of the discrete ones. An approximate method answers for each of these states,
// and real variables are independent of each other then.
func (w *Window) front(ctx context.Context, of *Engine, all *Findings, m *Marginals, slice int) (*temporal.Front, error) {
	base := w.e.vars.m
	discrete, real := base.SplitReal(base.Transition.Before)
	if len(base.Transition.Before) == 0 {
		return nil, nil
	}
	if !of.Approximate() {
		var names []string
		for _, v := range slices.Concat(discrete, real) {
			names = append(names, of.vars.m.Vars[w.at(slice, v)].Name)
		}
		t, err := of.Joint(ctx, all, names...)
		if err != nil {
			return nil, err
		}
		return &temporal.Front{P: t.P, Mean: t.Mean, Cov: t.Cov}, nil
	}
	size, ok := base.TableSize(discrete)
	if !ok || size > mostClamped {
		return nil, diag.Errorf("a window with method %s runs for each of e^%.1f joint states of the discrete variables that persist; want at most %d",
			w.by.MethodName(), base.LogTableSize(discrete), mostClamped)
	}
	out, logs := &temporal.Front{P: make([]float64, size)}, make([]float64, size)
	state := make([]int, len(base.Vars))
	for row := range size {
		var err error
		if len(discrete) > 0 {
			m, err = w.clamped(ctx, of, all, discrete, state, slice)
		}
		if err != nil {
			return nil, err
		}
		mean, cov := make([]float64, len(real)), make([]float64, len(real)*len(real))
		if logs[row] = m.LogProb; !math.IsInf(m.LogProb, -1) {
			for i, v := range real {
				d := &m.List[w.at(slice, v)]
				mean[i], cov[i*len(real)+i] = d.Mean, max(d.Variance, 0)
			}
		}
		out.Mean, out.Cov = append(out.Mean, mean), append(out.Cov, cov)
		base.Next(discrete, state)
	}
	if slices.ContainsFunc(logs, math.IsNaN) {
		return nil, diag.Errorf("a window with real variables needs ln P of the evidence, which method %s does not compute", w.by.MethodName())
	}
	total, top := 0.0, slices.Max(logs)
	for row, x := range logs {
		out.P[row] = math.Exp(x - top)
		total += out.P[row]
	}
	for row := range out.P {
		out.P[row] /= total
	}
	return out, nil
}

// clamped returns the answers given the states of some variables of a slice too. ln P is -Inf if
// these are impossible.
func (w *Window) clamped(ctx context.Context, of *Engine, all *Findings, vars []model.VarID, state []int, slice int) (*Marginals, error) {
	given := all
	for _, v := range vars {
		at := model.VarID(w.at(slice, v))
		if s := all.State[at]; s != Missing && s != state[v] {
			return &Marginals{LogProb: math.Inf(-1)}, nil
		}
		given = given.With(at, state[v])
	}
	m, err := of.Marginals(ctx, given)
	if errors.Is(err, ErrImpossible) {
		return &Marginals{LogProb: math.Inf(-1)}, nil
	}
	return m, err
}
