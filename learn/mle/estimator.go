package mle

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Empty chooses the numbers of a row that has neither counts nor a prior.
type Empty uint8

// The choices.
const (
	EmptyUniform Empty = iota
	EmptyPooled        // the child's distribution over all conditions together
	EmptyKeep          // the numbers of the model
)

// Options choose how numbers are estimated from counts.
type Options struct {
	Prior Prior
	// Mode takes the mode of the posterior distribution instead of its mean. The mode may lie on
	// the border of the simplex; if there are several modes, their mean is taken.
	Mode  bool
	Empty Empty
	Tied  [][]model.VarID // groups of variables whose CPDs share their numbers, besides those of the model
	// Shared lists groups of variables with CPDs whose rows all share the prior Learned. The rows
	// of each other CPD share one.
	Shared [][]model.VarID
	// Fixed lists variables with CPDs that stay as they are, and so do CPDs that share their
	// numbers.
	Fixed []model.VarID
	// FixedMean lists real variables with Gaussian CPDs in which only the variances are fitted.
	FixedMean []model.VarID
	// KeepZeros leaves numbers that are 0 in the model without a pseudo-count, so that they stay 0
	// without data, and random numbers keep them.
	KeepZeros bool
	// Extra holds, by factor, further pseudo-counts of the numbers of a table; nil for none.
	Extra [][]float64
	// NormalGamma holds, by real variable, the prior of its Gaussian CPD in place of Prior.
	NormalGamma map[model.VarID]NormalGamma
	// Unbiased and Floor are for Gaussian CPDs, see Gaussian.Unbiased and Gaussian.Least.
	Unbiased bool
	Floor    float64
	// Softmax is the penalty of softmax CPDs, see [data.Set.FitSoftmax]; 0 is DefaultSoftmax.
	Softmax float64
	// Marginals holds, by variable, the mean and the variance of a real one, if counts are expected
	// counts, which change from step to step. Pseudo-rows of Gaussian CPDs have them instead of the
	// counts' ones, so that the objective stays the same. nil is for counts of data.
	Marginals []Marginal
}

// Estimator fits the CPDs of one structure.
type Estimator struct {
	m      *model.Model
	opt    Options
	cpds   []*cpd // by factor; nil for Gaussian CPDs and factors without numbers to fit
	groups []group
	reals  []*realCPD // by factor; nil for all but Gaussian CPDs
	shared [][]int    // the groups with rows that share the prior Learned
	sets   []realGroup
	soft   []bool // by factor: it is a softmax CPD, which is fitted to rows; see FitSoftmax
	none   []bool // by factor: it is a diffuse prior, which has no numbers
}

// group is one set of numbers and the CPDs that share it, most often one.
type group struct {
	*cpd              // the form that all of them have
	factors []int     // by number
	pseudo  []float64 // pseudo-counts; nil if they depend on counts
}

