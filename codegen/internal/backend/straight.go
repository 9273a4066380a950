package backend

import "github.com/pgmc-go/pgmc/ir"

// straightNS holds the cost of one operation of straight-line code, by the number of such
// operations that a query runs in all, with linear interpolation. While they fit the first-level
// instruction cache, an operation costs its arithmetic. Beyond that, each is fetched again from the
// second level, and then from further away. Measured on emitted packages of 1,300 to 29,000
// operations, on machines with 32 and with 64 KiB of first-level cache.
var straightNS = []struct {
	ops int
	ns  float64
}{{0, .15}, {2500, .15}, {5500, .24}, {10_000, .26}, {28_000, .4}, {75_000, .5}}

// LeastShare is the share of a query's time that the straight-line code of a large package has to
// save.
const LeastShare = .01

// StraightNS returns the predicted cost, in nanoseconds, of one operation of straight-line code if
// a query runs total of them.
func StraightNS(total int) float64 {
	last := straightNS[0]
	for _, p := range straightNS {
		if total <= p.ops {
			if total <= last.ops {
				return last.ns
			}
			return last.ns + (p.ns-last.ns)*float64(total-last.ops)/float64(p.ops-last.ops)
		}
		last = p
	}
	return last.ns
}

// StoreNS returns the predicted wait for an element of a span that is stored by itself. In a
// program laid out for vectors, other blocks may load it together with its neighbours, and such a
// load waits until all of them are in the cache.
func StoreNS(p *ir.Program, id ir.SpanID) float64 {
	const wait = .3
	if p.Align > 0 && p.Spans[id].Role == ir.RoleTemp {
		return wait
	}
	return 0
}
