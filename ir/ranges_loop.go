package ir

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// loopRanges is [RangesOf] for a program with loops. An iteration reads results of the one before,
// and several steps may write a table. So it narrows only reduced axes, which changes no result,
// and a mask holds for all writers of a table.
func loopRanges(p *Program, narrows func(block int, c *Contract, may []bool) (exact []bool)) *Ranges {
	r := newRanges(p, loopMasks(p))
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
	return withInstead(p, r)
}

// mayReduced reports the reduced axes of c along which its products are zero outside the remaining
// states, or nil if there are none.
func (r *Ranges) mayReduced(c *Contract) []bool {
	may := r.may(c, func(model.VarID) bool { return false }) // all elements of results matter
	for i := range may {
		may[i] = may[i] && c.Axes[i].Kind == AxisReduced
	}
	if !slices.Contains(may, true) {
		return nil
	}
	return may
}

// loopMasks is masks for tables that several steps may write and that persist between iterations. A
// variable stays in the mask of a table if every step that writes the table keeps it. Results of an
// earlier query are never read.
func loopMasks(p *Program) []varSet {
	mask := make([]varSet, len(p.Spans))
	all := inputs(p)
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
	var kept varSet // scratch: a mask takes no more memory than its variables
	for settled := false; !settled; {
		settled = true
		for _, b := range p.Blocks {
			for _, step := range b.Steps {
				for _, id := range WriteSpans(step) {
					if kept = keptMask(kept[:0], step, mask, id); len(kept) < len(mask[id]) {
						mask[id], settled = slices.Clone(kept), false
					}
				}
			}
		}
	}
	return mask
}

// inputs returns the variables with evidence that p reads.
func inputs(p *Program) (list varSet) {
	seen := map[model.VarID]bool{}
	for i := range p.Spans {
		if s := &p.Spans[i]; s.Role == RoleIn && !seen[s.Var] {
			seen[s.Var] = true
			list = append(list, s.Var)
		}
	}
	return list
}

// masker is a step with results that may be zero outside the remaining states of a variable because
// its operands are. Results of other steps are not.
type masker interface {
	// keepsMask reports whether the step's result in a span is zero outside the remaining states of
	// v, given the masks of its operands.
	keepsMask(mask []varSet, id SpanID, v model.VarID) bool
}

// keptMask appends the variables to list that stay in the mask of a span which step writes.
func keptMask(list varSet, step Step, mask []varSet, id SpanID) varSet {
	m, ok := step.(masker)
	if !ok {
		return list
	}
	for _, v := range mask[id] {
		if m.keepsMask(mask, id, v) {
			list = append(list, v)
		}
	}
	return list
}

// clearStale empties the masks of tables that some entry reads before it has set all of them, since
// they may hold results of an earlier query with other evidence.
func clearStale(p *Program, mask []varSet) {
	for _, e := range p.Entries {
		set := make([]bool, len(p.Spans))
		reads := func(id *SpanID, use Use) {
			if use.Reads() && !set[*id] {
				mask[*id] = nil
			}
		}
		fills := func(id *SpanID, use Use) { set[*id] = set[*id] || use.Writes() }
		for _, b := range e.Blocks {
			for _, step := range p.Blocks[b].Steps {
				step.Refs(reads)
				if Fills(p, step) {
					step.Refs(fills)
				}
			}
		}
	}
}
