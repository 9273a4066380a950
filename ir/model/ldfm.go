package model

import (
	"math"

	"github.com/pgmc-go/pgmc/ir/diag"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// LDFM is the potential of a latent dependency forest model (Chu, Jiang and Tu 2017). The weight of
// a joint state is the sum, over the trees that span a root and all variables, of the products of
// the weights of their edges. The weight of an edge depends on the states at its ends. By the
// matrix-tree theorem this sum is a determinant. The partition function, the sum of the weights of
// all joint states, is #P-hard.
//
// Weights has one row for the root, then one for each state of each discrete variable and one for
// each real variable, by variable and state: the weights of edges to children. Each row has a
// column for each such state or real variable; the columns of the row's own variable are 0. Stop
// has one number per row, by which each node of the tree is multiplied in LDFM-S; it is nil in a
// plain LDFM. Each row sums to one, together with its stop weight.
//
// The weight of an edge to a real variable is the number in its column times the density of its
// value under a normal distribution. Normals has one for each row and real variable, row-major; the
// one of a variable below itself is zero. A real variable's value thus affects only the means of
// the others: the probability of an edge from it to a state does not depend on the value. A row
// still sums to one, over all columns and integrated over the values.
type LDFM struct {
	Weights []float64
	Stop    []float64
	Normals []Normal
}

// Kind returns "ldfm".
func (*LDFM) Kind() string { return "ldfm" }

// Numbers returns the weights, the stop weights, and the mean, slope and variance of each normal
// distribution, in a new slice.
func (d *LDFM) Numbers() []float64 {
	list := append(append(make([]float64, 0, d.Size()), d.Weights...), d.Stop...)
	for _, n := range d.Normals {
		list = append(list, n.Mean, n.Slope, n.Var)
	}
	return list
}

// Size returns the number of numbers.
func (d *LDFM) Size() int { return len(d.Weights) + len(d.Stop) + 3*len(d.Normals) }

// HasZeros returns true: edges between states of one variable have weight 0.
func (*LDFM) HasZeros() bool { return true }

// Work returns the cost of a determinant.
func (d *LDFM) Work(m *Model, f *Factor) int { return len(f.Scope) * len(f.Scope) * len(f.Scope) }

func (*LDFM) value(m *Model, _ *Factor, state []int) float64 {
	return math.Exp(m.ForestLogWeight(state, nil))
}

func (d *LDFM) logDensity(m *Model, _ *Factor, state []int, x []float64) float64 {
	return m.ForestLogWeight(state, x)
}

func (*LDFM) fits(cpd bool) bool { return !cpd }

func (d *LDFM) normalized(*Model, *Factor) Dist { return d }

// MaxForestStates is the largest number of columns of an LDFM, one per state of a discrete variable
// and one per real variable. The number of weights is about its square.
const MaxForestStates = 1 << 13

// forestRow is the largest difference from one of the sum of a row of an LDFM. It allows for
// printed digits and a thousand roundings.
const forestRow = 1e-6

// Forest returns the potential of a model of kind Forest.
func (m *Model) Forest() *LDFM { return m.Factors[0].Dist.(*LDFM) }

// ForestOffsets returns, by variable, the column of its first state in the rows of an LDFM over all
// variables, or the only column of a real variable. The last element is the number of columns.
func (m *Model) ForestOffsets() []int {
	at := make([]int, len(m.Vars)+1)
	for v := range m.Vars {
		at[v+1] = at[v] + m.Vars[v].Domain.Columns()
	}
	return at
}

// forest checks that the one factor is an LDFM over all variables in their order.
func (c *checker) forest() {
	m := c.m
	if len(m.Factors) != 1 {
		c.Errorf(c.at(diag.Pos{}), "a latent dependency forest model has %d factors; want one", len(m.Factors))
		return
	}
	f := m.Factors[0]
	if _, ok := f.Dist.(*LDFM); !ok {
		c.Errorf(c.at(f.Pos), "the potential of a latent dependency forest model is a %T; want an LDFM", f.Dist)
	}
}

// check always returns ok, since the rows of an LDFM are not rows of a CPD.
func (d *LDFM) check(c *checker, f *Factor, pos diag.Pos, what string) (rows [][]float64, ok bool) {
	c.ldfm(f, d, pos, what)
	return nil, true
}

// ldfm checks the weights of an LDFM.
func (c *checker) ldfm(f *Factor, d *LDFM, pos diag.Pos, what string) {
	m := c.m
	inOrder := m.Kind == Forest && len(f.Scope) == len(m.Vars) && len(f.Scope) > 0
	for i, v := range f.Scope {
		inOrder = inOrder && v == VarID(i)
	}
	if !inOrder {
		c.Errorf(pos, "%s is an LDFM; want that alone in a latent dependency forest model, with all variables in its scope in the order of their declaration", what)
		return
	}
	at := m.ForestOffsets()
	n := at[len(m.Vars)]
	if n > MaxForestStates {
		c.Errorf(pos, "the variables of an LDFM have %d states together, a real one counting as one; want at most %d", n, MaxForestStates)
		return
	}
	if len(d.Weights) != (1+n)*n || d.Stop != nil && len(d.Stop) != 1+n {
		c.Errorf(pos, "an LDFM over %d states has %d weights and %d stop weights; want %d, and none or %d", n, len(d.Weights), len(d.Stop), (1+n)*n, 1+n)
		return
	}
	c.numbers(pos, "an LDFM", d.Weights)
	c.numbers(pos, "an LDFM", d.Stop)
	for v := range m.Vars {
		for row := 1 + at[v]; row < 1+at[v+1]; row++ {
			for _, w := range d.Weights[row*n+at[v] : row*n+at[v+1]] {
				if w != 0 {
					c.Errorf(c.rowPos(f, row), "a state of %q has the weight %v for a state of the same variable; want 0", m.Vars[v].Name, w)
					return
				}
			}
		}
	}
	c.forestRows(f, d, n)
	c.normals(f, d, pos, 1+n)
}

// forestRows reports rows that do not sum to one. The row of a variable that is the only one has no
// weights to sum.
func (c *checker) forestRows(f *Factor, d *LDFM, n int) {
	for row := range 1 + n {
		sum := 0.0
		for _, w := range d.Weights[row*n : row*n+n] {
			sum += w
		}
		if d.Stop != nil {
			sum += d.Stop[row]
		}
		if math.Abs(sum-1) > forestRow && !(row > 0 && len(c.m.Vars) == 1 && d.Stop == nil) {
			c.Errorf(c.rowPos(f, row), "the weights of row %d of an LDFM, from 0 for the root, sum to %v; want 1", row, sum)
			return
		}
	}
}

// ForestLogWeight returns ln of the unnormalised weight of a joint state of a model of kind Forest.
// x holds the values of real variables by variable, and their states are 0; it may be nil if there
// are none.
func (m *Model) ForestLogWeight(state []int, x []float64) float64 {
	d, at := m.Forest(), m.ForestOffsets()
	t := NewSpanning(len(m.Vars))
	logw := t.Load(d, at, state)
	if len(d.Normals) > 0 {
		logw += t.Densities(d, at, state, m.RealPlaces(), x)
	}
	return logw + t.Factor()
}

// MostForestSum is the largest number of joint states over which [Model.ForestLogSum] enumerates.
const MostForestSum = 1 << 16

// ForestLogSum returns ln Z of a model of kind Forest, the sum of the weights of all joint states,
// by enumeration; ok is false if a variable is real or there are more than [MostForestSum] joint
// states. To compute Z is #P-hard.
func (m *Model) ForestLogSum() (logZ float64, ok bool) {
	scope := m.Factors[0].Scope
	if n, fits := m.TableSize(scope); len(m.Reals()) > 0 || !fits || n > MostForestSum {
		return 0, false
	}
	state, logs := make([]int, len(m.Vars)), []float64{}
	for more := true; more; more = m.Next(scope, state) {
		logs = append(logs, m.ForestLogWeight(state, nil))
	}
	return pgmrt.LogSum(logs), true
}

// Spanning computes the sum, over the trees that span a root and n nodes, of the products of the
// weights of their edges. It holds a factorisation of the matrix of the matrix-tree theorem (Tutte
// 1948) without subtractions, as Grassmann, Taksar and Heyman 1985 have for Markov chains: it
// eliminates nodes one by one and splices each edge that ends there to those that begin there.
// The sum of weights of any range therefore has full precision.
type Spanning struct {
	N    int
	Edge []float64 // edge weights from row to column, N per row; Factor overwrites it
	Root []float64 // edge weights from the root; Factor overwrites it

	weight, root []float64 // the weights before Factor
	pivot        []float64
	inverse      []float64
	logs         []float64 // see Densities
}

// NewSpanning returns a Spanning for n nodes.
func NewSpanning(n int) *Spanning {
	return &Spanning{N: n, Edge: make([]float64, n*n), Root: make([]float64, n), weight: make([]float64, n*n), root: make([]float64, n),
		pivot: make([]float64, n), inverse: make([]float64, n*n)}
}

// Load sets the weights to d's at a joint state, and returns ln of the product of the stop weights.
// Offsets are as in ForestOffsets.
func (t *Spanning) Load(d *LDFM, offsets, state []int) (stops float64) {
	n := t.N
	all := offsets[n]
	if d.Stop != nil {
		stops = pgmrt.Ln(d.Stop[0])
	}
	for i := range n {
		t.Root[i] = d.Weights[offsets[i]+state[i]]
		row := d.Weights[(1+offsets[i]+state[i])*all:][:all]
		for j := range n {
			t.Edge[i*n+j] = row[offsets[j]+state[j]]
		}
		t.Edge[i*n+i] = 0
		if d.Stop != nil {
			stops += pgmrt.Ln(d.Stop[1+offsets[i]+state[i]])
		}
	}
	return stops
}

// Factor eliminates the nodes and returns ln of the sum, or -Inf if no tree has a positive weight.
func (t *Spanning) Factor() float64 {
	n, e := t.N, t.Edge
	copy(t.weight, e)
	copy(t.root, t.Root)
	logw := 0.0
	for k := range n {
		d := t.Root[k]
		for i := k + 1; i < n; i++ {
			d += e[i*n+k]
		}
		t.pivot[k] = d
		if d == 0 {
			return math.Inf(-1)
		}
		logw += pgmrt.Ln(d)
		out := e[k*n+k+1 : k*n+n]
		splice(t.Root[k+1:], out, t.Root[k]/d)
		for i := k + 1; i < n; i++ {
			share := e[i*n+k] / d
			e[i*n+k] = share
			splice(e[i*n+k+1:i*n+n], out, share)
		}
	}
	return logw
}

// splice adds share times out to row. This may create an edge from a node to itself, which belongs
// to no tree and is never read.
func splice(row, out []float64, share float64) {
	if share == 0 {
		return
	}
	for j, w := range out {
		row[j] += share * w
	}
}

// Expectations computes the probability of each edge, the fraction of the sum in trees that contain
// it: root has edges from the root by node, edge those from row to column. It must follow a Factor
// with a finite result. With the inverse G of the matrix, the probabilities are w(0,j)·G(j,j) and
// w(i,j)·(G(j,j) - G(j,i)) (McDonald and Satta 2007).
func (t *Spanning) Expectations(root, edge []float64) {
	n := t.N
	t.invert()
	for j := range n {
		g := t.inverse[j*n : j*n+n]
		root[j] = t.root[j] * g[j]
		for i := range n {
			edge[i*n+j] = t.weight[i*n+j] * max(0, g[j]-g[i])
		}
	}
}

// invert solves for all columns at once: forward through the fractions, then back through the
// remaining edges. All terms are positive.
func (t *Spanning) invert() {
	n, e, g := t.N, t.Edge, t.inverse
	clear(g)
	for i := range n {
		row := g[i*n : i*n+n]
		row[i] = 1
		for k := range i {
			splice(row[:k+1], g[k*n:k*n+k+1], e[i*n+k])
		}
	}
	for k := n - 1; k >= 0; k-- {
		row := g[k*n : k*n+n]
		for j := k + 1; j < n; j++ {
			splice(row, g[j*n:j*n+n], e[k*n+j])
		}
		for c := range row {
			row[c] /= t.pivot[k]
		}
	}
}

func (d *LDFM) term(m *Model, f *Factor) Term {
	return &forestTerm{f, d, m.ForestOffsets(), NewSpanning(len(m.Vars))}
}

// forestTerm returns logarithms of a potential with weights that may exceed the range of a float64.
type forestTerm struct {
	f       *Factor
	d       *LDFM
	offsets []int
	tree    *Spanning
}

// Log returns ln of the sum over all spanning forests, by the determinant of a matrix.
func (t *forestTerm) Log(state []int) float64 {
	stops := t.tree.Load(t.d, t.offsets, state)
	return stops + t.tree.Factor()
}

// Flip evaluates the potential in each state of each variable.
func (t *forestTerm) Flip(state []int, flips [][]float64) { flipEach(t, t.f.Scope, state, flips) }
