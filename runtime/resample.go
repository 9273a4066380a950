package pgmrt

import "math"

// Scheme is a way to draw the particles that go on, each on average as often as its weight says.
type Scheme uint8

// The schemes, for n particles: at distances of 1/n from a random start, one at random in each of n
// equal intervals, and the whole part of n times the weight with the rest at random (Douc and Cappé
// 2005).
const (
	ResampleSystematic Scheme = iota
	ResampleStratified
	ResampleResidual
)

// Resample sets each element of from to an index of p, ascending: as many as from has, each index
// on average in proportion to its probability. p sums to 1. ResampleResidual needs scratch of the
// length of p, and of from if that is longer.
func Resample(from []int32, scheme Scheme, p, scratch []float64, r *Rand) {
	switch scheme {
	case ResampleSystematic:
		resampleRegular(from, p, r.Float64())
	case ResampleStratified:
		n, pick := float64(len(from)), picker{p: p}
		for k := range from {
			from[k] = pick.at((float64(k) + r.Float64()) / n)
		}
	case ResampleResidual:
		resampleRest(from, p, scratch, r)
	}
}

// resampleRegular sets from[k] to the element of p in whose part of the cumulative distribution
// (k+u)/n falls, for n elements of from. It marks where the copies of each element begin and then
// extends each mark to the next, so that no branch depends on how many copies an element has.
func resampleRegular(from []int32, p []float64, u float64) {
	clear(from)
	n, sum, k := float64(len(from)), 0.0, 0
	for i, x := range p {
		if !(x > 0) {
			continue
		}
		if k == len(from) {
			break
		}
		from[k] = int32(i)
		sum += x
		// The next element begins at the first k with (k+u)/n of at least sum.
		k = min(max(int(float64(sum*n)-u)+1, k), len(from))
		for k > 0 && (float64(k-1)+u)/n >= sum {
			k--
		}
		for k < len(from) && (float64(k)+u)/n < sum {
			k++
		}
	}
	last := int32(0)
	for k, i := range from {
		last = max(last, i)
		from[k] = last
	}
}

// picker finds the elements of a distribution in whose parts of the cumulative distribution
// ascending numbers fall.
type picker struct {
	p       []float64
	next    int
	last    int32
	sum     float64
	started bool
}

// at returns the element of u, which is from 0 to 1.
func (p *picker) at(u float64) int32 {
	for p.next < len(p.p) && (!p.started || u >= p.sum) {
		p.started = true
		if x := p.p[p.next]; x > 0 {
			p.sum += x
			p.last = int32(p.next)
		}
		p.next++
	}
	return p.last
}

// resampleRest is Resample by the scheme ResampleResidual. The number left to draw at random falls
// by one with each; the smallest of k uniform numbers above u is 1-(1-u)v^(1/k) for a uniform v.
func resampleRest(from []int32, p, rest []float64, r *Rand) {
	n, left, total := float64(len(from)), len(from), 0.0
	rest = rest[:len(p)]
	for i, x := range p {
		whole := int(x * n)
		rest[i] = float64(x*n) - float64(whole)
		left -= whole
		total += rest[i]
	}
	for i := range rest {
		if total > 0 {
			rest[i] /= total
		}
	}
	pick, u := picker{p: rest}, 0.0
	drawn := int32(-1) // the next element drawn at random, if any is left
	more := func() {
		if drawn = -1; left > 0 {
			u = 1 - float64((1-u)*math.Pow(1-r.Float64(), 1/float64(left)))
			drawn = pick.at(u)
			left--
		}
	}
	more()
	at := 0
	for i, x := range p {
		for whole := int(x * n); whole > 0 && at < len(from); whole-- {
			from[at] = int32(i)
			at++
		}
		for ; drawn == int32(i) && at < len(from); more() {
			from[at] = int32(i)
			at++
		}
	}
	for ; at < len(from); at++ { // rounding
		from[at] = pick.last
	}
}
