package clg

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// form is a message: exp(quad/2 + h·x - x'kx/2)/sqrt(det) of the real variables of a separator, as
// numbers of the plan.
type form struct {
	own       gauss.Number     // what the variable itself adds to quad; if there is a query for maxima
	k         [][]gauss.Number // the lower triangle
	h         []gauss.Number
	quad, det gauss.Number
	lo, hi    float64   // bounds on ln det
	most      []float64 // bounds on the diagonal of k
	constraints
}

// regression is the distribution of a variable given its separator, as numbers of the plan.
type regression struct {
	coef           []gauss.Number
	mean, variance gauss.Number
}

// detRange is the largest absolute value of ln det: far from overflow, so that one logarithm
// serves many variables.
const detRange = 500

// up plans the elimination of a component.
func (b *builder) up(g *component) {
	centre := centres(b.m)
	for _, k := range g.buckets {
		b.eliminate(g, k, centre)
	}
	if root := g.root(); len(g.context) == 0 {
		g.logs, g.gate = root.quad.Table, root.gate
	}
}

// eliminate plans one bucket.
func (b *builder) eliminate(g *component, k *bucket, centre []float64) {
	c := gauss.NewCode()
	w := b.NewWriter(c, b.Temp(b.m.Vars[k.v].Name+" | "+b.Set(k.scope), k.context))
	cpd, raw := b.read(c, k, centre)
	cpd.Mean = b.relative(c, k, cpd, raw, centre)
	rest, det := b.product(c, k)
	quad := rest.Quad
	rest.Quad = circuit.Zero
	seen, unseen := b.seen(c, k.v), c.Sub(circuit.One, b.seen(c, k.v))
	own, equations := b.equations(c, k)
	solved := b.solve(c, k, own, c.Prod(unseen, c.Sub(circuit.One, raw.function)))
	changed, rest := solved.change(c, k, cpd, rest)
	kept, out, factor := gauss.Pull(c.Circuit, k.v, changed, rest, c.Sum(seen, solved.solved))
	solved.undo(c, kept)
	function := c.Prod(unseen, raw.function)
	defined := b.define(c, solved, cpd, function)
	if b.derivatives != nil {
		defined = defined.replace(c, kept, c.Prod(c.Sub(circuit.One, solved.solved), c.Sub(circuit.One, function)))
	}
	equations = append(equations, defined.rewrite(c, k, own)...)
	if raw.function != circuit.Zero {
		equations = append(equations, b.equation(c, k, cpd, raw))
	}
	quad = c.Sub(c.Sum(quad, out.Quad), c.Log(solved.pivot))
	f := &k.form
	if b.p.Asks(ir.MPE) {
		f.own = w.Write(out.Quad)
	}
	if b.p.Params == ir.Const {
		b.bound(k)
	}
	b.close(c, k, w, equations)
	lo, hi := b.detBounds(k)
	if f.lo+lo < -detRange || f.hi+hi > detRange {
		quad, det, f.lo, f.hi = c.Sub(quad, c.Log(det)), circuit.One, 0, 0
	}
	f.lo, f.hi, det = f.lo+lo, f.hi+hi, c.Prod(det, factor)
	for _, x := range kept.Coef {
		k.kept.coef = append(k.kept.coef, w.Write(x))
	}
	k.kept.mean, k.kept.variance = w.Write(kept.Mean), w.Write(kept.Var)
	if k == g.buckets[len(g.buckets)-1] {
		t := b.Temp("ln density of "+b.Set(g.vars), k.context)
		f.quad = gauss.Part(t, 0)
		c.Write(f.quad.MapPart, c.Sum(c.Const(b.beside(g)), c.Prod(c.Const(.5), c.Sub(quad, c.Log(det)))))
	} else {
		for i := range out.K {
			var row []gauss.Number
			for _, x := range out.K[i] {
				row = append(row, w.Write(x))
			}
			f.k, f.h = append(f.k, row), append(f.h, w.Write(out.H[i]))
		}
		f.quad, f.det = w.Write(quad), w.Write(det)
	}
	w.Run()
}

// beside returns ln of the factor that belongs to no CPD. The first component has it.
func (b *builder) beside(g *component) float64 {
	if g == b.components[0] {
		return b.constant
	}
	return 0
}

