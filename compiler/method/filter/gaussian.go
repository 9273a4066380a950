package filter

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// gaussian plans a network of real variables. A belief is a table without a scope: the means, then
// the lower triangle of the covariances, or of factors of them, row by row, and the coefficients of
// numbers of infinite variance, by variable; see [gauss.Moments].
type gaussian struct {
	*builder
	factored, exact            bool          // beliefs have factors; some variables are functions of others
	rule                       *rule         // for functions that are not linear
	diffuse                    []model.VarID // the variables of slice 0 that are diffuse
	belief, filtered, smoothed ir.TableID    // what enters: the belief before a slice, and those after it
	hasSmoothed                bool          // filtered and smoothed are there
	apart                      [][]bool      // by variables that persist, the lower triangle: the number is 0 in every slice
}

func newGaussian(b *builder) *gaussian {
	g := &gaussian{builder: b, factored: gauss.NeedsFactors(b.m), exact: gauss.HasFunctions(b.m)}
	for _, f := range b.m.Factors {
		if isDiffuse(f) {
			g.diffuse = append(g.diffuse, f.ChildVar())
		}
	}
	return g
}

// far returns the place in a belief over n variables of the coefficients of variable i.
func (g *gaussian) far(n, i int) int { return n + n*(n+1)/2 + i*len(g.diffuse) }

// table adds the table of a belief.
func (g *gaussian) table(name string, role ir.Role, vars []model.VarID) ir.TableID {
	return g.add(ir.Table{Name: name, Role: role, Var: -1, Parts: g.far(len(vars), len(vars))})
}

// forward plans the entries of filter.
func (g *gaussian) forward(q *ir.Query) error {
	g.belief = g.table("belief before", ir.RolePersistent, g.before)
	in := []ir.TableID{g.belief}
	g.separate(in)
	g.filter(q, ir.FilterFirst, g.slice, nil)
	g.filter(q, ir.FilterNext, g.step, in)
	if len(g.after) > 0 {
		g.filter(q, ir.FilterBelief, g.step, in)
	}
	return nil
}

// separate finds the numbers of a belief that are 0 in every slice, whatever is observed: from
// those of slice 0 on, a step on symbols loses some of them, until it loses none.
func (g *gaussian) separate(in []ir.TableID) {
	for m, from := g.slice, []ir.TableID(nil); ; m, from = g.step, in {
		apart, lost := make([][]bool, len(g.after)), g.apart == nil
		for i, row := range g.moments(m, from, everything).Triangle(g.after) {
			for j, x := range row {
				zero := x == circuit.Zero
				apart[i] = append(apart[i], zero && (g.apart == nil || g.apart[i][j]))
				lost = lost || g.apart[i][j] && !zero
			}
		}
		if g.apart = apart; !lost {
			return
		}
	}
}

// backward plans the entries of smooth.
func (g *gaussian) backward(q *ir.Query) error {
	g.needSmoothed()
	g.smooth(q, ir.SmoothFirst, g.slice, nil)
	g.smooth(q, ir.SmoothNext, g.step, []ir.TableID{g.belief})
	return nil
}

// needSmoothed adds what enters a slice on the way back, unless it is there.
func (g *gaussian) needSmoothed() {
	if g.hasSmoothed {
		return
	}
	g.hasSmoothed = true
	g.filtered = g.table("filtered belief", ir.RolePersistent, g.after) // not read: the slice is filtered again
	g.smoothed = g.table("smoothed belief", ir.RolePersistent, g.after)
}

// slicePlan is the arithmetic of one slice.
type slicePlan struct {
	*gauss.Filtered
	m       *model.Model
	factors bool         // the moments have factors of covariances
	defined circuit.Node // 0 if a function is not defined at the values of given variables, and else 1
}

// everything and nothing choose the variables on which there is evidence.
func everything(model.VarID) bool { return true }
func nothing(model.VarID) bool    { return false }

// moments plans the moments of all variables of m given the belief in, and the evidence on those
// variables that seen chooses and that are not latent.
func (g *gaussian) moments(m *model.Model, in []ir.TableID, seen func(model.VarID) bool) *slicePlan {
	return g.momentsBy(g.factored, m, in, seen)
}

// back plans what moments does for the way back, which conditions on all that persists: that may be
// functions of each other.
func (g *gaussian) back(m *model.Model, in []ir.TableID) *slicePlan {
	return g.momentsBy(g.factored || g.exact, m, in, everything)
}

