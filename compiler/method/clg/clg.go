package clg

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
)

// Method is exact inference in networks with Gaussian CPDs.
var Method = method.Method{
	Name:  "clg",
	Role:  method.MixedGaussians,
	Doc:   "exact: eliminates real variables in closed form, then discrete ones on a clique tree",
	Kinds: "Bayesian, with Gaussian CPDs; Markov, with canonical potentials", Guarantee: "exact", Cost: "squares of real separators, times joint states of discrete ones",
	Takes:    model.Reals | model.Gaussians | model.Mixed | model.Givens | model.Canonicals,
	Measures: true,
	Prefers: func(m *model.Model) bool {
		traits := m.Traits() // other exact methods take no given variables, not even discrete ones
		return traits&model.Canonicals != 0 || m.Kind == model.Bayes && traits&(model.Gaussians|model.Givens) != 0 && traits&(model.Funcs|model.SoftChildren|model.Slices) == 0
	},
	Defaults: []string{"marginals", "logprob", "sample"},
	New:      func() method.Instance { return NewOptions() },
}

// Options has no fields.
type Options struct{}

// NewOptions returns the only value.
func NewOptions() *Options { return options.New[Options]() }

// MethodName returns "clg".
func (Options) MethodName() string { return Method.Name }

// Check refuses queries that the method does not answer about such a model or with parameters that
// can be replaced.
func (*Options) Check(p *ir.Problem, by method.Peers) diag.List {
	var list diag.List
	pos := diag.Pos{File: p.Model.File}
	for _, f := range p.Model.Factors {
		if _, ok := f.Dist.(*model.Canonical); ok && p.Params == ir.Var {
			list.Errorf(f.Pos, "method clg needs constant parameters for canonical potentials; %v", method.ConstParams)
			return list
		}
	}
	for _, q := range p.Queries {
		if !answered[q.Kind] {
			list.Errorf(pos, "method clg does not answer %s; want marginals, logprob, mpe, sample, the posterior of one variable, a signature, mixture, joint, gradient, sensitivity or session", q.Word())
			return list
		}
		if q.Best {
			list.Errorf(pos, "method clg does not answer max-marginals of joint states, as some variables are real")
			return list
		}
		if v := mixed(p.Model); q.Kind == ir.MPE && v != nil {
			list.Errorf(pos, "the CPD of %q has rows of variance 0 and others, whose densities do not compare; mpe needs one or the other", v.Name)
			return list
		}
	}
	return list
}

// answered holds the kinds of query that the method answers.
var answered = map[ir.QueryKind]bool{ir.Marginals: true, ir.Posterior: true, ir.LogProb: true, ir.Joint: true, ir.Mixture: true, ir.Statistics: true,
	ir.MPE: true, ir.Sample: true, ir.Signature: true, ir.Gradient: true, ir.Sensitivity: true, ir.Session: true}

// Plan returns a schedule of all queries of p.
func (*Options) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	s := p.NewSchedule()
	m, constant, err := directed(c, p)
	if err != nil {
		return nil, method.Exact, err
	}
	rest := *p
	rest.Model, rest.Into = m, s
	signatures, others := split(p, m != p.Model)
	for _, queries := range others {
		part := rest
		part.Queries = queries
		b := newBuilder(c, &part)
		b.constant = constant
		if err := b.plan(); err != nil {
			return nil, method.Exact, err
		}
	}
	for i, q := range signatures {
		if err := signature(c, &rest, s, q, i+1); err != nil {
			return nil, method.Exact, err
		}
	}
	if err := c.Fits(s); err != nil {
		return nil, method.Exact, err
	}
	return &ir.Plan{Schedule: s}, method.Exact, nil
}

// split returns the signatures among the queries of p, which each have a plan of their own, and the
// queries that share a plan. Sensitivities have factors that other queries do not. If the network
// is not p's, signatures no longer list their factors.
func split(p *ir.Problem, replaced bool) (signatures []*ir.Query, others [][]*ir.Query) {
	sensitive := p.Asks(ir.Sensitivity)
	var plain, tilted []*ir.Query
	for _, q := range p.Queries {
		switch {
		case q.Kind == ir.Signature:
			if replaced {
				own := *q
				own.Factors = nil
				q = &own
			}
			signatures = append(signatures, q)
		case sensitive && derives(q):
			tilted = append(tilted, q)
		default:
			plain = append(plain, q)
		}
	}
	for _, queries := range [][]*ir.Query{plain, tilted} {
		if len(queries) > 0 {
			others = append(others, queries)
		}
	}
	return signatures, others
}

