package pgmrt

import "math"

// forestReals extends a sampler to models with real variables. The weight of an edge to a real
// variable is a number times a normal density of its value. The mean is linear in the parent's
// value if that is real too.
type forestReals struct {
	place   []int32   // by variable: its index among the real ones, or -1; nil if none is real
	normals []float64 // three numbers for each real variable, mean, slope and variance: a row for the root, then one for each column
	scales  []float64 // two numbers for each real variable: tallies are of its value minus the first, divided by the second
	known   []int32   // by real variable: the offset in s of 1 if it is observed, or 0; its value follows
	value   []int32   // by real variable: the offset of its value in s
}

// forestMost is the largest absolute value. A larger one is replaced by it, so that all numbers are
// finite.
const forestMost = 1e30

// forestNormal is a normal distribution: the mean is mean + slope times the value above.
type forestNormal struct{ mean, slope, variance float64 }

// isReal reports whether variable i is real.
func (f *forest) isReal(i int) bool { return f.place != nil && f.place[i] >= 0 }

// x returns the value of variable i, which is 0 for a discrete one and for the root.
func (f *forest) x(i int) float64 {
	if i < 0 || !f.isReal(i) {
		return 0
	}
	return f.s[f.value[f.place[i]]]
}

// observed reports whether real variable i is observed, and its value.
func (f *forest) observed(i int) (x float64, ok bool) {
	at := f.known[f.place[i]]
	return f.s[at+1], f.s[at] != 0
}

// normal returns the distribution of real variable i in a row of weights.
func (f *forest) normal(row, i int) forestNormal {
	g := f.normals[3*(row*len(f.value)+int(f.place[i])):][:3]
	return forestNormal{g[0], g[1], g[2]}
}

// row returns the row of the state of variable j, or of the root.
func (f *forest) row(j int) int {
	if j < 0 {
		return 0
	}
	return 1 + f.column(j)
}

// distance returns the difference of the value of real variable c from its mean with parent j in a
// row, and the variance.
func (f *forest) distance(row, j, c int) (distance, variance float64) {
	g := f.normal(row, c)
	return f.x(c) - g.mean - float64(g.slope*f.x(j)), g.variance
}

// begin sets real variable i to its first value: the observed one, or one drawn given its parent.
func (f *forest) begin(i int, r *Rand) {
	x, ok := f.observed(i)
	if !ok {
		j := int(f.parent[i])
		g := f.normal(f.row(j), i)
		x = forestWithin(g.mean + float64(g.slope*f.x(j)) + float64(math.Sqrt(g.variance)*forestNormal01(r)))
	}
	f.s[f.value[f.place[i]]] = x
}

// foretell multiplies weights of the states of a variable, with columns that begin with from, by
// the densities of its real child c, scaled to a maximum of 1.
func (f *forest) foretell(w []float64, from, c int) {
	top := math.Inf(-1)
	log := func(x int) float64 {
		d, v := f.distance(1+from+x, forestRoot, c)
		return -.5 * (float64(d*d)/v + Ln(v))
	}
	for x, y := range w {
		if y > 0 {
			top = max(top, log(x))
		}
	}
	for x, y := range w {
		if y > 0 {
			w[x] = y * math.Exp(log(x)-top)
		}
	}
}

// pull returns the likelihood of the children of real variable i as a function of its value: a
// normal density of precision p and mean h/p relative to the present value.
func (f *forest) pull(i int) (p, h float64) {
	for c, above := range f.parent {
		if int(above) != i || !f.isReal(c) {
			continue
		}
		g := f.normal(f.row(i), c)
		share := g.slope / g.variance
		d, _ := f.distance(f.row(i), i, c)
		p += float64(share * g.slope)
		h += float64(share * d)
	}
	return p, h
}

