package mle

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Kind is the form of a prior.
type Kind uint8

// The forms of priors. All are Dirichlet distributions, one a row, given by pseudo-counts.
const (
	None    Kind = iota // no pseudo-counts: maximum likelihood
	Each                // Size for each number; 1 is Laplace's correction and the prior of the score k2
	BDeu                // Size for each CPD, spread evenly over the joint states of the family
	BDe                 // Size for each CPD, in the proportions of a prior network
	Pooled              // Size for each row, in the proportions of the child's counts summed over the rows
	Learned             // the Dirichlet distribution of each CPD's rows with the greatest marginal likelihood
)

// Prior is the prior distribution of the numbers.
type Prior struct {
	Kind Kind
	Size float64
	// Joint returns the distribution of some variables in the prior network of BDe, row-major in
	// their order.
	Joint func(vars []model.VarID) ([]float64, error)
	// Discrete restricts the prior to discrete CPDs. Gaussian ones have none.
	Discrete bool
}

// kinds holds the names that ParsePrior takes besides numbers, by Kind.
var kinds = []struct {
	name string
	Prior
}{
	{"none", Prior{}},
	{"k2", Prior{Kind: Each, Size: 1}},
	{"bdeu", Prior{Kind: BDeu}},
	{"bde", Prior{Kind: BDe}},
	{"pooled", Prior{Kind: Pooled}},
	{"learned", Prior{Kind: Learned}},
}

// ParsePrior parses none, k2, bdeu, bde, pooled, learned, or a number, which is the pseudo-count of
// each number. size is the equivalent sample size of bdeu, bde and pooled.
func ParsePrior(s string, size float64) (Prior, error) {
	if x, err := strconv.ParseFloat(s, 64); err == nil {
		return Prior{Kind: Each, Size: x}, weighable(x, x >= 0, "pseudo-count", "a finite number from 0")
	}
	var names []string
	for _, k := range kinds {
		names = append(names, k.name)
	}
	i := slices.Index(names, s)
	if i < 0 {
		return Prior{}, fmt.Errorf("unknown prior %q; want a number, or one of %s", s, strings.Join(names, ", "))
	}
	p := kinds[i].Prior
	if p.Kind == None || p.Kind == Each || p.Kind == Learned {
		return p, nil
	}
	p.Size = size
	return p, weighable(size, size > 0, "equivalent sample size", "a finite number above 0")
}

// String describes the prior in words.
func (p Prior) String() string {
	size := fmt.Sprintf("%v rows", p.Size)
	if p.Size == 1 {
		size = "1 row"
	}
	switch {
	case p.Kind == BDeu:
		return "bdeu, " + size + " for each CPD"
	case p.Kind == BDe:
		return "bde, " + size + " for each CPD in the proportions of a network"
	case p.Kind == Pooled:
		return "pooled, " + size + " for each row of a CPD"
	case p.Kind == Learned:
		return "learned, a Dirichlet distribution that rows share"
	case p.Kind == Each && p.Size > 0:
		return fmt.Sprintf("a pseudo-count of %v for each number", p.Size)
	}
	return "none, maximum likelihood"
}

func weighable(x float64, ok bool, what, want string) error {
	if !ok || math.IsInf(x, 0) {
		return fmt.Errorf("%s %v; want %s", what, x, want)
	}
	return nil
}

// OfCounts returns the name of a prior that depends on the counts, and "" of others.
func (p *Prior) OfCounts() string {
	if p.Kind == Pooled || p.Kind == Learned {
		return kinds[p.Kind].name
	}
	return ""
}

// sums reports whether tied CPDs add their pseudo-counts. They do if pseudo-counts are shares of a
// sample, since the sample has a value for each tied variable.
func (p *Prior) sums() bool { return p.Kind == BDeu || p.Kind == BDe }

// pseudo returns the pseudo-counts of a CPD. n holds its counts, from which Pooled takes the
// proportions.
func (p *Prior) pseudo(c *cpd, n []float64) ([]float64, error) {
	a := make([]float64, c.n)
	switch p.Kind {
	case Each:
		for i := range a {
			a[i] = p.Size
		}
	case BDeu:
		for r := range c.rows() {
			c.row(r, func(_, at int) { a[at] = p.Size * c.Share[r] / float64(c.card) })
		}
	case BDe:
		if c.Hidden {
			return nil, fmt.Errorf("%s is a noisy-max, for whose contributions a prior network has no proportions; want another prior", c.m.FactorName(c.f))
		}
		joint, err := p.Joint(c.f.Scope)
		if err != nil {
			return nil, err
		}
		c.fold(joint, a)
		for i := range a {
			a[i] *= p.Size
		}
	case Pooled:
		pool := c.pool(n)
		for r := range c.rows() {
			c.row(r, func(x, at int) { a[at] = p.Size * pool[x] })
		}
	}
	return a, nil
}

// pool returns the marginal distribution of the child, estimated from the counts plus one row
// spread evenly, so that it has no zeros.
func (c *cpd) pool(n []float64) []float64 {
	pool, sum := make([]float64, c.card), 1.0
	for x := range pool {
		pool[x] = 1 / float64(c.card)
	}
	for r := range c.rows() {
		c.row(r, func(x, at int) {
			pool[x] += n[at]
			sum += n[at]
		})
	}
	for x := range pool {
		pool[x] /= sum
	}
	return pool
}