// relative returns the constant of the CPD of k, relative to centres and observed values.
func (b *builder) relative(c *gauss.Code, k *bucket, cpd *gauss.CPD, raw *row, centre []float64) circuit.Node {
	mean := cpd.Mean
	for i, u := range k.parents {
		mean = c.Sum(mean, c.Prod(raw.coef[i], b.shift(c, u, centre)))
	}
	return c.Sub(mean, b.shift(c, k.v, centre))
}

// shift returns what numbers of an observed or measured variable are relative to besides its
// centre: its value less the centre, and 0 if it is not observed.
func (b *builder) shift(c *gauss.Code, v model.VarID, centre []float64) circuit.Node {
	return c.Sub(b.value(c, v), c.Prod(b.placed(c, v), c.Const(centre[v])))
}

// signed reports whether the plan is that of a signature, whose evidence is known.
func (b *builder) signed() bool { return b.known != nil }

// seen returns 1 if v is observed, and 0 if not.
func (b *builder) seen(c *gauss.Code, v model.VarID) circuit.Node {
	switch {
	case !b.signed():
		return c.Read(gauss.Part(b.evidence(v), 0))
	case slices.Contains(b.known, v):
		return circuit.One
	}
	return circuit.Zero
}

// value returns the observed or measured value of v, and 0 if there is none.
func (b *builder) value(c *gauss.Code, v model.VarID) circuit.Node {
	if b.signed() && !slices.Contains(b.known, v) {
		return circuit.Zero
	}
	return c.Read(gauss.Part(b.evidence(v), 1))
}

// measures reports whether the evidence on v may be a measurement.
func (b *builder) measures(v model.VarID) bool {
	return b.p.Measurements && b.m.IsReal(v) && !b.m.Vars[v].Given
}

// placed returns 1 if numbers of v are relative to its value or to a measurement of it, and 0 if
// they are relative to its centre.
func (b *builder) placed(c *gauss.Code, v model.VarID) circuit.Node {
	if b.measures(v) {
		return c.Read(gauss.Part(b.evidence(v), 3))
	}
	return b.seen(c, v)
}

// place returns what the moments of v are relative to: its value, a measurement, or its centre.
func (b *builder) place(c *gauss.Code, v model.VarID, centre float64) circuit.Node {
	value := b.value(c, v)
	if b.m.Vars[v].Given {
		return value
	}
	return c.Sum(c.Prod(c.Sub(circuit.One, b.placed(c, v)), c.Const(centre)), value)
}

// measured returns the form of a measurement of v, relative to what it found: only the precision
// counts. The loader of the evidence adds the logarithm of its density there.
func (b *builder) measured(c *gauss.Code, v model.VarID) *gauss.Form {
	f := gauss.NewForm([]model.VarID{v})
	f.K[0][0] = c.Read(gauss.Part(b.evidence(v), 2))
	return f
}

// product returns the product of the messages to a bucket, without the determinants, and the
// product of these. It adds their bounds to those of the bucket's own message.
func (b *builder) product(c *gauss.Code, k *bucket) (rest *gauss.Form, det circuit.Node) {
	forms := []*gauss.Form{gauss.NewForm(nil)}
	if b.measures(k.v) {
		forms[0], k.measured = b.measured(c, k.v), true
	}
	det = circuit.One
	for _, kid := range k.kids {
		m := &kid.form
		f := gauss.NewForm(kid.scope)
		for i := range m.k {
			for j, x := range m.k[i] {
				f.K[i][j] = c.Read(x)
			}
			f.H[i] = c.Read(m.h[i])
		}
		f.Quad = c.Read(m.quad)
		if k.form.lo+m.lo < -detRange || k.form.hi+m.hi > detRange {
			f.Quad = c.Sub(f.Quad, c.Log(det))
			det, k.form.lo, k.form.hi = circuit.One, 0, 0
		}
		det = c.Prod(det, c.Read(m.det))
		k.form.lo, k.form.hi = k.form.lo+m.lo, k.form.hi+m.hi
		forms = append(forms, f)
	}
	return gauss.Product(c.Circuit, forms), det
}

// row holds the numbers of a CPD as they are in the model, for constraints and given parents.
type row struct {
	mean     circuit.Node   // if function is not 0
	coef     []circuit.Node // of all real parents
	function circuit.Node   // 1 if the variance is 0
}

