package brute

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// HybridEvidence is evidence on a network with real variables. Given variables must be in it.
type HybridEvidence struct {
	States map[model.VarID]int       // observed states
	Reals  map[model.VarID]float64   // observed values
	Soft   map[model.VarID][]float64 // a likelihood for each state, of discrete variables
	// Measured holds, for real variables, a noisy measurement of each: Mean is normal with the
	// value of the variable as mean and the variance Var, as one more child of the variable.
	Measured map[model.VarID]model.Normal
}

// Hybrid is the posterior distribution of a network of discrete variables and of real ones with
// Gaussian CPDs: a mixture with one component for each joint state of the discrete variables. All
// moments of components are exact rationals; rounding begins with their weights.
type Hybrid struct {
	Model *model.Model
	Parts []Part // the components of positive weight; none if the evidence is impossible
	// LogDensity is ln of the probability of the states times the density of the values of the
	// evidence, -Inf if it is impossible. Values are conditioned on with parents before children. A
	// value that those before it determine by functions is a constraint and contributes no density.
	LogDensity float64
	// Functions is the number of observed values that other evidence determines by rows of variance
	// 0. Components with fewer are impossible compared with those that have more.
	Functions int
}

// Part is one component of a Hybrid.
type Part struct {
	State []int   // by variable; 0 for real ones
	P     float64 // its posterior probability

	mean []*big.Rat
	cov  [][]*big.Rat // the lower triangle
	ones int          // observed values that were determined
	prob *big.Rat     // probability of the states times likelihoods
	quad *big.Rat     // the quadratic form of the observed values
	det  *big.Rat     // the determinant of their covariances
	seen int          // how many observed values have a density
}

// Mean returns the posterior mean of a real variable in p.
func (p *Part) Mean(v model.VarID) float64 { return toFloat(p.mean[v]) }

// Cov returns the posterior covariance of two real variables in p.
func (p *Part) Cov(v, w model.VarID) float64 { return toFloat(p.cov[max(v, w)][min(v, w)]) }

// maxHybrid bounds the number of joint states of discrete variables.
const maxHybrid = 1 << 16

// NewHybrid returns the posterior of a Bayesian network, or of a Markov network of canonical
// potentials, given e. Moments follow from the CPDs, parents before children, or from the inverse
// of the sum of the potentials; then each observed value conditions all other variables, one scalar
// at a time. Weights are compared as exact differences of their exponents.
func NewHybrid(m *model.Model, e HybridEvidence) (*Hybrid, error) {
	h, err := newHybrid(m, e)
	if err != nil || m.Kind == model.Bayes {
		return h, err
	}
	all, err := newHybrid(m, HybridEvidence{})
	if err != nil {
		return nil, err
	}
	h.LogDensity -= all.LogDensity
	return h, nil
}

// newHybrid is NewHybrid, but the density in a Markov network is not divided by its integral.
func newHybrid(m *model.Model, e HybridEvidence) (*Hybrid, error) {
	if m.Kind != model.Bayes && !canonicals(m) {
		return nil, fmt.Errorf("a %v; want a Bayesian network, or a Markov network with canonical potentials", m.Kind)
	}
	for _, v := range m.Vars {
		_, seen := e.States[v.ID]
		if m.IsReal(v.ID) {
			_, seen = e.Reals[v.ID]
		}
		if v.Given && !seen {
			return nil, fmt.Errorf("the given variable %q is not observed", v.Name)
		}
	}
	free, state := []model.VarID(nil), make([]int, len(m.Vars))
	for _, v := range m.Vars {
		if s, ok := e.States[v.ID]; ok {
			state[v.ID] = s
		} else if !m.IsReal(v.ID) {
			free = append(free, v.ID)
		}
	}
	if n, ok := m.TableSize(free); !ok || n > maxHybrid {
		return nil, errors.New("too many joint states of discrete variables to enumerate")
	}
	h := &Hybrid{Model: m}
	order := m.Topological()
	for more := true; more; more = m.Next(free, state) {
		p, err := newPart(m, order, state, e)
		if err != nil {
			return nil, err
		}
		if p != nil {
			h.Parts = append(h.Parts, *p)
		}
	}
	h.weigh()
	return h, nil
}

