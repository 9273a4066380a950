package infer

import (
	"fmt"
	"iter"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Forward returns an endless sequence of independent rows from the distribution of a Bayesian
// network, drawn from its CPDs, parents before children. It serves networks that no exact method
// takes, such as those with softmax CPDs or functions. Given variables must be observed, and no
// others may be. A row has a state or a value for each variable that is not latent, and is valid
// until the next one. The sequence ends with the first error.
func Forward(m *model.Model, given Given, seed uint64) iter.Seq2[[]model.Value, error] {
	return func(yield func([]model.Value, error) bool) {
		f, err := newForward(m, []Given{given}, seed)
		for {
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
}

// ForwardTrajectories returns an endless sequence of independent draws of as many slices as givens
// has, which may hold the given variables of each and nothing else. It draws from the CPDs in turn,
// as [Forward] does, and serves every Bayesian network with a transition. A draw has, by slice, a
// state or a value for each variable that is not latent, and is valid until the next one.
func ForwardTrajectories(m *model.Model, givens []Given, seed uint64) iter.Seq2[[][]model.Value, error] {
	return func(yield func([][]model.Value, error) bool) {
		f, err := newForward(m, givens, seed)
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
	orders  [2][]model.VarID // of the variables of slice 0, and of a later one
	seen    []model.VarID
	rows    [][]model.Value
}

func newForward(m *model.Model, givens []Given, seed uint64) (*forward, error) {
	f := &forward{m: m, step: m, r: pgmrt.NewRand(seed), seen: newVariables(m).seen}
	if m.Transition != nil {
		f.step = m.Step()
	}
	f.orders = [2][]model.VarID{m.Topological(), f.step.Topological()}
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
	state, x := make([]int, len(f.step.Vars)), make([]float64, len(f.step.Vars))
	for t := range f.rows {
		of, order := f.m, f.orders[0]
		if t > 0 {
			of, order = f.step, f.orders[1]
			for i, v := range f.m.Transition.Before {
				state[n+i], x[n+i] = state[v], x[v]
			}
		}
		for _, v := range f.m.Vars {
			if at, known := f.found[t].Observed(v); known {
				state[v.ID], x[v.ID] = at.State, at.Real
			}
		}
		for _, v := range order {
			if of.Vars[v].Given {
				continue
			}
			err := of.Draw(of.CPD(v), f.r, state, x)
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
