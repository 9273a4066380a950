package infer

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/infer/internal/temporal"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Forward returns an endless sequence of independent rows from the distribution of a Bayesian
// network, drawn from its CPDs, parents before children. It serves networks of any width, and those
// that no exact method takes, such as those with softmax CPDs or functions. Given variables must be
// observed, and no others may be. A row has a state or a value for each variable that is not
// latent, and is valid until the next one. The sequence ends with the first error.
func Forward(ctx context.Context, m *model.Model, given Given, seed uint64) iter.Seq2[[]model.Value, error] {
	return ForwardFrom(ctx, m, given, seed, 0, 0)
}

// ForwardFrom returns the rows of [Forward] from one on, numbered from 0. It skips the rows before
// without drawing them, so that goroutines can draw parts of one sequence. If there are real
// variables, rows take different amounts of random numbers, and a part has those of its block
// instead, as those of [Engine.CloneAt].
func ForwardFrom(ctx context.Context, m *model.Model, given Given, seed, block, row uint64) iter.Seq2[[]model.Value, error] {
	return func(yield func([]model.Value, error) bool) {
		r := randOf(seed, block)
		discrete := len(m.Reals()) == 0
		if discrete {
			r = pgmrt.NewRand(seed)
		}
		f, err := newForward(m, []Given{given}, r)
		if err != nil {
			yield(nil, err)
			return
		}
		if discrete {
			r.Advance(row * uint64(f.Drawn()))
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
		if !yield(f.Rows[0], nil) {
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
			if !yield(f.Rows, nil) {
				return
			}
		}
	}
}

// forward draws slices from CPDs, with errors that name the slice.
type forward struct {
	*temporal.Draws
	m *model.Model
}

func newForward(m *model.Model, givens []Given, r *pgmrt.Rand) (*forward, error) {
	d, err := temporal.NewDraws(m, newVariables(m).seen, r)
	if err != nil {
		return nil, err
	}
	f := &forward{d, m}
	for t, given := range givens {
		found, err := Resolve(m, given)
		if err == nil {
			err = onlyGivens(m, found)
		}
		if err != nil {
			return nil, f.at(t, err)
		}
		own := *found
		own.State, own.Value = slices.Clone(found.State), slices.Clone(found.Value)
		f.Add(own.Observed)
	}
	return f, nil
}

// at returns an error about a slice.
func (f *forward) at(t int, err error) error {
	if err != nil && f.m.Transition != nil {
		return &SliceError{t, err}
	}
	return err
}

// draw draws the slices.
func (f *forward) draw() error { return f.at(f.Draw()) }

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
