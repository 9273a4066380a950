package particle

import (
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method/internal/forward"
	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// rules holds the rules of the proposals that draw near the posterior of a slice.
var rules = map[ir.Proposal]*gauss.Rule{ir.FromTangents: gauss.Tangents(), ir.FromPoints: gauss.Unscented(gauss.UnscentedSpread)}

// fitted draws the real variables that persist from a normal distribution given the evidence on
// their slice: the belief of a filter for means that are not linear after that slice, which begins
// at the values of a particle. Each is drawn given those before it in the order of the network.
// Other variables have their CPDs.
type fitted struct {
	c       *gauss.Code
	belief  gauss.Moments  // of the variables that persist and have no value yet
	start   []circuit.Node // by variable that persists: its variance before any has a value
	defined circuit.Node   // 1 if all functions are defined where the filter needs them, else 0
}

// leastVariance is the share of its variance at the start below which a variable counts as fixed by
// others.
const leastVariance = 1e-12

// newFitted returns a proposal for the slice m, of which after persist. Before holds the numbers of
// the values of the variables before it.
func newFitted(c *gauss.Code, rule *gauss.Rule, d *forward.Sampler, m *model.Model, before, after []model.VarID) *fitted {
	inputs := map[model.VarID]ir.TableID{}
	for v, t := range d.Lambda {
		if t != ir.NoTable {
			inputs[model.VarID(v)] = t
		}
	}
	x := gauss.NewFiltered(m, inputs, d.Add)
	x.Code = c
	for i, v := range before {
		x.Scope, x.Mean = append(x.Scope, v), append(x.Mean, c.Read(d.Before[v]))
		x.Cov = append(x.Cov, make([]circuit.Node, i+1))
	}
	out := &fitted{c: c, defined: circuit.One}
	for _, v := range m.Topological() {
		if !slices.Contains(before, v) {
			out.push(x, rule, m, v)
		}
	}
	out.take(x.Moments, after)
	return out
}

// take makes the belief that of the given variables among those of x.
func (p *fitted) take(x *gauss.Moments, after []model.VarID) {
	for i, v := range after {
		p.belief.Scope, p.belief.Mean = append(p.belief.Scope, v), append(p.belief.Mean, x.Of(v))
		var row []circuit.Node
		for _, w := range after[:i+1] {
			row = append(row, x.Between(v, w))
		}
		p.belief.Cov, p.start = append(p.belief.Cov, row), append(p.start, row[i])
	}
}

// push adds a variable of the slice to the moments of x, with the evidence on it.
func (p *fitted) push(x *gauss.Filtered, rule *gauss.Rule, m *model.Model, v model.VarID) {
	f := m.CPD(v)
	if f == nil { // it is given
		x.Push(p.c.Circuit, v, &gauss.Regression{Mean: x.Value(v)})
		return
	}
	if d, ok := f.Dist.(*model.Func); ok {
		r, defined := rule.Regression(x, f, d)
		p.defined = p.c.Prod(p.defined, defined)
		x.Push(p.c.Circuit, v, r)
	} else {
		mean, coef, variance := f.Gaussian().Row(0)
		r := &gauss.Regression{Mean: x.Const(mean), Var: x.Const(variance)}
		_, r.On = m.SplitParents(f)
		for _, a := range coef {
			r.Coef = append(r.Coef, x.Const(a))
		}
		x.Push(p.c.Circuit, v, r)
	}
	if !m.Vars[v].Latent {
		x.Observe(v)
	}
}

// Of returns the distribution of a variable that persists.
func (p *fitted) Of(v model.VarID) (mean, variance, drawn circuit.Node, ok bool) {
	i := slices.Index(p.belief.Scope, v)
	if i < 0 {
		return circuit.Zero, circuit.Zero, circuit.Zero, false
	}
	return p.belief.Mean[i], p.belief.Cov[i][i], p.c.Prod(p.defined, p.free(i)), true
}

// free returns 1 if a variable has variance left, and else 0.
func (p *fitted) free(i int) circuit.Node {
	return gauss.Positive(p.c.Circuit, p.c.Sub(p.belief.Cov[i][i], p.c.Prod(p.c.Const(leastVariance), p.start[i])))
}

// Set gives a variable a value.
func (p *fitted) Set(v model.VarID, x circuit.Node) {
	if i := slices.Index(p.belief.Scope, v); i >= 0 {
		p.belief.Condition(p.c.Circuit, v, p.free(i), x)
	}
}