// New returns an estimator for the structure of m, a network that has passed Check.
func New(m *model.Model, opt Options) (*Estimator, error) {
	e := &Estimator{m: m, opt: opt}
	for _, f := range m.Factors {
		var c *cpd
		var r *realCPD
		var err error
		_, soft := f.Dist.(*model.Softmax)
		_, none := f.Dist.(*model.Diffuse)
		switch {
		case f.Gaussian() != nil:
			r = newRealCPD(m, f)
			_, err = e.gaussian(r)
		case !soft && !none:
			c, err = newCPD(m, f)
		}
		if err != nil {
			return nil, err
		}
		e.cpds, e.reals, e.soft = append(e.cpds, c), append(e.reals, r), append(e.soft, soft)
		e.none = append(e.none, none)
	}
	if err := e.tie(); err != nil {
		return nil, err
	}
	if err := e.checkKept(); err != nil {
		return nil, err
	}
	if opt.Prior.Kind == Learned {
		if err := e.share(); err != nil {
			return nil, err
		}
	}
	for i := range e.groups {
		if opt.Prior.OfCounts() != "" {
			continue
		}
		var err error
		if e.groups[i].pseudo, err = e.prior(&e.groups[i], nil); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// NewCounter returns an estimator that counts the rows of m, a Markov network of tables, and sums
// logarithms of its potentials. It fits no numbers.
func NewCounter(m *model.Model) *Estimator {
	none := make([]bool, len(m.Factors))
	e := &Estimator{m: m, reals: make([]*realCPD, len(m.Factors)), soft: none, none: none}
	for _, f := range m.Factors {
		e.cpds = append(e.cpds, &cpd{m: m, f: f, n: f.Dist.Size()})
	}
	return e
}

// tie builds the groups.
func (e *Estimator) tie() error {
	tied := make([]bool, len(e.cpds))
	number := map[model.VarID]int{}
	for i, f := range e.m.Factors {
		number[f.ChildVar()] = i
	}
	for _, vars := range slices.Concat(e.m.Tied, e.opt.Tied) {
		if len(vars) == 0 {
			continue
		}
		var factors []int
		for _, v := range vars {
			i := number[v]
			if tied[i] {
				return fmt.Errorf("%q is tied twice", e.m.Vars[v].Name)
			}
			tied[i] = true
			if err := e.alike(number[vars[0]], i); err != nil {
				return err
			}
			factors = append(factors, i)
		}
		e.add(factors)
	}
	for i := range e.cpds {
		if !tied[i] {
			e.add([]int{i})
		}
	}
	return nil
}

// add adds a group unless it has no numbers to fit.
func (e *Estimator) add(factors []int) {
	if slices.ContainsFunc(factors, func(i int) bool { return slices.Contains(e.opt.Fixed, e.m.Factors[i].ChildVar()) }) {
		return
	}
	if c := e.cpds[factors[0]]; c != nil {
		e.groups = append(e.groups, group{cpd: c, factors: factors})
	}
	if c := e.reals[factors[0]]; c != nil {
		e.sets = append(e.sets, realGroup{c, factors})
	}
}

// alike returns an error unless two CPDs are both tables or both Gaussian, and their variables have
// equal numbers of states, position by position.
func (e *Estimator) alike(i, k int) error {
	f, g := e.m.Factors[i], e.m.Factors[k]
	_, table := f.Table()
	_, other := g.Table()
	gaussian := f.Gaussian() != nil && g.Gaussian() != nil
	same := (table && other || gaussian) && f.Child == g.Child && slices.EqualFunc(f.Scope, g.Scope, func(u, v model.VarID) bool { return e.m.Card(u) == e.m.Card(v) })
	if !same {
		return fmt.Errorf("the %s and the %s can't be tied; want tables, or Gaussian CPDs, over as many variables with as many states, in the same order", e.m.FactorName(f), e.m.FactorName(g))
	}
	return nil
}

// maxNoisy is the most joint states of the family of a noisy-max with counts that are collected in
// a table: 128 MiB.
const maxNoisy = 1 << 24

// Fit returns the model with numbers estimated from counts. old provides the current numbers: the
// numbers of a noisy-max change by one step of EM from them, and empty rows may keep theirs.
func (e *Estimator) Fit(n Counts, old *model.Model) *model.Model {
	out := clone(old)
	learned := e.learned(n, old)
	for i := range e.groups {
		g := &e.groups[i]
		was := old.Factors[g.factors[0]].Dist.Numbers()
		counts := g.counts(n, old)
		pseudo := g.pseudo
		if e.opt.Prior.Kind == Learned {
			pseudo = learned[i]
		} else if pseudo == nil {
			pseudo, _ = e.prior(g, counts) // only prior networks can fail
		}
		numbers := make([]float64, g.n)
		for r := range g.rows() {
			e.fitRow(g.cpd, r, counts, pseudo, was, numbers)
		}
		g.put(out, numbers)
	}
	for i := range e.sets {
		if e.opt.Marginals != nil {
			e.climbReal(&e.sets[i], n, old, out)
		} else {
			e.fitReal(&e.sets[i], n, old, out)
		}
	}
	return out
}

// clone returns a copy of the model with factors that can be given other numbers.
func clone(m *model.Model) *model.Model {
	out := *m
	out.Factors = nil
	for _, f := range m.Factors {
		g := *f
		g.RowPos = nil
		out.Factors = append(out.Factors, &g)
	}
	return &out
}

// put sets the numbers of the CPDs of a group.
func (g *group) put(m *model.Model, numbers []float64) {
	for _, i := range g.factors {
		m.Factors[i].Dist = g.dist(numbers)
	}
}

// counts returns the counts of the numbers of a group.
func (g *group) counts(n Counts, m *model.Model) []float64 {
	counts := make([]float64, g.n)
	for _, i := range g.factors {
		if g.Hidden {
			g.contributions(m.Factors[i].Dist, n[i], counts)
			continue
		}
		for k, x := range n[i] {
			counts[k] += x
		}
	}
	return counts
}

// prior returns the pseudo-counts of the numbers of a group.
func (e *Estimator) prior(g *group, counts []float64) ([]float64, error) {
	sum := make([]float64, g.n)
	for _, i := range g.factors {
		a, err := e.opt.Prior.pseudo(e.cpds[i], counts)
		if err != nil {
			return nil, err
		}
		for k, x := range a {
			sum[k] += x
		}
		if !e.opt.Prior.sums() {
			break
		}
	}
	e.adjust(g, sum)
	return sum, nil
}

// fitRow estimates a row of numbers.
func (e *Estimator) fitRow(c *cpd, r int, counts, pseudo, was, numbers []float64) {
	sum, mode := 0.0, 0.0
	c.row(r, func(_, at int) {
		sum += counts[at] + pseudo[at]
		mode += max(0, counts[at]+pseudo[at]-1)
	})
	var pool []float64
	if e.opt.Empty == EmptyPooled && sum == 0 {
		pool = c.pool(counts)
	}
	left := c.card - e.zeros(c, r)
	c.row(r, func(x, at int) {
		switch {
		case c.isFixed(r):
			numbers[at] = was[at]
		case sum > 0 && e.opt.Mode && e.opt.Prior.Kind != None && mode > 0:
			numbers[at] = max(0, counts[at]+pseudo[at]-1) / mode
		case sum > 0:
			numbers[at] = (counts[at] + pseudo[at]) / sum
		case e.opt.Empty == EmptyKeep:
			numbers[at] = was[at]
		case pool != nil:
			numbers[at] = pool[x]
		case e.keeps(c, at):
			numbers[at] = 0
		default:
			numbers[at] = 1 / float64(left)
		}
	})
}

// weights returns the weights c of the numbers p of a group in the prior's penalty, the sum of c ln
// p. EM maximises its sum with the log-likelihood. The weights are the pseudo-counts, less one if
// Mode is set. Pooled and Learned have none.
func (e *Estimator) weights(g *group) []float64 {
	out := make([]float64, g.n)
	for i := range out {
		if e.opt.Prior.OfCounts() != "" || e.keeps(g.cpd, i) {
			continue
		}
		out[i] = g.pseudo[i]
		if e.opt.Mode && e.opt.Prior.Kind != None {
			out[i]--
		}
	}
	return out
}

// Penalty returns the term of the prior in the objective that Fit maximises, up to a constant. If
// Mode is set, it is ln of the prior density of the numbers; otherwise it is ln of the Dirichlet
// density with the posterior mean as mode, with pseudo-counts greater by one. Pooled and
// Learned have no penalty, since they depend on counts.
func (e *Estimator) Penalty(m *model.Model) float64 {
	total := 0.0
	for i := range e.groups {
		g := &e.groups[i]
		numbers, weights := m.Factors[g.factors[0]].Dist.Numbers(), e.weights(g)
		g.free(func(r int) {
			g.row(r, func(_, at int) {
				if weights[at] != 0 {
					total += weights[at] * pgmrt.Ln(numbers[at])
				}
			})
		})
	}
	for i := range e.sets {
		g := &e.sets[i]
		total += e.realPenalty(g, m.Factors[g.factors[0]].Gaussian())
	}
	return total
}

// free calls do for the rows that are fitted.
func (c *cpd) free(do func(r int)) {
	for r := range c.rows() {
		if !c.isFixed(r) {
			do(r)
		}
	}
}

// Random returns the model with random numbers: each row of a discrete CPD is drawn uniformly from
// all distributions. Rows of Gaussian CPDs need Options.Marginals; see randomReal.
func (e *Estimator) Random(m *model.Model, rng *rand.Rand) *model.Model {
	out := clone(m)
	for i := range e.groups {
		g := &e.groups[i]
		numbers := slices.Clone(m.Factors[g.factors[0]].Dist.Numbers())
		g.free(func(r int) {
			sum := 0.0
			g.row(r, func(_, at int) {
				if !e.keeps(g.cpd, at) {
					numbers[at] = rng.ExpFloat64()
				}
				sum += numbers[at]
			})
			g.row(r, func(_, at int) { numbers[at] /= sum })
		})
		g.put(out, numbers)
	}
	for i := range e.sets {
		e.randomReal(&e.sets[i], out, rng)
	}
	return out
}
