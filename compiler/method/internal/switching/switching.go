// Package switching plans the slices of a network in which discrete and real variables persist. It
// serves several methods, which differ in the part of a slice that they keep.
//
// Given the states of the discrete variables that the real ones depend on, a slice is linear
// Gaussian: the moments of the belief are pushed through its CPDs and conditioned, one observation
// at a time, for each joint state of these variables, the context. The density of the evidence on
// real variables, for each state, is a front of the discrete network, which is calibrated by method
// jointree. Its joint posterior weighs the Gaussians, and the kept Gaussians are a belief.
//
// The exact belief has a Gaussian for each history of states. A [Rule] says which of them are
// replaced by one with the same mean and covariances, before a slice or after it.
//
// Smoothing goes back over the slices, with one Gaussian for each state; see smooth.go. The most
// probable path, and draws of paths, follow one history; see path.go.
//
// Sources: Bar-Shalom, Li and Kirubarajan 2001, "Estimation with applications to tracking and
// navigation", section 11.6; Koller and Friedman, section 15.4.2.
package switching

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Rule says which Gaussians a belief keeps.
type Rule struct {
	// Each keeps one Gaussian for each joint state of the discrete variables that persist;
	// otherwise there is one for all states.
	Each bool
	// Early merges Gaussians before the slice instead of after it: one remains for each joint state
	// of the context that the slice itself has.
	Early bool
	// Histories is set to keep the Gaussians of histories apart, and nothing else then. A run is
	// about one history before the slice.
	Histories *ir.Histories
}

// Check returns the reasons why answers of the given kinds by a method do not do for p. Instead
// names the methods that answer other kinds; it may be empty.
func Check(name string, p *ir.Problem, instead string, kinds ...ir.QueryKind) (list diag.List) {
	pos := diag.Pos{File: p.Model.File}
	switch {
	case p.Model.Transition == nil:
		list.Errorf(pos, "method %s needs a network with a transition from slice to slice; this one has none", name)
		return list
	case p.Params == ir.Var:
		list.Errorf(pos, "method %s needs constant parameters; %v", name, method.ConstParams)
	}
	var words []string
	for _, k := range kinds {
		words = append(words, k.String())
	}
	for _, q := range p.Queries {
		if !slices.Contains(kinds, q.Kind) {
			list.Errorf(pos, "method %s does not answer %s; want %s%s", name, q.Word(), strings.Join(words, " or "), instead)
			return list
		}
	}
	return list
}

// Plan returns a schedule of filter and smooth by a rule, and of viterbi and trajectory if
// histories are kept apart.
func Plan(c *method.Context, p *ir.Problem, rule Rule) (*ir.Plan, method.Claim, error) {
	b := newBuilder(c, p, rule)
	b.belief = b.table("before", b.before, rule.Each)
	for _, x := range []struct {
		kind ir.QueryKind
		with []ir.QueryKind // that need it
		plan func(*ir.Query) error
	}{
		{ir.Filter, []ir.QueryKind{ir.Smooth, ir.Trajectory}, b.forward},
		{ir.Smooth, nil, b.backward},
		{ir.Viterbi, nil, b.path},
		{ir.Trajectory, nil, b.trajectory},
	} {
		if q := queryOf(p, x.kind, x.with); q != nil {
			if err := x.plan(q); err != nil {
				return nil, method.Approximate, err
			}
		}
	}
	if err := c.Fits(b.S); err != nil {
		return nil, method.Approximate, err
	}
	claim := method.Approximate
	if len(softmaxes(b.step)) > 0 {
		return &ir.Plan{Schedule: b.S}, claim, nil
	}
	if len(b.after.real) == 0 || len(b.m.Reals()) == len(b.m.Vars) || rule.Histories != nil && rule.Histories.Beyond == ir.RefuseHistories {
		claim = method.Exact
	}
	return &ir.Plan{Schedule: b.S}, claim, nil
}

// queryOf returns the query of a kind, a new one if only others need its entries, or nil.
func queryOf(p *ir.Problem, kind ir.QueryKind, with []ir.QueryKind) *ir.Query {
	if i := slices.IndexFunc(p.Queries, func(q *ir.Query) bool { return q.Kind == kind }); i >= 0 {
		return p.Queries[i]
	}
	if slices.ContainsFunc(p.Queries, func(q *ir.Query) bool { return slices.Contains(with, q.Kind) }) {
		return &ir.Query{Kind: kind}
	}
	return nil
}

// interfaceVars holds the variables that persist: discrete and real ones.
type interfaceVars struct{ discrete, real []model.VarID }

// builder builds one schedule. Its model is a step's.
type builder struct {
	gauss.Plan
	ctx           *method.Context
	rule          Rule
	m             *model.Model  // slice 0, with the transition
	first         *model.Model  // slice 0 alone
	step          *model.Model  // a later slice and the variables before it, which are hidden
	before, after interfaceVars // in step: those of the slice before, and of the slice itself

	factored, exact bool // covariances have factors while a slice is planned; some variables are functions of others

	belief, filtered, smoothed belief // what enters: the belief before a slice, and on the way back those after it
	hasSmoothed                bool   // filtered and smoothed are there
}

