package vector

import (
	"fmt"
	"strings"

	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/codegen/internal/unroll"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/price"
	"github.com/pgmc-go/pgmc/ir/symbolic"
	"github.com/pgmc-go/pgmc/ir/vector"
)

// Backend emits vectors of four numbers.
var Backend = backend.Backend{
	Name: "vector",
	Doc:  "assembly on vectors of four numbers, with the same sums in Go for other processors",
	Cost: func(p *ir.Program, b *ir.Block) backend.Cost { return cost(p, b, backend.ReadersOf(p)) },
	Emit: func(out *backend.Output, b *ir.Block) error {
		return emit(out, b, backend.ReadersOf(out.Program))
	},
	For:     forProgram,
	Partial: true,

	Auto:   backend.Limit{Ops: vector.Lanes * vector.MaxStraight, Text: 4 << 20},
	Forced: backend.Limit{Ops: 4 * vector.Lanes * vector.MaxStraight, Text: 16 << 20},
}

// forProgram returns b with the readers of p's spans computed once for all blocks.
func forProgram(p *ir.Program, b backend.Backend) backend.Backend {
	r := backend.ReadersOf(p)
	b.Cost = func(p *ir.Program, block *ir.Block) backend.Cost { return cost(p, block, r) }
	b.Emit = func(out *backend.Output, block *ir.Block) error { return emit(out, block, r) }
	return b
}

func cost(p *ir.Program, b *ir.Block, r backend.Readers) backend.Cost {
	if !possible(p, b) {
		return backend.Cost{}
	}
	x := newBlock(p, b, r)
	n := x.graph.Cost() + float64(x.stores())
	ops := 0
	for i := range x.graph.Nodes {
		if x.graph.Nodes[i].Op >= vector.Mul {
			ops += vector.Lanes
		}
	}
	return backend.Cost{
		OK: true, NS: price.Vector.Call + price.Vector.Instruction*n, Ops: ops, Beside: int(price.Vector.Text * n / price.Straight.Text),
		Text: int(price.Vector.Text*n) + price.Vector.TextOp*ops, Build: unroll.Build(ops),
	}
}

// possible reports whether b has nothing but contractions and the normalisation of answers that
// they compute, and whether vectors may reach beyond the ends of spans.
func possible(p *ir.Program, b *ir.Block) bool {
	if p.Align == 0 || p.Align%vector.Lanes != 0 {
		return false
	}
	_, _, ok := vector.Parts(p, b)
	return ok
}

// emit writes the method, which runs the assembly or the Go code.
func emit(out *backend.Output, b *ir.Block, r backend.Readers) error {
	x := newBlock(out.Program, b, r)
	w := newWriter(out, x)
	a := backend.Assembly{Func: out.Func + "AVX2", Comment: "runs " + b.Name, Body: w.write(), Method: out.Func + "Vector"}
	*out.Scratch = max(*out.Scratch, w.spills*vector.Lanes)
	if len(x.answers) > 0 {
		a.Extreme = out.Func + "Extreme"
		comment := a.Extreme + " normalises the answers of " + b.Name + " whose sums are too extreme for a reciprocal"
		out.Method(a.Extreme, backend.Comment(comment), backend.Work, backend.Code(normalizeExtreme(out, x.answers)))
	}
	*out.Assembly = append(*out.Assembly, a)
	scalar := *out
	scalar.Func = out.Func + "Scalar"
	if err := unroll.Emit(&scalar, b, r, order{out.Program}); err != nil {
		return fmt.Errorf("vector: %w", err)
	}
	body := fmt.Sprintf("if !e.%s() {\ne.%s()\n}", a.Method, scalar.Func)
	out.Method(out.Func, backend.Comment(out.Func+" runs "+b.Name), 0, backend.Code(body))
	return nil
}

// normalizeExtreme returns the text that normalises the spans that the assembly did not, because
// their sums are less than 2^-1000 or more than 2^1000. The sums of the others are about 1 by now.
func normalizeExtreme(out *backend.Output, spans []ir.SpanID) string {
	b := &strings.Builder{}
	for _, id := range spans {
		s := &out.Program.Spans[id]
		var terms []string
		for i := range s.Len {
			terms = append(terms, fmt.Sprintf("s[%d]", s.Offset+i))
		}
		fmt.Fprintln(b, backend.Comment(s.Name))
		fmt.Fprintf(b, "if sum := %s; !(sum >= 0x1p-1000 && sum <= 0x1p1000) {\n%s(s[%d:%d])\n}\n",
			order{}.Total(terms), out.Runtime("Normalize"), s.Offset, s.Offset+s.Len)
	}
	return b.String()
}

// order is the order of sums of this package, for the Go code.
type order struct{ p *ir.Program }

// Contractions implements unroll.Sums.
func (o order) Contractions(x *symbolic.Executor, c *circuit.Circuit) (func(*ir.Contract) error, func(*ir.Invert)) {
	twin := vector.NewTwin(vector.New(o.p), x, c)
	contract := func(c *ir.Contract) error {
		twin.Contract(c)
		return nil
	}
	return contract, twin.Invert
}

// Total implements unroll.Sums: each lane is summed first, then the lanes in pairs.
func (order) Total(operands []string) string {
	var lanes [vector.Lanes][]string
	for i, text := range operands {
		lanes[i%vector.Lanes] = append(lanes[i%vector.Lanes], text)
	}
	sum := func(list []string) string {
		if len(list) < 2 {
			return strings.Join(list, "")
		}
		return "(" + strings.Join(list, " + ") + ")"
	}
	pair := func(a, b []string) string {
		if len(b) == 0 {
			return sum(a)
		}
		return "(" + sum(a) + " + " + sum(b) + ")"
	}
	low, high := pair(lanes[0], lanes[1]), pair(lanes[2], lanes[3])
	if high == "" {
		return low
	}
	return low + " + " + high
}