func (g *gaussian) momentsBy(factors bool, m *model.Model, in []ir.TableID, seen func(model.VarID) bool) *slicePlan {
	p := g.newPlan(factors, m, in)
	g.follow(p, m.Topological(), seen, p.Push)
	return p
}

// shortest plans what moments does, in the way that takes fewer operations for the moments of those
// that persist and the density: variables without evidence may come before all others, each as a
// function of only the belief.
func (g *gaussian) shortest(m *model.Model, in []ir.TableID, seen func(model.VarID) bool) *slicePlan {
	p := g.moments(m, in, seen)
	if g.factored {
		return p
	}
	apart := g.newPlan(false, m, in)
	open, rest := gauss.Unseen(m, func(v model.VarID) bool { return !m.Vars[v].Latent && seen(v) })
	apart.Split()
	g.follow(apart, open, seen, apart.PushApart)
	g.follow(apart, rest, seen, apart.Push)
	if apart.OpsFor(g.after) < p.OpsFor(g.after) {
		return apart
	}
	return p
}

// newPlan returns the plan of a slice with the moments of the belief in.
func (g *gaussian) newPlan(factors bool, m *model.Model, in []ir.TableID) *slicePlan {
	p := &slicePlan{Filtered: gauss.NewFiltered(m, g.s.Inputs(), g.add), m: m, factors: factors, defined: circuit.One}
	var before []model.VarID
	t := ir.NoTable
	if in != nil {
		t, before = in[0], g.before
	}
	p.Moments = g.read(p, t, before, g.apart)
	return p
}

// pushing adds a variable to moments; see [gauss.Moments.Push].
type pushing func(c *circuit.Circuit, y model.VarID, r *gauss.Regression)

// follow adds variables of the slice to the moments, in the given order, each with the evidence on
// it if seen chooses it.
func (g *gaussian) follow(p *slicePlan, order []model.VarID, seen func(model.VarID) bool, push pushing) {
	for _, v := range order {
		if int(v) >= len(g.m.Vars) {
			continue
		}
		if p.m.Vars[v].Given {
			push(p.Circuit, v, &gauss.Regression{Mean: p.Value(v)})
			continue
		}
		g.push(p, p.m.CPD(v), push)
		if !p.m.Vars[v].Latent && seen(v) {
			p.Observe(v)
		}
	}
}

// push adds the child of a CPD to the moments.
func (g *gaussian) push(p *slicePlan, f *model.Factor, push pushing) {
	v := f.ChildVar()
	if k := slices.Index(g.diffuse, v); k >= 0 && p.m == g.slice {
		p.Moments.PushDiffuse(p.Circuit, v, k)
		return
	}
	if d, ok := f.Dist.(*model.Func); ok {
		rule := gauss.Tangents() // for means that are linear given the given variables, which it leaves as they are
		if g.rule != nil {
			rule = g.rule.Rule
		}
		r, defined := rule.Regression(p.Filtered, f, d)
		p.defined = p.Prod(p.defined, defined)
		push(p.Circuit, v, r)
		return
	}
	mean, coef, variance := f.Gaussian().Row(0)
	r := &gauss.Regression{Mean: p.Const(mean), Var: p.Const(variance)}
	_, r.On = p.m.SplitParents(f)
	for _, x := range coef {
		r.Coef = append(r.Coef, p.Const(x))
	}
	push(p.Circuit, v, r)
}

// read returns the moments of a belief over vars, of which numbers are 0 where apart says so; apart
// may be nil.
func (g *gaussian) read(p *slicePlan, t ir.TableID, vars []model.VarID, apart [][]bool) *gauss.Moments {
	n := len(vars)
	m := &gauss.Moments{Scope: slices.Clone(vars)}
	var fars [][]circuit.Node
	for i := range n {
		m.Mean = append(m.Mean, p.Read(gauss.Part(t, i)))
		var row, far []circuit.Node
		for j := range i + 1 {
			x := circuit.Zero
			if apart == nil || !apart[i][j] {
				x = p.Read(gauss.Part(t, n+i*(i+1)/2+j))
			}
			row = append(row, x)
		}
		for k := range g.diffuse {
			far = append(far, p.Read(gauss.Part(t, g.far(n, i)+k)))
		}
		m.Cov, fars = append(m.Cov, row), append(fars, far)
	}
	switch {
	case g.factored:
		m = gauss.Factored(p.Circuit, m.Scope, m.Mean, m.Cov, g.exact)
		m.Unknown, m.Far = len(g.diffuse), fars
	case p.factors:
		m = m.Factor(p.Circuit, g.exact)
	}
	return m
}

