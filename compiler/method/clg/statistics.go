package clg

import (
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// replaceable is read for parameters that callers may replace: the columns of
// model.Gaussian.Columns. A variance that is 0 in the model stays 0, and others must be positive.
func (b *builder) replaceable(c *gauss.Code, k *bucket) (*gauss.Row, *numbers) {
	n := len(k.parents)
	t, ok := b.params[b.factor(k)]
	if !ok {
		t = b.Add(ir.Table{Name: b.m.FactorName(k.cpd), Scope: k.own, Role: ir.RoleSigned, Var: -1, Factor: b.factor(k), Parts: n + 2, Data: k.cpd.Gaussian().Columns()})
		b.params[b.factor(k)] = t
	}
	own, _ := b.reference(c, k.v)
	cpd := gauss.Regression{On: k.random, Mean: c.Sub(c.Read(gauss.Part(t, 0)), own), Var: c.Read(gauss.Part(t, n+1))}
	raw := &numbers{function: b.functions(c, k)}
	for i, u := range k.parents {
		x := c.Read(gauss.Part(t, 1+i))
		at, _ := b.reference(c, u)
		cpd.Mean = c.Sum(cpd.Mean, c.Prod(x, at))
		raw.coef = append(raw.coef, x)
		if !b.m.Vars[u].Given {
			cpd.Coef = append(cpd.Coef, c.Prod(x, c.Read(b.entered[u].unseen)))
		}
	}
	if raw.function != circuit.Zero {
		raw.mean = c.Read(gauss.Part(t, 0))
	}
	precision := c.Quot(c.Sub(circuit.One, raw.function), c.Sum(cpd.Var, raw.function))
	return &gauss.Row{Regression: cpd, Bounds: b.bounds(k), Precision: precision}, raw
}

// functions returns 1 for the rows of the CPD of k that have variance 0, and 0 for the others.
func (b *builder) functions(c *gauss.Code, k *bucket) circuit.Node {
	var rows []float64
	for _, variance := range k.cpd.Gaussian().Var {
		x := 0.0
		if variance == 0 {
			x = 1
		}
		rows = append(rows, x)
	}
	if same(rows) {
		return c.Const(rows[0])
	}
	return c.Read(gauss.Part(b.Add(ir.Table{Name: "functions in " + b.m.FactorName(k.cpd), Scope: k.own, Role: ir.RoleLogs, Var: -1, Data: rows}), 0))
}

// factor returns the number of the CPD of k.
func (b *builder) factor(k *bucket) int32 { return b.number(k.cpd) }

// number returns the number of a factor in the network of the problem.
func (b *builder) number(f *model.Factor) int32 {
	m := b.m
	if b.from != nil {
		m = b.from
	}
	return int32(slices.Index(m.Factors, f))
}

// ofFamily returns the moments of random variables of the family of k for each joint state of its
// discrete parents, and the posterior of that.
func (b *builder) ofFamily(k *bucket, random []model.VarID) (gauss.Stored, ir.TableID) {
	own := union(k.own)
	if slices.Equal(own, k.context) {
		return k.moments.Of(random), k.weights
	}
	part := &bucket{scope: random, context: own, weights: ir.NoTable}
	m := b.mix(k, part)
	return m, part.weights
}

// family plans the expected sufficient statistics of the CPD of k: for each joint state of the
// discrete parents its posterior probability, then the means of the real parents and the child, in
// the order of the scope, given that joint state, then the lower triangle of their covariances, row
// by row.
func (b *builder) family(k *bucket) {
	real := append(slices.Clone(k.parents), k.v)
	random := b.random(real)
	m, weights := b.ofFamily(k, random)
	c := gauss.NewCode()
	out := b.Add(ir.Table{Name: "statistics of the " + b.m.FactorName(k.cpd), Scope: k.own, Role: ir.RoleOut, Var: -1, Factor: b.factor(k)})
	b.statistics[b.factor(k)] = out
	w := b.NewWriter(c, out)
	weight := circuit.One
	if weights != ir.NoTable {
		weight = c.Read(gauss.Part(weights, 0))
	}
	w.Part(weight)
	for _, v := range real {
		mean := c.Read(gauss.Part(b.evidence(v), 1))
		if i := slices.Index(random, v); i >= 0 {
			mean = c.Sum(c.Read(m.Mean[i]), b.place(c, v))
		}
		w.Part(mean)
	}
	for i, v := range real {
		for _, u := range real[:i+1] {
			w.Part(covariance(c, &m, v, u))
		}
	}
	b.Ops = append(b.Ops, c.MapOp())
}

// covariance returns the covariance of two variables, which is 0 if one of them is given.
func covariance(c *gauss.Code, m *gauss.Stored, v, u model.VarID) circuit.Node {
	i, j := slices.Index(m.Scope, v), slices.Index(m.Scope, u)
	if i < 0 || j < 0 {
		return circuit.Zero
	}
	return c.Read(m.Cov[max(i, j)][min(i, j)])
}

// byFactor returns the statistics or the derivatives of all CPDs in the order of the factors.
// discrete has the statistics of discrete CPDs, and real the statistics of Gaussian ones.
func (b *builder) byFactor(discrete []ir.TableID, real map[int32]ir.TableID) []ir.TableID {
	of := make([]ir.TableID, len(b.m.Factors))
	for _, t := range discrete {
		of[b.S.Tables[t].Factor] = t
	}
	for i := range of {
		if t, ok := real[int32(i)]; ok {
			of[i] = t
		}
	}
	return of
}
