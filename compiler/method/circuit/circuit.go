package circuit

import (
	"errors"
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/factors"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Method is exact inference by an arithmetic circuit.
var Method = method.Method{
	Name:  "circuit",
	Role:  method.Circuit,
	Doc:   "exact: an arithmetic circuit of the non-zero table entries, and its derivatives",
	Kinds: "Bayesian, Markov", Guarantee: "exact", Cost: "distinct non-zero entries of the tables",
	New:      func() method.Instance { return NewOptions() },
	Prefers:  isLarge,
	Circuits: &method.Circuits{Answers: answers, Completes: completes, Within: within},
}

// smallCircuit is the number of joint states up to which a model in the form of a circuit may as
// well be tabulated.
const smallCircuit = 1 << 12

// isLarge reports whether m contains a circuit with too many joint states to tabulate.
func isLarge(m *model.Model) bool {
	return slices.ContainsFunc(m.Factors, func(f *model.Factor) bool {
		return f.Circuit() != nil && m.LogTableSize(f.Scope) > pgmrt.Ln(smallCircuit)
	})
}

// The peak memory of a node while a circuit is built, lowered and made ready to run, and the
// additional memory if walks go through it. On munin3 a node takes 170 bytes for posteriors and 280
// for only samples.
const (
	nodeBytes = 256
	walkBytes = 64
)

// Options has no fields: elimination orders are an option of the compiler.
type Options struct{}

// NewOptions returns the only value.
func NewOptions() *Options { return options.New[Options]() }

// MethodName returns "circuit".
func (Options) MethodName() string { return Method.Name }

// Check refuses queries of approximate methods.
func (*Options) Check(*ir.Problem, method.Peers) diag.List { return diag.List{} }

// Plan returns a circuit for probabilities, posteriors and samples, a circuit of maxima for most
// probable completions, and method jointree's schedule for the other queries.
func (*Options) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	plan, err := planOf(&planner{ctx: c, p: p, nodes: searchNodes})
	return plan, method.Exact, err
}

// planOf returns the plan of b's problem.
func planOf(b *planner) (*ir.Plan, error) {
	c, p := b.ctx, b.p
	plan := &ir.Plan{Schedule: &ir.Schedule{Model: p.Model, Params: p.Params}}
	var mine, best, others []*ir.Query
	for _, q := range p.Queries {
		switch {
		case answers(q.Kind), q.Kind == ir.Sample:
			mine = append(mine, q)
		case q.Kind == ir.MPE:
			best = append(best, q)
		default:
			others = append(others, q)
		}
	}
	b.walks = slices.ContainsFunc(mine, func(q *ir.Query) bool { return q.Kind == ir.Sample })
	if len(mine) > 0 {
		root, err := b.best()
		if err != nil {
			return nil, b.refusal(err)
		}
		if b.more != nil {
			draws, maxima := b.more(b.out.SizeOf([]circuit.Node{root}))
			mine, best = append(mine, draws...), append(best, maxima...)
		}
		if err := b.entries(mine, root); err != nil {
			return nil, err
		}
		plan.Circuit = b.out
		plan.Circuit.Nodes.Compact()
	}
	if len(best) > 0 {
		maxima, err := b.maxima(best)
		if err != nil {
			return nil, err
		}
		if plan.Max = maxima; maxima == nil {
			others = append(others, best...)
		}
	}
	if len(others) > 0 {
		rest, _, err := c.Use(method.Tables, &ir.Problem{Model: p.Model, Queries: others, Params: p.Params})
		if err != nil {
			return plan, err // the circuit is complete, and its size is of use
		}
		plan.Schedule = rest.Schedule
	}
	return plan, nil
}

// answers reports whether values of a circuit of sums and their derivatives answer queries of a
// kind.
func answers(kind ir.QueryKind) bool {
	switch kind {
	case ir.LogProb, ir.Marginals, ir.Posterior, ir.Sets, ir.Jeffrey:
		return true
	}
	return false
}

// within plans as the method does, but fails if P(evidence) takes more than ops operations by the
// first order; 0 means any number. It tries fewer orders, since the caller only compares sizes.
// Unless more is nil, it calls more for further queries.
func within(c *method.Context, p *ir.Problem, ops int, more method.MoreFunc) (*ir.Plan, error) {
	return planOf(&planner{ctx: c, p: p, within: ops, nodes: withinNodes, more: more})
}

