package infer

import (
	"context"
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer/internal/temporal"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Window follows a sequence of discrete variables by an approximate method in a window of its last
// slices: belief propagation, for instance, whose messages then go back and forth between slices.
// What is before the window enters as the posteriors of the variables that persist, each alone,
// given the evidence up to the slice before it, so that the cost of a slice grows with the length
// of the window and not with the joint states of these variables. A window of one slice is the
// factored frontier of Murphy and Weiss 2001. As long as the sequence is no longer than the window,
// answers are those of the method in the network of all slices; they are exact if that method is in
// the network of the window, and one variable persists. Otherwise there is no guarantee.
type Window struct {
	e      *Engine
	by     method.Options
	length int
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
	logP   float64
}

// Window returns a window before slice 0, of a number of slices, in which a method computes all
// marginals.
func (e *Engine) Window(by method.Options, length int) (*Window, error) {
	m := e.vars.m
	switch reals := m.Reals(); {
	case m.Transition == nil:
		return nil, fmt.Errorf("the model has no transition from slice to slice; want one for a sequence")
	case len(reals) > 0:
		return nil, diag.Errorf("a window needs discrete variables alone; found real variable %q; try %v", m.Vars[reals[0]].Name, insteadOfWindow(m))
	case length < 1:
		return nil, fmt.Errorf("found a window of %d slices; want 1 or more", length)
	}
	return &Window{e: e, by: by, length: length, begin: make([]*Engine, length)}, nil
}

// insteadOfWindow returns the method for a network with real variables: one that merges Gaussians
// if it takes the network, and else particles.
func insteadOfWindow(m *model.Model) diag.Option {
	merges := compiler.By(method.MergingFilter)
	if x, err := compiler.FindMethod(merges.Value); err == nil && x.Takes&m.Traits() == m.Traits() {
		return merges
	}
	return compiler.By(method.ParticleFilter)
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
	of, err := w.engine(ctx, len(past), before != nil)
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
	for _, v := range w.e.vars.m.Transition.Before {
		here.belief = append(here.belief, slices.Clone(m.List[w.at(len(past)-1, v)].P))
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
		out.List = append(out.List, w.e.distribution(v, w.last.List[w.at(slice, v)].P))
	}
	return out
}

// at returns the number of a variable of a slice in the network of the window.
func (w *Window) at(slice int, v model.VarID) int { return slice*len(w.e.vars.m.Vars) + int(v) }

// engine returns the engine of a network of slices, which is compiled when it is first needed.
func (w *Window) engine(ctx context.Context, n int, later bool) (of *Engine, err error) {
	place := &w.later
	if !later {
		place = &w.begin[n-1]
	}
	if *place == nil {
		*place, err = New(ctx, temporal.Window(w.e.vars.m, n, later), Options{Method: w.by, Seed: w.e.opt.Seed, MaxTable: w.e.opt.MaxTable, MaxMem: w.e.opt.MaxMem})
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
			all.State[at], all.Soft[at] = slice.found.State[v], slice.found.Soft[v]
		}
	}
	if before != nil {
		for i, p := range before.belief {
			all.Soft[len(m.Vars)-len(before.belief)+i] = p
			scale += pgmrt.Ln(float64(len(p)))
		}
	}
	return all, scale
}
