package ep

import (
	"math"

	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// units sets centres and scales: approximate prior means and standard deviations, with correlations
// left out. They are units, and no answer depends on them but by rounding.
func (b *builder) units() {
	m := b.Model
	b.centre, b.scale = make([]float64, len(m.Vars)), make([]float64, len(m.Vars))
	for v := range b.scale {
		b.scale[v] = 1
	}
	if len(m.Reals()) == 0 {
		return
	}
	for _, v := range m.Topological() {
		if !b.real(v) {
			continue
		}
		f := m.CPD(v)
		discrete, parents := m.SplitParents(f)
		state := make([]int, len(m.Vars))
		var mean, spread, n float64
		for row, more := 0, true; more; row, more = row+1, m.Next(discrete, state) {
			x, variance := b.prior(f, row, state, parents)
			n++
			step := x - mean
			mean += step / n
			spread += step*(x-mean) + variance
		}
		b.centre[v] = mean
		if s := math.Sqrt(spread / n); s > 0 && !math.IsInf(s, 0) {
			b.scale[v] = s
		}
	}
}

// prior returns the mean and the variance of the child of f in a row, if the parents are normal and
// independent. An expression is replaced by its difference over two standard deviations.
func (b *builder) prior(f *model.Factor, row int, state []int, parents []model.VarID) (mean, variance float64) {
	if d := f.Gaussian(); d != nil {
		mean, coef, variance := d.Row(row)
		for i, u := range parents {
			mean += coef[i] * b.centre[u]
			if b.real(u) {
				variance += coef[i] * coef[i] * b.scale[u] * b.scale[u]
			}
		}
		return mean, variance
	}
	d := f.Dist.(*model.Func)
	x, buf := make([]float64, len(b.Model.Vars)), make([]float64, len(d.Nodes))
	copy(x, b.centre)
	finite := func(y float64) float64 {
		if math.IsNaN(y) || math.Abs(y) > model.MaxReal {
			return 0
		}
		return y
	}
	mean, variance = finite(d.Eval(f, state, x, buf)), d.Var[row]
	for _, u := range parents {
		if !b.real(u) {
			continue
		}
		x[u] = b.centre[u] + b.scale[u]
		hi := finite(d.Eval(f, state, x, buf))
		x[u] = b.centre[u] - b.scale[u]
		lo := finite(d.Eval(f, state, x, buf))
		x[u] = b.centre[u]
		// The curvature matters where the slope is 0.
		slope, bend := (hi-lo)/2, (hi+lo)/2-mean
		variance += slope*slope + bend*bend
	}
	return mean, variance
}

// seen returns 1 if a real variable is observed, and else 0.
func (b *builder) seen(c *gauss.Code, v model.VarID) circuit.Node {
	if b.Lambda[v] == ir.NoTable {
		return circuit.Zero
	}
	return c.Read(gauss.Part(b.Lambda[v], 0))
}

// hidden returns 1 if a real variable is not observed, and else 0. A given one is never hidden.
func (b *builder) hidden(c *gauss.Code, v model.VarID) circuit.Node {
	if !b.real(v) {
		return circuit.Zero
	}
	return c.Sub(circuit.One, b.seen(c, v))
}

// shift returns the reference of a real variable less its centre: the observed value less the
// centre, and 0 if it is not observed.
func (b *builder) shift(c *gauss.Code, v model.VarID) circuit.Node {
	if b.Lambda[v] == ir.NoTable {
		return circuit.Zero
	}
	return c.Sub(c.Read(gauss.Part(b.Lambda[v], 1)), c.Prod(b.seen(c, v), c.Const(b.centre[v])))
}

// reference returns what numbers of a real variable are relative to.
func (b *builder) reference(c *gauss.Code, v model.VarID) circuit.Node {
	if b.Lambda[v] == ir.NoTable {
		return c.Const(b.centre[v])
	}
	return c.Sum(c.Prod(c.Sub(circuit.One, b.seen(c, v)), c.Const(b.centre[v])), c.Read(gauss.Part(b.Lambda[v], 1)))
}

// columns adds constants to a plan: numbers by row of a table over some discrete variables.
type columns struct {
	b     *builder
	name  string
	scope []model.VarID
	table ir.TableID
}

func (b *builder) columns(name string, scope []model.VarID) *columns {
	return &columns{b, name, scope, ir.NoTable}
}

// read returns a column, which is a constant if all its numbers are equal.
func (k *columns) read(c *gauss.Code, x []float64) circuit.Node {
	same := true
	for _, y := range x {
		same = same && y == x[0]
	}
	if same {
		return c.Const(x[0])
	}
	if k.table == ir.NoTable {
		k.table = k.b.Add(ir.Table{Name: k.name, Scope: k.scope, Role: ir.RoleLogs, Var: -1})
	}
	t := &k.b.Schedule.Tables[k.table]
	t.Parts++
	t.Data = append(t.Data, x...)
	return c.Read(gauss.Part(k.table, t.Parts-1))
}
