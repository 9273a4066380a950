package bench

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
)

// StreamWork is what a step of a filter computes and moves, if only the belief is wanted.
type StreamWork struct {
	Model      string `json:"model"`
	Kept       int    `json:"kept"`       // numbers of a belief
	Operations int    `json:"operations"` // of arithmetic, or products of numbers of tables
	Quotients  int    `json:"quotients"`  // those of the operations that are quotients or roots
	Bytes      int    `json:"bytes"`      // of the belief before and after, the evidence, and the numbers of the model
	Chain      int    `json:"chain_cycles"`
}

// The cycles of an operation whose result the next one waits for, of current processors: of a sum
// or a product, and of a quotient or a root.
const (
	shortCycles = 4
	longCycles  = 14
)

// workOf counts the work of a step. The chain is the longest one from the belief before to the
// belief after, which a processor cannot make shorter however many operations it starts at once. It
// is 0 if the step is no straight line of arithmetic.
func workOf(name string, p *ir.Program) StreamWork {
	e := p.Entry(ir.FilterBelief)
	if e == nil {
		e = p.Entry(ir.FilterNext)
	}
	w := StreamWork{Model: name}
	for _, id := range e.Stream.Out {
		w.Kept += p.Spans[id].Len
		w.Bytes += 8 * p.Spans[id].Len
	}
	var steps []ir.Step
	for _, b := range e.Blocks {
		steps = append(steps, p.Blocks[b].Steps...)
	}
	var read []ir.SpanID
	for _, s := range steps {
		w.Operations += s.Products()
		s.Refs(func(id *ir.SpanID, _ ir.Use) {
			if role := p.Spans[*id].Role; (role.ReadOnly() || role == ir.RoleIn || role == ir.RolePersistent) && !slices.Contains(read, *id) {
				read = append(read, *id)
				w.Bytes += 8 * p.Spans[*id].Len
			}
		})
		if m, ok := s.(*ir.Map); ok {
			w.Bytes += 8 * len(m.Consts)
			for _, c := range m.Code {
				if long(c.Op) {
					w.Quotients += m.Entries()
				}
			}
		}
	}
	if m, ok := steps[0].(*ir.Map); ok && len(steps) == 1 && m.Entries() == 1 {
		w.Chain = chain(m, e.Stream)
	}
	return w
}

func long(op circuit.Op) bool {
	return op == circuit.Quot || op == circuit.Ratio || op == circuit.Sqrt
}

// chain returns the cycles of the longest chain of operations from what enters to what leaves by a
// stream.
func chain(m *ir.Map, s *ir.Stream) (most int) {
	at := make([]int, m.Values()) // by value: the cycles after which it is there, or -1 if it does not wait
	for i := range at {
		if at[i] = -1; i < len(m.In) && slices.Contains(s.In, m.In[i].Span) {
			at[i] = 0
		}
	}
	for i, c := range m.Code {
		if before := max(at[c.A], at[c.B]); before >= 0 && long(c.Op) {
			at[len(m.In)+len(m.Consts)+i] = before + longCycles
		} else if before >= 0 {
			at[len(m.In)+len(m.Consts)+i] = before + shortCycles
		}
	}
	for i, out := range m.Out {
		if slices.Contains(s.Out, out.Span) {
			most = max(most, at[m.Set[i]])
		}
	}
	return most
}
