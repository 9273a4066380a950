package unroll

import (
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/assemble"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/price"
	"github.com/pgmc-go/pgmc/ir/symbolic"
)

// autoOps is the most operations that a package has as straight-line code by default.
const autoOps = 25_000

// maxProducts bounds the symbolic execution of a block to a few milliseconds. It is near the number
// of operations that all blocks may have together if the back-end is forced.
const maxProducts = 1 << 16

// Measured costs: seconds of go build for each operation, and nanoseconds of steps that are not
// arithmetic.
const (
	answerOps = 12 // text of normalising an answer, in operations
	callOps   = 8  // text of calling the runtime, in operations
)

// inputsPerOp is the number of nodes of a circuit for each operation: there may be as many inputs.
const inputsPerOp = 2

// cost predicts the cost of a block, if it takes about the given number of operations at most.
func cost(p *ir.Program, b *ir.Block, r backend.Readers, most int) backend.Cost {
	if circuitOps(p, b) > most {
		return backend.Cost{}
	}
	t, err := execute(p, b, r, nil, inputsPerOp*min(most, maxProducts))
	if err != nil {
		return backend.Cost{}
	}
	ops := t.c.Size(t.roots())
	straight := ops + t.copies()
	c := backend.Cost{OK: true, Ops: ops, Straight: straight, NS: price.StraightOp(straight) * float64(straight)}
	c.NS += price.Straight.Max * float64(t.maxima())
	c.NS += price.Straight.Divide * float64(len(t.last))
	size := c.Ops + answerOps*len(t.last)
	for _, a := range t.actions {
		c.NS += a.kind.ns()
		if a.kind == store {
			c.NS += backend.StoreNS(p, a.span)
		}
		size += 1 + len(a.results)
		if a.kind == descend {
			ns, n := walkCost(p, a.walk)
			c.NS += ns
			size += n
		}
		if a.kind == call {
			ns, _ := assemble.OfCall(p, a.step)
			c.NS += ns
			size += callOps
		}
	}
	c.Text = int(price.Straight.Text * float64(size))
	c.Build = price.Straight.Build * float64(size)
	return c
}

// maxima returns the number of maxima that are needed.
func (t *trace) maxima() (n int) {
	for i, uses := range t.c.Uses(t.roots()) {
		if uses > 0 && t.c.Op(circuit.Node(i)) == circuit.Max {
			n++
		}
	}
	return n
}

// circuitOps returns the number of operations of the nodes of circuits, and of normalising.
func circuitOps(p *ir.Program, b *ir.Block) (n int) {
	for _, step := range b.Steps {
		switch s := step.(type) {
		case *ir.Normalize:
			n += 2 * p.Spans[s.Span].Len
		case *ir.Sums:
			n += len(s.Terms) - len(s.Set)
			for _, t := range s.Terms {
				if t[1] >= 0 {
					n++
				}
			}
		}
	}
	return n
}

// copies returns the number of elements that are stored and are not results of operations. Each
// takes a load and a store, about as long as an operation.
func (t *trace) copies() (n int) {
	for _, a := range t.actions {
		if a.kind == store && t.c.Op(a.nodes[0]) < circuit.Sum {
			n++
		}
	}
	return n
}

// Build returns the predicted CPU seconds of go build for a number of operations.
func Build(ops int) float64 { return price.Straight.Build * float64(ops) }

// Sums is an order of sums other than package symbolic's.
type Sums interface {
	// Contractions returns the function that executes contractions on x, with nodes of c, and one
	// to call after x has executed an Invert.
	Contractions(x *symbolic.Executor, c *circuit.Circuit) (contract func(*ir.Contract) error, inverted func(*ir.Invert))
	// Total returns the expression of the sum of the given operands.
	Total(operands []string) string
}

// Emit writes the method out.Func that runs b. r holds the readers of the spans of the program. If
// sums is nil, contractions are summed as in package symbolic, and answers from the first to the
// last element.
func Emit(out *backend.Output, b *ir.Block, r backend.Readers, sums Sums) error {
	t, err := execute(out.Program, b, r, sums, math.MaxInt)
	if err != nil {
		return fmt.Errorf("unroll: block %q: %w", b.Name, err)
	}
	pl := plan(t)
	pr := newPrinter(out, t, pl)
	name := out.Func
	names := []string{}
	for i := range pl.chunks {
		if len(pl.chunks) > 1 || len(t.last) > 0 {
			name = out.Helper()
		}
		names = append(names, name)
		body, uses := pr.chunk(i)
		out.Method(name, methodComment(b, name, i, len(pl.chunks)), uses, backend.Code(body))
	}
	for _, spans := range inMethods(t.p, t.last) {
		name = out.Helper()
		names = append(names, name)
		text := normalizeAnswers(out, spans, sums)
		out.Method(name, backend.Comment(name+" normalises the answers of "+b.Name), backend.Work, backend.Code(text))
	}
	if len(pl.chunks) != 1 || len(t.last) > 0 {
		out.Method(out.Func, methodComment(b, out.Func, 0, 1), 0, backend.Code(calls(names)))
	}
	*out.Scratch = max(*out.Scratch, pl.scratch)
	return nil
}

func methodComment(b *ir.Block, name string, i, n int) string {
	text := fmt.Sprintf("%s runs %s", name, b.Name)
	if n > 1 {
		text += fmt.Sprintf(", part %d of %d", i+1, n)
	}
	return backend.Comment(text)
}

func calls(names []string) string {
	text := ""
	for _, n := range names {
		text += "e." + n + "()\n"
	}
	return text
}
