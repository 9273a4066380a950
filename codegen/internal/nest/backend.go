package nest

import (
	"math"

	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/ir"
)

// Backend emits loop nests. 12 MB of them take about half a minute to build.
var Backend = backend.Backend{
	Name: "nest",
	Doc:  "loop nests with constant bounds around an unrolled tile, for tables too large to unroll",
	Cost: cost,
	Emit: func(out *backend.Output, b *ir.Block) error { return emit(out, b, nil) },
	For:  forProgram,

	Narrows: exact,

	Auto:   backend.Limit{Ops: math.MaxInt, Text: 12 << 20},
	Forced: backend.Limit{Ops: math.MaxInt, Text: 32 << 20},
}
