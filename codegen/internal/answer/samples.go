package answer

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
)

// Sample declares Sample and Samples.
func (g *Methods) Sample(e *ir.Entry) {
	fail := "\t*out = Assignment{}\n\treturn "
	g.Func(source.Doc("Sample sets out to a completion of ev drawn from the posterior given ev and soft, which may be nil. It draws with rng.",
		"On failure out has no states."),
		"(e *Engine) Sample(ev *Evidence, soft *Soft, rng *Rand, out *Assignment) error",
		g.EnterOnly(e, fail+"err")+"e.rng = rng\n"+g.Run(e, e.Blocks)+
			g.possible(e, fail)+"e.readStates(out)\nreturn nil")
	again := g.Run(e, g.drawing(e))
	g.Func(source.Doc("Samples returns an endless sequence of samples as Sample draws them. An assignment is valid until the next one. Other queries",
		"of e may run in between; the next sample then takes more time."),
		"(e *Engine) Samples(ev *Evidence, soft *Soft, rng *Rand) ("+g.Std("iter.Seq")+"[*Assignment], error)", fmt.Sprintf(`
ev, soft = %[1]s(ev), %[1]s(soft)
if err := e.Sample(ev, soft, NewRand(0), new(Assignment)); err != nil {
	return nil, err
}
return %[2]s(&e.runs, func(out *Assignment) error { return e.Sample(ev, soft, rng, out) }, func(out *Assignment) {
	e.rng = rng
	%[3]se.readStates(out)
}), nil`, g.RT("Cloned"), g.RT("Samples"), again))
}

// possible returns the statements that return an error if the root of e refuses the evidence.
func (g *Methods) possible(e *ir.Entry, fail string) string {
	root := fmt.Sprintf("e.work()[%d]", g.Program.Spans[e.Root].Offset)
	test, text := g.Impossible(e, root, fail+"ErrImpossible")
	return fmt.Sprintf("if %s {\n%s\n}\n", test, text)
}

// drawing returns the blocks of e that each further sample must run. These are the blocks from the
// first that draws, if they do not overwrite their inputs, and otherwise all.
func (g *Methods) drawing(e *ir.Entry) []int {
	for i, b := range e.Blocks {
		if g.draws(b) {
			if g.Repeatable(e.Blocks[i:]) {
				return e.Blocks[i:]
			}
			break
		}
	}
	return e.Blocks
}

// draws reports whether a block draws random numbers.
func (g *Methods) draws(block int) bool {
	return slices.ContainsFunc(g.Program.Blocks[block].Steps, func(s ir.Step) bool { return ir.Draws(g.Program, s) })
}

// Repeatable reports whether the blocks can run again with the same result: no step writes a number
// that the blocks, in the first run, read as it was before them. States need no check, since they
// are set before they are used.
func (g *Methods) Repeatable(blocks []int) bool {
	written := make([]bool, len(g.Program.Spans)) // completely, by the steps so far
	var reads, writes []ir.SpanID
	for _, b := range blocks {
		for _, step := range g.Program.Blocks[b].Steps {
			for _, id := range ir.ReadSpans(step) {
				if !written[id] {
					reads = append(reads, id)
				}
			}
			for _, id := range ir.WriteSpans(step) {
				writes = append(writes, id)
				if ir.Fills(g.Program, step) {
					written[id] = true
				}
			}
		}
	}
	for _, r := range reads {
		for _, w := range writes {
			if overlap(&g.Program.Spans[r], &g.Program.Spans[w]) {
				return false
			}
		}
	}
	return true
}

// overlap reports whether two spans share memory.
func overlap(a, b *ir.Span) bool {
	return a.ReadOnly() == b.ReadOnly() && a.Elem == b.Elem && a.Offset < b.Offset+b.Len && b.Offset < a.Offset+a.Len
}
