package backend

import (
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/price"
)

// LeastShare is the share of a query's time that the straight-line code of a large package has to
// save.
const LeastShare = .01

// StoreNS returns the predicted wait for an element of a span that is stored by itself. In a
// program laid out for vectors, other blocks may load it together with its neighbours, and such a
// load waits until all of them are in the cache.
func StoreNS(p *ir.Program, id ir.SpanID) float64 {
	if p.Align > 0 && p.Spans[id].Role == ir.RoleTemp {
		return price.Straight.Store
	}
	return 0
}
