package mle

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Dirichlet is the distribution that rows of counts share as their prior.
type Dirichlet struct {
	Alpha []float64 // the pseudo-count of each state
	// LogML is ln of the marginal likelihood of the rows, as sequences of states: without
	// multinomial coefficients.
	LogML float64
	// Pooled reports that the rows differ no more than samples of one distribution do, so that the
	// likelihood has no maximum at a finite size. The size is MostRows then.
	Pooled bool
}

// MostRows is the greatest size of a Dirichlet distribution that LearnDirichlet fits, and
// 1/MostRows about the least: if each row has one state only, the likelihood grows as the size
// falls to 0.
const MostRows = 10_000

// Size returns the sum of the pseudo-counts: to how many rows of data the prior amounts.
func (d *Dirichlet) Size() float64 { return total(d.Alpha) }

// LearnDirichlet returns the Dirichlet distribution of the greatest marginal likelihood of rows of
// counts, the number of each state in it: by Newton's method, and by a step of the fixed point
// where that does not gain (Minka 2000, Estimating a Dirichlet distribution). A state without
// counts has the share of one more row that is spread evenly, so that its pseudo-count is not 0.
func LearnDirichlet(rows [][]float64) Dirichlet {
	p := newPolya(rows)
	alpha := make([]float64, len(p.seen))
	for k, n := range p.sums {
		alpha[k] = n / p.total
	}
	pooled := make([]float64, len(alpha))
	for k, share := range alpha {
		pooled[k] = MostRows * share
	}
	d := Dirichlet{LogML: p.log(pooled), Pooled: true}
	if len(p.rows) > 1 {
		alpha = p.climb(alpha)
		if log := p.log(alpha); total(alpha) < MostRows && log > d.LogML+flat*math.Abs(d.LogML) {
			d, pooled = Dirichlet{LogML: log}, alpha
		}
	}
	d.Alpha = p.spread(pooled)
	return d
}

// A climb ends after a step that changes no pseudo-count by more than this share of it, or after
// this many steps. Differences of the log-likelihood below the share flat of it are rounding.
const (
	polyaTolerance = 1e-13
	polyaSteps     = 10_000
	flat           = 1e-13
)

// polya is the marginal likelihood of rows of counts under a Dirichlet distribution of the states
// that have counts.
type polya struct {
	states int
	seen   []int // the states with counts
	rows   [][]float64
	sizes  []float64 // by row
	sums   []float64 // by seen state
	total  float64
}

func newPolya(rows [][]float64) *polya {
	p := &polya{}
	for _, row := range rows {
		p.states = len(row)
	}
	for s := range p.states {
		sum := 0.0
		for _, row := range rows {
			sum += row[s]
		}
		if sum > 0 {
			p.seen, p.sums, p.total = append(p.seen, s), append(p.sums, sum), p.total+sum
		}
	}
	for _, row := range rows {
		var some []float64
		for _, s := range p.seen {
			some = append(some, row[s])
		}
		if n := total(some); n > 0 {
			p.rows, p.sizes = append(p.rows, some), append(p.sizes, n)
		}
	}
	return p
}

// log returns the marginal log-likelihood.
func (p *polya) log(alpha []float64) float64 {
	size, sum := total(alpha), 0.0
	for r, row := range p.rows {
		sum -= rising(size, p.sizes[r])
		for k, n := range row {
			sum += rising(alpha[k], n)
		}
	}
	return sum
}

// rising returns ln Γ(a + n) - ln Γ(a).
func rising(a, n float64) float64 {
	if n == 0 {
		return 0
	}
	above, _ := math.Lgamma(a + n)
	below, _ := math.Lgamma(a)
	return above - below
}

// climb returns the pseudo-counts of the greatest likelihood that steps from alpha find, or the
// first with a sum that leaves the limits.
func (p *polya) climb(alpha []float64) []float64 {
	log := p.log(alpha)
	for range polyaSteps {
		next := p.newton(alpha)
		to := p.log(next)
		if !(to >= log-flat*math.Abs(log)) {
			next = p.fixed(alpha)
			to = p.log(next)
		}
		change := 0.0
		for k := range next {
			change = max(change, math.Abs(next[k]-alpha[k])/alpha[k])
		}
		alpha, log = next, to
		if size := total(alpha); change < polyaTolerance || size >= MostRows || size <= 1./MostRows {
			break
		}
	}
	return alpha
}

// differences returns the sums over the rows of f(a + n) - f(a), by state and of the sizes.
func (p *polya) differences(alpha []float64, f func(float64) float64) (states []float64, sizes float64) {
	states = make([]float64, len(alpha))
	size := total(alpha)
	for r, row := range p.rows {
		sizes += f(size+p.sizes[r]) - f(size)
		for k, n := range row {
			if n > 0 {
				states[k] += f(alpha[k]+n) - f(alpha[k])
			}
		}
	}
	return states, sizes
}

// digamma returns the derivative of ln Γ. mathext.Digamma has ten digits below 20, and all above.
func digamma(x float64) float64 {
	below := 0.0
	for ; x < 20; x++ {
		below += 1 / x
	}
	return mathext.Digamma(x) - below
}

// newton returns the pseudo-counts after a step of Newton's method. The second derivatives are a
// diagonal plus a constant. The step is shortened so that no pseudo-count falls below a tenth.
func (p *polya) newton(alpha []float64) []float64 {
	slopes, shared := p.differences(alpha, digamma)
	curves, constant := p.differences(alpha, func(x float64) float64 { return mathext.Zeta(2, x) })
	ratio, inverse := 0.0, -1/constant
	for k := range slopes {
		slopes[k] -= shared
		ratio += slopes[k] / curves[k]
		inverse += 1 / curves[k]
	}
	step, length := make([]float64, len(alpha)), 1.0
	for k := range step {
		step[k] = (slopes[k] - ratio/inverse) / curves[k]
		length = min(length, .9*alpha[k]/math.Max(step[k], 0))
	}
	for k := range step {
		step[k] = alpha[k] - length*step[k]
	}
	return step
}

// fixed returns the pseudo-counts after a step of the fixed point, which never lowers the
// likelihood.
func (p *polya) fixed(alpha []float64) []float64 {
	slopes, shared := p.differences(alpha, digamma)
	next := make([]float64, len(alpha))
	for k := range next {
		next[k] = alpha[k] * slopes[k] / shared
	}
	return next
}

// spread returns the pseudo-counts of all states.
func (p *polya) spread(alpha []float64) []float64 {
	out, size := make([]float64, p.states), total(alpha)
	if size == 0 {
		size = MostRows
	}
	for s := range out {
		out[s] = size / float64(p.states) / (p.total + 1)
	}
	for k, s := range p.seen {
		out[s] = alpha[k]
	}
	return out
}

func total(list []float64) (sum float64) {
	for _, x := range list {
		sum += x
	}
	return sum
}
