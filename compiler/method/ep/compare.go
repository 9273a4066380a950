package ep

import (
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir/model"
)

// leastApart is the difference of two rules that is worth a note: of means in standard deviations,
// of variances relative to the larger one.
const leastApart = 1e-3

// mostCompared is the largest number of operations of a comparison beyond the first joint state of
// discrete parents.
const mostCompared = 1e7

// finerPoints returns the points of a rule to compare with in n dimensions: as many as mostPoints
// allows, while these are more than three in each.
func finerPoints(n int, used []gauss.Point) []gauss.Point {
	m := int(math.Pow(mostPoints, 1/float64(n)) + 1e-9)
	switch {
	case n == 2:
		return gauss.PolarPoints(2 * gauss.PolarRadii)
	case m > 3:
		return gauss.GridPoints(n, min(m, 63))
	case len(used) == 2*n+1:
		return gauss.Precision5Points(n)
	}
	return gauss.UnscentedPoints(n, gauss.UnscentedSpread)
}

// compare integrates the expressions of the network by the rule of the options and by a finer one,
// over parents that are independent and have their prior means and deviations. It describes the
// largest difference, and returns "" if no rule is far off.
func (b *builder) compare() (note string) {
	centre, scale := gauss.Units(b.Model)
	most, differ := leastApart, 0
	for _, s := range b.sites {
		d, ok := s.f.Dist.(*model.Func)
		if !ok || len(s.parents) == 0 {
			continue
		}
		used := s.points
		if b.opt.Rule == taylor {
			used = nil
		}
		finer, far := finerPoints(len(s.parents), used), 0.0
		state := make([]int, len(b.Model.Vars))
		for range 1 + int(mostCompared)/(len(finer)*len(d.Nodes)) {
			mean, variance := s.integral(d, used, centre, scale, state)
			right, spread := s.integral(d, finer, centre, scale, state)
			noise := d.Var[b.row(s.f, state)]
			variance, spread = variance+noise, spread+noise+1e-20*right*right // not less than rounding errors
			apart := max(math.Abs(mean-right)/math.Sqrt(spread), math.Abs(variance-spread)/max(variance, spread))
			if apart > far { // not NaN, of a constant or an undefined value
				far = apart
			}
			if apart > most {
				most = apart
				how := fmt.Sprintf("%d points", len(used))
				if used == nil {
					how = "its tangent"
				}
				note = fmt.Sprintf("%q has mean %.6g and variance %.4g under its parents' priors by %s, and %.6g and %.4g by %d points",
					b.Model.Vars[s.f.ChildVar()].Name, mean, variance, how, right, spread, len(finer))
			}
			if !b.Model.Next(s.discrete, state) {
				break
			}
		}
		if far > leastApart {
			differ++
		}
	}
	if differ > 1 {
		note += fmt.Sprintf("; such rules differ for %d expressions", differ)
	}
	return note
}

// row returns the row of the CPD of f at the states of its discrete parents.
func (b *builder) row(f *model.Factor, state []int) int {
	discrete, _ := b.Model.SplitParents(f)
	return b.Model.Index(discrete, state)
}

// integral returns the mean and the variance of an expression by the points of a rule, or by its
// tangent without points. They are NaN if it is not defined at a point.
func (s *site) integral(d *model.Func, points []gauss.Point, centre, scale []float64, state []int) (mean, variance float64) {
	x, buf := slices.Clone(centre), make([]float64, len(d.Nodes))
	if points == nil {
		const step = 1e-4
		mean = d.Eval(s.f, state, x, buf)
		for _, u := range s.parents {
			x[u] = centre[u] + step*scale[u]
			hi := d.Eval(s.f, state, x, buf)
			x[u] = centre[u] - step*scale[u]
			slope := (hi - d.Eval(s.f, state, x, buf)) / (2 * step)
			x[u], variance = centre[u], variance+float64(slope*slope)
		}
		return mean, variance
	}
	values := make([]float64, len(points))
	for i, p := range points {
		for k, u := range s.parents {
			x[u] = centre[u] + float64(scale[u]*p.Z[k])
		}
		values[i] = d.Eval(s.f, state, x, buf)
		mean += float64(p.Weight * values[i])
	}
	for i, p := range points {
		variance += float64(p.Weight * (values[i] - mean) * (values[i] - mean))
	}
	return mean, variance
}
