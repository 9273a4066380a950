package discretize

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Integrals over a normal variable go to so many standard deviations, one for each panel, and sharp
// edges have panels of their own. Families with more work are sampled.
const (
	tails    = 9
	mostReal = 2
	mostWork = 1 << 25
)

// The Gauss-Legendre rule of 8 points on panels.
var (
	legendreNodes   = [...]float64{.1834346424956498, .5255324099163290, .7966664774136267, .9602898564975363}
	legendreWeights = [...]float64{.3626837833783620, .3137066458778873, .2223810344533745, .1012285362903763}
)

// edge is a place at which an integrand rises within some width.
type edge struct{ at, width float64 }

// panels returns the ends of panels between lo and hi for an integral over a normal variable.
func panels(lo, hi, mean, sd float64, edges []edge) []float64 {
	lo, hi = max(lo, mean-tails*sd), min(hi, mean+tails*sd)
	if !(lo < hi) {
		return nil
	}
	ends := []float64{lo, hi}
	put := func(x float64) {
		if x > lo && x < hi {
			ends = append(ends, x)
		}
	}
	for k := -tails; k <= tails; k++ {
		put(mean + float64(k)*sd)
	}
	for _, e := range edges {
		put(e.at)
		for _, k := range [...]float64{1, 2, 4, 8} {
			if e.width < sd && e.width > 0 {
				put(e.at - k*e.width)
				put(e.at + k*e.width)
			}
		}
	}
	slices.Sort(ends)
	return slices.Compact(ends)
}

// integrate calls f with the nodes of panels, and the weight of each.
func integrate(ends []float64, f func(x, weight float64)) {
	for i := 1; i < len(ends); i++ {
		mid, half := (ends[i]+ends[i-1])/2, (ends[i]-ends[i-1])/2
		for k, z := range legendreNodes {
			f(mid-half*z, half*legendreWeights[k])
			f(mid+half*z, half*legendreWeights[k])
		}
	}
}

// density returns the density of a normal variable.
func density(x, mean, sd float64) float64 {
	z := (x - mean) / sd
	return math.Exp(-z*z/2) / (sd * math.Sqrt(2*math.Pi))
}

// family integrates the probabilities of intervals of a child over the values of its real parents.
type family struct {
	t        *cpt
	cuts     [][]float64 // of the real parents, then of the child
	stride   []int       // of the real parents: rows between intervals
	c        *component
	coef     []float64
	variance float64
	x        [mostReal]float64
}

// exactTable is table by quadrature; nil if the family has too many real parents or components.
func (d *discretizer) exactTable(out *model.Model, f *model.Factor, size int) *cpt {
	_, real := d.m.SplitParents(f)
	list := d.components(f.Parents()...)
	if len(real) > mostReal || list == nil {
		return nil
	}
	child := f.ChildVar()
	t := newTable(size, out.Card(child))
	q := &family{t: t, stride: make([]int, len(real))}
	work := float64(len(list) * t.card)
	for _, u := range real {
		q.cuts = append(q.cuts, d.cuts[u])
		work *= float64(2 * len(legendreNodes) * (2*tails + len(d.cuts[u]) + 9*t.card))
	}
	if work > mostWork {
		return nil
	}
	q.cuts = append(q.cuts, d.cuts[child])
	for i := range list {
		q.c = &list[i]
		row, step := 0, 1
		for _, u := range slices.Backward(f.Parents()) {
			if k := slices.Index(real, u); k >= 0 {
				q.stride[k] = step
			} else {
				row += step * q.c.state[u]
			}
			step *= out.Card(u)
		}
		var mean float64
		mean, q.coef, q.variance = f.Gaussian().Row(d.row(f, q.c.state))
		q.parent(0, row, q.c.weight, mean)
	}
	d.finish(out, f, t)
	return t
}

// parent integrates over real parent i and those after it. mean is the mean of the child so far.
func (q *family) parent(i, row int, weight, mean float64) {
	if i == len(q.stride) {
		q.t.add(row, weight, q.cuts[i], mean, q.variance)
		return
	}
	at, sd := q.given(i)
	if sd == 0 {
		q.x[i] = at
		q.parent(i+1, row+model.Interval(q.cuts[i], at)*q.stride[i], weight, mean+float64(q.coef[i]*at))
		return
	}
	edges := q.edges(i, mean)
	bounds := slices.Concat([]float64{math.Inf(-1)}, q.cuts[i], []float64{math.Inf(1)})
	for k := range len(bounds) - 1 {
		integrate(panels(bounds[k], bounds[k+1], at, sd, edges), func(x, width float64) {
			q.x[i] = x
			q.parent(i+1, row+k*q.stride[i], weight*width*density(x, at, sd), mean+float64(q.coef[i]*x))
		})
	}
}

// given returns the mean and the standard deviation of real parent i given those before it.
func (q *family) given(i int) (mean, sd float64) {
	mean, variance := q.c.mean[i], q.c.cov[i][i]
	if i > 0 && q.c.cov[0][0] > 0 {
		slope := q.c.cov[0][1] / q.c.cov[0][0]
		mean += float64(slope * (q.x[0] - q.c.mean[0]))
		variance -= float64(slope * q.c.cov[0][1])
	}
	if variance < 1e-14*q.c.cov[i][i] {
		variance = 0
	}
	return mean, math.Sqrt(variance)
}

// edges returns where the child and the next parent pass their bounds as real parent i grows.
func (q *family) edges(i int, mean float64) (list []edge) {
	put := func(cuts []float64, start, slope, variance float64) {
		for _, c := range cuts {
			if slope != 0 {
				list = append(list, edge{(c - start) / slope, math.Sqrt(variance) / math.Abs(slope)})
			}
		}
	}
	child := q.cuts[len(q.stride)]
	if i+1 == len(q.stride) {
		put(child, mean, q.coef[i], q.variance)
		return list
	}
	q.x[0] = 0
	start, sd := q.given(1)
	slope := q.c.cov[0][1] / q.c.cov[0][0]
	put(q.cuts[1], start, slope, sd*sd)
	put(child, mean+float64(q.coef[1]*start), q.coef[0]+float64(q.coef[1]*slope), q.variance+float64(q.coef[1]*q.coef[1]*sd*sd))
	for _, bound := range q.cuts[1] {
		put(child, mean+float64(q.coef[1]*bound), q.coef[0], q.variance)
	}
	return list
}