// moveReal draws the value and the parent of real variable i. Candidate 0 is the root. The value is
// drawn given the new parent.
func (f *forest) moveReal(i int, r *Rand) {
	n := 1 + f.n
	w, shares, means, variances := f.work[:n], f.work[n:2*n], f.work[2*n:3*n], f.work[3*n:4*n]
	p, h := f.pull(i)
	top := math.Inf(-1)
	for k := range w {
		if w[k] = math.Inf(-1); k == 0 || !f.hangs(k-1, i) {
			w[k], means[k], variances[k] = f.offer(k-1, i, p, h)
		}
		top = max(top, w[k])
	}
	for k, log := range w {
		w[k] = math.Exp(log - top)
	}
	clear(shares)
	chosen := Redraw(w, shares, f.parent[i]+1, r)
	f.count(i, shares, means, variances)
	f.put(i, chosen-1)
	if _, ok := f.observed(i); !ok {
		f.s[f.value[f.place[i]]] = forestWithin(means[chosen] + float64(math.Sqrt(variances[chosen])*forestNormal01(r)))
	}
}

// offer returns the logarithm of the weight of candidate j as the parent of real variable i, and
// the mean and the variance of the value of i given it. Given j the value has a normal
// distribution. Its product with the density of pull is another one. Its integral times the weight
// of the edge is the weight of the candidate. If the value is observed, the weight is the edge's
// times the density.
func (f *forest) offer(j, i int, p, h float64) (log, mean, variance float64) {
	now := f.x(i)
	row := f.row(j)
	edge := f.weights[row*f.all+int(f.first[i])]
	if !(edge > 0) {
		return math.Inf(-1), now, 0
	}
	d, v := f.distance(row, j, i)
	if _, ok := f.observed(i); ok {
		return Ln(edge/math.Sqrt(v)) - .5*float64(d*d)/v, now, 0
	}
	wide := 1 + float64(p*v)
	exponent := .5*float64(float64(h*h)*v) - float64(h*d) - .5*float64(float64(p*d)*d)
	return Ln(edge/math.Sqrt(wide)) + exponent/wide, forestWithin(now + (float64(h*v)-d)/wide), v / wide
}

// hangs reports whether variable j is i or a descendant of i.
func (f *forest) hangs(j, i int) bool {
	for j >= 0 && j != i {
		j = int(f.parent[j])
	}
	return j == i
}

// put sets the parent of variable i, a variable or the root.
func (f *forest) put(i int, parent int32) {
	f.unlink(i)
	f.parent[i] = parent
	f.link(i)
}

// count adds the first two moments of real variable i given the rest, which is a mixture of normal
// distributions, to its tally.
func (f *forest) count(i int, shares, means, variances []float64) {
	tally, unit := f.s[f.tally[i]:][:2], f.scales[2*f.place[i]:][:2]
	for k, share := range shares {
		if share > 0 {
			z := (means[k] - unit[0]) / unit[1]
			tally[0] += float64(share * z)
			tally[1] += float64(share * (float64(z*z) + variances[k]/float64(unit[1]*unit[1])))
		}
	}
}

// forestWithin returns x, limited to the range of values.
func forestWithin(x float64) float64 { return max(-forestMost, min(forestMost, x)) }

// forestNormal01 draws from the normal distribution of mean 0 and variance 1 (Box and Muller 1958).
func forestNormal01(r *Rand) float64 {
	radius := math.Sqrt(-2 * Ln(1-r.Float64()))
	return radius * math.Cos(2*math.Pi*r.Float64())
}

// ForestReals brings the answers for real variables, a mean and a variance each, from the units of
// their scales to their own; the mean of an observed variable is the value. Its words are the place
// of the states and the number of real variables; the places of the scales and of the observations;
// of work memory and of integers, which it does not use; and of the answers.
func ForestReals(k []int32, s, p []float64, _ []int32, _ *Rand) {
	n := int(k[1])
	scales, known, out := p[k[2]:], k[3:3+n], k[5+n:5+2*n]
	for i := range n {
		answer, unit := s[out[i]:][:2], scales[2*i+1]
		answer[0], answer[1] = scales[2*i]+float64(answer[0]*unit), float64(float64(answer[1]*unit)*unit)
		if s[known[i]] != 0 {
			answer[0], answer[1] = s[known[i]+1], 0
		}
	}
}
