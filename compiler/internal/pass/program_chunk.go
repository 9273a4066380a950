package pass

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
)

// ChunkProducts is the default number of products that a block forms before it is cut. It is about
// as many operations as a straight-line function should have, and so few that back-ends are chosen
// for parts of a network.
const ChunkProducts = 1024

// sessionProducts is the same for programs with a session: a finding runs again the blocks that it
// touches, and smaller blocks leave out more.
const sessionProducts = 512

// ProgramChunk cuts blocks into pieces that each form about the given number of products, or one
// larger contraction. It removes from each entry the pieces that it does not need: a single
// posterior needs only the messages on the way to it.
func ProgramChunk(p *ir.Program, products int) {
	if p.Session() != nil {
		products = min(products, sessionProducts)
	}
	pieces := make([][]int, len(p.Blocks)) // new blocks by old
	var blocks []ir.Block
	for i, b := range p.Blocks {
		for k, steps := range cut(b.Steps, products) {
			name := b.Name
			if k > 0 {
				name = fmt.Sprintf("%s%d", b.Name, k+1)
			}
			pieces[i] = append(pieces[i], len(blocks))
			blocks = append(blocks, ir.Block{Name: name, Steps: steps})
		}
	}
	p.Blocks = blocks
	for i := range p.Entries {
		e := &p.Entries[i]
		var all []int
		var place []int // by block: the place of its first piece
		for _, b := range e.Blocks {
			place = append(place, len(all))
			all = append(all, pieces[b]...)
		}
		if l := e.Loop; l != nil { // all blocks of a loop work for each other
			place = append(place, len(all))
			l.First, l.End = place[l.First], place[l.End]
			for k := range l.Queue {
				l.Queue[k].First = place[l.Queue[k].First]
			}
			e.Blocks = all
			continue
		}
		if c := e.Chain; c != nil {
			for k, at := range c.Cut {
				c.Cut[k] = append(place, len(all))[at]
			}
			e.Blocks = all
			continue
		}
		e.Blocks = needed(p, e, all)
	}
	dropUnused(p)
}

// cut splits steps before the contractions that would bring the products of a piece above most. A
// contraction stays with the steps that work on its result directly after it: normalising and
// rescaling.
func cut(steps []ir.Step, most int) [][]ir.Step {
	var out [][]ir.Step
	start, products := 0, 0
	for i, step := range steps {
		if _, ok := step.(ir.Nest); !ok {
			continue
		}
		n := step.Products()
		if i > start && products+n > most {
			out = append(out, steps[start:i])
			start, products = i, 0
		}
		products += n
	}
	if start < len(steps) {
		out = append(out, steps[start:])
	}
	return out
}

// needed returns the blocks of all that have results which e uses, directly or through later
// blocks.
func needed(p *ir.Program, e *ir.Entry, all []int) []int {
	answers := e.Answers()
	wanted := func(id ir.SpanID) bool { return id == e.Exp || slices.Contains(answers, id) }
	return p.Needed(all, wanted, e.Query.Kind.Picks() || e.Stream.Draws())
}

// dropUnused removes blocks that no entry runs.
func dropUnused(p *ir.Program) {
	index := make([]int, len(p.Blocks))
	for _, e := range p.Entries {
		for _, b := range e.Blocks {
			index[b] = 1
		}
	}
	var blocks []ir.Block
	for i, b := range p.Blocks {
		if index[i] == 1 {
			index[i] = len(blocks)
			blocks = append(blocks, b)
		}
	}
	p.Blocks = blocks
	for i := range p.Entries {
		e := &p.Entries[i]
		e.Blocks = slices.Clone(e.Blocks)
		for k, b := range e.Blocks {
			e.Blocks[k] = index[b]
		}
	}
}
