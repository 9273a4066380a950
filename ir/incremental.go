package ir

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Incremental describes how to run an entry again after a few inputs changed: only the blocks that
// depend on them run, in order. It is valid as long as the spans of Keep persist from one run to
// the next.
type Incremental struct {
	// Order lists the blocks of the entry: first those that the root and Logs depend on, then the
	// others, each in the entry's order.
	Order []int
	Root  int                      // how many blocks of Order the root and Logs depend on
	Reach map[model.VarID][]Places // by variable: blocks in Order that depend on its evidence
	Keep  []SpanID                 // written by one block, and read by another or the caller
}

// Places is a range of places in a list, from First to before End.
type Places struct{ First, End int }

// Incremental computes the dependencies between the blocks of e. The unit is the block: a block
// depends on everything that one of its steps depends on.
func (p *Program) Incremental(e *Entry) *Incremental {
	inc := &Incremental{Reach: map[model.VarID][]Places{}}
	root := p.Needed(e.Blocks, func(id SpanID) bool { return id == e.Root || slices.Contains(e.Logs, id) }, false)
	inc.Order, inc.Root = slices.Clone(root), len(root)
	for _, b := range e.Blocks {
		if !slices.Contains(root, b) {
			inc.Order = append(inc.Order, b)
		}
	}
	d := dependencies{p: p, order: inc.Order, writers: make([][]int, len(p.Spans)), inputs: make([][]uint64, len(inc.Order))}
	d.find()
	for v := range d.vars {
		if list := d.places(v); list != nil {
			inc.Reach[model.VarID(v)] = list
		}
	}
	inc.Keep = d.keep(e)
	return inc
}

// Needed returns the blocks, of blocks in the order in which they run, that write spans for which
// wanted is true, directly or by way of later blocks. Blocks that set states are needed, too, if
// states is true or a needed block behind them reads states.
func (p *Program) Needed(blocks []int, wanted func(SpanID) bool, states bool) []int {
	used, needed := make([]bool, len(p.Spans)), false
	writes := func(id *SpanID, use Use) { needed = needed || use.Writes() && (used[*id] || wanted(*id)) }
	reads := func(id *SpanID, use Use) { used[*id] = used[*id] || use.Reads() }
	var out []int
	for i := len(blocks) - 1; i >= 0; i-- {
		steps := p.Blocks[blocks[i]].Steps
		needed = states && slices.ContainsFunc(steps, func(s Step) bool { return setsStates(p, s) })
		for _, s := range steps {
			s.Refs(writes)
		}
		if !needed {
			continue
		}
		out = append(out, blocks[i])
		for _, s := range steps {
			s.Refs(reads)
			s.States(p, func(_ model.VarID, use Use) { states = states || use.Reads() })
		}
	}
	slices.Reverse(out)
	return out
}

// dependencies finds the variables with likelihoods that each block depends on.
type dependencies struct {
	p       *Program
	order   []int
	vars    int
	writers [][]int    // by span: places of the blocks that write it
	inputs  [][]uint64 // by place: a bit for each variable
}

func (d *dependencies) find() {
	for i := range d.p.Spans {
		if s := &d.p.Spans[i]; s.Role == RoleIn {
			d.vars = max(d.vars, int(s.Var)+1)
		}
	}
	place := 0
	note := func(id *SpanID, use Use) {
		if !use.Writes() || d.p.Spans[*id].Elem == Int32 { // callers that run blocks again handle exponents
			return
		}
		if w := d.writers[*id]; len(w) == 0 || w[len(w)-1] != place {
			d.writers[*id] = append(w, place)
		}
	}
	for i, b := range d.order {
		d.inputs[i] = make([]uint64, (d.vars+63)/64)
		place = i
		for _, s := range d.p.Blocks[b].Steps {
			s.Refs(note)
		}
	}
	for d.pass() { // a second pass finds more only if several blocks write to one span
	}
}

// pass visits the blocks once and reports whether a result changed that earlier blocks depend on.
// Blocks that write to one span run together or not at all, since the later ones change the result
// of the first.
func (d *dependencies) pass() (again bool) {
	place := 0
	note := func(id *SpanID, use Use) {
		if !use.Reads() {
			return
		}
		if span := &d.p.Spans[*id]; span.Role == RoleIn {
			d.inputs[place][span.Var/64] |= 1 << (span.Var % 64)
		}
		for _, w := range d.writers[*id] {
			if w < place {
				join(d.inputs[place], d.inputs[w])
			}
		}
	}
	for i, b := range d.order {
		place = i
		for _, s := range d.p.Blocks[b].Steps {
			s.Refs(note)
		}
	}
	for _, w := range d.writers {
		for k := 1; k < len(w); k++ {
			forth, back := join(d.inputs[w[k]], d.inputs[w[k-1]]), join(d.inputs[w[k-1]], d.inputs[w[k]])
			again = again || forth || back
		}
	}
	return again
}

// join sets the bits of from in to, and reports whether to changed.
func join(to, from []uint64) (changed bool) {
	for i, x := range from {
		changed = changed || x&^to[i] != 0
		to[i] |= x
	}
	return changed
}

// places returns the places of the blocks that depend on variable v.
func (d *dependencies) places(v int) []Places {
	var list []Places
	for i := range d.order {
		switch {
		case d.inputs[i][v/64]>>(v%64)&1 == 0:
		case len(list) > 0 && list[len(list)-1].End == i:
			list[len(list)-1].End++
		default:
			list = append(list, Places{i, i + 1})
		}
	}
	return list
}

// keep returns the spans that outlive the block that writes them.
func (d *dependencies) keep(e *Entry) []SpanID {
	kept, place := make([]bool, len(d.p.Spans)), 0
	note := func(id *SpanID, use Use) {
		w := d.writers[*id]
		kept[*id] = kept[*id] || use.Reads() && (len(w) > 1 || len(w) == 1 && w[0] != place)
	}
	for i, b := range d.order {
		place = i
		for _, s := range d.p.Blocks[b].Steps {
			s.Refs(note)
		}
	}
	for _, id := range e.Answers() {
		kept[id] = true
	}
	var list []SpanID
	for i := range kept {
		if kept[i] && d.p.Spans[i].Elem == Float64 {
			list = append(list, SpanID(i))
		}
	}
	return list
}

// Session returns the entry for sessions, or nil if the program has none.
func (p *Program) Session() *Entry {
	i := slices.IndexFunc(p.Entries, func(e Entry) bool { return e.Query.Kind == Session })
	if i < 0 {
		return nil
	}
	return &p.Entries[i]
}
