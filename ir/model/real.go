package model

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/diag"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Reals returns the real variables, in order.
func (m *Model) Reals() (list []VarID) {
	for _, v := range m.Vars {
		if m.IsReal(v.ID) {
			list = append(list, v.ID)
		}
	}
	return list
}

// SplitReal returns the discrete and the real variables of a list, each in its order.
func (m *Model) SplitReal(vars []VarID) (discrete, real []VarID) {
	for _, v := range vars {
		if m.IsReal(v) {
			real = append(real, v)
		} else {
			discrete = append(discrete, v)
		}
	}
	return discrete, real
}

// IDs returns all variables, in order.
func (m *Model) IDs() []VarID {
	list := make([]VarID, len(m.Vars))
	for i := range list {
		list[i] = VarID(i)
	}
	return list
}

// RealPlaces returns, by variable, its place among the real ones, or -1 for a discrete one.
func (m *Model) RealPlaces() []int {
	place := make([]int, len(m.Vars))
	n := 0
	for v := range place {
		if place[v] = -1; m.IsReal(VarID(v)) {
			place[v] = n
			n++
		}
	}
	return place
}

// JointParts returns the number of numbers that a joint posterior of n real variables, or a
// mixture, has for each joint state of discrete variables: the probability of the state, the mean
// of each real variable, and the lower triangle of their covariances, row by row. Tables hold one
// kind of number after the other.
func JointParts(n int) int { return 1 + n + n*(n+1)/2 }

// Normal is the distribution of a real variable given its parent in a forest: a normal distribution
// with mean Mean + Slope·x and variance Var, where x is the value of a real parent. Below a state
// or the root, Slope is 0.
type Normal struct{ Mean, Slope, Var float64 }

// LogDensity returns ln of the density of y when the parent has the value x.
func (n Normal) LogDensity(y, x float64) float64 {
	z := y - n.Mean - n.Slope*x
	return -.5 * (z*z/n.Var + pgmrt.Ln(2*math.Pi*n.Var))
}

// normals checks the distributions of real variables in an LDFM with the given number of rows.
func (c *checker) normals(f *Factor, d *LDFM, pos diag.Pos, rows int) {
	m, reals, at := c.m, c.m.Reals(), c.m.ForestOffsets()
	if len(d.Normals) != rows*len(reals) {
		c.Errorf(pos, "an LDFM with %d rows over %d real variables has %d normal distributions; want %d", rows, len(reals), len(d.Normals), rows*len(reals))
		return
	}
	for row := range rows {
		above := VarID(-1)
		if row > 0 {
			next, _ := slices.BinarySearch(at, row) // the first variable whose columns begin at this one or after it
			above = VarID(next - 1)
		}
		for i, x := range d.Normals[row*len(reals):][:len(reals)] {
			v := reals[i]
			switch {
			case v == above:
				if x != (Normal{}) {
					c.Errorf(c.rowPos(f, row), "real variable %q has a normal distribution below itself; want zeros", m.Vars[v].Name)
					return
				}
			case !(math.Abs(x.Mean) <= MaxReal) || !(math.Abs(x.Slope) <= MaxReal) || !(x.Var >= 1/MaxReal && x.Var <= MaxReal):
				c.Errorf(c.rowPos(f, row), "real variable %q has mean %v, slope %v and variance %v in row %d of an LDFM; want %g at most in size, and a variance from %g to %g",
					m.Vars[v].Name, x.Mean, x.Slope, x.Var, row, MaxReal, 1/MaxReal, MaxReal)
				return
			case x.Slope != 0 && (above < 0 || !m.IsReal(above)):
				c.Errorf(c.rowPos(f, row), "real variable %q has the slope %v in row %d of an LDFM, which is that of no real variable; want 0", m.Vars[v].Name, x.Slope, row)
				return
			}
		}
	}
}

// Densities multiplies the weights of edges to real variables, as set by Load, by the densities of
// their values. For each node, real is its place among the real variables of d, or -1 for a
// discrete one, and x its value, or 0. Densities divides the weights of edges to each node by the
// node's largest density, so that values far from all means do not underflow, and returns ln of the
// product of these divisors.
func (t *Spanning) Densities(d *LDFM, offsets, state, real []int, x []float64) (log float64) {
	n := t.N
	reals := len(d.Normals) / (1 + offsets[n])
	if t.logs == nil {
		t.logs = make([]float64, n)
	}
	for j, r := range real {
		if r < 0 {
			continue
		}
		root := d.Normals[r].LogDensity(x[j], 0)
		top := math.Inf(-1)
		if t.Root[j] > 0 {
			top = root
		}
		for i := range n {
			if t.Edge[i*n+j] > 0 {
				t.logs[i] = d.Normals[(1+offsets[i]+state[i])*reals+r].LogDensity(x[j], x[i])
				top = max(top, t.logs[i])
			}
		}
		if math.IsInf(top, -1) { // no edge leads to the node
			continue
		}
		log += top
		t.Root[j] *= math.Exp(root - top)
		for i := range n {
			if t.Edge[i*n+j] > 0 {
				t.Edge[i*n+j] *= math.Exp(t.logs[i] - top)
			}
		}
	}
	return log
}