// newPart returns the component of a joint state, or nil if it is impossible.
func newPart(m *model.Model, order []model.VarID, state []int, e HybridEvidence) (*Part, error) {
	p := &Part{State: slices.Clone(state), prob: big.NewRat(1, 1), quad: new(big.Rat), det: big.NewRat(1, 1)}
	for _, f := range m.Factors {
		if _, quadratic := f.Dist.(model.QuadraticLog); !quadratic {
			p.prob.Mul(p.prob, rat(m.Value(f, state)))
		}
	}
	for v, likelihood := range e.Soft {
		p.prob.Mul(p.prob, rat(likelihood[state[v]]))
	}
	if p.prob.Sign() == 0 {
		return nil, nil
	}
	if canonicals(m) {
		if possible, err := p.potentials(m); !possible {
			return nil, err
		}
	} else {
		p.moments(m, order, e)
	}
	for _, v := range order {
		if x, ok := e.Reals[v]; ok && !m.Vars[v].Given && !p.observe(v, rat(x), new(big.Rat)) {
			return nil, nil
		}
		if x, ok := e.Measured[v]; ok && !p.observe(v, rat(x.Mean), rat(x.Var)) {
			return nil, nil
		}
	}
	return p, nil
}

// zero sets the moments of n variables to 0.
func (p *Part) zero(n int) {
	p.mean, p.cov = make([]*big.Rat, n), make([][]*big.Rat, n)
	for v := range n {
		p.mean[v], p.cov[v] = new(big.Rat), make([]*big.Rat, v+1)
		for w := range p.cov[v] {
			p.cov[v][w] = new(big.Rat)
		}
	}
}

// moments computes the prior means and covariances of the real variables.
func (p *Part) moments(m *model.Model, order []model.VarID, e HybridEvidence) {
	p.zero(len(m.Vars))
	var done []model.VarID
	for _, v := range order {
		if !m.IsReal(v) {
			continue
		}
		if m.Vars[v].Given {
			p.mean[v] = rat(e.Reals[v])
			continue
		}
		f := m.CPD(v)
		discrete, parents := m.SplitParents(f)
		row := 0
		for _, u := range discrete {
			row = row*m.Card(u) + p.State[u]
		}
		mean, coef, variance := f.Gaussian().Row(row)
		p.mean[v].Set(rat(mean))
		for k, u := range parents {
			c := rat(coef[k])
			p.mean[v].Add(p.mean[v], times(c, p.mean[u]))
			for _, w := range done {
				at := p.at(v, w)
				at.Add(at, times(c, p.at(u, w)))
			}
		}
		own := p.at(v, v)
		own.Set(rat(variance))
		for k, u := range parents {
			own.Add(own, times(rat(coef[k]), p.at(u, v)))
		}
		done = append(done, v)
	}
}

func (p *Part) at(v, w model.VarID) *big.Rat { return p.cov[max(v, w)][min(v, w)] }

// observe conditions all variables on a measurement x of v with the given variance. It returns
// false if x contradicts a function.
func (p *Part) observe(v model.VarID, x, noise *big.Rat) (possible bool) {
	s := new(big.Rat).Add(p.at(v, v), noise)
	z := new(big.Rat).Sub(x, p.mean[v])
	if s.Sign() == 0 {
		p.ones++
		size := math.Abs(toFloat(x)) + math.Abs(toFloat(p.mean[v]))
		return math.Abs(toFloat(z)) <= 1e-9*size // values of samples are rounded
	}
	p.seen++
	p.det.Mul(p.det, s)
	p.quad.Add(p.quad, new(big.Rat).Quo(times(z, z), s))
	gain := make([]*big.Rat, len(p.mean))
	column := make([]*big.Rat, len(p.mean))
	for w := range p.mean {
		column[w] = new(big.Rat).Set(p.at(v, model.VarID(w)))
		gain[w] = new(big.Rat).Quo(column[w], s)
	}
	for w := range p.mean {
		if gain[w].Sign() == 0 {
			continue
		}
		p.mean[w].Add(p.mean[w], times(gain[w], z))
		for u := range p.cov[w] {
			if column[u].Sign() != 0 {
				p.cov[w][u].Sub(p.cov[w][u], times(gain[w], column[u]))
			}
		}
	}
	return true
}

