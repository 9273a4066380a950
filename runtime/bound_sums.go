package pgmrt

import "math"

// boundRun bounds the sum of a product of tables from above and from below, and the posteriors.
type boundRun struct {
	up, down Buckets   // with one evidence
	low, hi  []float64 // by state of one variable: ln of bounds of the sum with that state; then, in hi, its evidence
	path     []int32   // by box: 1 if the evidence on the variable that is bounded changes its message
	alone    float64   // ln of the product of tables without variables
	slack    float64   // how far rounding may move a bound
	likely   []int32   // by variable: the place of its likelihoods in s
	never    []float64
	number   []int32 // the places of the numbers of the run, in the order below
	out      []int32 // by variable: the place of its lower bounds, then of all upper ones; negative without any
	s        []float64
}

// The numbers of a run of BoundSums, in the order of their places.
const (
	boundAlive = iota
	boundLower
	boundUpper
	boundResidual
	boundRounds
	boundKept
	boundNumbers
)

// boundRunOf reads the words of BoundSums: the place of the states; the words of [Buckets] and the
// largest number of states; then the places of the likelihoods, of the tables, of the states that
// are impossible for any evidence, followed by ln of the product of tables without variables and by
// the slack, of the weights and shifts of the upper bound, and of the lower one; of work memory, of
// integers, of the numbers of the run, and of the bounds of the posteriors.
func boundRunOf(k []int32, s, p []float64, t []int32) (r boundRun) {
	words := k[1:]
	b, rest := bucketsOf(words)
	n, states, messages := int(words[bucketVars]), int(words[bucketStates]), int(words[bucketMessages])
	most := int(rest[0])
	rest = rest[1:]
	r.s, r.likely, rest = s, rest[:n], rest[n:]
	b.Numbers, r.never = p[rest[0]:], p[rest[1]:][:states+2]
	r.alone, r.slack = r.never[states], r.never[states+1]
	up, down, work, ints := p[rest[2]:], p[rest[3]:], s[rest[4]:], t[rest[5]:]
	r.number, r.out = rest[6:][:boundNumbers], rest[6+boundNumbers:]
	kept := s[r.number[boundKept]:]
	b.Work, b.Evidence = work[:words[bucketWork]], kept[:states]
	r.up, r.down = b, b
	r.up.Message, r.down.Message = kept[states:][:messages], kept[states+messages:][:messages]
	r.up.parameters(up)
	r.down.parameters(down)
	kept = kept[states+2*messages:]
	r.low, r.hi, r.path = kept[:most], kept[most:][:2*most], ints[:len(b.Var)]
	return r
}

// BoundSums runs one round of bounding a sum of products of tables. The first bounds the sum of all
// joint states, by one elimination from above and one from below. Each other round bounds the
// posterior of one more variable, by the sums with each single state: an elimination with all its
// other states impossible, which differs only in the boxes on the way to the roots. The residual is
// the number of variables left. Bounds of posteriors are 0 and 1 until then. For the words see
// boundRunOf.
func BoundSums(k []int32, s, p []float64, t []int32, _ *Rand) {
	r := boundRunOf(k, s, p, t)
	number := func(i int) *float64 { return &s[r.number[i]] }
	n := len(r.up.Card)
	if *number(boundRounds) == 0 {
		*number(boundLower), *number(boundUpper) = r.begin()
		*number(boundRounds), *number(boundResidual) = 1, float64(n)
		if !alive(*number(boundUpper)) {
			*number(boundAlive), *number(boundResidual) = 0, 0
		}
		return
	}
	v := int(*number(boundRounds)) - 1
	for v < n && !r.open(v) {
		v++
	}
	if v < n {
		r.variable(v, *number(boundLower), *number(boundUpper))
		v++
	}
	*number(boundRounds), *number(boundResidual) = float64(v+1), float64(n-v)
}

// begin enters the evidence, eliminates all variables, and sets the bounds of the posteriors by the
// eliminations so far.
func (r *boundRun) begin() (lower, upper float64) {
	r.up.enter(r.likely, r.s, r.never)
	boxes := len(r.up.Var)
	for i := 0; i < boxes; {
		end := i + 1
		for end < boxes && r.up.Var[end] == r.up.Var[i] {
			end++
		}
		if end > i+1 {
			r.up.settle(i, end)
		}
		for ; i < end; i++ {
			r.up.Eliminate(i)
		}
	}
	for i := range boxes {
		r.down.Eliminate(i)
	}
	for v := range r.up.Card {
		r.unbounded(v)
	}
	slack := r.slack + r.up.rounding()
	if upper = r.up.value() + r.alone; !alive(upper) {
		return math.Inf(-1), math.Inf(-1)
	}
	return min(r.down.value()+r.alone, upper) - slack, upper + slack
}

// bounds returns where the bounds of the posterior of variable v are; nil if nobody asks for them.
func (r *boundRun) bounds(v int) (lower, upper []float64) {
	card, n := int(r.up.Card[v]), len(r.up.Card)
	if r.out[v] < 0 {
		return nil, nil
	}
	return r.s[r.out[v]:][:card], r.s[r.out[n+v]:][:card]
}

