package infer

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// MaxMarginals returns the max-marginals of each of the given sets of variables, and without sets
// of each variable. Methods that decode states from messages return pseudo-max-marginals of single
// variables. Those of maxprod are exact on a factor graph without cycles, and the best state of a
// variable has the log-probability of the chosen completion. Those of methods with a bound, such as
// trws, are themselves upper bounds; the options of the engine must name the query maxmarginals.
func (e *Engine) MaxMarginals(ctx context.Context, given Given, sets ...[]string) (*MaxMarginals, error) {
	if e.method != nil {
		return e.pseudoMaxMarginals(ctx, given, sets)
	}
	if len(sets) > 0 {
		return e.jointMaxMarginals(ctx, given, sets)
	}
	p, m, err := e.ask(ctx, given, &ir.Query{Kind: ir.MaxMarginals})
	if err != nil {
		return nil, err
	}
	return MaxMarginalsOf(e.distributions(p, m), m.LogP()), nil
}

// MaxMarginalsOf returns max-marginals from numbers up to a factor for each variable, such as a
// package answers. The best state of each variable has the log-probability best.
func MaxMarginalsOf(list []Distribution, best float64) *MaxMarginals {
	out := &MaxMarginals{LogProb: best}
	for _, d := range list {
		out.List = append(out.List, MaxMarginal{Vars: []string{d.Var}, States: [][]string{d.States}, LogProb: logsFrom(best, d.P, slices.Max(d.P))})
	}
	return out
}

// logsFrom returns the logarithms of numbers that are given up to a factor; number one has the
// logarithm log.
func logsFrom(log float64, numbers []float64, one float64) []float64 {
	out := make([]float64, len(numbers))
	for i, x := range numbers {
		out[i] = pgmrt.Ln(x/one) + log
	}
	return out
}

// jointMaxMarginals returns the max-marginals of sets of variables.
func (e *Engine) jointMaxMarginals(ctx context.Context, given Given, sets [][]string) (*MaxMarginals, error) {
	out := &MaxMarginals{}
	for _, names := range sets {
		vars, err := e.vars.all(names)
		if err != nil {
			return nil, err
		}
		_, m, err := e.ask(ctx, given, &ir.Query{Kind: ir.Joint, Targets: vars, Best: true})
		if err != nil {
			return nil, err
		}
		x := MaxMarginal{LogProb: logsFrom(m.LogP(), m.Posterior(0), 1)} // the root is the sum of the maxima
		for _, v := range vars {
			x.Vars, x.States = append(x.Vars, e.vars.m.Vars[v].Name), append(x.States, e.vars.m.States(v))
		}
		out.List, out.LogProb = append(out.List, x), slices.Max(x.LogProb)
	}
	return out, nil
}

// pseudoMaxMarginals returns the beliefs of a method that decodes states from messages.
func (e *Engine) pseudoMaxMarginals(ctx context.Context, given Given, sets [][]string) (*MaxMarginals, error) {
	if len(sets) > 0 {
		return nil, errors.New("pseudo-max-marginals are of single variables; want an exact method for sets of variables")
	}
	c, err := e.MPE(ctx, given)
	if err != nil {
		return nil, err
	}
	if c.MaxMarginals == nil {
		return nil, ErrNoAnswer
	}
	return c.PseudoMaxMarginals(), nil
}

// PseudoMaxMarginals returns the max-marginals of c, which a method chose, as logarithms; see
// [Engine.MaxMarginals].
func (c *Completion) PseudoMaxMarginals() *MaxMarginals {
	best := c.LogProb
	if !math.IsInf(c.Report.Bound, 1) {
		best = c.Report.Bound
	}
	out := MaxMarginalsOf(c.MaxMarginals, best)
	out.LogProb, out.Report = c.LogProb, c.Report
	return out
}