// plan plans all queries of the problem. None is a signature.
func (b *builder) plan() error {
	if err := b.begin(); err != nil {
		return err
	}
	if err := b.discrete(); err != nil {
		return fmt.Errorf("clg: %w", err)
	}
	for _, g := range b.components {
		if err := b.ctx.Err(); err != nil {
			return err
		}
		first := len(b.Ops)
		b.up(g)
		if b.tilted() {
			b.pullTarget(g)
		}
		g.ops = slices.Clone(b.Ops[first:])
	}
	b.fronts()
	if b.tilted() {
		b.tilt()
	}
	b.upBlock = b.Block("real")
	for _, g := range b.components {
		b.down(g)
	}
	b.givens()
	b.downBlock = b.Block("realdown")
	if b.derivatives != nil {
		b.gradient()
		b.gradientBlock = b.Block("realgradient")
	}
	if b.p.Asks(ir.MPE) {
		b.maxima()
	}
	for _, kind := range []ir.QueryKind{ir.MPE, ir.Sample} {
		if b.p.Asks(kind) {
			b.assignment(kind)
		}
	}
	for i := range b.joints {
		if j := &b.joints[i]; j.real != nil {
			b.joint(j)
			j.block = b.Block("realjoint" + strconv.Itoa(i+1))
		}
	}
	b.entries()
	return nil
}

// newBuilder returns the builder of a problem.
func newBuilder(c *method.Context, p *ir.Problem) *builder {
	b := &builder{Plan: gauss.Plan{S: p.NewSchedule()}, ctx: c, p: p, m: p.Model, bucketOf: map[model.VarID]*bucket{}, answer: map[model.VarID]ir.TableID{},
		values: map[model.VarID]ir.TableID{}, assign: map[ir.QueryKind]int{}, referenceTables: map[model.VarID]ir.TableID{}, entered: map[model.VarID]entered{}}
	if b.p.Asks(ir.Statistics) {
		b.statistics = map[int32]ir.TableID{}
	}
	b.params = map[int32]ir.TableID{}
	for i := range b.S.Tables {
		if t := &b.S.Tables[i]; t.Role == ir.RoleSigned {
			b.params[t.Factor] = ir.TableID(i)
		}
	}
	if slices.ContainsFunc(p.Queries, derives) {
		b.derivatives = map[int32]ir.TableID{}
	}
	_, b.unit = gauss.Units(p.Model)
	b.rank = make([]int, len(p.Model.Vars))
	for i, v := range p.Model.Topological() {
		b.rank[v] = i
	}
	return b
}

// begin finds the components and returns an error if one is too wide.
func (b *builder) begin() error {
	b.findComponents()
	for _, g := range b.components {
		if err := b.fits(g); err != nil {
			return fmt.Errorf("clg: %w", &method.TooWide{Message: b.advise(err)})
		}
	}
	b.findGroups()
	b.findGuests()
	return nil
}

// builder builds one schedule.
type builder struct {
	gauss.Plan
	ctx *method.Context
	p   *ir.Problem
	m   *model.Model

	references      []reference // by variable
	referenceTables map[model.VarID]ir.TableID
	entered         map[model.VarID]entered // of variables of components and their given parents

	components  []*component
	groups      []*pointGroup
	bucketOf    map[model.VarID]*bucket
	answer      map[model.VarID]ir.TableID // of real variables
	lambda      map[model.VarID]ir.TableID // evidence
	params      map[int32]ir.TableID       // by factor: the parameters of Gaussian CPDs that callers may replace
	derivatives map[int32]ir.TableID       // by factor: those by the parameters of Gaussian CPDs; nil unless a query asks for them
	statistics  map[int32]ir.TableID       // by factor: those of Gaussian CPDs; nil unless a query asks for them
	sub         []ir.ScheduleEntry         // of the discrete part, by query; empty if there are no discrete variables
	joints      []joint                    // by query; of those about several real variables, or a mixture

	constant float64 // ln of a factor that canonical potentials have besides their CPDs

	rank  []int         // by variable: its place in a topological order
	unit  []float64     // by variable: about its prior deviation
	known []model.VarID // of a signature: its evidence
	from  *model.Model  // of a signature: the network whose factors m has
	tilts tilts         // if there are sensitivities

	upBlock, downBlock int
	bestBlock          int                        // the maxima of components
	gradientBlock      int                        // if derivatives is not nil
	values             map[model.VarID]ir.TableID // of real variables in an assignment
	assign             map[ir.QueryKind]int       // the block that sets values, by kind of query
}

// evidence returns the table of the evidence on a variable.
func (b *builder) evidence(v model.VarID) ir.TableID {
	t, ok := b.lambda[v]
	if !ok {
		t = b.Add(ir.Table{Name: "evidence on " + b.m.Vars[v].Name, Scope: []model.VarID{v}, Role: ir.RoleIn, Var: v})
		if b.measures(v) {
			b.S.Tables[t].Parts = model.MeasuredWidth / model.RealWidth
		}
		b.lambda[v] = t
	}
	return t
}

// union returns the variables of lists, sorted.
func union(lists ...[]model.VarID) []model.VarID {
	all := slices.Concat(lists...)
	slices.Sort(all)
	return slices.Compact(all)
}
