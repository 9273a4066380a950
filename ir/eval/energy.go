package eval

import (
	"math"

	"github.com/pgmc-go/pgmc/ir"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// energyOp prepares a step on energies; the code is nil for other steps.
func (m *Machine) energyOp(step ir.Step) []int32 {
	switch s := step.(type) {
	case *ir.MinSum:
		var axes []pgmrt.EnergyAxis
		for i, a := range s.Axes {
			axis := pgmrt.EnergyAxis{Size: a.Size, State: -1, In: m.place(s.In[i])}
			if a.Kind == ir.AxisFixed {
				axis.State = m.layout.offset[m.program.State] + int(a.Var)
			}
			axes = append(axes, axis)
		}
		return pgmrt.AppendMinSum(nil, m.place(s.Out), s.To, m.tapeSpan(s.Table), axes)
	case *ir.Spread:
		p := &pgmrt.SpreadPlan{States: m.program.Spans[s.Base].Len, Base: m.place(s.Base), Belief: m.place(s.Belief), Alive: m.place(s.Alive),
			Bound: m.place(s.Bound), Residual: m.place(s.Residual), Rate: m.place(s.Rate), Share: s.Share}
		for i := range s.Out {
			p.Edges = append(p.Edges, pgmrt.EnergyEdge{In: m.place(s.In[i]), Out: m.place(s.Out[i]), Divide: int(s.Divide[i])})
		}
		return pgmrt.AppendSpread(nil, p)
	case *ir.Energy:
		var in []pgmrt.TapeSpan
		for _, id := range s.In {
			in = append(in, m.tapeSpan(id))
		}
		return pgmrt.AppendEnergy(nil, m.program.Spans[s.Out].Len, m.place(s.Out), m.place(s.Weight), in)
	case *ir.Choose:
		p := &pgmrt.ChoosePlan{States: s.Axis.Size, State: m.layout.offset[m.program.State] + int(s.Axis.Var), Final: s.Final,
			Value: m.place(s.Value), Ties: m.place(s.Ties), Belief: m.place(s.Belief)}
		for _, id := range s.In {
			p.Rows = append(p.Rows, m.place(id))
		}
		return pgmrt.AppendChoose(nil, p)
	case *ir.Judge:
		var run [ir.JudgeNumbers]int
		for i, id := range s.Run {
			run[i] = m.place(id)
		}
		return pgmrt.AppendJudge(nil, m.place(m.program.State), m.place(s.Best), m.program.Spans[s.Best].Len, run)
	}
	return nil
}

// place is the offset of a span in its memory; -1 for none.
func (m *Machine) place(id ir.SpanID) int {
	if id == ir.NoSpan {
		return -1
	}
	return m.layout.offset[id]
}

// tapeSpan is a span as the tape has it.
func (m *Machine) tapeSpan(id ir.SpanID) pgmrt.TapeSpan {
	s := &m.program.Spans[id]
	return pgmrt.TapeSpan{Data: s.ReadOnly(), Offset: m.layout.offset[id], Len: s.Len}
}

// Decoded is what is known of the states that the last run of an entry with a loop chose, which went as r says.
func (m *Machine) Decoded(e *ir.Entry, r pgmrt.Report) pgmrt.DecodeReport {
	d := e.Loop.Decode
	x := pgmrt.Decoding{LogP: m.LogP(), Bound: math.Inf(1), Ties: m.Span(d.Ties)[0] != 0, Bounds: d.Bound != ir.NoSpan, Settles: d.Exact}
	if x.Bounds {
		x.Bound = m.Span(d.Bound)[0] + m.logScale() - m.program.LogZ
	} else {
		x.Slack = m.Span(d.Slack)[0]
	}
	return x.Report(r)
}
