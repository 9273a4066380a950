package ir

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// loopRanges is [RangesOf] for a program with loops. A round reads what the one before has left, and tables are made in several places: so
// only reduced axes are narrowed, which changes no result, and a mask holds whoever wrote last.
func loopRanges(p *Program, narrows func(block int, c *Contract, may []bool) (exact []bool)) *Ranges {
	r := &Ranges{mask: loopMasks(p), narrow: map[*Contract]*narrowed{}, made: make([]*Contract, len(p.Spans)), whole: make([]varSet, len(p.Spans)), all: make([]bool, len(p.Spans))}
	for i := range r.all {
		r.all[i] = true
	}
	r.findInputs(p)
	for b := range p.Blocks {
		for _, step := range p.Blocks[b].Steps {
			c, ok := step.(*Contract)
			if !ok {
				continue
			}
			n := &narrowed{may: r.mayReduced(c)}
			if n.may != nil {
				n.exact = narrows(b, c, n.may)
			}
			if n.exact != nil {
				r.note(c, n)
			}
		}
	}
	if len(r.vars) == 0 {
		return nil
	}
	return r
}

// mayReduced gives the reduced axes of c along which its products are zero beyond the states left; nil where there are none.
func (r *Ranges) mayReduced(c *Contract) []bool {
	matter := make([]varSet, len(r.mask)) // results have all their elements
	for _, a := range c.Axes {
		matter[c.Out.Span].add(a.Var)
	}
	may := r.may(c, matter)
	for i := range may {
		may[i] = may[i] && c.Axes[i].Kind == AxisReduced
	}
	if !slices.Contains(may, true) {
		return nil
	}
	return may
}

// loopMasks is masks where a table may be written by several steps, and keeps between rounds what these leave: a variable
// stays in the mask of a table as long as no step that writes it says otherwise, and what an earlier query left is never read.
func loopMasks(p *Program) []varSet {
	mask := make([]varSet, len(p.Spans))
	var all varSet
	for i := range p.Spans {
		if s := &p.Spans[i]; s.Role == RoleIn {
			all.add(s.Var)
		}
	}
	for _, b := range p.Blocks {
		for _, step := range b.Steps {
			for _, id := range WriteSpans(step) {
				mask[id] = all
			}
		}
	}
	clearStale(p, mask)
	for i := range p.Spans {
		if s := &p.Spans[i]; s.Role == RoleIn {
			mask[i] = varSet{s.Var}
		}
	}
	for settled := false; !settled; {
		settled = true
		for _, b := range p.Blocks {
			for _, step := range b.Steps {
				for _, id := range WriteSpans(step) {
					left := slices.DeleteFunc(slices.Clone(mask[id]), func(v model.VarID) bool { return !keepsMask(step, mask, id, v) })
					settled = settled && len(left) == len(mask[id])
					mask[id] = left
				}
			}
		}
	}
	return mask
}

// keepsMask reports whether what step writes to a span is zero beyond the states left of v, if what it reads is as the masks say.
func keepsMask(step Step, mask []varSet, id SpanID, v model.VarID) bool {
	switch s := step.(type) {
	case *Contract:
		return slices.ContainsFunc(s.Axes, func(a Axis) bool { return a.Var == v && a.Kind == AxisOut }) &&
			slices.ContainsFunc(s.In, func(in View) bool { return mask[in.Span].has(v) })
	case *Damp:
		return id == s.Span && mask[s.New].has(v)
	case *Boltzmann:
		return s.Weight != NoSpan && mask[s.Weight].has(v)
	case *Powers:
		return slices.ContainsFunc(s.In, func(in SpanID) bool { return mask[in].has(v) })
	case *Normalize, *Zero:
		return true
	case *Rescale:
		return id == s.Span
	}
	return false
}

// clearStale empties the masks of tables that some entry reads before it has set all of them: they may hold what an earlier query, of other
// evidence, left.
func clearStale(p *Program, mask []varSet) {
	for _, e := range p.Entries {
		set := make([]bool, len(p.Spans))
		for _, b := range e.Blocks {
			for _, step := range p.Blocks[b].Steps {
				for _, id := range ReadSpans(step) {
					if !set[id] {
						mask[id] = nil
					}
				}
				for _, id := range WriteSpans(step) {
					set[id] = set[id] || setsAll(p, step)
				}
			}
		}
	}
}

// setsAll reports whether step sets all elements of what it writes.
func setsAll(p *Program, step Step) bool {
	switch s := step.(type) {
	case *Contract:
		n := 1
		for _, a := range s.Axes {
			if a.Kind == AxisOut {
				n *= a.Size
			}
		}
		return n == p.Spans[s.Out.Span].Len
	case *Boltzmann, *Powers, *Zero:
		return true
	}
	return false
}
