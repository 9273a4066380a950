package discretize

import (
	"context"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// cpt is the table of a variable under construction.
type cpt struct {
	values  []float64 // row after row, the states of the child fastest
	weights []float64 // by row: its probability
	card    int
	part    []float64 // scratch
}

func newTable(size, card int) *cpt {
	return &cpt{values: make([]float64, size), weights: make([]float64, size/card), card: card, part: make([]float64, card)}
}

// add adds the probabilities of intervals under a normal distribution to a row.
func (t *cpt) add(row int, weight float64, cuts []float64, mean, variance float64) {
	clear(t.part)
	spread(t.part, cuts, mean, variance)
	t.weights[row] += weight
	for k, p := range t.part {
		t.values[row*t.card+k] += float64(weight * p)
	}
}

// table returns the CPT of the intervals of the child of f: by quadrature, or from samples.
func (d *discretizer) table(ctx context.Context, out *model.Model, f *model.Factor, size int) (*cpt, error) {
	if t := d.exactTable(out, f, size); t != nil {
		return t, nil
	}
	child := f.ChildVar()
	if d.sampled = append(d.sampled, child); d.states == nil {
		if err := d.draw(ctx); err != nil {
			return nil, err
		}
	}
	t := newTable(size, out.Card(child))
	_, real := d.m.SplitParents(f)
	share := 1 / float64(d.opt.Samples)
	for i := range d.opt.Samples {
		row := 0
		for _, u := range f.Parents() {
			row = row*out.Card(u) + d.states[u][i]
		}
		if len(real) == 0 && t.weights[row] > 0 {
			t.weights[row] += share
			continue // the numbers of all its samples are equal
		}
		mean, variance := d.normal(f, i)
		t.add(row, share, d.cuts[child], mean, variance)
	}
	d.finish(out, f, t)
	return t, nil
}

// finish sets the rows without weight, and divides each row by its sum.
func (d *discretizer) finish(out *model.Model, f *model.Factor, t *cpt) {
	for row, w := range t.weights {
		if w == 0 {
			d.middle(out, f, row, t.values[row*t.card:][:t.card])
		}
		normalize(t.values[row*t.card:][:t.card])
	}
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

// middle sets p to the probabilities of intervals in a row of probability 0: those at the medians
// of the real parents in their intervals.
func (d *discretizer) middle(out *model.Model, f *model.Factor, row int, p []float64) {
	_, real := d.m.SplitParents(f)
	state := make([]int, len(d.m.Vars))
	for _, u := range slices.Backward(f.Parents()) {
		card := out.Card(u)
		state[u], row = row%card, row/card
	}
	mean, coef, variance := f.Gaussian().Row(d.row(f, state))
	for k, u := range real {
		mean += float64(coef[k] * d.median(u, state[u]))
	}
	spread(p, d.cuts[f.ChildVar()], mean, variance)
}

// median returns the median of a real variable in one of its intervals; 0 if no sample is there.
func (d *discretizer) median(v model.VarID, interval int) float64 {
	if m := d.margins[v]; m != nil {
		lo, hi := 0.0, 1.0
		if interval > 0 {
			lo = m.below(d.cuts[v][interval-1])
		}
		if interval < len(d.cuts[v]) {
			hi = m.below(d.cuts[v][interval])
		}
		return m.quantile((lo + hi) / 2)
	}
	var in []float64
	for i, s := range d.states[v] {
		if s == interval {
			in = append(in, d.values[v][i])
		}
	}
	if len(in) == 0 {
		return 0
	}
	slices.Sort(in)
	return in[len(in)/2]
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
	list := d.components(append(f.Parents(), f.ChildVar())...)
	for i := range list {
		_, _, variance := f.Gaussian().Row(d.row(f, list[i].state))
		given += float64(list[i].weight * .5 * pgmrt.Ln(2*math.Pi*math.E*variance))
	}
	if list != nil && !math.IsInf(given, -1) {
		return d.margins[f.ChildVar()].entropy() - given
	}
	for i := 0; list == nil && i < d.opt.Samples; i++ {
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
