package engine

import (
	"context"
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/compiler/infer"
)

// sequence answers a question about a slice.
func (e *Engine) sequence(ctx context.Context, q *Question) (*Answer, error) {
	s := q.sequence()
	if err := s.check(); err != nil {
		return nil, err
	}
	given, dense, err := e.everySlice(q, s)
	if err != nil {
		return nil, err
	}
	in, err := e.engine(ctx, nil)
	if err != nil {
		return nil, err
	}
	var all []infer.Marginals
	out := &Answer{Density: dense}
	switch s.Mode {
	case filterSlices:
		all, out.LogP, err = filter(ctx, in, given, s.At)
	case smoothSlices, pathOfSlices:
		if all, err = in.Smooth(ctx, given); err == nil {
			out.LogP = all[0].LogProb + 0
		}
	default:
		err = fmt.Errorf("unknown mode %q; want %s, %s or %s", s.Mode, filterSlices, smoothSlices, pathOfSlices)
	}
	if err != nil {
		return nil, err
	}
	out.Marginals = numbers(&all[s.At])
	var path *infer.Path
	if s.Mode == pathOfSlices {
		if path, err = in.Viterbi(ctx, given); err != nil {
			return nil, err
		}
		out.MPE, out.MPELogP = states(&path.Slices[s.At]), path.LogProb+0
	}
	out.Course = course(s.Var, all, path)
	return out, nil
}

// everySlice returns the evidence on all slices, and whether some of it is of real variables.
func (e *Engine) everySlice(q *Question, s *Sequence) (given []infer.Given, density bool, err error) {
	for t := range s.Length {
		x := s.Others[t]
		if t == s.At {
			x = Slice{q.Hard, q.Soft}
		}
		all, err := e.evidence(x.Hard, x.Soft)
		if err != nil {
			return nil, false, fmt.Errorf("slice %d: %w", t, err)
		}
		given, density = append(given, all), density || dense(e.m, x.Hard)
	}
	return given, density, nil
}

// filter returns the posteriors of each slice given the evidence up to it, and ln P of the evidence
// up to slice at.
func filter(ctx context.Context, in *infer.Engine, given []infer.Given, at int) (all []infer.Marginals, logP float64, err error) {
	f, err := in.Filter(ctx)
	if err != nil {
		return nil, 0, err
	}
	for t, x := range given {
		m, err := f.Step(ctx, x)
		if err != nil {
			return nil, 0, fmt.Errorf("slice %d: %w", t, err)
		}
		all = append(all, *m)
		if t == at {
			logP = f.LogProb() + 0
		}
	}
	return all, logP, nil
}

// course returns the course of a variable; nil for one that no posterior is of.
func course(name string, all []infer.Marginals, path *infer.Path) *Course {
	out := &Course{Var: name}
	for t := range all {
		d := all[t].Of(name)
		if d == nil {
			return nil
		}
		out.List = append(out.List, finite(d.Numbers()))
		if path != nil {
			out.Path = append(out.Path, path.Slices[t].Of(name))
		}
	}
	return out
}

// normal returns the posterior of a real variable in a slice if it is known to be normal.
func (e *Engine) normal(ctx context.Context, q *Question, name string) (infer.Mixture, error) {
	if len(e.m.Reals()) < len(e.m.Vars) {
		return infer.Mixture{}, nil
	}
	s := *q.sequence()
	s.Var = name
	a, err := e.sequence(ctx, &Question{Hard: q.Hard, Soft: q.Soft, Sequence: &s})
	if err != nil {
		return nil, err
	}
	if a.Course == nil {
		return nil, fmt.Errorf("unknown variable %q", name)
	}
	d := a.Course.List[s.At]
	if d[1] == math.MaxFloat64 {
		return infer.Mixture{}, nil
	}
	return infer.Mixture{{P: 1, Mean: d[0], Var: d[1]}}, nil
}