// The number of orders to try, and the number of nodes that trying them may make, if the user chose
// the method and if the caller compares sizes. The order with the fewest operations wins. An order
// may make smallNodes nodes, or twice as many as the best one so far. This cuts most orders off,
// yet the smallest circuit of water comes from an order with many nodes that lead nowhere. A caller
// that compares sizes gets no circuit that takes more than largeNodes nodes. The largest that was
// found to be faster than a clique tree, munin4's, takes 1.7 million.
const (
	maxOrders   = 40
	searchNodes = 36_000_000
	withinNodes = 8_000_000
	smallNodes  = 1 << 19
	largeNodes  = 5 << 19
)

// planner builds one circuit.
type planner struct {
	state  []int // of factor, by variable
	ctx    *method.Context
	p      *ir.Problem
	m      *model.Model    // of p; decomposed for sums
	within int             // largest number of operations of P(evidence) by the first order; 0 means any number
	nodes  int             // number of nodes that trying orders may make
	more   method.MoreFunc // nil if all queries are known
	out    *ir.Circuit
	lambda [][]circuit.Node // by variable and state; nil if latent
	e      *eliminator
	order  []int // elimination order of the circuit; nil if it was taken over
	max    bool  // maxima instead of sums
	walks  bool  // queries walk the circuit
}

// refusal adds advice to errTooLarge. It returns other errors as they are.
func (b *planner) refusal(err error) error {
	if !errors.Is(err, errTooLarge) {
		return err
	}
	memory := diag.Option{Name: "max-mem"}
	return &method.TooManyNodes{Message: diag.Errorf("the circuit has more than %d nodes, the largest number that %v allows; use %v, raise %v, or declare %v signatures that need "+
		"less of the network", b.maxNodes(), memory, b.ctx.By(method.Tables), memory, diag.Option{Name: "query"})}
}

// best builds circuits by several orders and keeps the one with the fewest operations. It takes
// over a model that is a circuit.
func (b *planner) best() (root circuit.Node, err error) {
	f, why := circuitOf(b.p)
	if f != nil {
		return b.takeOver(f)
	}
	if b.m = b.p.Model; !b.max { // a decomposition is correct for sums only
		b.m = factors.Decompose(b.p)
	}
	fewest, spent := -1, 0
	i := -1
	for order := range b.ctx.Orders(b.m, maxOrders) {
		if err := b.ctx.Err(); err != nil {
			return 0, err
		}
		if i++; i > 0 && spent > b.nodes {
			break
		}
		try := &planner{ctx: b.ctx, p: b.p, m: b.m, within: b.within, nodes: b.nodes, more: b.more, max: b.max, walks: b.walks}
		limit := b.maxNodes()
		if fewest >= 0 {
			limit = min(limit, max(smallNodes, 2*b.out.Nodes.Len()))
		} else if b.within > 0 {
			limit = min(limit, max(smallNodes, 2*b.within), largeNodes)
		}
		top, err := try.build(order, limit)
		switch {
		case err == nil || errors.Is(err, errTooLarge):
		case why != "":
			return 0, fmt.Errorf("%w; a circuit that is taken over needs no table, but %s", err, why)
		default:
			return 0, err
		}
		spent += try.out.Nodes.Len()
		if err != nil {
			if fewest < 0 && (b.within > 0 || spent > b.nodes/2) {
				break
			}
			continue
		}
		n := try.out.RootSize().Ops
		if i == 0 && b.within > 0 && n > b.within {
			break
		}
		if fewest < 0 || n < fewest {
			*b, root, fewest = *try, top, n
		}
	}
	if fewest < 0 {
		return 0, errTooLarge
	}
	b.out.Entries = nil
	return root, nil
}

// maxNodes returns the largest number of nodes that a circuit may have.
func (b *planner) maxNodes() int {
	if b.walks {
		return int(b.ctx.MaxMem / (nodeBytes + walkBytes))
	}
	return int(b.ctx.MaxMem / nodeBytes)
}

