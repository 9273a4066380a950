package infer

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Forward returns an endless sequence of independent rows from the distribution of a Bayesian
// network, drawn from its CPDs, parents before children. It serves networks of any width, and those
// that no exact method takes, such as those with softmax CPDs or functions. Given variables must be
// observed, and no others may be. A row has a state or a value for each variable that is not latent, and is valid
// until the next one. The sequence ends with the first error.
func Forward(ctx context.Context, m *model.Model, given Given, seed uint64) iter.Seq2[[]model.Value, error] {
	return func(yield func([]model.Value, error) bool) {
		f, err := newForward(m, []Given{given}, pgmrt.NewRand(seed))
		if err != nil {
			yield(nil, err)
			return
		}
		f.each(ctx, yield)
	}
}

// CanForward reports whether [Forward] draws from the distribution of m given the evidence: whether
// it is a Bayesian network with rows that sum to one, and evidence is on its given variables only.
// [Engine.Values] then draws in the same way.
func CanForward(m *model.Model, given Given) bool {
	found, err := Resolve(m, given)
	return err == nil && m.Transition == nil && onlyGivens(m, found) == nil && sumsToOne(m)
}

// Product returns the log-probability of a row with a state for each variable as the sum over its
// CPDs; ok is false unless e has a Bayesian network of discrete variables that are not latent, with
// rows that sum to one. It is much quicker than [Engine.LogProbs].
func (e *Engine) Product(row []model.Value) (log float64, ok bool) {
	m := e.vars.m
	if len(e.vars.seen) < len(m.Vars) || len(m.Reals()) > 0 || !e.proper() {
		return 0, false
	}
	for i, x := range row {
		e.row.State[i] = x.State
	}
	for _, f := range m.Factors {
		log += pgmrt.Ln(m.Value(f, e.row.State))
	}
	return log, true
}

// each yields rows until yield returns false, an error occurs or ctx ends.
func (f *forward) each(ctx context.Context, yield func([]model.Value, error) bool) {
	for {
		err := ctx.Err()
		if err == nil {
			err = f.draw()
		}
		if err != nil {
			yield(nil, err)
			return
		}
		if !yield(f.rows[0], nil) {
			return
		}
	}
}

// ForwardTrajectories returns an endless sequence of independent draws of as many slices as givens
// has, which may hold the given variables of each and nothing else. It draws from the CPDs in turn,
// as [Forward] does, and serves every Bayesian network with a transition. A draw has, by slice, a
// state or a value for each variable that is not latent, and is valid until the next one.
func ForwardTrajectories(m *model.Model, givens []Given, seed uint64) iter.Seq2[[][]model.Value, error] {
	return func(yield func([][]model.Value, error) bool) {
		f, err := newForward(m, givens, pgmrt.NewRand(seed))
		if m.Transition == nil {
			err = fmt.Errorf("the model has no transition from slice to slice; want one for a sequence")
		}
		for {
			if err == nil {
				err = f.draw()
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(f.rows, nil) {
				return
			}
		}
	}
}

// forward draws slices from CPDs, or rows of a network without a transition.
type forward struct {
	m, step *model.Model
	found   []*Findings
	r       *pgmrt.Rand
	cpds    [2][]*model.Factor // of slice 0 and of a later one, parents before children
	state   []int              // by variable
	x       []float64
	seen    []model.VarID
	rows    [][]model.Value
}

func newForward(m *model.Model, givens []Given, r *pgmrt.Rand) (*forward, error) {
	f := &forward{m: m, step: m, r: r, seen: newVariables(m).seen}
	if m.Transition != nil {
		f.step = m.Step()
	}
	for i, of := range []*model.Model{m, f.step} {
		by := make([]*model.Factor, len(of.Vars))
		for _, x := range of.Factors {
			if x.Child >= 0 {
				by[x.ChildVar()] = x
			}
		}
		for _, v := range of.Topological() {
			if !of.Vars[v].Given {
				f.cpds[i] = append(f.cpds[i], by[v])
			}
		}
	}
	f.state, f.x = make([]int, len(f.step.Vars)), make([]float64, len(f.step.Vars))
	for _, x := range m.Factors {
		if _, diffuse := x.Dist.(*model.Diffuse); diffuse {
			return nil, fmt.Errorf("variable %q has a diffuse prior, from which nothing can be drawn; want a prior of finite variance", m.Vars[x.ChildVar()].Name)
		}
	}
	for t, given := range givens {
		found, err := Resolve(m, given)
		if err == nil {
			err = onlyGivens(m, found)
		}
		if err != nil && m.Transition != nil {
			err = &SliceError{t, err}
		}
		if err != nil {
			return nil, err
		}
		own := *found
		own.State, own.Value = slices.Clone(found.State), slices.Clone(found.Value)
		f.found, f.rows = append(f.found, &own), append(f.rows, make([]model.Value, len(f.seen)))
	}
	return f, nil
}

// draw draws the slices.
func (f *forward) draw() error {
	n := len(f.m.Vars)
	state, x := f.state, f.x
	for t := range f.rows {
		of, cpds := f.m, f.cpds[0]
		if t > 0 {
			of, cpds = f.step, f.cpds[1]
			for i, v := range f.m.Transition.Before {
				state[n+i], x[n+i] = state[v], x[v]
			}
		}
		for _, v := range f.m.Vars {
			if at, known := f.found[t].Observed(v); known {
				state[v.ID], x[v.ID] = at.State, at.Real
			}
		}
		for _, cpd := range cpds {
			err := of.Draw(cpd, f.r, state, x)
			if err != nil && f.m.Transition != nil {
				err = &SliceError{t, err}
			}
			if err != nil {
				return err
			}
		}
		for i, v := range f.seen {
			f.rows[t][i] = model.Value{State: state[v], Real: x[v]}
		}
	}
	return nil
}

// onlyGivens returns an error unless exactly the given variables of a Bayesian network are
// observed.
func onlyGivens(m *model.Model, f *Findings) error {
	if m.Kind != model.Bayes {
		return fmt.Errorf("the model is a %v; only the CPDs of a Bayesian network can be drawn from in turn", m.Kind)
	}
	for _, v := range m.Vars {
		_, known := f.Observed(v)
		switch {
		case f.Soft[v.ID] != nil || known && !v.Given:
			return fmt.Errorf("there is evidence on %q, and the CPDs are drawn from in turn, which allows evidence on given variables alone", v.Name)
		case v.Given && !known:
			return fmt.Errorf("variable %q is given and not observed; want a value", v.Name)
		}
	}
	return nil
}
