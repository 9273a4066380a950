package unroll

import (
	"math"

	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/ir"
)

// Backend emits straight-line code. Beyond 25 thousand operations it is bound by the fetching of
// instructions and takes long to build. From 75 thousand on a tape is as fast.
var Backend = backend.Backend{
	Name: "unroll",
	Doc:  "straight-line expressions: zeros, ones and equal numbers folded, equal expressions shared",
	Cost: func(p *ir.Program, b *ir.Block) backend.Cost { return cost(p, b, backend.ReadersOf(p), math.MaxInt32) },
	Emit: func(out *backend.Output, b *ir.Block) error {
		return Emit(out, b, backend.ReadersOf(out.Program), nil)
	},
	Formula: Formula,
	For:     forProgram,

	Auto:   backend.Limit{Ops: autoOps, Text: 4 << 20},
	Forced: backend.Limit{Ops: 75_000, Text: 16 << 20},
}

// forProgram returns b with the parts common to all blocks computed once.
func forProgram(p *ir.Program, b backend.Backend) backend.Backend {
	r, w := backend.ReadersOf(p), newWorth(p)
	b.Cost = func(p *ir.Program, block *ir.Block) backend.Cost { return cost(p, block, r, w.most(block)) }
	b.Emit = func(out *backend.Output, block *ir.Block) error { return Emit(out, block, r, nil) }
	return b
}
