package tape

import (
	"github.com/pgmc-go/pgmc/codegen/backend"
	"github.com/pgmc-go/pgmc/codegen/backend/walk"
	"github.com/pgmc-go/pgmc/ir"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// The prices of steps in nanoseconds, by the benchmarks of package runtime on the machine of the other back-ends'
// constants; pgmrt.Nest.Nanoseconds has those of contractions.
const (
	nsCall   = 3   // the call of the machine
	nsStep   = 5   // the dispatch of a step
	nsTerm   = .8  // a term of a node of a circuit
	nsWeight = 3.5 // an operand of a weight of a pick, which takes each weight twice
	nsVisit  = 30  // a node or an input that a walk comes by
	nsNumber = 1   // a number that a step normalises, rescales, clears or copies
)

func cost(p *ir.Program, b *ir.Block) backend.Cost {
	c := backend.Cost{OK: true, NS: nsCall}
	for _, step := range b.Steps {
		ns, ops := stepCost(p, step)
		c.NS += ns
		c.Ops += ops
	}
	return c
}

// stepCost is the price of a step, and how many multiplications, additions and comparisons it makes.
func stepCost(p *ir.Program, step ir.Step) (ns float64, ops int) {
	switch s := step.(type) {
	case *ir.Contract:
		e := encoder{p: p}
		nest := pgmrt.Nest{Max: s.Reduce == ir.ReduceMax, Axes: loopAxes(s.Axes), Out: e.view(s.Out), In: e.views(s.In)}
		return nest.Nanoseconds(), s.Entries() * max(1, len(s.In))
	case *ir.Sums:
		return nsStep + float64(nsTerm*float64(len(s.Terms))), s.Ops()
	case *ir.Walk:
		n := walk.Visits(p, s)
		return nsStep + float64(nsVisit*n), int(min(n, float64(len(s.Terms))))
	case *ir.Pick:
		ops = s.Axes[0].Size * max(1, len(s.In)) * 2
		return nsStep + float64(nsWeight*float64(ops)), ops
	case *ir.Normalize:
		n := p.Spans[s.Span].Len
		return nsStep + float64(2*nsNumber*float64(n)), 2 * n
	case *ir.Rescale:
		n := p.Spans[s.Span].Len
		return nsStep + float64(2*nsNumber*float64(n)), 2 * n
	case *ir.Zero:
		return nsStep, 0
	case *ir.Lookup:
		return nsStep + float64(nsNumber*float64(p.Spans[s.Out].Len)), 0
	}
	if ns := backend.LoopStepNS(p, step) + backend.ChainStepNS(p, step) + backend.EnergyStepNS(p, step); ns > 0 {
		return nsStep + ns, 0
	}
	return nsStep, 0
}

// narrows says along which axes an instruction looks at nothing beyond the states left. It clears all of its result first.
func narrows(p *ir.Program, c *ir.Contract, may []bool) (exact []bool) {
	e := encoder{p: p}
	nest := pgmrt.Nest{Max: c.Reduce == ir.ReduceMax, Axes: loopAxes(c.Axes), Out: e.view(c.Out), In: e.views(c.In)}
	for i := range may {
		if may[i] {
			nest.Axes[i].Range = 1 + 2*i // any place of its own
		}
	}
	return nest.Narrows()
}

// loopAxes describes axes to the runtime's estimate, for which it does not matter where a state lies.
func loopAxes(axes []ir.Axis) []pgmrt.NestAxis {
	out := make([]pgmrt.NestAxis, len(axes))
	for i, a := range axes {
		out[i] = pgmrt.NestAxis{Size: a.Size, State: pgmrt.Looping}
		if a.Kind == ir.AxisFixed {
			out[i].State = 0
		}
	}
	return out
}
