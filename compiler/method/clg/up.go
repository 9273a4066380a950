package clg

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// form is a message: the product of rows over the variables of a separator and of
// exp(-(quad + logs)/2)/√det, as numbers of the plan.
type form struct {
	rows      []row
	quad      gauss.Number // the squares of rows without variables, divided by their variances
	logs      gauss.Number // logarithms of their variances, and ln 2π for each observed variable
	det       gauss.Number // the product of the other variances
	low, high float64      // bounds of ln det
	constraints
}

// row is a gauss.Row as numbers of the plan.
type row struct {
	on             []model.VarID
	coef           []gauss.Number
	mean, variance gauss.Number
	gauss.Bounds
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
	b.enter(g)
	for _, k := range g.buckets {
		b.eliminate(g, k)
	}
	if root := g.root(); len(g.context) == 0 {
		g.logs, g.gate = root.logs.Table, root.gate
	}
}

// entered holds numbers of the evidence on a variable.
type entered struct {
	unseen gauss.Number // 0 if the variable is observed, and else 1
	shift  gauss.Number // see shift; not of a variable whose reference depends on states
}

// enter plans the parts that are the same for all states: numbers of the evidence on the variables
// of g and their given parents, and the number of densities that counted adds up.
func (b *builder) enter(g *component) {
	c := gauss.NewCode()
	w := b.NewWriter(c, b.Temp("evidence on "+b.Set(g.vars), nil))
	count := circuit.Zero
	for _, k := range g.buckets {
		for _, v := range append(slices.Clone(k.parents), k.v) {
			if _, ok := b.entered[v]; ok {
				continue
			}
			x := entered{unseen: w.Write(c.Sub(circuit.One, b.seen(c, v)))}
			if len(b.references[v].scope) == 0 {
				x.shift = w.Write(b.shifted(c, v))
			}
			b.entered[v] = x
		}
		if counted(k) {
			count = c.Sum(count, b.seen(c, k.v))
		}
	}
	g.count = w.Write(c.Prod(c.Const(pgmrt.Ln(2*math.Pi)), count))
	w.Run()
}

// counted reports whether the CPD of k contributes a density if its variable is observed, and only
// then, in all states.
func counted(k *bucket) bool { return !k.cpd.Gaussian().HasZeros() && !k.solvable() }

// eliminate plans one bucket.
func (b *builder) eliminate(g *component, k *bucket) {
	c := gauss.NewCode()
	w := b.NewWriter(c, b.Temp(b.m.Vars[k.v].Name+" | "+b.Set(k.scope), k.context))
	cpd, raw := b.read(c, k)
	cpd.Mean = b.relative(c, k, cpd, raw)
	m := b.product(c, k)
	seen, unseen := b.seen(c, k.v), c.Read(b.entered[k.v].unseen)
	own, equations := b.equations(c, k)
	density := c.Sub(circuit.One, raw.function)
	solved := b.solve(c, k, own, c.Prod(unseen, density))
	changed, rows := solved.change(c, k, cpd, m.rows)
	known := c.Sum(seen, solved.solved)
	kept, rows, squares := gauss.Pull(c.Circuit, k.v, changed, rows, known, c.Sub(unseen, solved.solved), density)
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
	m.logs = c.Sum(m.logs, c.Log(solved.pivot))
	if !counted(k) {
		m.logs = c.Sum(m.logs, c.Prod(c.Const(pgmrt.Ln(2*math.Pi)), c.Prod(known, density)))
	}
	rows, more := b.fewer(c, k, rows)
	m.rows = rows
	m.settle(c, append(squares, more...))
	b.close(c, k, w, equations)
	for _, v := range k.scope {
		x := circuit.Zero
		if i := slices.Index(kept.On, v); i >= 0 {
			x = kept.Coef[i]
		}
		k.kept.coef = append(k.kept.coef, w.Write(x))
	}
	k.kept.mean, k.kept.variance = w.Write(kept.Mean), w.Write(kept.Var)
	if k != g.buckets[len(g.buckets)-1] {
		m.write(w, &k.form)
	} else {
		k.form.quad = w.Write(m.quad)
		k.form.logs = gauss.Part(b.Temp("ln density of "+b.Set(g.vars), k.context), 0)
		sum := c.Sum(c.Sum(m.quad, c.Sum(m.logs, c.Read(g.count))), c.Log(m.det))
		c.Write(k.form.logs.MapPart, c.Sub(c.Const(b.beside(g)), c.Prod(c.Const(.5), sum)))
	}
	w.Run()
}

