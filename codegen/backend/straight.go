package backend

// straightNS are prices of one operation of straight text, by how many of them a query runs in all:
// while they fit the first-level cache of instructions they cost what the arithmetic costs; beyond,
// each is fetched anew from the second level, and then from further away. Measured on emitted
// packages from 1,300 to 29,000 operations, on machines with 32 and with 64 KiB of first-level
// cache; in between lines.
var straightNS = []struct {
	ops int
	ns  float64
}{{0, .12}, {2500, .12}, {5500, .24}, {10_000, .26}, {28_000, .4}, {75_000, .5}}

// StraightNS is the predicted price, in nanoseconds, of one operation where a query runs total of
// them as straight text.
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
