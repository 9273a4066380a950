package pass

import (
	"cmp"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
)

// ProgramLayout gives every span its place. Constants and parameters lie one after another in data
// memory and integers in state memory. All else lies in work memory, also copies of the constants
// that circuits read. Temporaries share places unless both hold a value at one time in some entry.
// ProgramLayout first drops the spans that nothing uses.
//
// It places the largest temporary first, each at the lowest free place: the usual greedy algorithm
// for dynamic storage allocation.
func ProgramLayout(p *ir.Program) {
	dropSpans(p)
	copied := readBySums(p)
	var temps []ir.SpanID
	for i := range p.Spans {
		s := &p.Spans[i]
		switch {
		case s.ReadOnly():
			s.Offset, p.Data = p.Data, p.Data+s.Len
			if copied[i] {
				s.Copy, p.Work = int32(1+p.Work), p.Work+s.Len
			}
		case s.Elem == ir.Int32:
			s.Offset, p.Ints = p.Ints, p.Ints+s.Len
		case s.Role == ir.RoleTemp:
			temps = append(temps, ir.SpanID(i))
		case s.Role == ir.RoleIn:
			s.Offset, p.Work = p.Work, p.Work+s.Len
		default:
			s.Offset = aligned(p, p.Work)
			p.Work = s.Offset + p.Room(ir.SpanID(i))
		}
	}
	if p.Align > 0 {
		p.Work = aligned(p, p.Work+p.Align-1) // vectors reach beyond the last input
	}
	if len(temps) > manyTemps {
		placeInTurn(p, temps)
		return
	}
	l := layout{p: p, base: p.Work, lives: lifetimes(p)}
	slices.SortStableFunc(temps, func(a, b ir.SpanID) int { return cmp.Compare(p.Spans[b].Len, p.Spans[a].Len) })
	for _, id := range temps {
		l.place(id)
	}
}

// ProgramAlign lays out a program with places again, unless it has the given Align.
func ProgramAlign(p *ir.Program, align int) {
	if p.Align != align {
		p.Align, p.Work, p.Data, p.Ints = align, 0, 0, 0
		ProgramLayout(p)
	}
}

// aligned returns the first place from at on at which a span may begin.
func aligned(p *ir.Program, at int) int {
	if p.Align == 0 {
		return at
	}
	return (at + p.Align - 1) / p.Align * p.Align
}

// readBySums marks the spans that Sums read.
func readBySums(p *ir.Program) []bool {
	read := make([]bool, len(p.Spans))
	for _, b := range p.Blocks {
		for _, step := range b.Steps {
			if s, ok := step.(*ir.Sums); ok {
				for _, id := range s.In {
					read[id] = true
				}
			}
		}
	}
	return read
}

// manyTemps is the number of temporaries above which it takes too long to compare each with all
// that are placed.
const manyTemps = 20_000

// placeInTurn gives places to temporaries in the order in which they come to life, over all blocks
// in program order. The place of a dead temporary goes to the next one of the same length. This is
// fast, and takes a little more memory. If an entry runs blocks in another order, no place is
// shared.
func placeInTurn(p *ir.Program, temps []ir.SpanID) {
	for i := range p.Entries {
		if !slices.IsSorted(p.Entries[i].Blocks) {
			for _, id := range temps {
				p.Spans[id].Offset, p.Work = p.Work, p.Work+p.Room(id)
			}
			return
		}
	}
	lives := livesInAll(p)
	slices.SortStableFunc(temps, func(a, b ir.SpanID) int { return cmp.Compare(lives[a].first, lives[b].first) })
	ends := slices.Clone(temps)
	slices.SortStableFunc(ends, func(a, b ir.SpanID) int { return cmp.Compare(lives[a].last, lives[b].last) })
	free := map[int][]int{} // places, by length
	for _, id := range temps {
		for ; lives[ends[0]].last < lives[id].first; ends = ends[1:] {
			room := p.Room(ends[0])
			free[room] = append(free[room], p.Spans[ends[0]].Offset)
		}
		s, room := &p.Spans[id], p.Room(id)
		if list := free[room]; len(list) > 0 {
			s.Offset, free[room] = list[len(list)-1], list[:len(list)-1]
		} else {
			s.Offset, p.Work = p.Work, p.Work+room
		}
	}
}