// worthRotating is how many more buckets than variables of its separator must follow a bucket if
// rotations of its rows pay: to exchange a row of one variable takes a third of a rotation, and
// each bucket that follows exchanges it.
const worthRotating = 2

// fewer returns rows and squares with the same product as rows: at most one row for each variable
// of the separator of k, if there are more and that pays. Rotations have no derivative by
// coefficients that are 0, so that plans with derivatives keep all rows.
func (b *builder) fewer(c *gauss.Code, k *bucket, rows []*gauss.Row) ([]*gauss.Row, []gauss.Square) {
	follow := 0
	for p := k.parent; p != nil; p = p.parent {
		follow++
	}
	if len(rows) <= len(k.scope) || follow <= len(k.scope)+worthRotating || b.derivatives != nil {
		return rows, nil
	}
	next := []model.VarID{k.parent.v} // the next one to be eliminated comes first
	return gauss.Triangular(c.Circuit, rows, append(next, slices.DeleteFunc(slices.Clone(k.scope), func(v model.VarID) bool { return v == next[0] })...))
}

// message is a form as nodes of code.
type message struct {
	rows            []*gauss.Row
	quad, logs, det circuit.Node
	low, high       float64
}

// settle adds squares to quad and det.
func (m *message) settle(c *gauss.Code, squares []gauss.Square) {
	for _, x := range squares {
		m.quad = c.Sum(m.quad, x.Value)
		m.scale(c, x.Var, pgmrt.Ln(x.Low), pgmrt.Ln(x.High))
	}
}

// scale multiplies det by a factor with known bounds of its logarithm.
func (m *message) scale(c *gauss.Code, by circuit.Node, low, high float64) {
	switch {
	case low < -detRange || high > detRange:
		m.logs = c.Sum(m.logs, c.Log(by))
		return
	case m.low+low < -detRange || m.high+high > detRange:
		m.logs, m.det, m.low, m.high = c.Sum(m.logs, c.Log(m.det)), circuit.One, 0, 0
	}
	m.det, m.low, m.high = c.Prod(m.det, by), m.low+low, m.high+high
}

// write stores the message in a form.
func (m *message) write(w *gauss.Writer, f *form) {
	for _, r := range m.rows {
		x := row{on: r.On, Bounds: r.Bounds}
		for _, n := range r.Coef {
			x.coef = append(x.coef, w.Write(n))
		}
		x.mean, x.variance = w.Write(r.Mean), w.Write(r.Var)
		f.rows = append(f.rows, x)
	}
	f.quad, f.logs, f.det, f.low, f.high = w.Write(m.quad), w.Write(m.logs), w.Write(m.det), m.low, m.high
}

// beside returns ln of the factor that belongs to no CPD. The first component has it.
func (b *builder) beside(g *component) float64 {
	if g == b.components[0] {
		return b.constant
	}
	return 0
}

// relative returns the constant of the CPD of k, relative to references and observed values.
func (b *builder) relative(c *gauss.Code, k *bucket, cpd *gauss.Row, raw *numbers) circuit.Node {
	mean := cpd.Mean
	for i, u := range k.parents {
		mean = c.Sum(mean, c.Prod(raw.coef[i], b.shift(c, u)))
	}
	return c.Sub(mean, b.shift(c, k.v))
}

// shift returns what numbers of an observed or measured variable are relative to besides its
// reference: its value less the reference, and 0 if it is not observed.
func (b *builder) shift(c *gauss.Code, v model.VarID) circuit.Node {
	if len(b.references[v].scope) == 0 {
		return c.Read(b.entered[v].shift)
	}
	return b.shifted(c, v)
}

// shifted is shift from the evidence itself.
func (b *builder) shifted(c *gauss.Code, v model.VarID) circuit.Node {
	at, rest := b.reference(c, v)
	placed := b.placed(c, v)
	return c.Sub(c.Sub(b.value(c, v), c.Prod(placed, at)), c.Prod(placed, rest))
}

// signed reports whether the plan is for a signature, which has known evidence.
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
// they are relative to its reference.
func (b *builder) placed(c *gauss.Code, v model.VarID) circuit.Node {
	if b.measures(v) {
		return c.Read(gauss.Part(b.evidence(v), 3))
	}
	return b.seen(c, v)
}