// filter plans an entry of filter.
func (g *gaussian) filter(q *ir.Query, name string, m *model.Model, in []ir.TableID) {
	var p *slicePlan
	if name == ir.FilterBelief {
		p = g.shortest(m, in, func(v model.VarID) bool { return !slices.Contains(g.after, v) })
	} else {
		p = g.moments(m, in, everything)
	}
	e := ir.ScheduleEntry{Stream: &ir.ScheduleStream{In: in, Factors: g.factored}}
	g.evidenceDensity(p, &e)
	if name != ir.FilterBelief {
		g.answers(p, p.Moments, name, &e)
	}
	g.leave(p, p.Moments, g.after, name, &e)
	e.Blocks = []int{g.block(name, p.MapOp())}
	g.entry(q, name, e)
}

// smooth plans an entry of smooth.
func (g *gaussian) smooth(q *ir.Query, name string, m *model.Model, in []ir.TableID) {
	p := g.back(m, in)
	all := g.smoothedMoments(p)
	e := ir.ScheduleEntry{Stream: &ir.ScheduleStream{In: append(slices.Clone(in), g.filtered, g.smoothed)}}
	g.evidenceDensity(p, &e)
	g.answers(p, all, name, &e)
	if in != nil {
		g.leave(p, all, g.before, name, &e)
	}
	e.Blocks = []int{g.block(name, p.MapOp())}
	g.entry(q, name, e)
}

// smoothedMoments plans the moments of everything: given the variables that persist, and then with
// the smoothed belief in their place.
func (g *gaussian) smoothedMoments(p *slicePlan) *gauss.Moments {
	rest, kept := p.Moments.Regress(p.Circuit, g.after)
	all := g.read(p, g.smoothed, g.after, nil)
	gauss.Join(p.Circuit, all, rest, kept)
	return all
}

// evidenceDensity plans the density of the evidence: the root is its factor before the exponential
// function, and 0 if a function is not defined or an observed value contradicts others, so that a
// filter that multiplies roots takes a logarithm once in many slices.
func (g *gaussian) evidenceDensity(p *slicePlan, e *ir.ScheduleEntry) {
	e.Root = g.add(ir.Table{Name: "root", Role: ir.RoleTemp, Var: -1})
	p.Write(ir.MapPart{Table: e.Root}, p.Quot(p.Prod(p.defined, p.Gate()), p.Sqrt(p.Det())))
	logs := g.add(ir.Table{Name: "ln density of evidence, but for the root", Role: ir.RoleTemp, Var: -1})
	p.Write(ir.MapPart{Table: logs}, p.LogFactor())
	e.Logs = []ir.TableID{logs}
}

// answers plans the means and variances of the variables of the slice.
func (g *gaussian) answers(p *slicePlan, of *gauss.Moments, name string, e *ir.ScheduleEntry) {
	for _, v := range g.m.Vars {
		if v.Latent {
			continue
		}
		out := g.add(ir.Table{Name: fmt.Sprintf("P(%s | evidence), %s", v.Name, name), Scope: []model.VarID{v.ID}, Role: ir.RoleOut, Var: v.ID})
		mean := of.Of(v.ID)
		if period := g.m.Period(v.ID); period != 0 {
			mean = gauss.Wrapped(p.Circuit, period, mean)
		}
		p.Write(ir.MapPart{Table: out, Part: 0}, mean)
		p.Write(ir.MapPart{Table: out, Part: 1}, of.Variance(p.Circuit, v.ID))
		e.Outs = append(e.Outs, out)
	}
}

// leave plans the belief over vars that leaves by the stream.
func (g *gaussian) leave(p *slicePlan, of *gauss.Moments, vars []model.VarID, name string, e *ir.ScheduleEntry) {
	if len(vars) == 0 {
		return
	}
	out := g.table("belief after, "+name, ir.RoleOut, vars)
	var triangle [][]circuit.Node
	if g.factored {
		triangle = of.Triangle(vars)
	} else {
		triangle = of.Covariances(vars)
	}
	for i, v := range vars {
		p.Write(ir.MapPart{Table: out, Part: i}, of.Of(v))
		for j, x := range triangle[i] {
			p.Write(ir.MapPart{Table: out, Part: len(vars) + i*(i+1)/2 + j}, x)
		}
		for k := range g.diffuse {
			p.Write(ir.MapPart{Table: out, Part: g.far(len(vars), i) + k}, of.Far[slices.Index(of.Scope, v)][k])
		}
	}
	e.Stream.Out = []ir.TableID{out}
}
