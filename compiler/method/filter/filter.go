package filter

import (
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/compiler/method/internal/switching"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
)

// Method is exact inference in dynamic Bayesian networks.
var Method = method.Method{
	Name:  "filter",
	Role:  method.ExactFilter,
	Doc:   "exact: slices of a sequence one after another, each by the belief that the one before leaves",
	Kinds: "Bayesian, with a transition", Guarantee: "exact; none with modes or clusters", Cost: "joint states of the variables that persist, or squares of their number if they are real; histories if both do",
	Takes:    model.Slices | model.Reals | model.Gaussians | model.Mixed | model.Givens | model.Diffuses | model.Funcs,
	Prefers:  func(m *model.Model) bool { return m.Transition != nil && m.Traits()&model.SoftChildren == 0 },
	Defaults: []string{"filter"},
	Bounded:  &method.Bounded{What: "the 64 most probable ones", Option: diag.Option{Name: "modes", Value: "64"}, Runs: 64},
	New:      func() method.Instance { return NewOptions() },
}

// Options are the options of the method.
type Options struct {
	// The answers are not exact unless 0 keeps all, while they fit.
	Modes int `opt:"modes" help:"Gaussians to keep of a belief about discrete and real variables, the most probable ones; 0 for all"`
	// The answers are not exact unless there is one cluster. Without Clusters there is one table.
	Clusters string `opt:"clusters" help:"keep a belief as tables of the variables A,B;A,C that persist, B and C independent given A, others alone" value:"variables"`
}

// mostModes is the largest value of Modes.
const mostModes = 1 << 24

// NewOptions returns the defaults.
func NewOptions() *Options { return options.New[Options]() }

// MethodName returns "filter".
func (Options) MethodName() string { return Method.Name }

// Check refuses networks without a transition, and queries that are not about sequences or need a
// belief that does not grow.
func (o *Options) Check(p *ir.Problem, by method.Peers) diag.List {
	var list diag.List
	m, pos := p.Model, diag.Pos{File: p.Model.File}
	switch {
	case m.Transition == nil:
		list.Errorf(pos, "method filter needs a network with a transition from slice to slice; this one has none")
		return list
	case p.Params == ir.Var:
		list.Errorf(pos, "method filter needs constant parameters; %v", method.ConstParams)
	}
	persists, discrete := mixes(m)
	if o.Modes > mostModes {
		list.Errorf(pos, "found %d Gaussians to keep; want at most %d", o.Modes, mostModes)
	}
	if o.Modes < 0 || o.Modes > 0 && !(persists >= 0 && discrete >= 0) {
		list.Errorf(pos, "found %d Gaussians to keep; want a positive number for a network in which real variables persist beside discrete ones, and 0 for others", o.Modes)
	}
	if o.Clusters != "" {
		o.checkClusters(&list, p)
	}
	if first := slices.IndexFunc(m.Factors, isDiffuse); first >= 0 && discrete >= 0 {
		list.Errorf(pos, "real variable %q is diffuse in a network with states, such as those of %q; want a prior of finite variance, or real variables alone",
			m.Vars[m.Factors[first].ChildVar()].Name, m.Vars[discrete].Name)
	}
	for _, f := range slices.Concat(m.Factors, m.Transition.Factors) {
		d, ok := f.Dist.(*model.Func)
		switch {
		case ok && discrete >= 0:
			list.Errorf(pos, "the mean of %q is an expression in a network with states, such as those of %q; want Gaussian CPDs, or real variables alone",
				m.Vars[f.ChildVar()].Name, m.Vars[discrete].Name)
		case ok && !linearGiven(m, f, d):
			list.Errorf(pos, "the mean of %q is not linear in the variables that are not given; want products and functions of given variables only; try %v, or ukf or ghf, for an approximate belief",
				m.Vars[f.ChildVar()].Name, method.By(EKF.Name))
		}
	}
	for _, q := range p.Queries {
		if q.Kind.Run() != ir.RunStream {
			list.Errorf(pos, "method filter does not answer %s; want filter, smooth, viterbi, innovation or trajectory", q.Word())
			return list
		}
		if q.Kind == ir.Innovation && discrete >= 0 {
			list.Errorf(pos, "method filter does not answer innovation for a network with states, such as those of %q; want real variables alone", m.Vars[discrete].Name)
		}
		if x := supports(m); q.Kind == ir.Viterbi && x != nil {
			list.Errorf(pos, "method filter does not answer viterbi: %q is a function of other variables in some states and has a variance in others, whose densities have no common measure; want filter or smooth",
				m.Vars[x.ChildVar()].Name)
		}
		if x := hidden(m); q.Kind == ir.Viterbi && x >= 0 && discrete < 0 {
			list.Errorf(pos, "method filter does not answer viterbi: the latent real variable %q does not persist; want filter or smooth", m.Vars[x].Name)
		}
	}
	return list
}

func isDiffuse(f *model.Factor) bool {
	_, ok := f.Dist.(*model.Diffuse)
	return ok
}

// linearGiven reports whether the mean of a CPD is linear in all parents but given ones of the same
// slice.
func linearGiven(m *model.Model, f *model.Factor, d *model.Func) bool {
	c := circuit.NewSigned()
	hidden := func(axis int) bool { v := f.Scope[axis]; return int(v) >= len(m.Vars) || !m.Vars[v].Given }
	_, ok := gauss.LinearIn(c, d, len(f.Scope), hidden, func(axis int) circuit.Node { return c.Input(int32(axis)) })
	return ok
}

// mixes returns the places of a real variable that persists and of a discrete variable, each -1 if
// there is none.
func mixes(m *model.Model) (persists, discrete int) {
	return slices.IndexFunc(m.Transition.Before, m.IsReal), slices.IndexFunc(m.Vars, func(v *model.Var) bool { return !m.IsReal(v.ID) })
}

