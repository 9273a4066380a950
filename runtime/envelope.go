package pgmrt

import "math"

// The words of a tapeEnvelope instruction: offset of the result, axis of the result or -1, form of
// the energies, number of states of each variable, 1 if the energies are in data memory, their
// offset, then for each of the two axes: place of its fixed state or -1, offset of the operand or
// -1.
const (
	envelopeOut = 2 + iota
	envelopeTo
	envelopeForm
	envelopeStates
	envelopeData
	envelopeRow
	envelopeAxes
)

// The forms of energies that depend on the distance between two states.
const (
	envelopePotts     = 1 + iota // one number for equal states, and one for all others
	envelopeLinear               // a line; up to a cap if it rises
	envelopeQuadratic            // a parabola that rises, up to a cap
)

// tapeRunEnvelope minimises sums of the energies of two variables that depend only on the distance
// between their states: of row, which has them from -(n-1) to n-1, it reads the second half. If
// neither axis is fixed, it takes time in proportion to the number of states, as the lower envelope
// of one curve for each state (Felzenszwalb and Huttenlocher 2006, Efficient belief propagation for
// early vision; 2012, Distance transforms of sampled functions).
func tapeRunEnvelope(ins []int32, s, p []float64, t []int32) {
	n, row := int(ins[envelopeStates]), s
	if ins[envelopeData] != 0 {
		row = p
	}
	far := row[int(ins[envelopeRow])+n-1:][:n]
	first, second := ins[envelopeAxes:], ins[envelopeAxes+2:]
	out := s[ins[envelopeOut]:]
	switch {
	case first[0] >= 0 && second[0] >= 0:
		i, j := int(t[first[0]]), int(t[second[0]])
		out = out[:1]
		out[0] = far[max(i-j, j-i)] + (operand(s, second[1], j) + operand(s, first[1], i))
	case first[0] >= 0:
		out = distanceRow(out, far, s, int(t[first[0]]), first[1], second[1], ins[envelopeTo] == 1)
	case second[0] >= 0:
		out = distanceRow(out, far, s, int(t[second[0]]), second[1], first[1], ins[envelopeTo] == 0)
	default:
		from := second
		if ins[envelopeTo] == 1 {
			from = first
		}
		out = out[:n]
		lowerEnvelope(ins[envelopeForm], out, s[from[1]:][:n], far)
	}
	keepImpossible(out)
}

// distanceRow writes the energies of the states of one variable where the other one is in state at.
// If they are no result, it writes the least of them.
func distanceRow(out, far, s []float64, at int, fixed, free int32, result bool) []float64 {
	sum := operand(s, fixed, at)
	if !result {
		out = out[:1]
		out[0] = math.Inf(1)
	}
	for x := range far {
		e := far[max(x-at, at-x)] + sum
		if free >= 0 {
			e += s[int(free)+x]
		}
		if result {
			out[x] = e
		} else {
			out[0] = min(out[0], e)
		}
	}
	return out[:min(len(far), len(out))]
}

// lowerEnvelope sets out[x] to the least h[y] + far[|x-y|].
func lowerEnvelope(form int32, out, h, far []float64) {
	switch form {
	case envelopePotts:
		pottsEnvelope(out, h, far)
		return
	case envelopeLinear:
		linearEnvelope(out, h, far)
	case envelopeQuadratic:
		quadraticEnvelope(out, h, far)
	}
	if far[1] < far[0] {
		return // no cap
	}
	low := math.Inf(1)
	for _, x := range h {
		low = min(low, x)
	}
	low += far[len(far)-1]
	for x := range out {
		out[x] = min(out[x], low)
	}
}

// pottsEnvelope needs only the two least energies: no state is at a distance from itself.
func pottsEnvelope(out, h, far []float64) {
	best, low, next := -1, math.Inf(1), math.Inf(1)
	for y, x := range h {
		switch {
		case x < low:
			best, low, next = y, x, low
		case x < next:
			next = x
		}
	}
	for x := range out {
		other := low
		if x == best {
			other = next
		}
		out[x] = min(h[x]+far[0], other+far[1])
	}
}

// linearEnvelope goes up for the states below each one, and down for those above. Of two states
// below, the same one is better for all states from the upper one on. Energies grow by the same
// number at each step, without rounding, so that the result equals the result of all pairs to the
// last bit; the cap is left to the caller.
func linearEnvelope(out, h, far []float64) {
	step, best := far[1]-far[0], 0
	for x := range h {
		if !reaches(h[best], float64(step*float64(x-best)), h[x]) {
			best = x
		}
		out[x] = h[best] + far[x-best]
	}
	best = len(h) - 1
	for x := best; x >= 0; x-- {
		if !reaches(h[best], float64(step*float64(best-x)), h[x]) {
			best = x
		}
		out[x] = min(out[x], h[best]+far[best-x])
	}
}

// reaches reports whether x + way is at most y, without rounding (Knuth 1997, The Art of Computer
// Programming, volume 2, section 4.2.2, theorem B).
func reaches(x, way, y float64) bool {
	switch {
	case y >= impossible:
		return true
	case x >= impossible:
		return false
	}
	sum := x + way
	if sum != y {
		return sum < y
	}
	part := sum - x
	return (x-(sum-part))+(way-part) <= 0
}

// quadraticEnvelope keeps the states with parabolas that are least somewhere, in ascending order,
// at the beginning of out, which it then overwrites from the end.
func quadraticEnvelope(out, h, far []float64) {
	curve, n := far[1]-far[0], 0
	start := func(k int) int { // the first state at which the parabola at place k is least
		if k == 0 {
			return 0
		}
		return crossing(int(out[k-1]), int(out[k]), h, curve)
	}
	for y, e := range h {
		if e >= impossible {
			continue
		}
		from := 0
		for n > 0 {
			if from = crossing(int(out[n-1]), y, h, curve); from > start(n-1) {
				break
			}
			from = 0
			n--
		}
		if from < len(h) {
			out[n] = float64(y)
			n++
		}
	}
	if n == 0 {
		for x := range out {
			out[x] = math.Inf(1)
		}
		return
	}
	n--
	y, from := int(out[n]), start(n)
	for x := len(out) - 1; x >= 0; x-- {
		for from > x {
			n--
			y, from = int(out[n]), start(n)
		}
		out[x] = h[y] + far[max(x-y, y-x)]
	}
}

// crossing returns the first state at which the parabola of state q is not above the parabola of
// state p, which is smaller. It is 0 at least and the number of states at most.
func crossing(p, q int, h []float64, curve float64) int {
	x := max(0, min((h[q]-h[p])/float64(2*curve*float64(q-p))+float64(p+q)/2, float64(len(h))))
	at := int(x)
	if float64(at) < x {
		at++
	}
	return at
}
