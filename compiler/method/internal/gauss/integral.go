package gauss

import (
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Linearised is a function as a linear function of independent standard normal variables z.
type Linearised struct {
	Mean circuit.Node
	Coef []circuit.Node
	Rest circuit.Node // the variance that the linear function leaves; below 0 if the rule fails
}

// Integrate returns the regression of a function of normal variables x = mean + root·z on z, where
// the integrals are sums over points: the statistical linearisation of García-Fernández, Svensson,
// Morelande and Särkkä 2015, "Posterior linearization filter".
func Integrate(c *circuit.Circuit, points []Point, mean []circuit.Node, root [][]circuit.Node, value func(x []circuit.Node) circuit.Node) *Linearised {
	n := len(mean)
	out := &Linearised{Coef: make([]circuit.Node, n)}
	values := make([]circuit.Node, len(points))
	for k, q := range points {
		x := make([]circuit.Node, n)
		for i := range n {
			x[i] = mean[i]
			for j := range i + 1 {
				x[i] = c.Sum(x[i], c.Prod(root[i][j], c.Const(q.Z[j])))
			}
		}
		values[k] = value(x)
		out.Mean = c.Sum(out.Mean, c.Prod(c.Const(q.Weight), values[k]))
	}
	for k, q := range points {
		off := c.Sub(values[k], out.Mean)
		w := c.Prod(c.Const(q.Weight), off)
		out.Rest = c.Sum(out.Rest, c.Prod(w, off))
		for i := range n {
			out.Coef[i] = c.Sum(out.Coef[i], c.Prod(w, c.Const(q.Z[i])))
		}
	}
	for i := range n {
		out.Rest = c.Sub(out.Rest, c.Prod(out.Coef[i], out.Coef[i]))
	}
	return out
}

// Tangent returns the linear function with the given value at the mean and slopes by x.
func Tangent(c *circuit.Circuit, value circuit.Node, slope []circuit.Node, root [][]circuit.Node) *Linearised {
	out := &Linearised{Mean: value, Coef: make([]circuit.Node, len(slope))}
	for j := range slope {
		for i := j; i < len(slope); i++ {
			out.Coef[j] = c.Sum(out.Coef[j], c.Prod(slope[i], root[i][j]))
		}
	}
	return out
}

// By returns the coefficients by x: coef' root⁻¹, from the last variable on. That of a variable
// without variance is 0.
func (l *Linearised) By(c *circuit.Circuit, root [][]circuit.Node) []circuit.Node {
	n := len(l.Coef)
	coef := make([]circuit.Node, n)
	for i := n - 1; i >= 0; i-- {
		sum := l.Coef[i]
		for k := i + 1; k < n; k++ {
			sum = c.Sub(sum, c.Prod(root[k][i], coef[k]))
		}
		coef[i] = c.Ratio(sum, root[i][i])
	}
	return coef
}

// Root returns the lower Cholesky factor of covariances. A variable without variance has a row and
// a column of zeros.
func Root(c *circuit.Circuit, cov func(i, j int) circuit.Node, n int) [][]circuit.Node {
	l := make([][]circuit.Node, n)
	for i := range n {
		l[i] = make([]circuit.Node, i+1)
		for j := range i + 1 {
			sum := cov(i, j)
			for k := range j {
				sum = c.Sub(sum, c.Prod(l[i][k], l[j][k]))
			}
			if i == j {
				l[i][i] = c.Sqrt(c.Max(sum, circuit.Zero))
			} else {
				l[i][j] = c.Ratio(sum, l[j][j])
			}
		}
	}
	return l
}

// Slopes adds the expression of d to c as Expression does, for a function without choices by
// states, and its derivatives by the parents at the given positions of the scope. Parents may be
// constants, or equal: the derivative is taken with a variable in the place of each.
func Slopes(c *circuit.Circuit, d *model.Func, value func(axis int) circuit.Node, by []int) (result, defined circuit.Node, slope []circuit.Node) {
	t := circuit.NewSigned()
	y, ok := Expression(t, d, func(axis int) circuit.Node { return t.Input(int32(axis)) }, nil)
	var wanted []circuit.Node
	for _, axis := range by {
		wanted = append(wanted, t.Input(int32(axis)))
	}
	slope = t.Derive(y, wanted, nil)
	uses := t.Uses(append([]circuit.Node{y, ok}, slope...))
	of := make([]circuit.Node, t.Len())
	for i := range of {
		n := circuit.Node(i)
		switch op := t.Op(n); {
		case uses[n] == 0:
		case op == circuit.Const:
			of[n] = c.Const(t.Value(n))
		case op == circuit.Input:
			of[n] = value(int(t.Leaf(n)))
		default:
			a, b := t.Args(n)
			if op.Unary() {
				b = a
			}
			of[n] = c.Apply(op, of[a], of[b])
		}
	}
	for i, n := range slope {
		slope[i] = of[n]
	}
	return of[y], of[ok], slope
}
