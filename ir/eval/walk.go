package eval

import (
	"github.com/pgmc-go/pgmc/ir"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// elements describes the elements of a walk by places in memory: those of inputs stand for states.
func (m *Machine) elements(w *ir.Walk) []pgmrt.WalkElement {
	places := w.Places(m.program)
	out := make([]pgmrt.WalkElement, len(places))
	for i, at := range places {
		id := w.In[at.Span]
		span := &m.program.Spans[id]
		out[i] = pgmrt.WalkElement{Var: -1}
		out[i].Data, out[i].Offset = span.ReadOnly(), m.layout.offset[id]+at.At
		if span.Role == ir.RoleIn {
			out[i].Var, out[i].State = m.layout.offset[m.program.State]+int(span.Var), at.At
		}
	}
	return out
}
