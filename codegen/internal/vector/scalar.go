package vector

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/codegen/internal/unroll"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/price"
)

// Scalar emits the operations of back-end unroll one by one in assembly. Its code is smaller than
// the Go compiler's and keeps more numbers in registers.
var Scalar = backend.Backend{
	Name: "scalar",
	Doc:  "assembly on single numbers for small circuits, with the code of unroll for other processors",
	Cost: func(p *ir.Program, b *ir.Block) backend.Cost { return scalarCost(p, b, backend.ReadersOf(p)) },
	Emit: func(out *backend.Output, b *ir.Block) error {
		return emitScalar(out, b, backend.ReadersOf(out.Program))
	},
	For:     scalarFor,
	Partial: true,

	Auto:   backend.Limit{Ops: 8 * maxScalarOps, Text: 1 << 20},
	Forced: backend.Limit{Ops: 50 * maxScalarOps, Text: 16 << 20},
}

// maxScalarOps is the number of operations of a block up to which Scalar emits it. More would not
// stay in the first-level instruction cache, where assembly gains most.
const maxScalarOps = 4000

// worth returns price.Scalar.Worth, or 0 for a block of a step of a filter.
func worth(p *ir.Program, b *ir.Block) float64 {
	if e := p.Entry(ir.FilterBelief); e != nil && slices.ContainsFunc(e.Blocks, func(i int) bool { return &p.Blocks[i] == b }) {
		return 0
	}
	return price.Scalar.Worth
}

// maxScalarProgram is the number of products of a program up to which Scalar looks at its blocks.
// Queries of larger ones have more code than the cache holds.
const maxScalarProgram = 50_000

// scalarFor returns b with the readers of p's spans computed once for all blocks.
func scalarFor(p *ir.Program, b backend.Backend) backend.Backend {
	r := backend.ReadersOf(p)
	products := 0
	for i := range p.Blocks {
		for _, s := range p.Blocks[i].Steps {
			products += s.Products()
		}
	}
	b.Cost = func(p *ir.Program, block *ir.Block) backend.Cost {
		if products > maxScalarProgram {
			return backend.Cost{}
		}
		return scalarCost(p, block, r)
	}
	b.Emit = func(out *backend.Output, block *ir.Block) error { return emitScalar(out, block, r) }
	return b
}

func scalarCost(p *ir.Program, b *ir.Block, r backend.Readers) backend.Cost {
	s, ok := unroll.StraightOf(p, b, r, maxScalarOps)
	if !ok {
		return backend.Cost{}
	}
	w := newScalarWriter(p, &[]float64{}, nil, s)
	w.write()
	c := backend.Cost{OK: true, NS: worth(p, b) + price.Vector.Call + price.Scalar.Instruction*float64(w.count), Text: price.Scalar.TextRegister*w.count + (price.Scalar.TextMemory-price.Scalar.TextRegister)*w.memories}
	for _, e := range s.Events {
		switch e.Kind {
		case unroll.Compute:
			c.Ops++
		case unroll.Store, unroll.Home:
			c.NS += backend.StoreNS(p, e.Span)
		}
	}
	c.Straight = int(float64(c.Text) / price.Straight.Text)
	c.Text += int(price.Straight.Text * float64(c.Ops))
	c.Build = unroll.Build(c.Ops)
	return c
}

// emitScalar writes the method, which runs the assembly or the Go code.
func emitScalar(out *backend.Output, b *ir.Block, r backend.Readers) error {
	s, ok := unroll.StraightOf(out.Program, b, r, maxScalarOps)
	if !ok {
		return fmt.Errorf("scalar: block %q has other steps than sums of products", b.Name)
	}
	w := newScalarWriter(out.Program, out.Pool, numbersOf(out.Program, *out.Pool), s)
	a := backend.Assembly{Func: out.Func + "AVX", Comment: "runs " + b.Name, Body: w.write(), Method: out.Func + "Assembly"}
	*out.Scratch = max(*out.Scratch, w.spills)
	*out.Assembly = append(*out.Assembly, a)
	code := *out
	code.Func = out.Func + "Go"
	if err := unroll.Emit(&code, b, r, nil); err != nil {
		return fmt.Errorf("scalar: %w", err)
	}
	body := fmt.Sprintf("if !e.%s() {\ne.%s()\n}", a.Method, code.Func)
	out.Method(out.Func, backend.Comment(out.Func+" runs "+b.Name), 0, backend.Code(body))
	return nil
}