// livesInAll returns the lives of spans if all blocks run one after the other. Spans that live at
// one time in some entry also do so here, because an entry runs some of the blocks in the same
// order.
func livesInAll(p *ir.Program) []life {
	all := ir.Entry{Root: ir.NoSpan}
	for b := range p.Blocks {
		all.Blocks = append(all.Blocks, b)
	}
	lives := livesIn(p, &all)
	end := 0
	for _, l := range lives {
		end = max(end, l.last)
	}
	for i := range p.Entries {
		for _, id := range p.Entries[i].Answers() {
			lives[id].last = end + 1
		}
	}
	return lives
}

// life is the time during which a span holds a value in an entry: from its first write to its last
// read, as step numbers. If the entry does not use the span, last < first.
type life struct{ first, last int }

// lifetimes returns the lives of all spans in each entry. It leaves out an entry with blocks that
// are a subsequence of another's if the caller of the other reads its answers too, because that
// adds no conflict.
func lifetimes(p *ir.Program) [][]life {
	var out [][]life
	for i := range p.Entries {
		if !slices.ContainsFunc(p.Entries[:i], func(e ir.Entry) bool {
			return subsequence(p.Entries[i].Blocks, e.Blocks) && answersIn(p, &p.Entries[i], &e)
		}) {
			out = append(out, livesIn(p, &p.Entries[i]))
		}
	}
	return out
}

// answersIn reports whether the temporaries among the answers of part are answers of whole.
func answersIn(p *ir.Program, part, whole *ir.Entry) bool {
	all := whole.Answers()
	return !slices.ContainsFunc(part.Answers(), func(id ir.SpanID) bool { return p.Spans[id].Role == ir.RoleTemp && !slices.Contains(all, id) })
}

func subsequence(part, whole []int) bool {
	for _, b := range whole {
		if len(part) > 0 && part[0] == b {
			part = part[1:]
		}
	}
	return len(part) == 0
}

func livesIn(p *ir.Program, e *ir.Entry) []life {
	lives := make([]life, len(p.Spans))
	for i := range lives {
		lives[i] = life{0, -1}
	}
	step := 0
	touch := func(id ir.SpanID) {
		if l := &lives[id]; l.last < 0 {
			*l = life{step, step}
		} else {
			l.last = step
		}
	}
	ref := func(id *ir.SpanID, _ ir.Use) { touch(*id) }
	for _, b := range e.Blocks {
		for _, s := range p.Blocks[b].Steps {
			s.Refs(ref)
			step++
		}
	}
	for _, id := range e.Answers() { // read after the last step
		touch(id)
	}
	if e.Loop != nil {
		touch(e.Loop.Residual)
		if !e.Rooted() {
			touch(e.Loop.LogP)
		}
	}
	if e.Chain != nil {
		for _, id := range e.Chain.Run() {
			touch(*id)
		}
	}
	return lives
}

type layout struct {
	p      *ir.Program
	base   int // where temporaries begin
	lives  [][]life
	placed []ir.SpanID // in order of offset
}

// place puts a span at the lowest place where it overlaps no span that lives at the same time.
func (l *layout) place(id ir.SpanID) {
	at, n := l.base, l.p.Room(id)
	for _, other := range l.placed {
		o := &l.p.Spans[other]
		if o.Offset >= at+n {
			break
		}
		if end := o.Offset + l.p.Room(other); end > at && l.conflict(id, other) {
			at = end
		}
	}
	l.p.Spans[id].Offset = at
	l.p.Work = max(l.p.Work, at+n)
	i, _ := slices.BinarySearchFunc(l.placed, at, func(s ir.SpanID, at int) int { return cmp.Compare(l.p.Spans[s].Offset, at+1) })
	l.placed = slices.Insert(l.placed, i, id)
}

func (l *layout) conflict(a, b ir.SpanID) bool {
	for _, lives := range l.lives {
		x, y := lives[a], lives[b]
		if x.last >= 0 && y.last >= 0 && x.first <= y.last && y.first <= x.last {
			return true
		}
	}
	return false
}

// dropSpans removes the spans that no step and no entry uses, and renumbers the others.
func dropSpans(p *ir.Program) {
	used := make([]bool, len(p.Spans))
	used[p.State] = true
	note := func(id *ir.SpanID, _ ir.Use) { used[*id] = true }
	for _, b := range p.Blocks {
		for _, s := range b.Steps {
			s.Refs(note)
		}
	}
	for i := range p.Entries {
		p.Entries[i].Refs(note)
	}
	to := make([]ir.SpanID, len(p.Spans))
	kept := p.Spans[:0]
	for i := range p.Spans {
		if used[i] {
			to[i] = ir.SpanID(len(kept))
			kept = append(kept, p.Spans[i])
		}
	}
	p.Spans = kept
	p.Renumber(func(id ir.SpanID) ir.SpanID { return to[id] })
}
