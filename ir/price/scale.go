package price

import "math"

// A Scale gives the time of a unit of work by the number of units: each entry holds up to its
// total.
type Scale []struct{ UpTo, NS float64 }

// Of returns the time of n units, in nanoseconds.
func (s Scale) Of(n float64) (ns float64) {
	from := 0.0
	for _, p := range s {
		ns += p.NS * max(0, min(n, p.UpTo)-from)
		from = p.UpTo
	}
	return ns
}

// Within returns the number of units that fit into a time in nanoseconds.
func (s Scale) Within(ns float64) (n float64) {
	from := 0.0
	for _, p := range s {
		part := min(ns/p.NS, p.UpTo-from)
		n += part
		if ns -= part * p.NS; !(ns > 0) {
			break
		}
		from = p.UpTo
	}
	return n
}

var inf = math.Inf(1)
