package filter

import (
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// discrete plans a network whose belief is a table.
type discrete struct {
	*builder
	belief, filtered, smoothed ir.TableID // what enters: the belief before a slice, and those after it
	clusters                   [][]int    // the variables of each table of a belief, by their places; nil for one table
}

// persistent adds a table that enters by a stream.
func (d *discrete) persistent(name string, scope []model.VarID) ir.TableID {
	return d.add(ir.Table{Name: name, Scope: scope, Role: ir.RolePersistent, Var: -1})
}

// forward plans the entries of filter.
func (d *discrete) forward(q *ir.Query) error {
	var in []ir.TableID
	for _, g := range d.groups(d.before) {
		in = append(in, d.persistent("belief before", g))
	}
	if in == nil { // nothing persists
		in = append(in, d.persistent("belief before", nil))
	}
	d.belief = in[0]
	if err := d.pass(q, ir.FilterFirst, d.slice, nil, d.after, false); err != nil {
		return err
	}
	fronts, shares := d.shares(in)
	if err := d.passFrom(q, ir.FilterNext, d.step, fronts, in, shares); err != nil || len(d.after) == 0 {
		return err
	}
	if err := d.passFrom(q, ir.FilterBelief, d.showing(d.step, false), fronts, in, shares); err != nil {
		return err
	}
	d.divide(&d.s.Entries[len(d.s.Entries)-1])
	return nil
}

// shares returns the tables with the product of which a belief enters a slice, and the block that
// computes them from the tables of its clusters, -1 if these are not to be divided: a cluster that
// shares variables with others enters given those that it shares with its neighbour in the tree.
func (d *discrete) shares(in []ir.TableID) (fronts []ir.TableID, block int) {
	var ops []ir.Op
	fronts = slices.Clone(in)
	shared, _ := Separators(d.clusters)
	for k, places := range shared {
		if len(places) == 0 {
			continue
		}
		var scope []model.VarID
		for _, i := range places {
			scope = append(scope, d.before[i])
		}
		sum := d.add(ir.Table{Name: "shared belief", Scope: scope, Role: ir.RoleTemp, Var: -1})
		fronts[k] = d.add(ir.Table{Name: "belief given the shared one", Scope: d.s.Tables[in[k]].Scope, Role: ir.RoleTemp, Var: -1})
		c := gauss.NewCode()
		c.Write(ir.MapPart{Table: fronts[k]}, c.Ratio(c.Read(gauss.Part(in[k], 0)), c.Read(gauss.Part(sum, 0))))
		ops = append(ops, &ir.ContractOp{Out: sum, In: in[k : k+1 : k+1], Reduce: ir.ReduceSum}, c.MapOp())
	}
	if ops == nil {
		return in, -1
	}
	return fronts, d.block("shares", ops...)
}

// passFrom plans an entry of filter about a later slice.
func (d *discrete) passFrom(q *ir.Query, name string, m *model.Model, fronts, in []ir.TableID, shares int) error {
	if err := d.pass(q, name, m, fronts, d.after, false); err != nil {
		return err
	}
	if shares >= 0 {
		d.begin(shares, in)
	}
	if d.clusters != nil {
		d.s.Entries[len(d.s.Entries)-1].Stream.Clusters = d.groups(d.after)
	}
	return nil
}

// begin lets the last entry run a block before all others, and take the tables of in.
func (d *discrete) begin(block int, in []ir.TableID) {
	e := &d.s.Entries[len(d.s.Entries)-1]
	e.Blocks = append([]int{block}, e.Blocks...)
	e.Stream.In = in
}

// divide lets the beliefs that leave e be divided by the root, in place of a sum of their own.
// Numbers may be too extreme for that, and beliefs are normalised all the same; see [ir.Invert].
// A root that is a product of components is not the sum of a belief, which is about one of them.
func (d *discrete) divide(e *ir.ScheduleEntry) {
	if e.Root == ir.NoTable || len(e.Logs) > 0 || d.isProduct(e) {
		return
	}
	for k, belief := range e.Stream.Out {
		for _, b := range e.Blocks {
			ops := &d.s.Blocks[b].Ops
			at := slices.IndexFunc(*ops, func(op ir.Op) bool {
				n, ok := op.(*ir.NormalizeOp)
				return ok && n.Table == belief
			})
			if at < 0 {
				continue
			}
			t := d.s.Tables[belief]
			share := d.add(ir.Table{Name: "1 / " + d.s.Tables[e.Root].Name, Role: ir.RoleTemp, Var: -1})
			d.s.Tables[belief].Role = ir.RoleTemp
			e.Stream.Out[k] = d.add(ir.Table{Name: t.Name, Scope: t.Scope, Role: ir.RoleOut, Var: -1})
			*ops = slices.Replace(*ops, at, at+1, []ir.Op{
				&ir.InvertOp{Out: share, In: e.Root},
				&ir.ContractOp{Out: e.Stream.Out[k], In: []ir.TableID{belief, share}},
				&ir.NormalizeOp{Table: e.Stream.Out[k]},
			}...)
		}
	}
}

// isProduct reports whether the root of e is a product of single numbers.
func (d *discrete) isProduct(e *ir.ScheduleEntry) bool {
	single := func(t ir.TableID) bool { return len(d.s.Tables[t].Scope) == 0 }
	for _, b := range e.Blocks {
		for _, op := range d.s.Blocks[b].Ops {
			if c, ok := op.(*ir.ContractOp); ok && c.Out == e.Root {
				return len(c.In) > 1 && !slices.ContainsFunc(c.In, func(t ir.TableID) bool { return !single(t) })
			}
		}
	}
	return false
}

// best plans the entries of viterbi. The belief is then the largest probability of a history that
// ends in each state, and tracing back observes the states that persist.
func (d *discrete) best(q *ir.Query) error {
	d.belief = d.persistent("best before", d.before)
	if err := d.pass(q, ir.MaxFirst, d.slice, nil, d.after, true); err != nil {
		return err
	}
	if err := d.pass(q, ir.MaxNext, d.step, []ir.TableID{d.belief}, d.after, true); err != nil {
		return err
	}
	if err := d.pass(q, ir.TraceFirst, d.showing(d.slice, true), nil, nil, true); err != nil {
		return err
	}
	return d.pass(q, ir.TraceNext, d.showing(d.step, true), []ir.TableID{d.belief}, nil, true)
}

// showing returns m with all its persisting variables observable, or with all but given ones
// latent.
func (d *discrete) showing(m *model.Model, shown bool) *model.Model {
	out := *m
	out.Vars = slices.Clone(m.Vars)
	for _, v := range d.after {
		as := *m.Vars[v]
		as.Latent = !shown && !as.Given
		out.Vars[v] = &as
	}
	return &out
}

// backward plans the entries of smooth. The smoothed belief over the filtered one is a front of the
// slice: the likelihood of the evidence on later slices, up to a factor.
func (d *discrete) backward(q *ir.Query) error {
	d.filtered, d.smoothed = d.persistent("filtered belief", d.after), d.persistent("smoothed belief", d.after)
	ratio := d.add(ir.Table{Name: "evidence on later slices", Scope: d.after, Role: ir.RoleOut, Var: -1})
	c := gauss.NewCode()
	c.Write(ir.MapPart{Table: ratio}, c.Ratio(c.Read(gauss.Part(d.smoothed, 0)), c.Read(gauss.Part(d.filtered, 0))))
	later := d.block("later", c.MapOp())
	if err := d.back(q, ir.SmoothFirst, d.slice, nil, ratio, later); err != nil {
		return err
	}
	return d.back(q, ir.SmoothNext, d.step, []ir.TableID{d.belief}, ratio, later)
}

// back plans an entry of smooth, which runs the block that computes the ratio before all others.
func (d *discrete) back(q *ir.Query, name string, m *model.Model, in []ir.TableID, ratio ir.TableID, later int) error {
	var to []model.VarID
	if in != nil {
		to = d.before
	}
	if err := d.pass(q, name, m, append(slices.Clone(in), ratio), to, false); err != nil {
		return err
	}
	d.begin(later, append(slices.Clone(in), d.filtered, d.smoothed))
	return nil
}

// pass plans an entry: the posteriors in m with fronts, and the joint posterior of the variables of
// to, which leaves by the stream. With best, probabilities of sets of states are those of their
// best states; without variables of to, the entry picks the best states. FilterBelief has no
// posteriors.
func (d *discrete) pass(q *ir.Query, name string, m *model.Model, in []ir.TableID, to []model.VarID, best bool) error {
	p := &ir.Problem{Model: m, Into: d.s, More: true}
	for _, t := range in {
		p.Fronts = append(p.Fronts, ir.Front{Table: t, Scope: d.s.Tables[t].Scope, Max: best && to == nil})
	}
	first := len(d.s.Entries)
	switch {
	case best && to == nil:
		p.Queries = append(p.Queries, &ir.Query{Name: name, Kind: ir.MPE})
	case !best && name != ir.FilterBelief:
		p.Queries = append(p.Queries, &ir.Query{Name: name, Kind: ir.Marginals})
	}
	groups := d.groups(to)
	for _, g := range groups {
		p.Queries = append(p.Queries, &ir.Query{Name: name + " belief", Kind: ir.Joint, Targets: g, Best: best})
	}
	if len(p.Queries) == 0 { // nothing persists
		p.Queries = append(p.Queries, &ir.Query{Name: name, Kind: ir.MPE})
	}
	if err := d.use(p); err != nil {
		return err
	}
	made := d.s.Entries[first:]
	e := ir.ScheduleEntry{Root: made[0].Root, Logs: made[0].Logs, Stream: &ir.ScheduleStream{In: in}}
	if !best && name != ir.FilterBelief {
		e.Outs = made[0].Outs
	}
	for i := range made {
		for _, k := range made[i].Blocks {
			if !slices.Contains(e.Blocks, k) {
				e.Blocks = append(e.Blocks, k)
			}
		}
	}
	for i := range groups {
		e.Stream.Out = append(e.Stream.Out, made[len(made)-len(groups)+i].Outs...)
	}
	d.s.Entries = d.s.Entries[:first:first]
	d.entry(q, name, e)
	return nil
}

// groups returns the variables of each table of a belief about to, the variables that persist.
func (d *discrete) groups(to []model.VarID) (list [][]model.VarID) {
	switch {
	case len(to) == 0:
	case d.clusters == nil:
		list = append(list, to)
	}
	for _, cluster := range d.clusters {
		var g []model.VarID
		for _, k := range cluster {
			g = append(g, to[k])
		}
		list = append(list, g)
	}
	return list
}

// use plans the queries of p by another method.
func (d *discrete) use(p *ir.Problem) error {
	using := method.Tables
	if len(p.Model.Reals()) > 0 {
		using = method.MixedGaussians
	}
	_, _, err := d.ctx.Use(using, p)
	return err
}
