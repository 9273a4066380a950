package infer

import (
	"context"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Path is a most probable completion of a sequence.
type Path struct {
	Slices []Completion // LogProb is not set
	// LogProb is ln of the probability or density of the path together with the evidence. Of
	// likelihoods it is the product.
	LogProb float64
}

// Viterbi returns a most probable completion of the evidence on a sequence: states, or the values
// of real variables. Its memory grows with the number of slices.
func (e *Engine) Viterbi(ctx context.Context, sequence []Given) (*Path, error) {
	if len(e.vars.m.Reals()) > 0 {
		return e.meanPath(ctx, sequence)
	}
	var past []sliceState
	for t, given := range sequence {
		found, err := e.own(given)
		if err != nil {
			return nil, &SliceError{t, err}
		}
		name, in := ir.MaxFirst, [][]float64(nil)
		if t > 0 {
			name, in = ir.MaxNext, past[t-1].belief
		}
		p, m, err := e.slice(ctx, ir.Viterbi, name, found, in)
		if err != nil {
			return nil, &SliceError{t, err}
		}
		past = append(past, sliceState{found: found, belief: outOf(p, m)})
	}
	return e.trace(ctx, past)
}

// trace picks the states of the slices, the last one first. Those that persist are observed in the
// slice before.
func (e *Engine) trace(ctx context.Context, past []sliceState) (*Path, error) {
	m := e.vars.m
	states := make([][]int, len(past)) // of the variables of a slice, and those before it
	var persists []int
	for t := len(past) - 1; t >= 0; t-- {
		name, in := ir.TraceFirst, [][]float64(nil)
		if t > 0 {
			name, in = ir.TraceNext, past[t-1].belief
		}
		found := *past[t].found
		found.State = slices.Clone(found.State)
		for i, s := range persists {
			found.State[m.Transition.Before[i]] = s
		}
		_, machine, err := e.slice(ctx, ir.Viterbi, name, &found, in)
		if err != nil {
			return nil, &SliceError{t, err}
		}
		for _, s := range machine.State() {
			states[t] = append(states[t], int(s))
		}
		persists = states[t][len(m.Vars):]
	}
	return e.path(past, states, nil), nil
}

// meanPath returns the path of the smoothed means, where a Gaussian density is highest. Beliefs
// have the means of latent variables, which persist.
func (e *Engine) meanPath(ctx context.Context, sequence []Given) (*Path, error) {
	past, err := e.forward(ctx, sequence)
	if err != nil || len(past) == 0 {
		return &Path{}, err
	}
	values := make([][]float64, len(past))
	err = e.back(ctx, past, len(past), func(t int, list []Distribution, belief [][]float64) bool {
		values[t] = make([]float64, len(e.vars.m.Vars))
		for i, v := range e.vars.m.Transition.Before {
			values[t][v] = belief[0][i]
		}
		for i, v := range e.vars.seen {
			values[t][v] = list[i].Mean
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	return e.path(past, nil, values), nil
}

// path returns the path with the given states or values, by slice and variable.
func (e *Engine) path(past []sliceState, states [][]int, values [][]float64) *Path {
	m := e.vars.m
	step := m.Step()
	n := len(m.Vars)
	out := &Path{Slices: make([]Completion, len(past))}
	for t := range past {
		state, value := make([]int, len(step.Vars)), make([]float64, len(step.Vars))
		if states != nil {
			copy(state, states[t])
		}
		if values != nil {
			copy(value, values[t])
		}
		of := m
		if t > 0 {
			of = step
			for i, v := range m.Transition.Before {
				if states != nil {
					state[n+i] = states[t-1][v]
				}
				if values != nil {
					value[n+i] = values[t-1][v]
				}
			}
		}
		out.LogProb += of.LogDensity(state, value)
		for _, v := range e.vars.seen {
			x := model.Value{State: state[v], Real: value[v]}
			out.Slices[t].States = append(out.Slices[t].States, Assignment{m.Vars[v].Name, m.Vars[v].Domain.Text(x), state[v], value[v]})
			if soft := past[t].found.Soft[v]; soft != nil {
				out.LogProb += math.Log(soft[state[v]])
			}
		}
	}
	return out
}
