// Package gauss is an algebra of Gaussian distributions on nodes of a circuit. It eliminates one
// real variable at a time, as discrete ones are, so that what matrices would do is a straight line
// of scalar arithmetic in which zeros and constants vanish.
//
// It knows no tables, orders or queries: methods decide what to eliminate when, and where the
// numbers lie.
//
// An eliminated variable need not be unobserved. A flag is 1 if it is observed, and 0 if not. One
// formula serves both cases, so that code has no branch on evidence. Variables are relative to
// their observed values: a variable that is observed is 0. So a value meets its distribution as one
// difference, and no large squares cancel.
//
// Sources: Lauritzen and Jensen 2001, "Stable local computation with conditional Gaussian
// distributions"; Cowell 2005, "Local propagation in conditional Gaussian Bayesian networks". Both
// keep conditional distributions instead of canonical forms, which cannot hold a variance of 0.
package gauss

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Regression is the distribution of a variable given others: normal with mean Mean + Coef·x(On) and
// variance Var.
type Regression struct {
	On        []model.VarID
	Coef      []circuit.Node
	Mean, Var circuit.Node
}

// CPD is the regression of a variable on its parents, with two numbers that follow from Var:
// Precision is 1/Var and Scale is 2π·Var, or 0 and 1 if Var is 0.
type CPD struct {
	Regression
	Precision, Scale circuit.Node
}

// Form is the function exp(Quad/2 + H·x - x'Kx/2) of the variables of Scope. K holds the lower
// triangle.
type Form struct {
	Scope []model.VarID
	K     [][]circuit.Node
	H     []circuit.Node
	Quad  circuit.Node
}

// NewForm returns the function 1 of the given variables.
func NewForm(scope []model.VarID) *Form {
	f := &Form{Scope: scope, H: make([]circuit.Node, len(scope))}
	for i := range scope {
		f.K = append(f.K, make([]circuit.Node, i+1))
	}
	return f
}

// at returns K[i][j] of two variables, and 0 if one is not in scope.
func (f *Form) at(v, w model.VarID) circuit.Node {
	i, j := slices.Index(f.Scope, v), slices.Index(f.Scope, w)
	if i < 0 || j < 0 {
		return circuit.Zero
	}
	return f.K[max(i, j)][min(i, j)]
}

// linear returns H of a variable, and 0 if it is not in scope.
func (f *Form) linear(v model.VarID) circuit.Node {
	if i := slices.Index(f.Scope, v); i >= 0 {
		return f.H[i]
	}
	return circuit.Zero
}

// Product returns the product of forms.
func Product(c *circuit.Circuit, forms []*Form) *Form {
	var scope []model.VarID
	for _, f := range forms {
		scope = append(scope, f.Scope...)
	}
	slices.Sort(scope)
	out := NewForm(slices.Compact(scope))
	for _, f := range forms {
		out.Quad = c.Sum(out.Quad, f.Quad)
		for i, v := range out.Scope {
			out.H[i] = c.Sum(out.H[i], f.linear(v))
			for j, w := range out.Scope[:i+1] {
				out.K[i][j] = c.Sum(out.K[i][j], f.at(v, w))
			}
		}
	}
	return out
}

// Replace returns the form of y, a new variable in place of v, which is y + shift + slope·x. v is
// not among x.
func (f *Form) Replace(c *circuit.Circuit, v model.VarID, slope map[model.VarID]circuit.Node, shift circuit.Node) *Form {
	scope := append(slices.Clone(f.Scope), v)
	for u := range slope {
		scope = append(scope, u)
	}
	slices.Sort(scope)
	out := NewForm(slices.Compact(scope))
	k, eta := f.at(v, v), f.linear(v)
	at := c.Sub(eta, c.Prod(k, shift)) // the linear coefficient of v at shift
	out.Quad = c.Sum(f.Quad, c.Prod(shift, c.Sum(eta, at)))
	for i, u := range out.Scope {
		out.H[i] = c.Sum(c.Sub(f.linear(u), c.Prod(f.at(v, u), shift)), c.Prod(slope[u], at))
		for j, x := range out.Scope[:i+1] {
			add := c.Sum(c.Prod(f.at(v, u), slope[x]), c.Prod(f.at(v, x), slope[u]))
			out.K[i][j] = c.Sum(f.at(u, x), c.Sum(add, c.Prod(k, c.Prod(slope[u], slope[x]))))
		}
	}
	return out
}

// Pull integrates variable y out of the product of its CPD and rest. If seen is 1, it sets y to 0
// instead. The result is the form out, divided by the square root of det. kept is the
// distribution of y given the other variables, which the way down uses. No number is subtracted
// from another that it nearly equals unless the evidence makes it so, and a variance may be 0. The
// density of an observed value whose variance is 0 is left out, since it is a constraint.
//
// With a CPD of mean α + β·u and variance s, k = K_yy, κ = K_yr, η = h_y, and w = (1-seen)/(1+sk),
// y is normal with mean w(α+sη) + (βw)·u - (swκ)·r and variance sw before it is observed.
func Pull(c *circuit.Circuit, y model.VarID, cpd *CPD, rest *Form, seen circuit.Node) (kept *Regression, out *Form, det circuit.Node) {
	scope := append(slices.Clone(cpd.On), rest.Scope...)
	slices.Sort(scope)
	out = NewForm(slices.DeleteFunc(slices.Compact(scope), func(v model.VarID) bool { return v == y }))
	s, k, eta, alpha := cpd.Var, rest.at(y, y), rest.linear(y), cpd.Mean
	unseen, spread := c.Sub(circuit.One, seen), c.Sum(circuit.One, c.Prod(s, k))
	w, v := c.Quot(unseen, spread), c.Prod(seen, cpd.Precision)
	sw, g := c.Prod(s, w), c.Sum(c.Prod(k, w), v)
	mean := c.Prod(w, c.Sum(alpha, c.Prod(s, eta)))
	slope := c.Sub(c.Prod(eta, w), c.Prod(g, alpha))
	kept = &Regression{On: out.Scope, Coef: make([]circuit.Node, len(out.Scope)), Mean: mean, Var: sw}
	beta, kappa := make([]circuit.Node, len(out.Scope)), make([]circuit.Node, len(out.Scope))
	for i, u := range out.Scope {
		if p := slices.Index(cpd.On, u); p >= 0 {
			beta[i] = cpd.Coef[p]
		}
		kappa[i] = rest.at(y, u)
		q := c.Sub(c.Prod(beta[i], w), c.Prod(kappa[i], sw))
		p := c.Sum(c.Prod(beta[i], g), c.Prod(kappa[i], w))
		for j, x := range out.Scope[:i+1] {
			out.K[i][j] = c.Sum(rest.at(u, x), c.Sum(c.Prod(p, beta[j]), c.Prod(q, kappa[j])))
		}
		out.H[i] = c.Sum(rest.linear(u), c.Sub(c.Prod(beta[i], slope), c.Prod(kappa[i], mean)))
		kept.Coef[i] = q
	}
	free := c.Prod(w, c.Prod(eta, c.Sum(c.Prod(s, eta), c.Prod(c.Const(2), alpha))))
	out.Quad = c.Sum(rest.Quad, c.Sub(free, c.Prod(g, c.Prod(alpha, alpha))))
	det = c.Sum(c.Prod(unseen, spread), c.Prod(seen, cpd.Scale))
	return kept, out, det
}