// weigh removes components with fewer determined values than others, and sets the probabilities of
// the rest and the log density.
func (h *Hybrid) weigh() {
	h.LogDensity = math.Inf(-1)
	for i := range h.Parts {
		h.Functions = max(h.Functions, h.Parts[i].ones)
	}
	h.Parts = slices.DeleteFunc(h.Parts, func(p Part) bool { return p.ones < h.Functions })
	if len(h.Parts) == 0 {
		return
	}
	best := 0
	logs := make([]float64, len(h.Parts))
	for before := -1; best != before; { // relative to the first, then to the largest found, until there is none larger
		before = best
		first := &h.Parts[best]
		for i := range h.Parts {
			p := &h.Parts[i]
			ratio := new(big.Rat).Quo(p.prob, first.prob)
			det := new(big.Rat).Quo(first.det, p.det)
			quad := new(big.Rat).Sub(first.quad, p.quad)
			logs[i] = logRat(ratio) + .5*(logRat(det)+toFloat(quad))
		}
		for i := range logs {
			if logs[i] > logs[best] {
				best = i
			}
		}
	}
	var total sum
	for _, x := range logs {
		total.add(math.Exp(x))
	}
	for i := range h.Parts {
		h.Parts[i].P = math.Exp(logs[i]) / total.value()
	}
	p := &h.Parts[best]
	h.LogDensity = pgmrt.Ln(total.value()) + logRat(p.prob) - .5*(logRat(p.det)+toFloat(p.quad)+float64(float64(p.seen)*pgmrt.Ln(2*math.Pi)))
}

// Posterior returns P(v | e) of a discrete variable, or zeros if e is impossible.
func (h *Hybrid) Posterior(v model.VarID) []float64 {
	sums := make([]sum, h.Model.Card(v))
	for i := range h.Parts {
		sums[h.Parts[i].State[v]].add(h.Parts[i].P)
	}
	out := make([]float64, len(sums))
	for s := range sums {
		out[s] = sums[s].value()
	}
	return out
}

// Given returns the part of h in which variables have the states of at, and its probability, which
// is 0 if it is impossible. Its components have the probabilities that they have in h, which the
// moments are relative to.
func (h *Hybrid) Given(vars []model.VarID, at []int) (part Conditional) {
	part.Model = h.Model
	var p sum
	for i := range h.Parts {
		x := &h.Parts[i]
		if !slices.ContainsFunc(vars, func(v model.VarID) bool { return x.State[v] != at[v] }) {
			part.Parts = append(part.Parts, *x)
			p.add(x.P)
		}
	}
	part.P = p.value()
	return part
}

// Conditional is the part of a Hybrid in which some discrete variables have given states.
type Conditional struct {
	Hybrid
	P float64 // its probability
}

// Moments returns the posterior mean and variance of a real variable, or NaN if e is impossible.
func (h *Hybrid) Moments(v model.VarID) (mean, variance float64) {
	mean, cov := h.joint(v, v)
	return mean, cov
}

// Cov returns the posterior covariance of two real variables.
func (h *Hybrid) Cov(v, w model.VarID) float64 {
	_, cov := h.joint(v, w)
	return cov
}

// joint sums in rationals, so that the spread of means loses nothing.
func (h *Hybrid) joint(v, w model.VarID) (mean, cov float64) {
	if len(h.Parts) == 0 {
		return math.NaN(), math.NaN()
	}
	total, a, b, c := new(big.Rat), new(big.Rat), new(big.Rat), new(big.Rat)
	for i := range h.Parts {
		p := &h.Parts[i]
		weight := rat(p.P)
		total.Add(total, weight)
		a.Add(a, times(weight, p.mean[v]))
		b.Add(b, times(weight, p.mean[w]))
	}
	a.Quo(a, total)
	b.Quo(b, total)
	for i := range h.Parts {
		p := &h.Parts[i]
		x, y := new(big.Rat).Sub(p.mean[v], a), new(big.Rat).Sub(p.mean[w], b)
		x.Mul(x, y)
		c.Add(c, times(rat(p.P), x.Add(x, p.at(v, w))))
	}
	return toFloat(a), toFloat(c.Quo(c, total))
}

// rat returns a finite number exactly.
func rat(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

func times(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }

func toFloat(x *big.Rat) float64 {
	f, _ := x.Float64()
	return f
}

// logRat returns ln of a positive rational of any size.
func logRat(x *big.Rat) float64 {
	exp := x.Num().BitLen() - x.Denom().BitLen()
	scaled := new(big.Rat).Set(x)
	if exp > 0 {
		scaled.Quo(scaled, new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(exp))))
	} else {
		scaled.Mul(scaled, new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(-exp))))
	}
	return number{1, exp}.log() + pgmrt.Ln(toFloat(scaled))
}
