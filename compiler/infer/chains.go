package infer

import (
	"context"
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer/internal/temporal"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/meanfield"
	"github.com/pgmc-go/pgmc/ir/diag"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// MeanFieldPath returns approximate posteriors of the slices of a sequence given all evidence, by
// structured mean field: the nearest distribution in which discrete variables are independent of
// each other, and each that persists is a Markov chain over all slices. LogProb is a lower bound of
// ln P(evidence), up to rounding, and the report of each slice says after how many sweeps over the
// chains it stopped, and by how much the last one raised the bound. No sweep lowers it. Of the
// options it takes Iterations, Tolerance, Start and Seed. Marginals may be far off.
//
// Cost: a sweep reads, for each slice, the table of each CPD once for each of its variables that is
// not observed. Source: Ghahramani and Jordan 1997, "Factorial hidden Markov models".
func (e *Engine) MeanFieldPath(ctx context.Context, sequence []Given, opt meanfield.Options) ([]Marginals, error) {
	m := e.vars.m
	if m.Transition == nil {
		return nil, fmt.Errorf("the model has no transition from slice to slice; want one for a sequence")
	}
	if reals := m.Reals(); len(reals) > 0 {
		return nil, diag.Errorf("structured mean field needs discrete variables alone; found real variable %q; try %v", m.Vars[reals[0]].Name, compiler.By(method.MergingFilter))
	}
	if def := meanfield.NewOptions(); opt.Schedule != def.Schedule || opt.Damping != def.Damping || opt.Mean != def.Mean {
		return nil, fmt.Errorf("structured mean field has no schedule, damping or mean; want iterations, tolerance, start and seed alone")
	}
	c := temporal.NewChains(m)
	for t, given := range sequence {
		found, err := e.own(given)
		if err == nil {
			err = c.Add(sliceOf(found))
		}
		if err != nil {
			return nil, &SliceError{t, err}
		}
	}
	if t, err := c.Begin(); err != nil {
		return nil, &SliceError{t, err}
	}
	if opt.Start == "random" {
		c.Scatter(pgmrt.NewRand(opt.Seed))
	}
	report := &Report{Status: pgmrt.NotConverged.String()}
	bound := math.Inf(-1)
	for report.Iterations < opt.Iterations && !report.Converged {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		before := bound
		bound = c.Sweep()
		report.Iterations++
		report.Residual = bound - before
		if report.Residual <= opt.Tolerance*max(1, math.Abs(bound)) {
			report.Converged, report.Status = true, pgmrt.Converged.String()
		}
	}
	c.Complete()
	out := make([]Marginals, len(sequence))
	for t := range out {
		out[t].LogProb, out[t].Report = bound, report
		for _, v := range e.vars.seen {
			out[t].List = append(out[t].List, e.distribution(v, c.Marginal(t, v)))
		}
	}
	return out, nil
}