// measured returns the row of a measurement of v, relative to the measured value, and its
// precision: the row of 1 and 1 if there is none.
func (b *builder) measured(c *gauss.Code, v model.VarID) (*gauss.Row, circuit.Node) {
	precision := c.Read(gauss.Part(b.evidence(v), 2))
	is := gauss.Positive(c.Circuit, precision)
	none := c.Sub(circuit.One, is)
	r := gauss.Regression{On: []model.VarID{v}, Coef: []circuit.Node{c.Prod(is, c.Read(b.entered[v].unseen))}, Var: c.Sum(c.Ratio(circuit.One, precision), none)}
	return gauss.NewRow(r, gauss.Bounds{Low: 0, High: math.Inf(1), Most: []float64{1}}), c.Sum(precision, none)
}

// product returns the product of the messages to a bucket. The loader of the evidence adds the
// logarithm of the density of a measurement at its value, so that its precision enters here.
func (b *builder) product(c *gauss.Code, k *bucket) *message {
	m := &message{det: circuit.One}
	if b.measures(k.v) {
		r, precision := b.measured(c, k.v)
		m.rows, m.logs = append(m.rows, r), c.Log(precision)
	}
	for _, kid := range k.kids {
		f := &kid.form
		for _, x := range f.rows {
			r := gauss.Regression{On: x.on, Mean: c.Read(x.mean), Var: c.Read(x.variance)}
			for _, n := range x.coef {
				r.Coef = append(r.Coef, c.Read(n))
			}
			m.rows = append(m.rows, gauss.NewRow(r, x.Bounds))
		}
		m.quad, m.logs = c.Sum(m.quad, c.Read(f.quad)), c.Sum(m.logs, c.Read(f.logs))
		m.scale(c, c.Read(f.det), f.low, f.high)
	}
	return m
}

// numbers holds numbers of a CPD as they are in the model, for constraints and given parents.
type numbers struct {
	mean     circuit.Node   // if function is not 0
	coef     []circuit.Node // of all real parents
	function circuit.Node   // 1 if the variance is 0
}

// read returns the CPD of a bucket. Means are relative to the references, and coefficients of
// observed parents, which are 0, are 0. The numbers of the model are constants if there is one row,
// and else parts of a table over the discrete parents.
func (b *builder) read(c *gauss.Code, k *bucket) (*gauss.Row, *numbers) {
	if b.p.Params == ir.Var {
		return b.replaceable(c, k)
	}
	d := k.cpd.Gaussian()
	n, rows := len(k.parents), len(d.Mean)
	columns := make([][]float64, 4+n) // variance, precision, function, raw mean, coefficients
	for r := range rows {
		mean, coef, variance := d.Row(r)
		precision, function := 0.0, 1.0
		if variance > 0 {
			precision, function = 1/variance, 0
		}
		for i, x := range append([]float64{variance, precision, function, mean}, coef...) {
			columns[i] = append(columns[i], x)
		}
	}
	table := gauss.NewColumns(b.S, b.m.FactorName(k.cpd), k.own)
	raw := &numbers{function: table.Read(c, columns[2])}
	cpd := gauss.Regression{On: k.random, Mean: b.offset(c, k), Var: table.Read(c, columns[0])}
	for i, u := range k.parents {
		x := table.Read(c, columns[4+i])
		raw.coef = append(raw.coef, x)
		if !b.m.Vars[u].Given {
			cpd.Coef = append(cpd.Coef, c.Prod(x, c.Read(b.entered[u].unseen)))
		}
	}
	if raw.function != circuit.Zero {
		raw.mean = table.Read(c, columns[3])
	}
	return &gauss.Row{Regression: cpd, Bounds: b.bounds(k), Precision: table.Read(c, columns[1])}, raw
}

// bounds returns bounds of the numbers of a CPD. The least variance leaves out rows of variance 0,
// which are no densities.
func (b *builder) bounds(k *bucket) gauss.Bounds {
	if b.p.Params == ir.Var {
		return gauss.Bounds{Low: 0, High: math.Inf(1), Most: slices.Repeat([]float64{math.Inf(1)}, len(k.random))}
	}
	d := k.cpd.Gaussian()
	out := gauss.Bounds{Low: math.Inf(1), Most: make([]float64, len(k.random))}
	for r := range d.Mean {
		_, coef, variance := d.Row(r)
		if out.High = max(out.High, variance); variance > 0 {
			out.Low = min(out.Low, variance)
		}
		for i, u := range k.parents {
			if at := slices.Index(k.random, u); at >= 0 {
				out.Most[at] = max(out.Most[at], math.Abs(coef[i]))
			}
		}
	}
	out.Noise = out.Low
	return out
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

// solvable reports whether an equation may determine the variable of k.
func (k *bucket) solvable() bool {
	return slices.ContainsFunc(k.kids, func(kid *bucket) bool { return kid.functions })
}
