package ir

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// RangesOf returns the loops of p that may be narrowed, and places for the variables by which one
// entry runs in place of another. For a contraction of a block and the axes that may be narrowed,
// narrows reports along which of them the code for the block reads nothing outside the remaining
// states; it returns nil for code that never narrows. RangesOf returns nil if nothing depends on
// the remaining states.
func RangesOf(p *Program, narrows func(block int, c *Contract, may []bool) (exact []bool)) *Ranges {
	if p.Loops() {
		return loopRanges(p, narrows)
	}
	several, ok := writtenOnce(p)
	if !ok {
		return withInstead(p, newRanges(p, nil))
	}
	f := &rangeFinder{Ranges: newRanges(p, masks(p, several)), p: p, narrows: narrows, several: several, answer: lookedAt(p, several)}
	f.all = f.answer
	f.findInputs(p)
	f.findPicked()
	f.findMatter()
	for b := range p.Blocks {
		for _, step := range p.Blocks[b].Steps {
			if s, ok := step.(ranger); ok {
				s.look(f, b)
			}
		}
	}
	f.rescales(p)
	return withInstead(p, f.Ranges)
}

// withInstead adds places for the variables with remaining states that decide between entries. It
// returns nil if r then has no places.
func withInstead(p *Program, r *Ranges) *Ranges {
	if len(r.place) == 0 {
		r.findInputs(p)
	}
	for i := range p.Entries {
		if s := p.Entries[i].Instead; s != nil {
			for _, v := range s.Vars() {
				r.add(v)
			}
		}
	}
	if len(r.vars) == 0 {
		return nil
	}
	return r
}

// rangeFinder finds the ranges of a program without loops.
type rangeFinder struct {
	*Ranges
	p       *Program
	narrows func(block int, c *Contract, may []bool) (exact []bool)
	several []bool               // by span: steps of several blocks write it, each for other entries
	answer  []bool               // by span: callers, or steps that read all of their operands, read it
	picked  map[model.VarID]bool // its likelihood takes part whenever its state is picked, so that the state is a remaining one
	matter  []varSet             // by span: variables outside whose remaining states its elements may reach an answer
}

// ranger is a step that may read a part of its operands. All other steps read all of them, except
// Rescale, see [rangeFinder.rescales].
type ranger interface {
	// reach records which elements of the operands may reach an answer, given which elements of the
	// result may.
	reach(f *rangeFinder)
	// look records which loops of the step, in the given block, are narrowed, and which elements of
	// the operands it reads.
	look(f *rangeFinder, block int)
}

// newRanges returns ranges without narrowed loops.
func newRanges(p *Program, mask []varSet) *Ranges {
	return &Ranges{mask: mask, narrow: map[*Contract]*narrowed{}, made: make([]*Contract, len(p.Spans)), whole: make([]varSet, len(p.Spans)),
		all: make([]bool, len(p.Spans))}
}

// rescales records what steps that rescale read. They read the blocks that matter of a table that
// their own block writes, and all of other tables.
func (r *Ranges) rescales(p *Program) {
	for _, b := range p.Blocks {
		for i, step := range b.Steps {
			s, ok := step.(*Rescale)
			if !ok || r.Exact(r.made[s.Span]) == nil {
				continue
			}
			c := r.made[s.Span]
			if !slices.Contains(b.Steps[:i], Step(c)) {
				r.all[s.Span] = true
			}
			loops, _ := r.Blocks(c)
			for i, a := range c.Axes {
				if a.Kind == AxisOut && !slices.Contains(loops, i) {
					r.whole[s.Span].add(a.Var)
				}
			}
		}
	}
}

// may reports the axes of c that may be narrowed, or nil if there are none. within reports whether
// the elements of its result matter only within the remaining states of a variable.
func (r *Ranges) may(c *Contract, within func(model.VarID) bool) []bool {
	if c.Entries() < minNarrow || slices.ContainsFunc(c.Axes, func(a Axis) bool { return a.Kind == AxisFixed }) {
		return nil
	}
	var may []bool
	for i, a := range c.Axes {
		zero := r.masked(a.Var, c.In, -1) || a.Kind == AxisOut && within(a.Var)
		if !zero || a.Size == 1 || int(a.Var) >= len(r.place) {
			continue
		}
		if may == nil {
			may = make([]bool, len(c.Axes))
		}
		may[i] = true
	}
	return may
}

// note records how c is narrowed and assigns places to its variables.
func (r *Ranges) note(c *Contract, n *narrowed) {
	r.narrow[c] = n
	for i, a := range c.Axes {
		if n.may[i] {
			r.add(a.Var)
		}
	}
}

// add gives v a place unless it has one.
func (r *Ranges) add(v model.VarID) {
	if r.place[v] < 0 {
		r.place[v] = 2 * len(r.vars)
		r.vars = append(r.vars, v)
	}
}

// seen records that a step reads views. Along an axis for which within is true it reads only the
// remaining states.
func (r *Ranges) seen(axes []Axis, views []View, within func(axis int) bool) {
	for _, v := range views {
		for i, a := range axes {
			if v.Stride[i] != 0 && !within(i) {
				r.whole[v.Span].add(a.Var)
			}
		}
	}
}

// masked reports whether the product of views except one is zero outside the remaining states of v.
func (r *Ranges) masked(v model.VarID, views []View, without int) bool {
	for k := range views {
		if k != without && r.mask[views[k].Span].has(v) {
			return true
		}
	}
	return false
}

