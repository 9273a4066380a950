package gauss

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Moments holds the means of the variables of Scope and the lower triangle of their covariances, or
// factors of these.
type Moments struct {
	Scope []model.VarID
	Mean  []circuit.Node
	Cov   [][]circuit.Node // nil with factors
	last  *Regression      // of the last variable, unless a variable was conditioned on since
	apart *apart           // how the variables depend on those that Split found; nil without it

	factors *factors         // nil if Cov has the covariances
	size    []circuit.Node   // with exact factors, by variable: the size of the numbers that its mean is a sum of
	Unknown int              // with factors: how many numbers of infinite variance there are, see diffuse.go
	Far     [][]circuit.Node // by variable, if Unknown is not 0: its coefficients of them
}

// Of returns the mean of a variable.
func (m *Moments) Of(v model.VarID) circuit.Node { return m.Mean[slices.Index(m.Scope, v)] }

// Between returns the covariance of two variables.
func (m *Moments) Between(v, w model.VarID) circuit.Node {
	i, j := slices.Index(m.Scope, v), slices.Index(m.Scope, w)
	if m.factors != nil {
		return m.factors.product(m.factors.coef[i], m.factors.coef[j])
	}
	return m.Cov[max(i, j)][min(i, j)]
}

// Push adds a variable y with the regression r on variables that m has. The sums are of products:
// nothing cancels unless coefficients of both signs make it so.
func (m *Moments) Push(c *circuit.Circuit, y model.VarID, r *Regression) {
	m.push(c, y, r, make([]circuit.Node, len(m.Scope)))
	m.last = r
}

// push adds a variable with the regression r. common holds, by variable, the covariance of the
// noise of r with it.
func (m *Moments) push(c *circuit.Circuit, y model.VarID, r *Regression, common []circuit.Node) {
	mean := r.Mean
	for k, u := range r.On {
		mean = c.Sum(mean, c.Prod(r.Coef[k], m.Of(u)))
	}
	if m.factors != nil {
		m.sized(c, r)
		m.factors = m.factors.push(m.Scope, r)
	} else {
		m.Cov = append(m.Cov, m.covariances(c, r, common))
	}
	if m.Unknown > 0 {
		m.Far = append(m.Far, m.farOf(c, r))
	}
	m.Scope, m.Mean = append(slices.Clone(m.Scope), y), append(m.Mean, mean)
}

// covariances returns the covariances of a new variable with the others, and its variance.
func (m *Moments) covariances(c *circuit.Circuit, r *Regression, common []circuit.Node) []circuit.Node {
	row := append(common, circuit.Zero)
	for i, v := range m.Scope {
		for k, u := range r.On {
			row[i] = c.Sum(row[i], c.Prod(r.Coef[k], m.Between(u, v)))
		}
	}
	variance := r.Var
	for k, u := range r.On {
		variance = c.Sum(variance, c.Prod(r.Coef[k], row[slices.Index(m.Scope, u)]))
	}
	row[len(m.Scope)] = variance
	return row
}

// gains returns the regression of each variable on v, and 1 for v itself.
func (m *Moments) gains(c *circuit.Circuit, v model.VarID) []circuit.Node {
	gain := make([]circuit.Node, len(m.Scope))
	of := m.far(v)
	flag, square := m.IsDiffuse(c, v)
	share := c.Ratio(circuit.One, m.Between(v, v)) // one division for all
	for i, u := range m.Scope {
		if gain[i] = circuit.One; u == v {
			continue
		}
		gain[i] = c.Prod(m.Between(u, v), share)
		if of != nil {
			gain[i] = Or(c, flag, c.Ratio(dot(c, m.far(u), of), square), gain[i])
		}
	}
	return gain
}

// sensor returns the index of the variable x if v, the last variable, is a constant times x plus
// noise, and the product of share and the variance of the noise; otherwise -1.
func (m *Moments) sensor(c *circuit.Circuit, v model.VarID, share circuit.Node) (of int, noise circuit.Node) {
	r, of := m.last, -1
	if r == nil || v != m.Scope[len(m.Scope)-1] {
		return -1, circuit.Zero
	}
	for k, x := range r.Coef {
		switch {
		case x == circuit.Zero:
		case of >= 0 || c.Op(x) != circuit.Const: // a coefficient of evidence may be 0
			return -1, circuit.Zero
		default:
			of = slices.Index(m.Scope, r.On[k])
		}
	}
	return of, c.Prod(r.Var, share)
}

