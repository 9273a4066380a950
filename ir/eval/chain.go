package eval

import (
	"context"
	"errors"
	"math"

	"github.com/pgmc-go/pgmc/ir"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// RunChain is RunContext for an entry with a chain. Non-zero fields of opt replace the program's
// options. It returns a report of the run. It stops between two sweeps if ctx is done; the answers
// are then undefined. Errors are Run's, ctx's, pgmrt.ErrChain and pgmrt.ErrStart.
func (m *Machine) RunChain(ctx context.Context, e *ir.Entry, opt pgmrt.ChainOptions) (r pgmrt.SampleReport, err error) {
	c := e.Chain
	opt, err = opt.With(pgmrt.ChainOptions(c.ChainOptions))
	if err != nil {
		return r, err
	}
	for _, v := range c.Functions {
		if m.evidence[v].l[0] != 0 {
			return r, errors.New(ir.ObservedFunction(m.model.Vars[v].Name))
		}
	}
	var stopped error
	err = m.answer(e, func() { r, stopped = m.sample(ctx, e, pgmrt.NewChainRun(opt)) })
	if stopped != nil && !errors.Is(stopped, ErrImpossible) {
		err = stopped
	}
	if err != nil {
		return pgmrt.SampleReport{}, err
	}
	return r, nil
}

// chainNumbers returns the numbers of a run of chains.
func (m *Machine) chainNumbers(c *ir.Chain) (n ir.ChainNumbers[*float64]) {
	for i, x := range n.All() {
		*x = &m.Span(*c.ChainRun.All()[i])[0]
	}
	return n
}

// sample runs the chains.
func (m *Machine) sample(ctx context.Context, e *ir.Entry, chains pgmrt.ChainRun) (r pgmrt.SampleReport, err error) {
	c := e.Chain
	n := m.chainNumbers(c)
	section := func(s ir.Section) { m.runAll(c.Section(e.Blocks, s)) }
	*n.Chains, *n.Length = float64(chains.Chains), float64(chains.Length)
	*n.RHat, *n.ESS, *n.Error = 1, math.Inf(1), 0
	for _, id := range c.Refused {
		m.Span(id)[0] = 0
	}
	section(ir.SectionBegin)
	for chains.Next(m.Rand) {
		section(ir.SectionStart)
		if outcome := m.Span(e.Root)[0]; outcome != 1 {
			return r, pgmrt.StartError(outcome)
		}
		for chains.Sweep() {
			if err := ctx.Err(); err != nil {
				return r, err
			}
			section(ir.SectionSweep)
			if share, ends := chains.Batch(); ends {
				*n.Share = share
				section(ir.SectionBatch)
				if chains.Half() {
					section(ir.SectionHalf)
				}
			}
		}
	}
	section(ir.SectionEnd)
	r = chains.Report(*n.RHat, *n.ESS, *n.Error)
	if c.Refused != nil {
		r.Refused, r.Rejected = m.Span(c.Refused[0])[0], m.Span(c.Refused[1])[0]
	}
	return r, nil
}
