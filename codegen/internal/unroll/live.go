package unroll

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
)

// lastWrites returns the spans of numbers that b writes, in the order of their last writes. It
// leaves out exponents and stacks, which are integers that actions keep in memory.
func lastWrites(p *ir.Program, b *ir.Block) []ir.SpanID {
	var out []ir.SpanID
	note := func(id *ir.SpanID, use ir.Use) {
		if !use.Writes() || p.Spans[*id].Elem != ir.Float64 {
			return
		}
		if i := slices.Index(out, *id); i >= 0 {
			out = slices.Delete(out, i, i+1)
		}
		out = append(out, *id)
	}
	for _, s := range b.Steps {
		s.Refs(note)
	}
	return out
}

// keepOverwritten loads the inputs from memory that the block writes before they are overwritten.
// Temporaries share memory, and the order of computation is not the order of the steps.
func (t *trace) keepOverwritten() {
	written := t.written()
	var loads [][]action
	for i := range t.leaves {
		l := &t.leaves[i]
		if l.mem != "s" || !written[l.offset] {
			continue
		}
		if loads == nil {
			loads = make([][]action, len(t.actions)+1)
		}
		a := action{kind: load, at: l.offset, results: []circuit.Node{t.c.Input(int32(i))}, span: ir.NoSpan}
		loads[l.born] = append(loads[l.born], a)
		l.mem = ""
	}
	if loads == nil {
		return
	}
	var all []action
	for i, a := range t.actions {
		all = append(append(all, loads[i]...), a)
	}
	t.actions = append(all, loads[len(t.actions)]...)
}

// written returns the elements of work memory that actions write.
func (t *trace) written() map[int]bool {
	out := map[int]bool{}
	for _, a := range t.actions {
		switch a.kind {
		case store:
			out[a.at] = true
		case spread:
			sp := &t.p.Spans[a.span]
			for i := range sp.Len {
				out[sp.Offset+i] = true
			}
		case call:
			for _, id := range ir.WriteSpans(a.step) {
				for i := range t.p.Spans[id].Len {
					out[t.p.Spans[id].Offset+i] = true
				}
			}
		}
	}
	return out
}

// dropDead removes actions with results that nothing reads. The results of an action are read by
// later actions only.
func (t *trace) dropDead() {
	needed := make([]bool, t.c.Len())
	kept := t.actions
	at := len(kept)
	for i := len(t.actions) - 1; i >= 0; i-- {
		a := t.actions[i]
		if a.pure() && !slices.ContainsFunc(a.results, func(n circuit.Node) bool { return needed[n] }) {
			continue
		}
		for _, n := range a.nodes {
			t.need(n, needed)
		}
		at--
		kept[at] = a
	}
	t.actions = kept[at:]
}

// pure reports whether an action only defines its results.
func (a *action) pure() bool {
	switch a.kind {
	case load, window, norm, invert:
		return true
	case scale:
		return a.at < 0
	}
	return false
}

// need marks n and the nodes that it is computed from.
func (t *trace) need(n circuit.Node, needed []bool) {
	for !needed[n] {
		needed[n] = true
		if t.c.Op(n) < circuit.Sum {
			return
		}
		a, b := t.c.Args(n)
		t.need(b, needed)
		n = a
	}
}
