package unroll

import (
	"github.com/pgmc-go/pgmc/codegen/backend"
	"github.com/pgmc-go/pgmc/ir"
)

// call has a step done by the runtime: memory holds what it reads before, and is looked at again for what it writes.
func (t *trace) call(s ir.Step) {
	for _, id := range append(ir.ReadSpans(s), ir.WriteSpans(s)...) {
		if span := &t.p.Spans[id]; !span.ReadOnly() && span.Elem == ir.Float64 {
			t.flush(id)
		}
		t.touched[id] = true
	}
	t.actions = append(t.actions, action{kind: call, step: s, span: ir.NoSpan})
	for _, id := range ir.WriteSpans(s) {
		if t.p.Spans[id].Elem == ir.Int32 { // the memory of a kernel, which nothing else reads
			continue
		}
		for i := range t.elements(id) {
			t.now[id][i], t.mem[id][i] = unknown, unknown
		}
	}
}

// call writes the statement.
func (pr *printer) call(s ir.Step) {
	text, uses, _ := backend.Call(pr.out, s)
	pr.line("%s", text)
	pr.uses |= uses
}
