package unroll

import (
	"math"

	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/assemble"
	"github.com/pgmc-go/pgmc/ir/price"
)

// worth bounds the operations with which a block may pay as straight-line code. All blocks of a
// package share the back-end's limit on operations. If code of that many operations, each saving as
// much time as the block's, shortens no query by backend.LeastShare, the block is not written out.
// The times are the tape's, without calls of the runtime, which every back-end makes alike.
type worth struct {
	ns    map[*ir.Block]float64 // on the tape
	query map[*ir.Block]float64 // the shortest time of a query that runs the block, on the tape
}

// newWorth returns the bounds for the blocks of p.
func newWorth(p *ir.Program) *worth {
	w := &worth{ns: map[*ir.Block]float64{}, query: map[*ir.Block]float64{}}
	for i := range p.Blocks {
		b := &p.Blocks[i]
		for _, s := range b.Steps {
			if _, call := assemble.OfCall(p, s); !call {
				w.ns[b] += assemble.OnTape(p, s).NS
			}
		}
	}
	for _, e := range p.Entries {
		total := 0.0
		for _, i := range e.Blocks {
			total += w.ns[&p.Blocks[i]]
		}
		for _, i := range e.Blocks {
			b := &p.Blocks[i]
			if least, ok := w.query[b]; !ok || total < least {
				w.query[b] = total
			}
		}
	}
	return w
}

// most returns the largest number of operations with which b may pay. An operation takes its time
// and has to save some. There is no bound for short queries.
func (w *worth) most(b *ir.Block) int {
	save := backend.LeastShare * w.query[b] / autoOps
	if save < price.StraightOp(0)/10 {
		return math.MaxInt32
	}
	return int(min(math.MaxInt32, w.ns[b]/(save+price.StraightOp(0))))
}
