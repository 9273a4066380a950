package independence

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/learn/data"
)

// realTest tests pairs of variables with one real variable.
type realTest struct {
	c   *data.Counter
	m   *data.Moments
	opt Options
}

// isReal reports whether a variable is real.
func (t *realTest) isReal(v int) bool { return t.c.Set().Vars[v].Real }

// test regresses a real variable of the pair on given, and on given and the other variable.
func (t *realTest) test(x, y int, given []int) Outcome {
	if !t.isReal(x) {
		x, y = y, x
	}
	var discrete, real []int
	for _, v := range slices.Sorted(slices.Values(given)) {
		if t.isReal(v) {
			real = append(real, v)
		} else {
			discrete = append(discrete, v)
		}
	}
	extended := discrete
	if !t.isReal(y) {
		extended = append(slices.Clone(discrete), y)
	}
	cells, ok := t.c.Size(extended)
	n := len(real) + 2
	if !ok || cells > MaxCells/(1+n+n*(n+1)/2) {
		return Outcome{Skipped: true, PValue: math.Inf(-1)}
	}
	p := &pair{k: len(real)}
	if t.isReal(y) {
		p.coefficients(t.m.Of(discrete, append(real, y, x)))
	} else {
		p.intercepts(t.m.Of(extended, append(real, x)), t.c.Card(y))
	}
	if list := p.determined(x, y); list != nil && len(given) > 0 {
		return undecided(list)
	}
	return t.outcome(p, len(discrete) == 0 && t.isReal(y))
}

// outcome judges a pair. Plain says that all variables are real.
func (t *realTest) outcome(p *pair, plain bool) Outcome {
	o := Outcome{Thin: p.rows < thinRows*p.parameters}
	switch {
	case t.opt.Kind == "mi":
		statistic := 0.0
		if p.rows > 0 {
			statistic = p.statistic / (2 * p.rows)
		}
		o.PValue, o.Independent = -statistic, statistic <= t.opt.Threshold
		return o
	case plain:
		o.PValue = FisherZ(p.correlation, p.rows, p.k)
	default:
		o.PValue = ChiSquareSurvival(p.df, p.statistic)
	}
	o.Independent = o.PValue >= t.opt.Level
	return o
}

// FisherZ returns the probability that the partial correlation given k variables, in that many
// rows, is larger in size than the given one if the true one is 0. Without enough rows it returns
// 1.
func FisherZ(correlation, rows float64, k int) float64 {
	free := rows - float64(k) - 3
	if free <= 0 {
		return 1
	}
	return math.Erfc(math.Sqrt(free/2) * math.Atanh(math.Abs(correlation)))
}

// pair holds what two nested models of a real variable say about the rows: one with k real
// predictors, and one with another variable.
type pair struct {
	k                               int
	rows, statistic, df, parameters float64
	correlation                     float64 // partial, in the last joint state
	pooled                          float64

	left          float64 // the squares of the target that the k predictors leave unexplained
	judged        bool    // in some joint state there are more rows than numbers to fit
	varies, moves bool    // the other variable varies in all rows, and in those of a joint state beside what the k predictors say
}

// determined returns the target x and the other variable y if the rest determines them in all rows.
func (p *pair) determined(x, y int) (list []int) {
	if p.judged && p.pooled > 0 && p.left <= least*p.pooled*p.rows {
		list = append(list, x)
	}
	if p.judged && p.varies && !p.moves {
		list = append(list, y)
	}
	return list
}

// judge notes the part of the target that the k predictors do not explain, and whether the other
// variable moves beside them.
func (p *pair) judge(without *data.Regression, moves bool) {
	if without.Weight > without.Parameters() {
		p.judged, p.left, p.moves = true, p.left+without.Residual, p.moves || moves
	}
}

// coefficients compares regressions without and with the last predictor.
func (p *pair) coefficients(full []data.Moment) {
	all := p.pool(full)
	p.varies = all.Weight > 0 && all.Cross[data.Packed(p.k, p.k)] > 0
	for i := range full {
		x := &full[i]
		if x.Weight == 0 {
			continue
		}
		less := x.Without(p.k)
		with, without := x.Regress(), less.Regress()
		p.statistic += 2 * (p.logLikelihood(with) - p.logLikelihood(without))
		p.parameters += with.Parameters() + 1
		p.judge(without, len(with.Dropped) == len(without.Dropped))
		if len(with.Dropped) == len(without.Dropped) && x.Weight > with.Parameters() {
			p.df++
		}
		if without.Residual > 0 {
			p.correlation = math.Sqrt(max(0, 1-with.Residual/without.Residual))
		}
	}
}

// intercepts compares regressions in joint states with a last variable of card states with
// regressions in the joint states of the others.
func (p *pair) intercepts(full []data.Moment, card int) {
	p.pool(full)
	first := -1
	for states := range slices.Chunk(full, card) {
		var all data.Moment
		here := 0
		for i := range states {
			if states[i].Weight > 0 {
				r := states[i].Regress()
				p.statistic += 2 * p.logLikelihood(r)
				p.df += float64(p.k + 2)
				p.parameters += r.Parameters() + 1
				all = all.Merge(&states[i])
				here++
				p.varies = p.varies || first >= 0 && first != i
				first = i
			}
		}
		if all.Weight > 0 {
			r := all.Regress()
			p.statistic -= 2 * p.logLikelihood(r)
			p.df -= float64(p.k + 2)
			p.judge(r, here > 1)
		}
	}
}

// pool computes the weight of all rows and the variance of the target in them, and returns their
// moments.
func (p *pair) pool(rows []data.Moment) (all data.Moment) {
	for i := range rows {
		all = all.Merge(&rows[i])
	}
	if p.rows = all.Weight; p.rows > 0 {
		p.pooled = all.Cross[len(all.Cross)-1] / p.rows
	}
	return all
}

// least is the least variance as a share of that over all rows: an exact linear function has no
// finite likelihood.
const least = 1e-12

func (p *pair) logLikelihood(r *data.Regression) float64 {
	return r.LogLikelihood(r.Variance(false, p.pooled, max(least*p.pooled, math.SmallestNonzeroFloat64/least)))
}
