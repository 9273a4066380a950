package unroll

import (
	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/ir"
)

// Call implements symbolic.Client. The runtime executes the step: its operands are stored to memory
// before, and its results are read from memory afterwards.
func (t *trace) Call(s ir.Step) error {
	for _, id := range append(ir.ReadSpans(s), ir.WriteSpans(s)...) {
		if span := &t.p.Spans[id]; !span.ReadOnly() && span.Elem == ir.Float64 {
			t.flush(id)
		}
		t.inMemory[id] = true
	}
	t.actions = append(t.actions, action{kind: call, step: s, span: ir.NoSpan})
	for _, id := range ir.WriteSpans(s) {
		if t.p.Spans[id].Elem == ir.Int32 { // the memory of a kernel, which no other step reads
			continue
		}
		t.forget(id)
	}
	return nil
}

// call writes the statement that calls the runtime.
func (pr *printer) call(s ir.Step) {
	text, uses, _ := backend.Call(pr.out, s)
	pr.line("%s", text)
	pr.uses |= uses
}
