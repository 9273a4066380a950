package ir

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// RangesOf finds the loops of p that may be narrowed. narrows says, for a contraction of a block and the axes that may be
// narrowed, along which of them whoever runs the block looks at nothing beyond the states left; nil is for one that never
// narrows. The result is nil where no loop is narrowed.
func RangesOf(p *Program, narrows func(block int, c *Contract, may []bool) (exact []bool)) *Ranges {
	if p.Loops() {
		return loopRanges(p, narrows)
	}
	if !writtenOnce(p) {
		return nil
	}
	r := &Ranges{mask: masks(p), narrow: map[*Contract]*narrowed{}, made: make([]*Contract, len(p.Spans)), whole: make([]varSet, len(p.Spans)), all: lookedAt(p)}
	r.findInputs(p)
	picked := r.picked(p)
	matter := r.matter(p, picked)
	for b := range p.Blocks {
		for _, step := range p.Blocks[b].Steps {
			switch s := step.(type) {
			case *Contract:
				r.made[s.Out.Span] = s
				n := &narrowed{may: r.may(s, matter)}
				if n.may != nil {
					n.exact = narrows(b, s, n.may)
				}
				if n.exact != nil {
					r.note(s, n)
				}
				r.look(s.Axes, s.In, func(i int) bool { return n.exact != nil && n.exact[i] })
			case *Pick:
				r.look(s.Axes, s.In, func(i int) bool { return i > 0 && picked[s.Axes[i].Var] })
			}
		}
	}
	if len(r.vars) == 0 {
		return nil
	}
	r.rescales(p)
	return r
}

// rescales notes what steps that rescale look at: of a table that was made in their own block, the blocks that matter; of others,
// all.
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

// may gives the axes of c that may be narrowed; nil where there are none.
func (r *Ranges) may(c *Contract, matter []varSet) []bool {
	if c.Entries() < minNarrow || slices.ContainsFunc(c.Axes, func(a Axis) bool { return a.Kind == AxisFixed }) {
		return nil
	}
	var may []bool
	for i, a := range c.Axes {
		zero := r.masked(a.Var, c.In, -1) || a.Kind == AxisOut && !matter[c.Out.Span].has(a.Var)
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

// note keeps how c is narrowed, and gives its variables places.
func (r *Ranges) note(c *Contract, n *narrowed) {
	r.narrow[c] = n
	for i, a := range c.Axes {
		if n.may[i] && r.place[a.Var] < 0 {
			r.place[a.Var] = 2 * len(r.vars)
			r.vars = append(r.vars, a.Var)
		}
	}
}

// look notes that a step looks at views, along some axes not beyond the states left.
func (r *Ranges) look(axes []Axis, views []View, within func(axis int) bool) {
	for _, v := range views {
		for i, a := range axes {
			if v.Stride[i] != 0 && !within(i) {
				r.whole[v.Span].add(a.Var)
			}
		}
	}
}

// masked reports whether the product of views, one left out, is zero beyond the states left of v.
func (r *Ranges) masked(v model.VarID, views []View, without int) bool {
	for k := range views {
		if k != without && r.mask[views[k].Span].has(v) {
			return true
		}
	}
	return false
}

// picked reports, by variable, whether a likelihood has a say whenever a state is picked, so that it is one of those left.
func (r *Ranges) picked(p *Program) map[model.VarID]bool {
	within := map[model.VarID]bool{}
	for _, b := range p.Blocks {
		for _, step := range b.Steps {
			if s, ok := step.(*Pick); ok {
				v := s.Axes[0].Var
				before, known := within[v]
				within[v] = r.masked(v, s.In, -1) && (before || !known)
			}
		}
	}
	return within
}

// matter gives, for each span, the variables beyond whose states left its elements may reach an answer.
func (r *Ranges) matter(p *Program, picked map[model.VarID]bool) []varSet {
	matter, answer := make([]varSet, len(p.Spans)), lookedAt(p)
	look := func(axes []Axis, views []View, lost func(view, axis int) bool) {
		for k, in := range views {
			for i, a := range axes {
				if in.Stride[i] != 0 && !r.mask[in.Span].has(a.Var) && !lost(k, i) {
					matter[in.Span].add(a.Var)
				}
			}
		}
	}
	for b := len(p.Blocks) - 1; b >= 0; b-- {
		for _, step := range slices.Backward(p.Blocks[b].Steps) {
			switch s := step.(type) {
			case *Contract:
				if answer[s.Out.Span] {
					look(s.Axes, []View{s.Out}, func(int, int) bool { return false })
				}
				look(s.Axes, s.In, func(k, i int) bool {
					a := &s.Axes[i]
					return a.Kind != AxisFixed && r.masked(a.Var, s.In, k) || a.Kind == AxisOut && !matter[s.Out.Span].has(a.Var)
				})
			case *Pick:
				look(s.Axes, s.In, func(k, i int) bool {
					return i == 0 && r.masked(s.Axes[0].Var, s.In, k) || i > 0 && picked[s.Axes[i].Var]
				})
			}
		}
	}
	return matter
}

// findInputs finds the likelihoods.
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

// writtenOnce reports whether each table is made by one step, and read by later ones only in the order of the blocks, which
// entries keep: then one look at each step tells what becomes of a table.
func writtenOnce(p *Program) bool {
	made, read := make([]bool, len(p.Spans)), make([]bool, len(p.Spans))
	for _, b := range p.Blocks {
		for _, step := range b.Steps {
			for _, id := range ReadSpans(step) {
				read[id] = true
			}
			if inPlace(step) {
				continue
			}
			for _, id := range WriteSpans(step) {
				if p.Spans[id].Elem == Float64 && (made[id] || read[id]) {
					return false
				}
				made[id] = true
			}
		}
	}
	return !slices.ContainsFunc(p.Entries, func(e Entry) bool { return !slices.IsSorted(e.Blocks) })
}

// inPlace reports whether a step changes a table that another made.
func inPlace(step Step) bool {
	switch step.(type) {
	case *Normalize, *Rescale:
		return true
	}
	return false
}

// masks gives, for each span, the variables beyond whose states left it is zero: those whose likelihood is multiplied in.
func masks(p *Program) []varSet {
	mask := make([]varSet, len(p.Spans))
	for i := range p.Spans {
		if s := &p.Spans[i]; s.Role == RoleIn {
			mask[i].add(s.Var)
		}
	}
	for _, b := range p.Blocks {
		for _, step := range b.Steps {
			c, ok := step.(*Contract)
			if !ok || p.Spans[c.Out.Span].Role == RolePersistent {
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

// lookedAt reports, by span, whether callers, the next run, or a step other than a contraction or a pick look at all of it.
// Steps that rescale are another matter: the power of two that they choose shows in no answer.
func lookedAt(p *Program) []bool {
	all := make([]bool, len(p.Spans))
	for i := range p.Spans {
		all[i] = p.Spans[i].Role == RoleOut || p.Spans[i].Role == RolePersistent
	}
	for _, e := range p.Entries {
		if e.Root != NoSpan {
			all[e.Root] = true
		}
	}
	for _, b := range p.Blocks {
		for _, step := range b.Steps {
			switch step.(type) {
			case *Contract, *Pick, *Rescale:
				continue
			}
			for _, id := range ReadSpans(step) {
				all[id] = true
			}
		}
	}
	return all
}