// Condition sets the moments to those given that v has a value, if seen is 1, and leaves them if it
// is 0. This is the update of the Kalman filter for one number. A variable of variance 0 that is
// seen changes nothing but itself. The covariances of what v measures, see sensor, are scaled by
// the share of the noise: to subtract from them the effect of the measurement would cancel all
// digits of a variance far above the noise's.
func (m *Moments) Condition(c *circuit.Circuit, v model.VarID, seen, value circuit.Node) {
	if m.factors != nil {
		m.last = nil
		m.conditionFactors(c, v, seen, value)
		return
	}
	unseen, off := c.Sub(circuit.One, seen), c.Sub(value, m.Of(v))
	share := c.Prod(seen, c.Ratio(circuit.One, m.Between(v, v)))
	at := slices.Index(m.Scope, v)
	measured, noise := m.sensor(c, v, share)
	m.last, m.apart = nil, nil
	noise = c.Sum(unseen, noise)
	row, gain := make([]circuit.Node, len(m.Scope)), make([]circuit.Node, len(m.Scope)) // covariances with v, and 0 gain if it is unseen
	for i, u := range m.Scope {
		row[i] = m.Between(u, v)
		gain[i] = c.Prod(row[i], share)
	}
	mean, cov := slices.Clone(m.Mean), make([][]circuit.Node, len(m.Cov))
	for i := range m.Scope {
		if mean[i] = c.Sum(mean[i], c.Prod(gain[i], off)); i == at { // exactly the value if it is seen
			mean[i] = c.Sum(c.Prod(unseen, m.Mean[i]), c.Prod(seen, value))
		}
		cov[i] = slices.Clone(m.Cov[i])
		for j := range cov[i] {
			switch {
			case i == at || j == at: // exactly 0 if it is seen
				cov[i][j] = c.Prod(unseen, cov[i][j])
			case i == measured || j == measured:
				cov[i][j] = c.Prod(noise, cov[i][j])
			default:
				cov[i][j] = c.Sub(cov[i][j], c.Prod(gain[i], row[j]))
			}
		}
	}
	m.Mean, m.Cov = mean, cov
}

// Regress returns the regression of each other variable of m on the variables on, with the mean of
// the variable if all of on were 0 as Mean, and the remaining covariances. One variable of on is
// taken out after the other. A variable with variance 0 by then adds nothing.
func (m *Moments) Regress(c *circuit.Circuit, on []model.VarID) (rest *Moments, kept []*Regression) {
	left := &Moments{Scope: m.Scope, Mean: slices.Clone(m.Mean), Cov: m.Cov, factors: m.factors, Unknown: m.Unknown, Far: m.Far}
	coef := make([][]circuit.Node, len(m.Scope)) // by variable: coefficients of those taken out
	for k, v := range on {
		gain := left.gains(c, v)
		at := slices.Index(m.Scope, v)
		for i := range m.Scope {
			if i == at {
				continue
			}
			coef[i] = append(coef[i], gain[i])
			for j := range k { // v itself has coefficients of those before it
				coef[i][j] = c.Sub(coef[i][j], c.Prod(gain[i], coef[at][j]))
			}
		}
		own := left.Mean[at]
		for i := range m.Scope {
			if i != at {
				left.Mean[i] = c.Sub(left.Mean[i], c.Prod(gain[i], own))
			}
		}
		left.Condition(c, v, circuit.One, own)
	}
	rest = &Moments{Unknown: m.Unknown}
	if m.factors != nil {
		rest.factors = &factors{c: c, variance: left.factors.variance}
	}
	for i, v := range m.Scope {
		if slices.Contains(on, v) {
			continue
		}
		rest.Scope = append(rest.Scope, v)
		if m.factors != nil {
			rest.factors.coef = append(rest.factors.coef, left.factors.coef[i])
		} else {
			var row []circuit.Node
			for _, w := range rest.Scope {
				row = append(row, left.Between(v, w))
			}
			rest.Cov = append(rest.Cov, row)
		}
		if m.Unknown > 0 {
			rest.Far = append(rest.Far, left.Far[i])
		}
		kept = append(kept, &Regression{On: on, Coef: coef[i], Mean: left.Mean[i], Var: left.Between(v, v)})
	}
	return rest, kept
}

// Join adds to all, which has the variables that Regress took out, the others with their
// regressions and the covariances that were left.
func Join(c *circuit.Circuit, all, rest *Moments, kept []*Regression) {
	n := len(all.Scope)
	if all.factors != nil {
		all.joinFactors(c, rest, kept)
	}
	for i, v := range rest.Scope {
		if all.factors == nil {
			all.Push(c, v, kept[i])
			for j := range i {
				all.Cov[n+i][n+j] = c.Sum(all.Cov[n+i][n+j], rest.Cov[i][j])
			}
		}
		for k := range all.Unknown {
			all.Far[n+i][k] = c.Sum(all.Far[n+i][k], rest.Far[i][k])
		}
	}
}
