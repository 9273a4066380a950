package infer

import (
	"context"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/infer/internal/temporal"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Path is a most probable completion of a sequence.
type Path struct {
	Slices []Completion // LogProb is not set
	// LogProb is ln of the probability or density of the path together with the evidence. Of
	// likelihoods it is the product.
	LogProb float64
}

// Viterbi returns a most probable completion of the evidence on a sequence: states, or the values
// of real variables. Its memory is bounded as that of [Engine.Smooth], but for networks with real
// and discrete variables, of which it keeps the histories of all slices.
func (e *Engine) Viterbi(ctx context.Context, sequence []Given) (*Path, error) {
	switch reals := len(e.vars.m.Reals()); {
	case reals == len(e.vars.m.Vars):
		return e.meanPath(ctx, sequence)
	case reals > 0:
		return e.historyPath(ctx, sequence)
	}
	room, _, err := e.room(ctx, ir.Viterbi, ir.MaxFirst)
	if err != nil {
		return nil, err
	}
	founds := make([]*Findings, len(sequence))
	states := make([][]int, len(sequence)) // of the variables of a slice, and those before it
	s := &temporal.Sweep[sliceState]{Room: room,
		Forward: func(t int, before *sliceState) (sliceState, error) {
			x, err := e.filtered(ctx, maximumEntries, t, before, sequence[t])
			founds[t] = x.found
			return x, err
		},
		Back: func(past []sliceState, from, end int) error { return e.trace(ctx, past, from, end, states) }}
	if err := s.Run(len(sequence)); err != nil {
		return nil, err
	}
	return e.path(founds, states, nil), nil
}

// trace picks the states of the slices from end-1 down to from, of which past has the states of
// those before end.
func (e *Engine) trace(ctx context.Context, past []sliceState, from, end int, states [][]int) error {
	var persists []int
	if end < len(states) {
		persists = states[end][len(e.vars.m.Vars):]
	}
	return e.traceBack(ctx, traceEntries, past, from, end, persists, func(t int, m *eval.Machine) {
		for _, s := range m.State() {
			states[t] = append(states[t], int(s))
		}
	})
}

// traceBack runs entries that choose states of the slices from end-1 down to from, and calls each
// with the run; past holds the last slices before end. The states that persist in a slice are
// observed as the slice after it chose them: in slice end-1 they are persists.
func (e *Engine) traceBack(ctx context.Context, x sliceEntries, past []sliceState, from, end int, persists []int, each func(t int, m *eval.Machine)) error {
	m := e.vars.m
	first := end - len(past) // the slice of past[0]
	persists = slices.Clone(persists)
	for t := end - 1; t >= from; t-- {
		found, in := *past[t-first].found, [][]float64(nil)
		if t > 0 {
			in = past[t-first-1].belief
		}
		found.State = slices.Clone(found.State)
		for i, s := range persists {
			found.State[m.Transition.Before[i]] = s
		}
		_, machine, err := e.slice(ctx, x, t, &found, in)
		if err != nil {
			return &SliceError{t, err}
		}
		each(t, machine)
		persists = persists[:0]
		for _, s := range machine.State()[len(m.Vars):] {
			persists = append(persists, int(s))
		}
	}
	return nil
}

// meanPath returns the path of the smoothed means, where a Gaussian density is highest. Beliefs
// have the means of latent variables, which persist.
func (e *Engine) meanPath(ctx context.Context, sequence []Given) (*Path, error) {
	founds := make([]*Findings, len(sequence))
	for t, given := range sequence {
		found, err := e.own(given)
		if err != nil {
			return nil, &SliceError{t, err}
		}
		founds[t] = found
	}
	values := make([][]float64, len(sequence))
	_, err := e.smooth(ctx, sequence, func(t int, list []Distribution, belief [][]float64) {
		values[t] = make([]float64, len(e.vars.m.Vars))
		for i, v := range e.vars.m.Transition.Before {
			values[t][v] = belief[0][i]
		}
		for i, v := range e.vars.seen {
			values[t][v] = list[i].Mean
		}
	})
	if err != nil {
		return nil, err
	}
	return e.path(founds, nil, values), nil
}

// path returns the path with the given states or values, by slice and variable.
func (e *Engine) path(founds []*Findings, states [][]int, values [][]float64) *Path {
	m := e.vars.m
	step := m.Step()
	n := len(m.Vars)
	out := &Path{Slices: make([]Completion, len(founds))}
	for t := range founds {
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
			if soft := founds[t].Soft[v]; soft != nil {
				out.LogProb += pgmrt.Ln(soft[state[v]])
			}
		}
	}
	return out
}
