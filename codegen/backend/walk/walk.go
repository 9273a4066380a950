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

// Visits is the number of nodes and inputs that a walk comes by, on average over all ways down where each term of a node is as likely
// as any other.
func Visits(p *ir.Program, w *ir.Walk) float64 {
	places := w.Places(p)
	visits := make([]float64, len(places))
	for i, at := range places {
		if p.Spans[w.In[at.Span]].Role == ir.RoleIn {
			visits[i] = 1
		}
	}
	for i, e := range w.Node {
		terms, sum := w.Terms[w.First[i]:w.First[i+1]], 0.0
		for _, t := range terms {
			sum += visits[t[0]]
			if t[1] >= 0 {
				sum += visits[t[1]]
			}
		}
		visits[e] = 1 + sum/float64(len(terms))
	}
	return visits[w.Node[len(w.Node)-1]]
}
