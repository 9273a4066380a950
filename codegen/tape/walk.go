package tape

import (
	"github.com/pgmc-go/pgmc/ir"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// elements describes the elements of a walk by places in memory: those of inputs stand for states.
func (e encoder) elements(w *ir.Walk) []pgmrt.WalkElement {
	places := w.Places(e.p)
	out := make([]pgmrt.WalkElement, len(places))
	for i, at := range places {
		span := &e.p.Spans[w.In[at.Span]]
		out[i] = pgmrt.WalkElement{Var: -1}
		out[i].Data, out[i].Offset = span.ReadOnly(), span.Offset+at.At
		if span.Role == ir.RoleIn {
			out[i].Var, out[i].State = e.p.Spans[e.p.State].Offset+int(span.Var), at.At
		}
	}
	return out
}
