package pgmrt

import "math"

// forestReals is what a sampler works on beside, in a model with real variables. The weight of an
// edge to one is a number times a normal density of its value, whose mean is linear in the value
// above where that is real too.
type forestReals struct {
	place   []int32   // by variable: its place among the real ones, or -1; nil where none is real
	normals []float64 // a row of three numbers a real variable for the root, then one a column: mean, slope and variance
	scales  []float64 // two numbers a real variable: tallies are of its value less the first, divided by the second
	known   []int32   // by real variable: the place of 1 in s, or of 0 where it is not observed, and behind it of its value
	value   []int32   // by real variable: the place of its value in s
}

// forestMost is the largest size of a value: one that is drawn beyond it stays there, so that all
// numbers are finite.
const forestMost = 1e30

// forestNormal is a normal distribution: the mean is mean + slope times the value above.
type forestNormal struct{ mean, slope, variance float64 }

// isReal reports whether variable i is real.
func (f *forest) isReal(i int) bool { return f.place != nil && f.place[i] >= 0 }

// x is the value of variable i, which is 0 for one of states, and the root's.
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

// normal is the distribution of real variable i in a row of weights.
func (f *forest) normal(row, i int) forestNormal {
	g := f.normals[3*(row*len(f.value)+int(f.place[i])):][:3]
	return forestNormal{g[0], g[1], g[2]}
}

// row is that of the weights below the state of variable j, or below the root.
func (f *forest) row(j int) int {
	if j < 0 {
		return 0
	}
	return 1 + f.column(j)
}

// distance is how far the value of real variable c is from its mean below variable j in a row, and
// the variance.
func (f *forest) distance(row, j, c int) (distance, variance float64) {
	g := f.normal(row, c)
	return f.x(c) - g.mean - float64(g.slope*f.x(j)), g.variance
}

// begin gives real variable i its first value: that observed, or one drawn given what it hangs
// below.
func (f *forest) begin(i int, r *Rand) {
	x, ok := f.observed(i)
	if !ok {
		j := int(f.parent[i])
		g := f.normal(f.row(j), i)
		x = forestWithin(g.mean + float64(g.slope*f.x(j)) + float64(math.Sqrt(g.variance)*forestNormal01(r)))
	}
	f.s[f.value[f.place[i]]] = x
}

// foretell multiplies weights of the states of a variable, whose columns begin with the given one,
// by the densities of real variable c below them, the largest being 1.
func (f *forest) foretell(w []float64, from, c int) {
	top := math.Inf(-1)
	log := func(x int) float64 {
		d, v := f.distance(1+from+x, forestRoot, c)
		return -.5 * (float64(d*d)/v + math.Log(v))
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

// pull is what hangs below real variable i makes of its value: a normal density, as a function of
// it, of precision p and with the mean h/p from the present value.
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

// moveReal draws real variable i and what it hangs below, the root being candidate 0. The value is
// drawn below the candidate that was.
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

// offer gives the logarithm of the weight of candidate j for what real variable i hangs below, and
// the mean and the variance of its value there. Below j the value has a normal distribution; times
// the density of pull, that is another one, and its integral times the weight of the edge is the
// weight of the candidate. Where the value is observed, it is the weight of the edge times the
// density.
func (f *forest) offer(j, i int, p, h float64) (log, mean, variance float64) {
	now := f.x(i)
	row := f.row(j)
	edge := f.weights[row*f.all+int(f.first[i])]
	if !(edge > 0) {
		return math.Inf(-1), now, 0
	}
	d, v := f.distance(row, j, i)
	if _, ok := f.observed(i); ok {
		return math.Log(edge/math.Sqrt(v)) - .5*float64(d*d)/v, now, 0
	}
	wide := 1 + float64(p*v)
	exponent := .5*float64(float64(h*h)*v) - float64(h*d) - .5*float64(float64(p*d)*d)
	return math.Log(edge/math.Sqrt(wide)) + exponent/wide, forestWithin(now + (float64(h*v)-d)/wide), v / wide
}

// hangs reports whether variable j is i, or hangs below it or below what does.
func (f *forest) hangs(j, i int) bool {
	for j >= 0 && j != i {
		j = int(f.parent[j])
	}
	return j == i
}

// put hangs variable i below another, or the root.
func (f *forest) put(i int, parent int32) {
	f.unlink(i)
	f.parent[i] = parent
	f.link(i)
}

// count adds the first two moments of real variable i, given the rest, to its tally: those of a
// mixture of normal distributions.
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

// forestWithin is x, or the largest number there may be in its place.
func forestWithin(x float64) float64 { return max(-forestMost, min(forestMost, x)) }

// forestNormal01 draws from the normal distribution of mean 0 and variance 1 (Box and Muller 1958).
func forestNormal01(r *Rand) float64 {
	radius := math.Sqrt(-2 * math.Log(1-r.Float64()))
	return radius * math.Cos(2*math.Pi*r.Float64())
}

// ForestReals brings the answers for real variables, a mean and a variance each, from the units of
// their scales to their own; of what was observed, the mean is the value. Its words are the place
// of the states and the number of real variables; the places of the scales and of the observations;
// of work memory and of integers, which it leaves alone; and of the answers.
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
