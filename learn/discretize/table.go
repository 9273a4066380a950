package discretize

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// cpt is the table of a variable under construction.
type cpt struct {
	values  []float64 // row after row, the states of the child fastest
	weights []float64 // by row: the share of the samples
	card    int
}

// table returns the CPT of the intervals of the child of f.
func (d *discretizer) table(out *model.Model, f *model.Factor, size int) *cpt {
	child := f.ChildVar()
	t := &cpt{values: make([]float64, size), card: out.Card(child)}
	t.weights = make([]float64, size/t.card)
	_, real := d.m.SplitParents(f)
	share := 1 / float64(d.opt.Samples)
	for i := range d.opt.Samples {
		row := 0
		for _, u := range f.Parents() {
			row = row*out.Card(u) + d.states[u][i]
		}
		if t.weights[row] += share; len(real) == 0 && t.weights[row] > share {
			continue // the numbers of all its samples are equal
		}
		mean, variance := d.normal(f, i)
		spread(t.values[row*t.card:][:t.card], d.cuts[child], mean, variance)
	}
	for row, w := range t.weights {
		if w == 0 {
			d.middle(out, f, row, t.values[row*t.card:][:t.card])
		}
		normalize(t.values[row*t.card:][:t.card])
	}
	return t
}

// spread adds the probabilities of intervals under a normal distribution to p.
func spread(p, cuts []float64, mean, variance float64) {
	if variance == 0 {
		p[model.Interval(cuts, mean)]++
		return
	}
	sd := math.Sqrt(2 * variance)
	below := 0.0
	for k, c := range cuts {
		z := (c - mean) / sd
		to := .5 * math.Erfc(-z)
		if z > 0 && k > 0 { // the upper tails differ in more digits
			p[k] += .5*math.Erfc((cuts[k-1]-mean)/sd) - .5*math.Erfc(z)
		} else {
			p[k] += to - below
		}
		below = to
	}
	last := math.Inf(-1)
	if len(cuts) > 0 {
		last = cuts[len(cuts)-1]
	}
	p[len(cuts)] += .5 * math.Erfc((last-mean)/sd)
}

// middle sets p to the probabilities of intervals in a row that no sample has: those at the middle
// of the intervals of the real parents, as samples within them are distributed.
func (d *discretizer) middle(out *model.Model, f *model.Factor, row int, p []float64) {
	discrete, real := d.m.SplitParents(f)
	state := make([]int, len(d.m.Vars))
	parents := f.Parents()
	for i := len(parents) - 1; i >= 0; i-- {
		card := out.Card(parents[i])
		state[parents[i]], row = row%card, row/card
	}
	r := 0
	for _, u := range discrete {
		r = r*d.m.Card(u) + state[u]
	}
	mean, coef, variance := f.Gaussian().Row(r)
	for k, u := range real {
		var in []float64
		for i, s := range d.states[u] {
			if s == state[u] {
				in = append(in, d.values[u][i])
			}
		}
		if len(in) > 0 {
			slices.Sort(in)
			mean += float64(coef[k] * in[len(in)/2])
		}
	}
	spread(p, d.cuts[f.ChildVar()], mean, variance)
}

func normalize(p []float64) {
	sum := 0.0
	for _, x := range p {
		sum += x
	}
	for i := range p {
		p[i] /= sum
	}
}

// information returns the mutual information of the child and its parents in nats.
func (t *cpt) information() (sum float64) {
	child := make([]float64, t.card)
	for row, w := range t.weights {
		for k, p := range t.values[row*t.card:][:t.card] {
			child[k] += w * p
		}
	}
	for row, w := range t.weights {
		for k, p := range t.values[row*t.card:][:t.card] {
			if w > 0 && p > 0 {
				sum += w * p * pgmrt.Ln(p/child[k])
			}
		}
	}
	return sum
}

// information returns the mutual information of a real variable and its parents in nats: the
// entropy of its marginal distribution less that given the parents.
func (d *discretizer) information(f *model.Factor) float64 {
	if len(f.Scope) == 1 {
		return 0
	}
	given := 0.0
	for i := range d.opt.Samples {
		_, variance := d.normal(f, i)
		given += .5 * pgmrt.Ln(2*math.Pi*math.E*variance) / float64(d.opt.Samples)
	}
	if math.IsInf(given, -1) {
		return math.Inf(1)
	}
	return entropy(d.values[f.ChildVar()]) - given
}

// entropy estimates the differential entropy of a sample from the distances of values that are m
// places apart (Vasicek 1976, with the correction of Ebrahimi, Pflughoeft and Soofi 1994 at the
// ends).
func entropy(values []float64) (h float64) {
	x := slices.Sorted(slices.Values(values))
	n := len(x)
	m := max(1, int(math.Sqrt(float64(n))/2))
	for i := range x {
		places := float64(2 * m)
		if i < m {
			places = float64(m + i)
		} else if i >= n-m {
			places = float64(n - 1 - i + m)
		}
		h += pgmrt.Ln(float64(n) / places * (x[min(n-1, i+m)] - x[max(0, i-m)]))
	}
	return h / float64(n)
}
