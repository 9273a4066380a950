package backendtest

import "github.com/pgmc-go/pgmc/ir"

// layOut places the spans, in their order. Temporaries that are never live at the same time share
// memory: each takes the first place that is free from its first write to its last read. Numbers
// that circuits read have copies in work memory.
func layOut(p *ir.Program) {
	live := lifetimes(p)
	for id := range p.Spans {
		sp := &p.Spans[id]
		switch {
		case sp.Elem == ir.Int32:
			sp.Offset, p.Ints = p.Ints, p.Ints+sp.Len
		case sp.ReadOnly():
			sp.Offset, p.Data = p.Data, p.Data+sp.Len
		default:
			sp.Offset = place(p, live, id)
			p.Work = max(p.Work, sp.Offset+p.Room(ir.SpanID(id)))
		}
	}
	if p.Align > 0 {
		p.Work = (p.Work+p.Align-1)/p.Align*p.Align + p.Align // vectors reach beyond the last input
	}
	for _, b := range p.Blocks {
		for _, step := range b.Steps {
			s, ok := step.(*ir.Sums)
			if !ok {
				continue
			}
			for _, id := range s.In {
				if sp := &p.Spans[id]; sp.ReadOnly() && sp.Copy == 0 {
					sp.Copy, p.Work = int32(1+p.Work), p.Work+sp.Len
				}
			}
		}
	}
}

// lifetime is the range of steps during which a span is live.
type lifetime struct{ first, last int }

// lifetimes returns the lifetimes of all spans.
func lifetimes(p *ir.Program) []lifetime {
	const end = 1 << 30
	live := make([]lifetime, len(p.Spans))
	for i := range live {
		live[i] = lifetime{end, -1}
		if p.Spans[i].Role != ir.RoleTemp {
			live[i] = lifetime{-1, end}
		}
	}
	at := 0
	for _, b := range p.Blocks {
		for _, s := range b.Steps {
			for _, id := range append(ir.ReadSpans(s), ir.WriteSpans(s)...) {
				live[id].first, live[id].last = min(live[id].first, at), max(live[id].last, at)
			}
			at++
		}
	}
	if root := p.Entries[0].Root; root != ir.NoSpan {
		live[root].last = end
	}
	return live
}

// place returns the first offset at which span id overlaps none of the earlier spans that are live
// at the same time.
func place(p *ir.Program, live []lifetime, id int) int {
	offset := 0
	for k := 0; k < id; k++ {
		sp := &p.Spans[k]
		if sp.Elem == ir.Int32 || sp.ReadOnly() || live[k].last < live[id].first || live[id].last < live[k].first {
			continue
		}
		if end := sp.Offset + p.Room(ir.SpanID(k)); offset < end && sp.Offset < offset+p.Room(ir.SpanID(id)) {
			offset, k = end, -1
			if p.Align > 0 {
				offset = (end + p.Align - 1) / p.Align * p.Align
			}
		}
	}
	return offset
}