// findPicked finds the variables with states that are picked under their likelihoods.
func (f *rangeFinder) findPicked() {
	f.picked = map[model.VarID]bool{}
	for _, b := range f.p.Blocks {
		for _, step := range b.Steps {
			if s, ok := step.(*Pick); ok {
				v := s.Axes[0].Var
				before, known := f.picked[v]
				f.picked[v] = f.masked(v, s.In, -1) && (before || !known)
			}
		}
	}
}

// findMatter finds what reaches an answer, from the last step to the first.
func (f *rangeFinder) findMatter() {
	f.matter = make([]varSet, len(f.p.Spans))
	for _, b := range slices.Backward(f.p.Blocks) {
		for _, step := range slices.Backward(b.Steps) {
			if s, ok := step.(ranger); ok {
				s.reach(f)
			}
		}
	}
}

// needed records that elements of views reach an answer, unless they are zero or lost along an
// axis.
func (f *rangeFinder) needed(axes []Axis, views []View, lost func(view, axis int) bool) {
	for k, in := range views {
		for i, a := range axes {
			if in.Stride[i] != 0 && !f.mask[in.Span].has(a.Var) && !lost(k, i) {
				f.matter[in.Span].add(a.Var)
			}
		}
	}
}

// findInputs finds the span of each variable's likelihood.
func (r *Ranges) findInputs(p *Program) {
	for i := range p.Spans {
		if s := &p.Spans[i]; s.Role == RoleIn {
			for len(r.input) <= int(s.Var) {
				r.input, r.place = append(r.input, NoSpan), append(r.place, -1)
			}
			if r.input[s.Var] == NoSpan {
				r.input[s.Var] = SpanID(i)
			}
		}
	}
}

// writtenOnce reports whether, in each entry, one step writes each table and only later ones read
// it, in the order of the blocks, which entries keep. One pass over the steps then shows all uses
// of a table. It also reports, by span, whether blocks of different entries write it: such a table
// counts as read whole and has no mask, whichever of them wrote it.
func writtenOnce(p *Program) (several []bool, ok bool) {
	several = make([]bool, len(p.Spans))
	made := make([]bool, len(p.Spans))
	for _, b := range p.Blocks {
		for _, step := range b.Steps {
			writes(p, step, func(id SpanID) { several[id], made[id] = made[id], true })
		}
	}
	for i := range p.Entries {
		if e := &p.Entries[i]; !slices.IsSorted(e.Blocks) || !onceIn(p, e, several) {
			return nil, false
		}
	}
	return several, true
}

// onceIn reports whether one step of an entry writes each table, before all steps that read it. A
// table that other entries' blocks write too must be written before it is read, since it may hold
// what another entry left.
func onceIn(p *Program, e *Entry, several []bool) bool {
	made, read, once := make([]bool, len(p.Spans)), make([]bool, len(p.Spans)), true
	reads := func(id *SpanID, use Use) {
		if use.Reads() {
			once = once && (made[*id] || !several[*id])
			read[*id] = true
		}
	}
	for _, b := range e.Blocks {
		for _, step := range p.Blocks[b].Steps {
			step.Refs(reads)
			writes(p, step, func(id SpanID) {
				once = once && !made[id] && !read[id]
				made[id] = true
			})
		}
	}
	return once
}

// writes calls visit for each table of float64 that a step writes, unless it only changes it.
func writes(p *Program, step Step, visit func(SpanID)) {
	if inPlace(step) {
		return
	}
	step.Refs(func(id *SpanID, use Use) {
		if use.Writes() && p.Spans[*id].Elem == Float64 {
			visit(*id)
		}
	})
}

// inPlace reports whether a step only changes tables that other steps wrote.
func inPlace(step Step) bool {
	in := true
	step.Refs(func(_ *SpanID, use Use) { in = in && use == Change })
	return in
}

// masks returns, for each span, the variables such that it is zero outside their remaining states,
// because their likelihood is a factor of it.
func masks(p *Program, several []bool) []varSet {
	mask := make([]varSet, len(p.Spans))
	for i := range p.Spans {
		if s := &p.Spans[i]; s.Role == RoleIn {
			mask[i].add(s.Var)
		}
	}
	for _, b := range p.Blocks {
		for _, step := range b.Steps {
			c, ok := step.(*Contract)
			if !ok || p.Spans[c.Out.Span].Role == RolePersistent || several[c.Out.Span] {
				continue
			}
			for _, a := range c.Axes {
				inMask := func(v View) bool { return mask[v.Span].has(a.Var) }
				if a.Kind == AxisOut && slices.ContainsFunc(c.In, inMask) {
					mask[c.Out.Span].add(a.Var)
				}
			}
		}
	}
	return mask
}

// lookedAt reports, by span, whether callers, the next run, or a step that is no ranger read all of
// it, or several blocks write it. Steps that rescale do not count, since the power of two that they
// choose does not affect any answer.
func lookedAt(p *Program, several []bool) []bool {
	all := make([]bool, len(p.Spans))
	for i := range p.Spans {
		all[i] = p.Spans[i].Role == RoleOut || p.Spans[i].Role == RolePersistent || several[i]
	}
	for _, e := range p.Entries {
		for _, id := range e.Answers() {
			all[id] = true
		}
	}
	note := func(id *SpanID, use Use) { all[*id] = all[*id] || use.Reads() }
	for _, b := range p.Blocks {
		for _, step := range b.Steps {
			_, looks := step.(ranger)
			if _, rescales := step.(*Rescale); !looks && !rescales {
				step.Refs(note)
			}
		}
	}
	return all
}