// supports returns a Gaussian CPD of which some rows, not all, have variance 0, or nil.
func supports(m *model.Model) *model.Factor {
	for _, f := range slices.Concat(m.Factors, m.Transition.Factors) {
		if g := f.Gaussian(); g != nil && slices.Contains(g.Var, 0) && slices.Max(g.Var) > 0 {
			return f
		}
	}
	return nil
}

// apart reports whether the queries of a network with states are planned with a Gaussian for each
// history: if real variables persist, or if densities of any are maximised.
func apart(p *ir.Problem) bool {
	persists, discrete := mixes(p.Model)
	if discrete < 0 || len(p.Model.Reals()) == 0 {
		return false
	}
	return persists >= 0 || slices.ContainsFunc(p.Queries, func(q *ir.Query) bool { return q.Kind == ir.Viterbi })
}

// hidden returns the first latent real variable that does not persist, whose mean no belief has, or
// -1 if there is none.
func hidden(m *model.Model) int {
	return slices.IndexFunc(m.Vars, func(v *model.Var) bool {
		return v.Latent && m.IsReal(v.ID) && !slices.Contains(m.Transition.Before, v.ID)
	})
}

// Plan returns a schedule of all queries of p.
func (o *Options) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	if apart(p) {
		return switching.Plan(c, p, switching.Rule{Histories: o.histories(c, p.Model)})
	}
	b := newBuilder(c, p)
	of, claim := engine(&discrete{builder: b, clusters: o.clusters(p.Model)}), method.Exact
	if o.Clusters != "" {
		claim = method.Approximate
	}
	if len(b.m.Reals()) == len(b.m.Vars) {
		of = newGaussian(b)
	}
	return b.planAll(of, p.Queries, claim)
}

// planAll returns a schedule of all queries.
func (b *builder) planAll(of engine, queries []*ir.Query, claim method.Claim) (*ir.Plan, method.Claim, error) {
	for _, q := range queries {
		if err := plan(of, b, q); err != nil {
			return nil, claim, err
		}
	}
	if err := b.ctx.Fits(b.s); err != nil {
		return nil, claim, err
	}
	return &ir.Plan{Schedule: b.s}, claim, nil
}

// histories says how a belief about discrete and real variables is kept.
func (o *Options) histories(c *method.Context, m *model.Model) *ir.Histories {
	if o.Modes > 0 {
		return &ir.Histories{Most: o.Modes, Beyond: ir.DropHistories}
	}
	_, real := m.SplitReal(m.Transition.Before)
	size := int64(ir.HistoryBytes(model.JointParts(len(real)) - 1))
	const generations = 2 // those before a slice and after it
	return &ir.Histories{Most: max(1, min(c.MaxTable, int(c.MaxMem/size/generations)))}
}

// plan plans the entries of a query and those that it needs, each once.
func plan(of engine, b *builder, q *ir.Query) error {
	if b.planned[q.Kind] {
		return nil
	}
	b.planned[q.Kind] = true
	switch q.Kind {
	case ir.Filter:
		return of.forward(q)
	case ir.Smooth:
		if err := plan(of, b, &ir.Query{Kind: ir.Filter}); err != nil {
			return err
		}
		return of.backward(q)
	case ir.Innovation, ir.Trajectory:
		if err := plan(of, b, &ir.Query{Kind: ir.Filter}); err != nil {
			return err
		}
		if q.Kind == ir.Innovation {
			return of.innovation(q)
		}
		return of.trajectory(q)
	}
	return of.best(q)
}

// engine plans the entries of queries for one kind of belief.
type engine interface {
	forward(q *ir.Query) error
	backward(q *ir.Query) error
	best(q *ir.Query) error
	innovation(q *ir.Query) error
	trajectory(q *ir.Query) error
}

// builder builds one schedule. Its model is that of a step.
type builder struct {
	ctx     *method.Context
	m       *model.Model  // slice 0, with the transition
	slice   *model.Model  // slice 0 alone
	step    *model.Model  // a later slice and the variables before it, which are hidden
	before  []model.VarID // in step: the variables of the slice before
	after   []model.VarID // the same variables of the slice itself
	s       *ir.Schedule
	planned map[ir.QueryKind]bool
}

func newBuilder(c *method.Context, p *ir.Problem) *builder {
	slice := *p.Model
	slice.Transition = nil
	b := &builder{ctx: c, m: p.Model, slice: &slice, step: p.Model.Step(), after: p.Model.Transition.Before, planned: map[ir.QueryKind]bool{}}
	n := len(p.Model.Vars)
	for i, v := range b.step.Vars[n:] {
		hidden := *v
		hidden.Given, hidden.Latent = false, true
		b.step.Vars[n+i] = &hidden
		b.before = append(b.before, v.ID)
	}
	b.s = &ir.Schedule{Model: b.step, Params: p.Params}
	return b
}

// add appends a table.
func (b *builder) add(t ir.Table) ir.TableID {
	b.s.Tables = append(b.s.Tables, t)
	return ir.TableID(len(b.s.Tables) - 1)
}

// block appends a block that runs ops and returns its number.
func (b *builder) block(name string, ops ...ir.Op) int {
	var order []model.VarID
	for v := range b.step.Vars {
		order = append(order, model.VarID(v))
	}
	b.s.Blocks = append(b.s.Blocks, ir.OpBlock{Name: name, Order: order, Ops: ops})
	return len(b.s.Blocks) - 1
}

// entry names an entry of q and appends it.
func (b *builder) entry(q *ir.Query, name string, e ir.ScheduleEntry) {
	named := *q
	named.Name = name
	e.Query = &named
	b.s.Entries = append(b.s.Entries, e)
}
