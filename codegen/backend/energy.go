package backend

import (
	"fmt"

	"github.com/pgmc-go/pgmc/ir"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// EnergyStep is the statement that runs a step on energies by the runtime's tape machine; empty for other steps. memory is as for LoopStep, and
// stateful is called where the statement uses the memory of states.
func EnergyStep(out *Output, step ir.Step, memory func(ir.SpanID) string, stateful func()) string {
	start := len(*out.Ints)
	code := AppendEnergies(*out.Ints, out.Program, step)
	if len(code) == start {
		return ""
	}
	*out.Ints = code
	stateful()
	p := "nil"
	for _, id := range ir.EnergySpans(step) {
		if out.Program.Spans[id].Elem == ir.Float64 && memory(id) == "p" {
			p = "p[:]"
		}
	}
	return fmt.Sprintf("pgmrt.RunEnergies(e.k[%d:%d], s[:], %s, t[:])", start, len(code), p)
}

// AppendEnergies appends the instruction of a step on energies; nothing for other steps.
func AppendEnergies(code []int32, p *ir.Program, step ir.Step) []int32 {
	at := func(id ir.SpanID) int {
		if id == ir.NoSpan {
			return -1
		}
		return p.Spans[id].Offset
	}
	span := func(id ir.SpanID) pgmrt.TapeSpan {
		s := &p.Spans[id]
		return pgmrt.TapeSpan{Data: s.ReadOnly(), Offset: s.Offset, Len: s.Len}
	}
	switch s := step.(type) {
	case *ir.MinSum:
		var axes []pgmrt.EnergyAxis
		for i, a := range s.Axes {
			axis := pgmrt.EnergyAxis{Size: a.Size, State: -1, In: at(s.In[i])}
			if a.Kind == ir.AxisFixed {
				axis.State = at(p.State) + int(a.Var)
			}
			axes = append(axes, axis)
		}
		return pgmrt.AppendMinSum(code, at(s.Out), s.To, span(s.Table), axes)
	case *ir.Spread:
		plan := &pgmrt.SpreadPlan{States: p.Spans[s.Base].Len, Base: at(s.Base), Belief: at(s.Belief), Alive: at(s.Alive), Bound: at(s.Bound),
			Residual: at(s.Residual), Rate: at(s.Rate), Share: s.Share}
		for i := range s.Out {
			plan.Edges = append(plan.Edges, pgmrt.EnergyEdge{In: at(s.In[i]), Out: at(s.Out[i]), Divide: int(s.Divide[i])})
		}
		return pgmrt.AppendSpread(code, plan)
	case *ir.Energy:
		var in []pgmrt.TapeSpan
		for _, id := range s.In {
			in = append(in, span(id))
		}
		return pgmrt.AppendEnergy(code, p.Spans[s.Out].Len, at(s.Out), at(s.Weight), in)
	case *ir.Choose:
		plan := &pgmrt.ChoosePlan{States: s.Axis.Size, State: at(p.State) + int(s.Axis.Var), Final: s.Final, Value: at(s.Value), Ties: at(s.Ties), Belief: at(s.Belief)}
		for _, id := range s.In {
			plan.Rows = append(plan.Rows, at(id))
		}
		return pgmrt.AppendChoose(code, plan)
	case *ir.Judge:
		var run [ir.JudgeNumbers]int
		for i, id := range s.Run {
			run[i] = at(id)
		}
		return pgmrt.AppendJudge(code, at(p.State), at(s.Best), p.Spans[s.Best].Len, run)
	}
	return code
}

// nsLeast is the price of a sum of which the least is kept, in nanoseconds.
const nsLeast = 1.5

// EnergyStepNS is the price of a step on energies; 0 for other steps.
func EnergyStepNS(p *ir.Program, step ir.Step) float64 {
	switch s := step.(type) {
	case *ir.MinSum:
		return 4*nsLoopCall + float64(nsLeast*float64(s.Entries()))
	case *ir.Spread:
		price := nsMove
		if s.Residual != ir.NoSpan {
			price += 2 * nsLog
		}
		return nsLoopCall + float64((nsAdd+price)*float64(p.Spans[s.Base].Len*(1+len(s.In))))
	case *ir.Energy:
		return nsLoopCall + float64((nsLog+float64(nsAdd*float64(len(s.In))))*float64(p.Spans[s.Out].Len))
	case *ir.Choose:
		return nsLoopCall + float64(2*nsAdd*float64(s.Axis.Size*(1+len(s.In))))
	case *ir.Judge:
		return nsLoopCall + float64(nsMove*float64(p.Spans[s.Best].Len))
	}
	return 0
}
