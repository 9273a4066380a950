package importance

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method/internal/forward"
	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// closedLimit is the largest number of covariances that the observations of one sample may change:
// the moments of about 180 connected variables, n³/6 of n. It bounds the code and the time to make
// it.
const closedLimit = 1 << 20

// checkCollapsed adds why the real variables of m have no closed form given the discrete ones.
func checkCollapsed(list *diag.List, m *model.Model) {
	pos := diag.Pos{File: m.File}
	option := diag.Option{Name: "collapsed"}
	for _, v := range m.Topological() {
		f := m.CPD(v)
		if f == nil {
			continue
		}
		if _, ok := f.Dist.(model.QuadraticLog); ok || !slices.ContainsFunc(f.Scope, m.IsReal) {
			continue
		}
		found := "a softmax CPD"
		if m.IsReal(v) {
			found = "an expression"
		}
		list.Errorf(pos, "variable %q has %s; method lw, collapsed, needs Gaussian CPDs, with which real variables have a closed form; try it without %v",
			m.Vars[v].Name, found, option)
		return
	}
	cost := 0.0
	for _, c := range closedComponents(m) {
		n := float64(len(c))
		cost += n * n * n / 6
	}
	if cost > closedLimit {
		list.Errorf(pos, "the observations of real variables change about %.2g covariances in a sample of method lw, collapsed; limit: %d; try it without %v",
			cost, closedLimit, option)
	}
}

// closedComponents returns the sets of real variables that are connected by CPDs through only real
// variables, in topological order each. They are independent given the discrete variables.
func closedComponents(m *model.Model) (components [][]model.VarID) {
	of := make([]int, len(m.Vars)) // by variable: its component
	for i, v := range m.Reals() {
		of[v] = i
	}
	join := func(to, from int) {
		for v := range of {
			if m.IsReal(model.VarID(v)) && of[v] == from {
				of[v] = to
			}
		}
	}
	for _, v := range m.Reals() {
		if f := m.CPD(v); f != nil {
			_, parents := m.SplitParents(f)
			for _, u := range parents {
				join(of[v], of[u])
			}
		}
	}
	at := map[int]int{}
	for _, v := range m.Topological() {
		if !m.IsReal(v) {
			continue
		}
		i, ok := at[of[v]]
		if !ok {
			i = len(components)
			at[of[v]], components = i, append(components, nil)
		}
		components[i] = append(components[i], v)
	}
	return components
}

// closed is the straight-line code of one component: the moments of its variables given their
// evidence and the states drawn, and ln of the density of that evidence.
type closed struct {
	*gauss.Code
	h          *mixed
	now, prior *gauss.Moments // given the evidence so far, and without it
	log, det   circuit.Node   // the density is exp(log)/sqrt(det)
	points     circuit.Node   // the number of observed values that were certain
	terms      int            // of det
}

// detTerms is the number of variances for which one logarithm is taken. Their product stays far
// from overflow for variances from 1e-30 to 1e30.
const detTerms = 8

// drawStates adds the blocks that draw the discrete variables and integrate the real ones.
func (h *mixed) drawStates() {
	states := slices.DeleteFunc(h.Model.Topological(), h.Model.IsReal)
	if len(states) > 0 {
		h.Draw(states)
	}
	for _, component := range closedComponents(h.Model) {
		h.integrate(component)
	}
}

// integrate adds the block that computes the means and variances of a component, in place of
// values, and adds ln of the density of its evidence to the weight's.
func (h *mixed) integrate(component []model.VarID) {
	c := &closed{Code: gauss.NewCode(), h: h, now: &gauss.Moments{}, prior: &gauss.Moments{}, log: circuit.Zero, det: circuit.One, points: circuit.Zero}
	for _, v := range component {
		c.push(v)
	}
	for _, v := range component {
		i := h.Part[v]
		c.Write(ir.MapPart{Table: h.Values, Part: i}, c.Sum(c.now.Of(v), circuit.Zero))
		c.Write(ir.MapPart{Table: h.spreads, Part: i}, c.Max(c.now.Between(v, v), circuit.Zero))
	}
	density := c.Sub(c.log, c.Prod(c.Const(.5), c.Log(c.det)))
	added := h.AddWeight(c.Code, density, c.points)
	h.Block("reals", append([]ir.Op{c.MapOp()}, added...))
}

// push adds a variable to the moments, conditioned on its own evidence.
func (c *closed) push(v model.VarID) {
	h := c.h
	if h.Model.Vars[v].Given {
		given := &gauss.Regression{Mean: c.Read(gauss.Part(h.Lambda[v], 1))}
		c.now.Push(c.Circuit, v, given)
		c.prior.Push(c.Circuit, v, given)
		return
	}
	r := h.Net.Regression(c.Code, h.Model.CPD(v))
	c.now.Push(c.Circuit, v, r)
	c.prior.Push(c.Circuit, v, r)
	determined := c.clean(v, r.Var)
	if h.Lambda[v] == ir.NoTable {
		return
	}
	seen, value := c.Read(gauss.Part(h.Lambda[v], 0)), c.Read(gauss.Part(h.Lambda[v], 1))
	c.observe(v, seen, value, determined)
	c.now.Condition(c.Circuit, v, seen, value)
}

// leastShare is the largest part of a function's prior variance that counts as rounding error if
// the evidence so far leaves no more of it.
const leastShare = 1e-13

// clean removes rounding errors from the variance of the variable that was added last. With noise,
// it is at least the noise's. Without, it is 0 if the parents are determined up to rounding errors.
// clean returns 1 if the variance is 0, and else 0.
func (c *closed) clean(v model.VarID, noise circuit.Node) (determined circuit.Node) {
	n := len(c.now.Scope) - 1
	spread := c.Max(c.now.Cov[n][n], noise)
	least := c.Prod(c.Const(leastShare), c.prior.Between(v, v))
	free := gauss.Positive(c.Circuit, c.Sum(noise, c.Max(c.Sub(spread, least), circuit.Zero)))
	c.now.Cov[n][n] = c.Prod(free, spread)
	return c.Sub(circuit.One, free)
}

// observe adds the density of a value to the evidence's. The value of a variable that is determined
// counts as 1 if it is the one expected, and else as 0.
func (c *closed) observe(v model.VarID, seen, value, determined circuit.Node) {
	spread, off := c.now.Between(v, v), c.Prod(seen, c.Sub(value, c.now.Of(v)))
	density := c.Max(c.Prod(c.Const(-.5), c.Ratio(c.Prod(off, off), spread)), c.Const(ir.LogZero))
	abs := func(n circuit.Node) circuit.Node { return c.Max(n, c.Neg(n)) }
	size := c.Sum(c.Sum(abs(value), abs(c.now.Of(v))), c.Sqrt(c.prior.Between(v, v)))
	wrong := c.Prod(determined, gauss.Positive(c.Circuit, c.Sub(abs(off), c.Prod(c.Const(forward.Tolerance), size))))
	c.log = c.Sum(c.log, c.Sum(density, c.Prod(c.Const(ir.LogZero), wrong)))
	c.points = c.Sum(c.points, c.Prod(seen, determined))
	c.h.Both = c.h.Both || c.Op(determined) != circuit.Const
	if c.terms++; c.terms > detTerms {
		c.log, c.det, c.terms = c.Sub(c.log, c.Prod(c.Const(.5), c.Log(c.det))), circuit.One, 1
	}
	scale := c.Sum(determined, c.Prod(c.Const(2*math.Pi), spread))
	c.det = c.Prod(c.det, gauss.Or(c.Circuit, seen, scale, circuit.One))
}