// build builds the circuit of one order, with at most limit nodes. Its only entry is the root.
func (b *planner) build(order []int, limit int) (root circuit.Node, err error) {
	b.out = &ir.Circuit{Model: b.p.Model, Nodes: circuit.New()}
	b.e = newEliminator(b.m, b.out, order)
	b.order, b.e.max = order, b.max
	b.e.stop, b.e.limit, b.e.steps = b.ctx.Err, limit, stepsPerJoined*joinedPerNode*int64(limit)
	factors, err := b.factors()
	if err != nil {
		return 0, err
	}
	if root, err = b.e.run(order, factors); err != nil {
		return 0, err
	}
	b.out.Entries = []ir.CircuitEntry{{Root: root}}
	return root, nil
}

// factors returns the likelihoods of all variables that are not latent, and the factors of the
// model.
func (b *planner) factors() ([]*factor, error) {
	m := b.m
	b.lambda = make([][]circuit.Node, len(m.Vars))
	var out []*factor
	for _, v := range m.Vars {
		if v.Latent {
			continue
		}
		t := newBuilder([]model.VarID{v.ID})
		for s := range m.Card(v.ID) {
			n := b.e.input(ir.Leaf{Kind: ir.LeafLikelihood, Var: v.ID, Index: s})
			b.lambda[v.ID] = append(b.lambda[v.ID], n)
			t.add([]int{s}, n)
		}
		out = append(out, t.done())
	}
	if b.p.Params == ir.Var {
		b.out.Params = make([][]float64, len(m.Factors))
	}
	for i := range m.Factors {
		if err := b.ctx.Err(); err != nil {
			return nil, err
		}
		f, err := b.factor(i)
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}

// factor returns the non-zero entries of factor i: constants, or inputs if parameters are variable.
func (b *planner) factor(i int) (*factor, error) {
	m := b.m
	f := m.Factors[i]
	values, err := m.Tabulate(f, b.ctx.MaxTable)
	if err != nil {
		return nil, err
	}
	if b.p.Params == ir.Var {
		b.out.Params[i] = values
	}
	vars := slices.Clone(f.Scope)
	b.e.sort(vars)
	stride := m.Strides(f.Scope, vars)
	t := newBuilder(vars)
	if b.state == nil {
		b.state = make([]int, len(m.Vars))
	}
	state, states := b.state, make([]int, len(vars)) // Next leaves zeros
	for more := true; more; more = m.Next(vars, state) {
		at := 0
		for k, v := range vars {
			states[k] = state[v]
			at += stride[k] * state[v]
		}
		if values[at] == 0 {
			continue
		}
		if b.p.Params == ir.Var {
			t.add(states, b.e.input(ir.Leaf{Kind: ir.LeafParam, Table: i, Index: at}))
		} else {
			t.add(states, b.out.Nodes.Const(values[at]))
		}
	}
	return t.done(), nil
}

// entries adds the entries of queries to the circuit, with the posteriors that they need.
func (b *planner) entries(queries []*ir.Query, root circuit.Node) error {
	m := b.p.Model
	isTarget := make([]bool, len(m.Vars))
	for _, q := range queries {
		for _, v := range b.targets(q) {
			isTarget[v] = true
		}
	}
	var wanted []circuit.Node
	for v := range m.Vars {
		if isTarget[v] {
			wanted = append(wanted, b.lambda[v]...)
		}
	}
	d := b.e.derive(root, wanted)
	posterior := make([][]circuit.Node, len(m.Vars))
	for v := range m.Vars {
		if isTarget[v] {
			for _, l := range b.lambda[v] {
				posterior[v] = append(posterior[v], b.out.Nodes.Prod(l, d[0]))
				d = d[1:]
			}
		}
	}
	for _, q := range queries {
		e := ir.CircuitEntry{Query: q, Root: root}
		for _, v := range b.targets(q) {
			e.Outs = append(e.Outs, ir.CircuitOut{Var: v, Nodes: posterior[v]})
		}
		b.out.Entries = append(b.out.Entries, e)
	}
	return nil
}

// targets returns the variables with posteriors that q asks for.
func (b *planner) targets(q *ir.Query) []model.VarID {
	switch q.Kind {
	case ir.Posterior:
		return q.Targets
	case ir.Marginals, ir.Sets, ir.Jeffrey:
		return b.p.Model.Observable()
	}
	return nil
}
