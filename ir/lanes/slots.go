package lanes

import (
	"cmp"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/assemble"
	"github.com/pgmc-go/pgmc/ir/circuit"
)

// fix assigns the slots that hold one number throughout: inputs, answers, exponents, marks and
// numbers.
func (pl *planner) fix() {
	pl.slot = slices.Repeat([]int32{-1}, pl.c.Len())
	pl.inputs()
	pl.results()
	for _, j := range pl.order {
		if j.kind != kindAction || pl.c.Op(j.node) != circuit.Input {
			continue
		}
		if l := &pl.leaves[pl.c.Leaf(j.node)]; l.count && pl.out.Exp < 0 {
			pl.out.Exp = pl.fresh()
		} else if l.action == invert && pl.out.Marks < 0 {
			pl.out.Marks = pl.fresh()
		}
	}
	pl.numbers()
}

// fresh returns a new slot.
func (pl *planner) fresh() int {
	pl.out.Slots++
	return pl.out.Slots - 1
}

// inputs assigns slots to the input spans that are read in part or whole, in the order of memory,
// and to those that enter by a stream.
func (pl *planner) inputs() {
	var ids []ir.SpanID
	nodes := map[ir.SpanID][]circuit.Node{}
	for n := range circuit.Node(pl.c.Len()) {
		if pl.uses[n] == 0 || pl.c.Op(n) != circuit.Input {
			continue
		}
		if l := &pl.leaves[pl.c.Leaf(n)]; l.action == nothing && (pl.p.Spans[l.span].Role == ir.RoleIn || enters(pl.e, l.span)) {
			if nodes[l.span] == nil {
				ids = append(ids, l.span)
			}
			nodes[l.span] = append(nodes[l.span], n)
		}
	}
	pl.byPlace(ids)
	for _, id := range ids {
		list := &pl.out.In
		if enters(pl.e, id) {
			list = &pl.out.Kept
		}
		first := pl.move(list, id)
		for _, n := range nodes[id] {
			pl.slot[n] = int32(first + pl.leaves[pl.c.Leaf(n)].at)
		}
	}
}

// byPlace sorts spans by their place in memory.
func (pl *planner) byPlace(ids []ir.SpanID) {
	slices.SortFunc(ids, func(a, b ir.SpanID) int { return cmp.Compare(pl.p.Spans[a].Offset, pl.p.Spans[b].Offset) })
}

// move reserves slots for a span. It extends the last move of the list if that ends where the span
// and its slots begin.
func (pl *planner) move(list *[]Move, id ir.SpanID) (first int) {
	s := &pl.p.Spans[id]
	first = pl.out.Slots
	pl.out.Slots += s.Len
	if k := len(*list) - 1; k >= 0 && (*list)[k].At+(*list)[k].Len == s.Offset && (*list)[k].Slot+(*list)[k].Len == first {
		(*list)[k].Len += s.Len
	} else {
		*list = append(*list, Move{s.Offset, first, s.Len})
	}
	return first
}

// results assigns slots to the answers. A computed node is stored in the slot of the first answer
// that it is. Other answers are copied at the end.
func (pl *planner) results() {
	made := make([]bool, pl.c.Len())
	for i := range pl.order {
		made[pl.order[i].node] = pl.c.Op(pl.order[i].node) != circuit.Input
	}
	for _, id := range pl.answers() {
		first := pl.move(&pl.out.Out, id)
		for i, n := range pl.x.Elements(id) {
			if made[n] && pl.slot[n] < 0 {
				pl.slot[n] = int32(first + i)
				continue
			}
			pl.tail = append(pl.tail, assemble.Node{Set: first + i, Terms: [][2]int32{{int32(n), -1}}}) // the node, until all nodes have slots
		}
	}
}

// numbers assigns slots to constants and parameters, in the order in which they are first read.
func (pl *planner) numbers() {
	pl.out.First = pl.out.Slots
	add := func(n circuit.Node) {
		if pl.slot[n] >= 0 {
			return
		}
		number := Number{At: -1}
		switch pl.c.Op(n) {
		case circuit.Const:
			number.Value = pl.c.Value(n)
		case circuit.Input:
			l := &pl.leaves[pl.c.Leaf(n)]
			if l.action != nothing {
				return
			}
			number.At = pl.p.Spans[l.span].Offset + l.at
		default:
			return
		}
		pl.slot[n] = int32(pl.fresh())
		pl.out.Numbers = append(pl.out.Numbers, number)
	}
	for i := range pl.order {
		pl.each(&pl.order[i], add)
	}
	for _, n := range pl.tail {
		add(circuit.Node(n.Terms[0][0]))
	}
}

// assign assigns slots to the remaining nodes. A slot is free again after the last read of its
// number, also for the node that reads it.
func (pl *planner) assign() {
	last := make([]int32, pl.c.Len())
	for i := range pl.order {
		pl.each(&pl.order[i], func(n circuit.Node) { last[n] = int32(i) })
	}
	for _, n := range pl.tail {
		last[n.Terms[0][0]] = int32(len(pl.order))
	}
	first := int32(pl.out.Slots) // slots before it are never free
	var free []int32
	release := func(n circuit.Node, at int) {
		if s := pl.slot[n]; s >= first && last[n] == int32(at) {
			free = append(free, s)
			last[n] = -1 // a job may read it twice
		}
	}
	for i := range pl.order {
		j := &pl.order[i]
		pl.each(j, func(n circuit.Node) { release(n, i) })
		if pl.slot[j.node] < 0 {
			if k := len(free) - 1; k >= 0 {
				pl.slot[j.node], free = free[k], free[:k]
			} else {
				pl.slot[j.node] = int32(pl.fresh())
			}
		}
	}
}

// step returns the step of an action.
func (pl *planner) step(j *job) Step {
	of := pl.termsOf(j)[0]
	from, to := int(pl.slot[of[0]]), int(pl.slot[j.node])
	if pl.c.Op(j.node) == circuit.Input {
		l := &pl.leaves[pl.c.Leaf(j.node)]
		return Step{do: l.action, From: from, And: from, To: to, Count: l.count}
	}
	s := Step{do: apply, Op: pl.c.Op(j.node), From: from, And: from, To: to}
	if of[1] >= 0 {
		s.And = int(pl.slot[of[1]])
	}
	return s
}

// write writes the parts.
func (pl *planner) write() {
	part := Part{}
	for i := range pl.order {
		j := &pl.order[i]
		switch {
		case j.kind == kindAction:
			part.Steps = append(part.Steps, pl.step(j))
			continue
		case len(part.Steps) > 0 || len(part.Maxima) > 0 && j.kind != kindMax:
			pl.out.Parts = append(pl.out.Parts, part)
			part = Part{}
		}
		n := assemble.Node{Set: int(pl.slot[j.node]), Terms: pl.termsOf(j)}
		for k, t := range n.Terms {
			n.Terms[k][0] = pl.slot[t[0]]
			if t[1] >= 0 {
				n.Terms[k][1] = pl.slot[t[1]]
			}
		}
		if j.kind == kindMax {
			part.Maxima = append(part.Maxima, n)
		} else {
			part.Sums = append(part.Sums, n)
		}
	}
	pl.out.Parts = append(pl.out.Parts, part)
	if len(pl.tail) == 0 {
		return
	}
	for i := range pl.tail {
		pl.tail[i].Terms[0][0] = pl.slot[pl.tail[i].Terms[0][0]]
	}
	pl.out.Parts = append(pl.out.Parts, Part{Sums: pl.tail})
}
