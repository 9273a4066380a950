// Package walk makes the code of a walk through a circuit for the tape machine, which back-ends share.
package walk

import (
	"github.com/pgmc-go/pgmc/ir"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Append appends the instruction that runs w, a step of p, which has been laid out.
func Append(code []int32, p *ir.Program, w *ir.Walk) []int32 {
	places := w.Places(p)
	elements := make([]pgmrt.WalkElement, len(places))
	for i, at := range places {
		span := &p.Spans[w.In[at.Span]]
		elements[i] = pgmrt.WalkElement{Var: -1}
		elements[i].Data, elements[i].Offset = span.ReadOnly(), span.Offset+at.At
		if span.Role == ir.RoleIn {
			elements[i].Var, elements[i].State = p.Spans[p.State].Offset+int(span.Var), at.At
		}
	}
	return pgmrt.AppendWalk(code, w.Mode == ir.PickDraw, p.Spans[w.Stack].Offset, elements, w.Node, w.First, w.Terms)
}

// Variables is the number of variables that a walk finds states of, which its price is in proportion to.
func Variables(p *ir.Program, w *ir.Walk) (n int) {
	for _, id := range w.In {
		if p.Spans[id].Role == ir.RoleIn {
			n++
		}
	}
	return n
}
