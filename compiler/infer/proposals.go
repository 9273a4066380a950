package infer

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/compiler/method/clg"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// informed draws particles given the evidence on their slice.
type informed struct {
	base   *model.Model
	found  *Findings
	r      *pgmrt.Rand
	engine *Engine // of the slice, with the variables before it
	places *places // nil in slice 0
}

// informed returns what draws the next slice of f given its evidence.
func (f *Filter) informed(ctx context.Context, found *Findings, r *pgmrt.Rand) (drawer, error) {
	s := &informed{base: f.e.vars.m, found: found, r: r}
	slice := *s.base
	slice.Transition = nil
	m := &slice
	if f.n > 0 {
		m, s.places = s.base.Step(), newPlaces(s.base)
	}
	var err error
	s.engine, err = f.e.slices(ctx, f.n > 0, m)
	return s, err
}

func (s *informed) from(r *pgmrt.Rand) { s.r = r }

func (s *informed) draw(ctx context.Context, c *pgmrt.Cloud, i int) (log, certain float64, err error) {
	given := NewFindings(len(s.engine.vars.m.Vars))
	copy(given.State, s.found.State)
	copy(given.Value, s.found.Value)
	copy(given.Soft, s.found.Soft)
	if s.places != nil {
		states, values := c.Before(i)
		for k, at := range s.places.state {
			given.Observe(s.engine.vars.m.Vars[s.places.as[k]], model.Value{State: int(states[at])})
		}
		for k, at := range s.places.value {
			given.Observe(s.engine.vars.m.Vars[s.places.asReal[k]], model.Value{Real: values[at]})
		}
	}
	log, err = s.engine.LogProb(ctx, given)
	if errors.Is(err, ErrImpossible) {
		return math.Inf(-1), 0, nil
	} else if err != nil || math.IsInf(log, -1) {
		return log, 0, err
	}
	for _, m := range s.engine.machines { // one, which LogProb has made
		m.Rand = s.r
	}
	states, values := c.New(i)
	for drawn, err := range s.engine.Values(ctx, given) {
		if err != nil {
			return 0, 0, err
		}
		k, r := 0, 0
		for v, value := range drawn[:len(s.base.Vars)] {
			if s.base.IsReal(model.VarID(v)) {
				values[r], r = value.Real, r+1
			} else {
				states[k], k = int32(value.State), k+1
			}
		}
		break
	}
	return log, 0, nil
}

// slices returns an engine of the network of a slice, in which no variable is latent. Method clg
// takes the variables before it as given ones, also if all are discrete.
func (e *Engine) slices(ctx context.Context, later bool, m *model.Model) (*Engine, error) {
	if e.informed[later] == nil {
		open := *m
		open.Vars = nil
		for _, v := range m.Vars {
			w := *v
			w.Latent = false
			open.Vars = append(open.Vars, &w)
		}
		of, err := New(ctx, &open, Options{Method: clg.NewOptions(), Seed: e.opt.Seed, Queries: []string{"logprob", "sample"}})
		if err != nil {
			return nil, fmt.Errorf("a proposal by the posterior of a slice: %w", err)
		}
		if e.informed == nil {
			e.informed = map[bool]*Engine{}
		}
		e.informed[later] = of
	}
	return e.informed[later], nil
}