// belief holds the tables of a belief: the probabilities of the joint states of the discrete
// variables that persist, and the moments of the real ones. A table without numbers is ir.NoTable.
type belief struct{ states, moments ir.TableID }

// tables returns those that there are, in the order of a stream.
func (b belief) tables() (list []ir.TableID) {
	for _, t := range []ir.TableID{b.states, b.moments} {
		if t != ir.NoTable {
			list = append(list, t)
		}
	}
	return list
}

func newBuilder(c *method.Context, p *ir.Problem, rule Rule) *builder {
	first := *p.Model
	first.Transition = nil
	b := &builder{ctx: c, rule: rule, m: p.Model, first: &first, step: p.Model.Step(), factored: gauss.NeedsFactors(p.Model), exact: gauss.HasFunctions(p.Model)}
	n := len(p.Model.Vars)
	for i, v := range b.step.Vars[n:] {
		hidden := *v
		hidden.Given, hidden.Latent = false, true
		b.step.Vars[n+i] = &hidden
		to, from := &b.after.discrete, &b.before.discrete
		if b.step.IsReal(v.ID) {
			to, from = &b.after.real, &b.before.real
		}
		*to, *from = append(*to, p.Model.Transition.Before[i]), append(*from, v.ID)
	}
	b.S = &ir.Schedule{Model: b.step, Params: p.Params}
	return b
}

// numbers returns the number of moments of n variables.
func numbers(n int) int { return model.JointParts(n) - 1 }

// forward plans the entries of filter.
func (b *builder) forward(q *ir.Query) error {
	list := []*slice{{name: ir.FilterFirst, m: b.first}, {name: ir.FilterNext, m: b.step, in: true}}
	if b.rule.Histories == nil && len(b.after.real) > 0 {
		list = append(list, &slice{name: ir.FilterBelief, m: b.step, in: true, bare: true})
	}
	for _, s := range list {
		if err := b.plan(s, q); err != nil {
			return err
		}
	}
	return nil
}

// own returns the real variables of a slice, without those before it.
func (b *builder) own(m *model.Model) []model.VarID {
	return slices.DeleteFunc(m.Reals(), func(v model.VarID) bool { return int(v) >= len(b.m.Vars) })
}

// table adds the tables of a belief about some variables, of a given name, that enters.
func (b *builder) table(name string, of interfaceVars, each bool) belief {
	out := belief{ir.NoTable, ir.NoTable}
	if len(of.discrete) > 0 || b.rule.Histories != nil && name == "before" {
		out.states = b.Add(ir.Table{Name: "states " + name, Scope: of.discrete, Role: ir.RolePersistent, Var: -1})
	}
	if n := len(of.real); n > 0 {
		var scope []model.VarID
		if each {
			scope = of.discrete
		}
		out.moments = b.Add(ir.Table{Name: "moments " + name, Scope: scope, Role: ir.RolePersistent, Var: -1, Parts: numbers(n)})
	}
	return out
}

// stored returns the moments of real variables in a table of a belief.
func stored(t ir.TableID, real []model.VarID) (m gauss.Stored) {
	n := len(real)
	m.Scope = real
	for i := range n {
		m.Mean = append(m.Mean, gauss.Part(t, i))
		var row []gauss.Number
		for j := range i + 1 {
			row = append(row, gauss.Part(t, n+i*(i+1)/2+j))
		}
		m.Cov = append(m.Cov, row)
	}
	return m
}

// fits returns an error if the moments of a slice would be larger than a table may be, or their
// arithmetic longer than maxCode.
func (b *builder) fits(s *slice) error {
	n, states := float64(len(s.m.Reals())), s.m.JointStates(s.context)
	if size := states * n * (n + 3) / 2; size > float64(b.ctx.MaxTable) {
		return diag.Errorf("the %v real variables of a slice have moments for each of %.4g joint states of %s, which takes %.4g numbers; limit: %v",
			n, states, b.Set(s.context), size, diag.Option{Name: "max-table", Value: strconv.Itoa(b.ctx.MaxTable)})
	}
	for _, f := range softmaxes(s.m) {
		if _, err := b.pointsOf(s.m, f); err != nil {
			return err
		}
	}
	if ops := n * n * n; ops > maxCode {
		return diag.Errorf("the arithmetic of %v real variables of a slice takes about %.2g operations; limit: %d", n, ops, maxCode)
	}
	return nil
}

// maxCode is the most operations of one slice: a variable is pushed and conditioned in about n²
// operations.
const maxCode = 1 << 24

// union returns the variables of lists, sorted.
func union(lists ...[]model.VarID) []model.VarID {
	all := slices.Concat(lists...)
	slices.Sort(all)
	return slices.Compact(all)
}
