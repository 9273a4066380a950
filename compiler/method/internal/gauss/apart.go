package gauss

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// apart holds how variables depend on others: as a linear function of those others, plus noise with
// the moments noise. Where the coefficients and the variances of the noise are constants, so are
// its covariances, and nothing computes them.
type apart struct {
	from  []model.VarID
	coef  [][]circuit.Node // by variable of noise and by variable of from
	noise *Moments
}

// Split makes PushApart write variables as functions of those that m has now.
func (m *Moments) Split() { m.apart = &apart{from: m.Scope, noise: &Moments{}} }

// PushApart adds a variable as Push does, and writes it as a function of those that m had when
// Split was called. If the variables added since have many parents among those and each other, this
// takes fewer operations than Push, since no covariance is followed from one new variable to the
// next. It is Push if a variable was conditioned on since, which changes the noise of all, or if
// m has factors.
func (m *Moments) PushApart(c *circuit.Circuit, y model.VarID, r *Regression) {
	a := m.apart
	if a == nil || m.factors != nil {
		m.Push(c, y, r)
		return
	}
	direct, own := a.split(c, r)
	a.noise.Push(c, y, own)
	n := len(a.noise.Scope) - 1
	a.coef = append(a.coef, direct)
	common := make([]circuit.Node, len(m.Scope))
	for i, v := range a.noise.Scope[:n] {
		common[slices.Index(m.Scope, v)] = a.noise.Cov[n][i]
	}
	m.push(c, y, &Regression{On: a.from, Coef: direct, Mean: a.noise.Mean[n], Var: a.noise.Cov[n][n]}, common)
	m.last = nil
}

// split returns the coefficients of a variable with the regression r by from, and the regression of
// its noise on the noise of other variables.
func (a *apart) split(c *circuit.Circuit, r *Regression) (direct []circuit.Node, own *Regression) {
	terms := make([][]circuit.Node, len(a.from))
	own = &Regression{Mean: r.Mean, Var: r.Var}
	for k, u := range r.On {
		i := slices.Index(a.noise.Scope, u)
		if i < 0 {
			j := slices.Index(a.from, u)
			terms[j] = append(terms[j], r.Coef[k])
			continue
		}
		own.On, own.Coef = append(own.On, u), append(own.Coef, r.Coef[k])
		for j := range a.from {
			terms[j] = append(terms[j], c.Prod(r.Coef[k], a.coef[i][j]))
		}
	}
	for _, list := range terms {
		direct = append(direct, total(c, list))
	}
	return direct, own
}

// total returns the sum of a list. Constants that cancel up to rounding errors are 0: a coefficient
// that the regressions on each other hide would be an operation for nothing.
func total(c *circuit.Circuit, list []circuit.Node) circuit.Node {
	const rounding = 0x1p-50
	sum, size := circuit.Zero, 0.0
	for _, x := range list {
		sum = c.Sum(sum, x)
		if c.Op(x) == circuit.Const {
			size += math.Abs(c.Value(x))
		}
	}
	if c.Op(sum) == circuit.Const && math.Abs(c.Value(sum)) <= rounding*size {
		return circuit.Zero
	}
	return sum
}

// Unseen returns the variables of m in topological order: first those without a CPD, and those that
// have no evidence and no ancestor with any, which may be added before all others; then the others.
func Unseen(m *model.Model, seen func(model.VarID) bool) (first, others []model.VarID) {
	for _, v := range m.Topological() {
		f := m.CPD(v)
		if f != nil && (seen(v) || slices.ContainsFunc(f.Parents(), func(u model.VarID) bool { return slices.Contains(others, u) })) {
			others = append(others, v)
		} else {
			first = append(first, v)
		}
	}
	return first, others
}
