package eval

import (
	"context"
	"errors"
	"math"

	"github.com/pgmc-go/pgmc/ir"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// RunChain is RunContext for an entry with a chain, with other options than the program's where fields of opt are not zero, and says how
// it went. It gives up between two sweeps when ctx is done; answers then mean nothing. Errors are those of Run, that of ctx,
// pgmrt.ErrChain and pgmrt.ErrStart.
func (m *Machine) RunChain(ctx context.Context, e *ir.Entry, opt pgmrt.ChainOptions) (r pgmrt.SampleReport, err error) {
	c := e.Chain
	opt, err = opt.With(pgmrt.ChainOptions(c.ChainOptions))
	if err != nil {
		return r, err
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

// sample runs the chains.
func (m *Machine) sample(ctx context.Context, e *ir.Entry, chains pgmrt.ChainRun) (r pgmrt.SampleReport, err error) {
	c := e.Chain
	number := func(i int) *float64 { return &m.Span(c.Run[i])[0] }
	section := func(i int) { m.runAll(c.Section(e.Blocks, i)) }
	*number(1), *number(2) = float64(chains.Chains), float64(chains.Length)
	*number(3), *number(4), *number(5) = 1, math.Inf(1), 0
	section(0)
	for chains.Next(m.Rand) {
		section(1)
		if outcome := m.Span(e.Root)[0]; outcome != 1 {
			return r, pgmrt.StartError(outcome)
		}
		for chains.Sweep() {
			if err := ctx.Err(); err != nil {
				return r, err
			}
			section(2)
			if share, ends := chains.Batch(); ends {
				*number(0) = share
				section(3)
				if chains.Half() {
					section(4)
				}
			}
		}
	}
	section(5)
	return chains.Report(*number(3), *number(4), *number(5)), nil
}

// chainOp prepares a step that only samplers have; the code is nil for other steps.
func (m *Machine) chainOp(step ir.Step) []int32 {
	switch s := step.(type) {
	case *ir.Resample:
		var tallies []int
		for _, id := range s.Tallies {
			at := -1
			if id != ir.NoSpan {
				at = m.layout.offset[id]
			}
			tallies = append(tallies, at)
		}
		row := m.row(&s.Row)
		return pgmrt.AppendResample(nil, &row, m.layout.offset[s.Weights], tallies, s.Scaled)
	case *ir.Seek:
		var levels []pgmrt.TapeLevel
		for i := range s.Levels {
			l := &s.Levels[i]
			levels = append(levels, pgmrt.TapeLevel{Row: m.row(&l.Row), Weights: m.layout.offset[l.Weights], Back: l.Back})
		}
		return pgmrt.AppendSeek(nil, m.layout.offset[s.Outcome], levels)
	case *ir.Trial:
		return m.trial(s)
	case *ir.Fold:
		var stats, run [6]int
		for i := range stats {
			stats[i], run[i] = m.layout.offset[s.Stats[i]], m.layout.offset[s.Run[i]]
		}
		return pgmrt.AppendFold(nil, folds[s.Kind], m.program.Spans[s.Stats[0]].Len, stats, run)
	case *ir.Kernel:
		return s.Words(m.layout.offset[m.program.State], func(id ir.SpanID) int { return m.layout.offset[id] })
	}
	return nil
}

// kernels are the functions of the runtime that are steps by themselves, by their names.
var kernels = map[string]func(k []int32, s, p []float64, t []int32, r *pgmrt.Rand){
	"ForestDeterminant": pgmrt.ForestDeterminant,
	"ForestReals":       pgmrt.ForestReals,
	"ForestSchur":       pgmrt.ForestSchur,
	"ForestStart":       pgmrt.ForestStart,
	"ForestTree":        pgmrt.ForestTree,
}

var folds = map[ir.FoldKind]pgmrt.TapeFold{ir.FoldClear: pgmrt.TapeFoldClear, ir.FoldBatch: pgmrt.TapeFoldBatch, ir.FoldHalf: pgmrt.TapeFoldHalf, ir.FoldRun: pgmrt.TapeFoldRun,
	ir.FoldHalfReal: pgmrt.TapeFoldHalfReal, ir.FoldRunReal: pgmrt.TapeFoldRunReal}

// row gives a row its places.
func (m *Machine) row(r *ir.Row) pgmrt.TapeRow {
	var out pgmrt.TapeRow
	state := func(a ir.Axis) int { return m.layout.offset[m.program.State] + int(a.Var) }
	for _, a := range r.Axes {
		if a.Kind == ir.AxisOut {
			out.Drawn = append(out.Drawn, pgmrt.TapeVar{Place: state(a), Size: a.Size})
		} else {
			out.Standing = append(out.Standing, state(a))
		}
	}
	out.Tables = m.views(r.In)
	for _, t := range r.Trees {
		tree := pgmrt.TapeTree{Data: m.program.Spans[t.Leaves].ReadOnly(), Offset: m.layout.offset[t.Leaves], Child: -1, Stride: 1}
		if t.Child >= 0 {
			tree.Child = state(ir.Axis{Var: t.Child})
		}
		for _, n := range t.Nodes {
			tree.Nodes = append(tree.Nodes, pgmrt.TapeTest{Place: state(ir.Axis{Var: n.Var}), Next: n.Next})
		}
		out.Trees = append(out.Trees, tree)
	}
	return out
}