// unbounded sets the bounds of variable v to 0 and 1, to 0 and 0 for states that are impossible,
// and to 1 and 1 for a state that is the only one.
func (r *boundRun) unbounded(v int) {
	lower, upper := r.bounds(v)
	left := 0
	for k, x := range r.up.states(int32(v)) {
		if lower == nil {
			return
		}
		lower[k], upper[k] = 0, 0
		if alive(x) {
			upper[k] = 1
			left++
		}
	}
	if left == 1 {
		copy(lower, upper)
	}
}

// open reports whether eliminations may tell more of the posterior of variable v.
func (r *boundRun) open(v int) bool {
	_, upper := r.bounds(v)
	left := 0.0
	for _, x := range upper {
		left += x
	}
	return left > 1
}

// variable bounds the posterior of variable v; least and most are the bounds of ln of the whole
// sum.
func (r *boundRun) variable(v int, least, most float64) {
	slack := r.slack + r.up.rounding()
	for i, x := range r.up.Var {
		r.path[i] = 0
		if int(x) == v {
			r.path[i] = 1
		}
	}
	for i, parent := range r.up.Parent {
		if r.path[i] == 1 && parent >= 0 {
			r.path[parent] = 1
		}
	}
	evidence := r.up.states(int32(v))
	was := r.hi[len(evidence):][:len(evidence)]
	copy(was, evidence)
	for k, x := range was {
		for j := range evidence {
			evidence[j] = math.Inf(-1)
		}
		if evidence[k] = x; alive(x) {
			r.again()
			r.low[k], r.hi[k] = r.down.value()+r.alone-slack, r.up.value()+r.alone+slack
			r.low[k] = min(r.low[k], r.hi[k])
		} else {
			r.low[k], r.hi[k] = math.Inf(-1), math.Inf(-1)
		}
	}
	copy(evidence, was)
	r.again()
	lower, upper := r.bounds(v)
	NarrowPosterior(lower, upper, r.low[:len(was)], r.hi[:len(was)], least, most)
}

// again eliminates the boxes with messages that the evidence on one variable changes.
func (r *boundRun) again() {
	for i, on := range r.path {
		if on == 1 {
			r.up.Eliminate(i)
			r.down.Eliminate(i)
		}
	}
}

// boundRounding covers the rounding of a probability that is a quotient of bounds.
const boundRounding = 1e-12

// NarrowPosterior tightens bounds of a variable's posterior, from lower to upper, by bounds of ln
// of the sum with each of its states, from low to hi, and of the whole sum, from least to most.
func NarrowPosterior(lower, upper, low, hi []float64, least, most float64) {
	least = max(least, LogSum(low))
	for k := range low {
		others, above := math.Inf(-1), math.Inf(-1) // bounds of the sum with other states
		for j := range low {
			if j != k {
				others, above = LogAdd(others, low[j]), LogAdd(above, hi[j])
			}
		}
		if whole := max(least, LogAdd(hi[k], others)); !math.IsInf(whole, -1) {
			upper[k] = min(upper[k], math.Exp(hi[k]-whole)+boundRounding)
		}
		if whole := min(most, LogAdd(low[k], above)); !math.IsInf(whole, -1) {
			lower[k] = max(lower[k], math.Exp(low[k]-whole)-boundRounding)
		}
		if lower[k] > upper[k] { // by rounding
			lower[k], upper[k] = upper[k], lower[k]
		}
	}
	Complement(lower, upper)
}

// Complement tightens bounds of the probabilities of a variable's states by the bounds of the
// others, since they sum to one, and returns by how much the furthest moved.
func Complement(lower, upper []float64) (moved float64) {
	low, high := 0.0, 0.0
	for k := range lower {
		low, high = low+lower[k], high+upper[k]
	}
	for k := range lower {
		from, to := 1-(high-upper[k])-boundRounding, 1-(low-lower[k])+boundRounding
		if from > lower[k] && from <= upper[k] {
			moved, lower[k] = max(moved, from-lower[k]), from
		}
		if to < upper[k] && to >= lower[k] {
			moved, upper[k] = max(moved, upper[k]-to), to
		}
	}
	return moved
}

// LogSum returns ln of the sum of the exponentials of x.
func LogSum(x []float64) float64 {
	most := math.Inf(-1)
	for _, v := range x {
		most = max(most, v)
	}
	if math.IsInf(most, 0) {
		return most
	}
	sum := 0.0
	for _, v := range x {
		sum += math.Exp(v - most)
	}
	return most + Ln(sum)
}

// LogAdd returns ln(exp a + exp b).
func LogAdd(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	if math.IsInf(b, -1) {
		return a
	}
	return a + math.Log1p(math.Exp(b-a))
}

// Outward returns bounds plus the logarithm of the scale of likelihoods, and moves them outward by
// the rounding of that logarithm and of the sums.
func Outward(lower, upper, scale float64) (below, above float64) {
	if scale == 0 {
		return lower, upper
	}
	rounding := 0x1p-51 * math.Abs(scale)
	below, above = lower+scale, upper+scale
	return below - (rounding + 0x1p-51*math.Abs(below)), above + (rounding + 0x1p-51*math.Abs(above))
}
