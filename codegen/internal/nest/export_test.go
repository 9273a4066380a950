package nest

import (
	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/ir"
)

// Sharing returns Backend with methods for shapes, whatever the size of the program.
func Sharing() backend.Backend {
	b := Backend
	shared := map[*backend.File]backend.Backend{} // each file is a package
	b.Emit = func(out *backend.Output, block *ir.Block) error {
		if _, ok := shared[out.File]; !ok {
			shared[out.File] = sharing(out.Program, Backend)
		}
		return shared[out.File].Emit(out, block)
	}
	return b
}

// WithSmallTiles runs f while all contractions that can be are tiles of vectors.
func WithSmallTiles(f func()) {
	defer func(n int) { leastVectors = n }(leastVectors)
	leastVectors = 1
	f()
}
