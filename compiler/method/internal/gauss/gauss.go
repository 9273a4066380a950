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
// Evidence is kept as rows, see [Row]: normal densities of single observed numbers given variables
// that are not eliminated yet. A variance is a sum of positive terms, a variance given more
// evidence is a product, and a square enters the density when its row has no variable left. So no
// digits are lost, even if the noise of a measurement is small compared with the measured
// variable's.
//
// Sources: Lauritzen and Jensen 2001, "Stable local computation with conditional Gaussian
// distributions"; Cowell 2005, "Local propagation in conditional Gaussian Bayesian networks". Both
// keep conditional distributions instead of canonical forms, which cannot hold a variance of 0, and
// exchange two of them as [Pull] does. Gentleman 1973, "Least squares computations by Givens
// transformations without square roots", has the rotations of [Triangular].
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
