package infer

import (
	"context"
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/infer/internal/temporal"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Window follows a sequence by a method for networks without time in a window of its last slices:
// belief propagation, for instance, whose messages then go back and forth between slices. What is
// before the window enters as the posteriors of the variables that persist, each alone, given the
// evidence up to the slice before it, so that the cost of a slice grows with the length of the
// window and not with the joint states of these variables. A window of one slice is the factored
// frontier of Murphy and Weiss 2001. As long as the sequence is no longer than the window, answers
// are those of the method in the network of all slices; they are exact if that method is in the
// network of the window, and one variable persists. Otherwise there is no guarantee.
//
// If some variables are real, what is before the window enters as a table of the discrete variables
// that persist, with means and covariances of the real ones for each of its elements. With method
// clg that is the generalised pseudo-Bayesian filter: a window of one slice is gpb2, each slice
// more keeps the Gaussians of histories for a slice longer, and if all variables are real the
// window is exact. With an approximate method such as ep real variables are independent of each
// other there given the discrete ones, and the method runs for each state of these. Each slice
// compiles a network of its own.
type Window struct {
	e      *Engine
	by     method.Options
	length int
	fronts bool      // some variables are real: what is before the window is a front
	begin  []*Engine // by slices so far less one: the network of these, until the window is full
	later  *Engine   // of a full window with a slice before it

	before *windowSlice  // the slice before the window; nil if there is none
	past   []windowSlice // those of the window, the oldest first
	last   *Marginals    // of all variables of the network of the window
	n      int
}

// windowSlice is the evidence on a slice, and what is known once it has been entered.
type windowSlice struct {
	found  *Findings
	belief [][]float64 // the posterior of each variable that persists
	front  *temporal.Front
	logP   float64
}

// Window returns a window before slice 0, of a number of slices, in which a method computes all
// marginals.
func (e *Engine) Window(by method.Options, length int) (*Window, error) {
	m := e.vars.m
	switch {
	case m.Transition == nil:
		return nil, fmt.Errorf("the model has no transition from slice to slice; want one for a sequence")
	case length < 1:
		return nil, fmt.Errorf("found a window of %d slices; want 1 or more", length)
	}
	for _, v := range m.Transition.Before {
		if m.IsReal(v) && m.Vars[v].Given {
			return nil, fmt.Errorf("real variable %q is given and has an effect on the next slice; want it to act on its own slice in a window", m.Vars[v].Name)
		}
	}
	return &Window{e: e, by: by, length: length, fronts: len(m.Reals()) > 0, begin: make([]*Engine, length)}, nil
}

// Len returns the number of slices so far.
func (w *Window) Len() int { return w.n }

// Step enters the evidence on the next slice. It returns approximate posteriors of its variables
// given the evidence so far, and an estimate of ln P of that evidence. An error leaves w as it was.
func (w *Window) Step(ctx context.Context, given Given) (*Marginals, error) {
	found, err := w.e.own(given)
	if err != nil {
		return nil, err
	}
	past, before := append(slices.Clone(w.past), windowSlice{found: found}), w.before
	if len(past) > w.length {
		before, past = &past[0], past[1:]
	}
	of, err := w.engine(ctx, len(past), before)
	if err != nil {
		return nil, err
	}
	all, scale := w.findings(of.vars.m, past, before)
	m, err := of.Marginals(ctx, all)
	if err != nil {
		return nil, err
	}
	here := &past[len(past)-1]
	if here.logP = m.LogProb + scale; before != nil {
		here.logP += before.logP
	}
	if w.fronts {
		if here.front, err = w.front(ctx, of, all, m, len(past)-1); err != nil {
			return nil, err
		}
	} else {
		for _, v := range w.e.vars.m.Transition.Before {
			here.belief = append(here.belief, slices.Clone(m.List[w.at(len(past)-1, v)].P))
		}
	}
	w.past, w.before, w.last, w.n = past, before, m, w.n+1
	return w.Ago(0), nil
}

// Ago returns the posteriors of the variables of a slice some slices ago, fewer than the window
// has, given the evidence so far; nil if there is none.
func (w *Window) Ago(lag int) *Marginals {
	slice := len(w.past) - 1 - lag
	if slice < 0 || lag < 0 {
		return nil
	}
	out := &Marginals{LogProb: w.past[len(w.past)-1].logP, Report: w.last.Report}
	for _, v := range w.e.vars.seen {
		out.List = append(out.List, w.e.distribution(v, w.last.List[w.at(slice, v)].Numbers()))
	}
	return out
}

// at returns the number of a variable of a slice in the network of the window.
func (w *Window) at(slice int, v model.VarID) int { return slice*len(w.e.vars.m.Vars) + int(v) }

// engine returns the engine of a network of slices, which is compiled when it is first needed, and
// for each slice if what is before it is a front.
func (w *Window) engine(ctx context.Context, n int, before *windowSlice) (of *Engine, err error) {
	place, front := &w.later, (*temporal.Front)(nil)
	if before == nil {
		place = &w.begin[n-1]
	} else if w.fronts {
		place, front = new(*Engine), before.front
	}
	if *place == nil {
		*place, err = New(ctx, temporal.Window(w.e.vars.m, n, before != nil, front), Options{Method: w.by, Seed: w.e.opt.Seed, MaxTable: w.e.opt.MaxTable, MaxMem: w.e.opt.MaxMem})
		if err == nil && front != nil {
			(*place).opt.Steps = -1 // a long search for an order does not pay for two runs
		}
	}
	return *place, err
}

// findings returns the evidence on the network of the window, and the logarithm of what its
// probability is to be multiplied by.
func (w *Window) findings(m *model.Model, past []windowSlice, before *windowSlice) (all *Findings, scale float64) {
	all = NewFindings(len(m.Vars))
	for t, slice := range past {
		for v := range w.e.vars.m.Vars {
			at := w.at(t, model.VarID(v))
			all.State[at], all.Value[at], all.Soft[at] = slice.found.State[v], slice.found.Value[v], slice.found.Soft[v]
		}
	}
	if before != nil && !w.fronts {
		for i, p := range before.belief {
			all.Soft[len(m.Vars)-len(before.belief)+i] = p
			scale += pgmrt.Ln(float64(len(p)))
		}
	}
	return all, scale
}
