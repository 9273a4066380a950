package gauss

import "github.com/pgmc-go/pgmc/ir/circuit"

// Tilted holds the integrals of a function f of normal variables x = mean + root·z over the density
// of the independent standard normal variables z.
type Tilted struct {
	Sum    circuit.Node     // of f
	Mean   []circuit.Node   // of f times z
	Second [][]circuit.Node // of f times z z', the lower triangle
}

// Tilt returns the integrals of a function, as sums over points.
func Tilt(c *circuit.Circuit, points []Point, mean func(i int) circuit.Node, root [][]circuit.Node, f func(x []circuit.Node) circuit.Node) *Tilted {
	n := len(root)
	t := &Tilted{Mean: make([]circuit.Node, n), Second: make([][]circuit.Node, n)}
	for i := range n {
		t.Second[i] = make([]circuit.Node, i+1)
	}
	for _, q := range points {
		x := make([]circuit.Node, n)
		for i := range n {
			x[i] = mean(i)
			for j := range i + 1 {
				x[i] = c.Sum(x[i], c.Prod(root[i][j], c.Const(q.Z[j])))
			}
		}
		w := c.Prod(c.Const(q.Weight), f(x))
		t.Sum = c.Sum(t.Sum, w)
		for i := range n {
			wz := c.Prod(w, c.Const(q.Z[i]))
			t.Mean[i] = c.Sum(t.Mean[i], wz)
			for j := range i + 1 {
				t.Second[i][j] = c.Sum(t.Second[i][j], c.Prod(wz, c.Const(q.Z[j])))
			}
		}
	}
	return t
}

// Moments returns the means and covariances of z under its density times f, given the integral of f
// or another number in place of 0.
func (t *Tilted) Moments(c *circuit.Circuit, sum circuit.Node) (mean []circuit.Node, cov [][]circuit.Node) {
	for i := range t.Mean {
		mean = append(mean, c.Quot(t.Mean[i], sum))
		var row []circuit.Node
		for j := range i + 1 {
			row = append(row, c.Sub(c.Quot(t.Second[i][j], sum), c.Prod(mean[i], mean[j])))
		}
		cov = append(cov, row)
	}
	return mean, cov
}

// SoftmaxOf returns the probability of the state for which is has 1, given the logarithms of the
// weights of all states.
func SoftmaxOf(c *circuit.Circuit, is, score []circuit.Node) circuit.Node {
	own := circuit.Zero
	for state := range score {
		own = c.Sum(own, c.Prod(is[state], score[state]))
	}
	all := circuit.Zero
	for state := range score {
		all = c.Sum(all, c.Exp(c.Min(c.Sub(score[state], own), c.Const(mostScore))))
	}
	return c.Quot(circuit.One, all)
}

// mostScore bounds differences of scores, so that no exponential overflows.
const mostScore = 600

// PolarRadii is the number of distances of the default rule in two dimensions.
const PolarRadii = 12

// AutomaticPoints returns the default rule in n dimensions, for code of some operations at each
// point.
func AutomaticPoints(n, ops int) []Point {
	switch {
	case n == 0:
		return []Point{{Weight: 1}}
	case n > 3:
		return Precision5Points(n)
	case n == 2 && 2*PolarRadii*PolarRadii*ops <= MaxPointsCode:
		return PolarPoints(PolarRadii)
	}
	return GridPoints(n, HermitePoints(n))
}

// HermitePoints returns the default number of points of a Gauss-Hermite rule in each of n
// dimensions.
func HermitePoints(n int) int { return [...]int{31, 11, 5}[min(n, 3)-1] }

// Tilt multiplies the density of x by a function f of linear combinations of its variables, with
// the coefficients of by and the added constants at. It returns the integral of the product, and
// the moments become those of the normal distribution with the means and covariances of the
// product.
func (x *Filtered) Tilt(points []Point, on []int, by [][]circuit.Node, at []circuit.Node, f func(z []circuit.Node) circuit.Node) circuit.Node {
	c, n := x.Circuit, len(by)
	mean, cov := make([]circuit.Node, n), make([][]circuit.Node, n) // of the combinations
	slope := make([][]circuit.Node, len(x.Scope))                   // of variables on the combinations
	for v := range x.Scope {
		slope[v] = make([]circuit.Node, n)
		for i := range n {
			for k, u := range on {
				slope[v][i] = c.Sum(slope[v][i], c.Prod(by[i][k], x.Between(x.Scope[v], x.Scope[u])))
			}
		}
	}
	for i := range n {
		mean[i], cov[i] = at[i], make([]circuit.Node, n)
		for k, u := range on {
			mean[i] = c.Sum(mean[i], c.Prod(by[i][k], x.Mean[u]))
			for j := range n {
				cov[i][j] = c.Sum(cov[i][j], c.Prod(by[i][k], slope[u][j]))
			}
		}
	}
	root := Root(c, func(i, j int) circuit.Node { return cov[i][j] }, n)
	for v := range slope { // now on z
		for i := range n {
			for j := range i {
				slope[v][i] = c.Sub(slope[v][i], c.Prod(root[i][j], slope[v][j]))
			}
			slope[v][i] = c.Ratio(slope[v][i], root[i][i])
		}
	}
	t := Tilt(c, points, func(i int) circuit.Node { return mean[i] }, root, f)
	to, second := t.Moments(c, Or(c, Positive(c, t.Sum), t.Sum, circuit.One))
	for i := range n {
		second[i][i] = c.Sub(second[i][i], circuit.One)
	}
	x.move(slope, to, second)
	return t.Sum
}

// move adds to the moments what a change of the moments of z makes of them: slope holds the
// regression of each variable on z.
func (x *Filtered) move(slope [][]circuit.Node, mean []circuit.Node, cov [][]circuit.Node) {
	c := x.Circuit
	out := &Moments{Scope: x.Scope}
	for v := range x.Scope {
		m := x.Mean[v]
		var row []circuit.Node
		for i := range mean {
			m = c.Sum(m, c.Prod(slope[v][i], mean[i]))
		}
		for w := range v + 1 {
			sum := x.Between(x.Scope[v], x.Scope[w])
			for i := range mean {
				for j := range mean {
					sum = c.Sum(sum, c.Prod(slope[v][i], c.Prod(cov[max(i, j)][min(i, j)], slope[w][j])))
				}
			}
			row = append(row, sum)
		}
		out.Mean, out.Cov = append(out.Mean, m), append(out.Cov, row)
	}
	if x.factors != nil {
		out = out.Factor(c, x.factors.exact)
	}
	x.Moments = out
}