// read returns the CPD of a bucket. Means are relative to the centres. The numbers are constants if
// there is one row, and else parts of a table over the discrete parents.
func (b *builder) read(c *gauss.Code, k *bucket, centre []float64) (*gauss.CPD, *row) {
	if b.p.Params == ir.Var {
		return b.replaceable(c, k, centre)
	}
	d := k.cpd.Gaussian()
	n, rows := len(k.parents), len(d.Mean)
	columns := make([][]float64, 6+n) // mean, variance, precision, scale, function, raw mean, coefficients
	for r := range rows {
		mean, coef, variance := d.Row(r)
		at := mean - centre[k.v]
		for i, u := range k.parents {
			at += float64(coef[i] * centre[u])
		}
		precision, scale, function := 0.0, 1.0, 1.0
		if variance > 0 {
			precision, scale, function = 1/variance, 2*math.Pi*variance, 0
		}
		if rows == 1 {
			at = 0 // the centre is the mean
		}
		for i, x := range append([]float64{at, variance, precision, scale, function, mean}, coef...) {
			columns[i] = append(columns[i], x)
		}
	}
	table := ir.NoTable
	column := func(i int) circuit.Node {
		x := columns[i]
		if same(x) {
			return c.Const(x[0])
		}
		if table == ir.NoTable {
			table = b.Add(ir.Table{Name: b.m.FactorName(k.cpd), Scope: k.own, Role: ir.RoleLogs, Var: -1})
		}
		t := &b.S.Tables[table]
		t.Parts++
		t.Data = append(t.Data, x...)
		return c.Read(gauss.Part(table, t.Parts-1))
	}
	cpd := &gauss.CPD{Regression: gauss.Regression{On: k.random, Mean: column(0), Var: column(1)}, Precision: column(2), Scale: column(3)}
	raw := &row{function: column(4)}
	for i, u := range k.parents {
		x := column(6 + i)
		raw.coef = append(raw.coef, x)
		if !b.m.Vars[u].Given {
			cpd.Coef = append(cpd.Coef, x)
		}
	}
	if raw.function != circuit.Zero {
		raw.mean = column(5)
	}
	return cpd, raw
}

// same reports whether all numbers of x are equal.
func same(x []float64) bool {
	for _, y := range x {
		if y != x[0] {
			return false
		}
	}
	return true
}

// bound bounds the diagonal of the message of k: a parent is at most as precise as its observed
// children make it.
func (b *builder) bound(k *bucket) {
	d := k.cpd.Gaussian()
	for _, u := range k.scope {
		most := 0.0
		for _, kid := range k.kids {
			most += kid.form.bound(kid, u)
		}
		for i, p := range k.parents {
			if p != u {
				continue
			}
			add := 0.0
			for r := range d.Mean {
				_, coef, variance := d.Row(r)
				precision := k.precision()
				if variance > 0 {
					precision = min(1/variance, 1e300)
				}
				add = max(add, coef[i]*coef[i]*precision)
			}
			most += add
		}
		if k.solvable() {
			most = 1e300
		}
		k.form.most = append(k.form.most, most)
	}
}

// solvable reports whether an equation may determine the variable of k.
func (k *bucket) solvable() bool {
	return slices.ContainsFunc(k.kids, func(kid *bucket) bool {
		return slices.ContainsFunc(kid.form.open, func(x constraint) bool { return slices.Contains(x.scope, k.v) })
	})
}

// bound returns the bound on the diagonal of f, the message of k, at a variable.
func (f *form) bound(k *bucket, v model.VarID) float64 {
	for i, u := range k.scope {
		if u == v {
			return f.most[i]
		}
	}
	return 0
}

// precision bounds the precision that messages give the variable of k.
func (k *bucket) precision() float64 {
	sum := 0.0
	if k.measured {
		sum = model.MaxReal
	}
	for _, kid := range k.kids {
		sum += kid.form.bound(kid, k.v)
	}
	return sum
}

// detBounds bounds ln of the factor of det that the elimination of k's variable contributes. There
// is no bound if parameters can be replaced.
func (b *builder) detBounds(k *bucket) (lo, hi float64) {
	if b.p.Params == ir.Var {
		return -2 * detRange, 2 * detRange
	}
	for _, variance := range k.cpd.Gaussian().Var {
		hi = max(hi, math.Log1p(variance*k.precision()))
		if variance > 0 {
			scale := math.Log(2 * math.Pi * variance)
			lo, hi = min(lo, scale), max(hi, scale)
		}
	}
	return lo, min(hi, 2*detRange)
}
