package jointree

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/cluster"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/contraction"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
)

// Method is exact inference on a clique tree.
var Method = method.Method{
	Name:  "jointree",
	Role:  method.Tables,
	Doc:   "exact: messages up and down a clique tree",
	Kinds: "Bayesian, Markov", Guarantee: "exact", Cost: "table entries of the cliques",
	New:     func() method.Instance { return NewOptions() },
	Sparing: func() method.Instance { return &Options{Contract: Slices} },
}

// Options are the options of the method.
type Options struct {
	Contract string `opt:"contract" default:"auto" help:"way to multiply tables: buckets (all of a clique at once), pairs (by an annealed contraction tree), slices (pairs, with some variables fixed at each state in turn to save memory), or auto, which takes buckets or pairs, whichever have fewer operations; with sessions, buckets if they fit" value:"way" range:"auto|buckets|pairs|slices" wrong:"found contract {contract}; want auto, buckets, pairs, slices"`
}

// The values of Options.Contract. A bucket is multiplied whole, or all tables of the network two at
// a time by a contraction tree. Auto chooses one of these by the number of operations. Slices are
// pairs that fix as many variables at each of their states in turn as the memory wants: cutset
// conditioning. They answer probabilities and posteriors, by the interpreter.
const (
	Auto    = "auto"
	Buckets = "buckets"
	Pairs   = "pairs"
	Slices  = "slices"
)

// NewOptions returns the defaults.
func NewOptions() *Options { return options.New[Options]() }

// MethodName returns "jointree".
func (Options) MethodName() string { return Method.Name }

// Check refuses a value of Contract that is none of Contracts.
func (x *Options) Check(p *ir.Problem, by method.Peers) diag.List {
	list := method.CheckOptions(x, p)
	for _, q := range p.Queries {
		if x.Contract == Slices && !maySlice(p, q.Kind) {
			list.Errorf(diag.Pos{File: p.Model.File}, "contract slices answers ln P and posteriors of discrete variables, with constant parameters; found %s; want contract auto for that", q.Word())
		}
	}
	return list
}

// Plan returns a schedule of all queries of p.
func (x *Options) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	b, err := x.plan(c, p)
	if err != nil {
		return nil, 0, err
	}
	if err := c.Fits(b.s); err != nil {
		return nil, method.Exact, err
	}
	if err := b.fill(); err != nil {
		return nil, 0, err
	}
	return &ir.Plan{Schedule: b.s}, method.Exact, nil
}

// newBuilder returns a builder of a schedule for p.
func newBuilder(c *method.Context, p *ir.Problem) *builder {
	b := &builder{ctx: c, p: p, s: p.NewSchedule(), block: map[string]int{},
		factorOf: map[ir.TableID]int{}, param: map[int]ir.TableID{}}
	for i := range b.s.Tables { // of a part that was planned before
		if t := &b.s.Tables[i]; t.Role == ir.RoleParam {
			b.param[int(t.Factor)] = ir.TableID(i)
		}
	}
	return b
}

// queries plans all queries.
func (b *builder) queries() error {
	for _, q := range b.p.Queries {
		if err := b.ctx.Err(); err != nil {
			return err
		}
		if err := b.query(q); err != nil {
			return fmt.Errorf("jointree: query %q: %w", q.Name, err)
		}
	}
	return nil
}

// builder builds one schedule.
type builder struct {
	ctx      *method.Context
	p        *ir.Problem
	s        *ir.Schedule
	factorOf map[ir.TableID]int // by table: the factor that it holds
	mainTree *cluster.Tree      // the tree over all variables; nil until needed
	pairs    *contraction.Tree  // by which sums of the main tree are multiplied; nil if bucket by bucket
	inPairs  bool               // whether to look for such a tree
	inSlices bool               // whether variables may be fixed so that it fits
	cut      []model.VarID      // the variables that are fixed at each of their states in turn, ascending
	main     *forest            // the forest of mainTree, shared by all queries except signatures; nil until needed
	mainMax  *forest            // the same with the fronts of maxima
	sumUp    *upward            // its upward passes; nil until needed
	drawUp   *upward            // the one for samples, if it is not sumUp
	maxUp    *upward
	out      map[model.VarID]ir.TableID // posteriors, after down
	lambda   map[model.VarID]ir.TableID // likelihoods
	downward *downward                  // the downward pass; nil until needed
	// derivatives holds the derivatives by the tables of factors, in the order of the factors,
	// after gradient.
	derivatives []ir.TableID
	block       map[string]int     // index of a block, by name
	param       map[int]ir.TableID // by factor: its table, if its numbers are parameters
	number      int                // number of signatures and joints
	maps        int                // number of plans for MAP queries
}

// forest is a bucket tree with the tables in its buckets.
type forest struct {
	tree    *cluster.Tree
	leaves  [][]ir.TableID // by bucket: factors and likelihoods
	scalars []ir.TableID   // factors without an eliminated variable
}

// fixed reports whether v is fixed at a known state instead of being eliminated.
func (f *forest) fixed(v model.VarID) bool { return f.tree.Rank[v] < 0 }

func (b *builder) query(q *ir.Query) error {
	switch q.Kind {
	case ir.Signature:
		return b.signature(q)
	case ir.MAP:
		e, err := b.mapStates(q)
		b.s.Entries = append(b.s.Entries, e)
		return err
	case ir.Joint:
		return b.joint(q)
	case ir.Best:
		return b.best(q)
	case ir.Follow:
		return b.follow(q)
	}
	if err := b.mainForest(); err != nil {
		return err
	}
	e := ir.ScheduleEntry{Query: q}
	switch q.Kind {
	case ir.MPE:
		b.upMax()
		e.Root, e.Blocks = b.maxUp.root, []int{b.block["upmax"], b.picks("trace", b.maxUp)}
	case ir.KMPE:
		e = b.kmpe(q)
	case ir.MaxMarginals:
		b.upMax()
		e.Root, e.Outs = b.maxUp.root, b.bounds("downbest", b.maxUp, b.observable(), true)
		e.Blocks = []int{b.block["upmax"], b.block["downbest"]}
	case ir.Sample:
		u := b.upDraw()
		e.Root, e.Blocks = u.root, []int{b.block[u.name], b.picks("draw", u)}
	case ir.LogProb:
		b.upSum()
		e.Root, e.Blocks = b.sumUp.root, []int{b.block["up"]}
	case ir.Marginals, ir.Posterior, ir.Session, ir.Sets, ir.Jeffrey:
		b.down()
		e.Root, e.Blocks = b.sumUp.root, []int{b.block["up"], b.block["down"]}
		targets := q.Targets
		if q.Kind != ir.Posterior {
			targets = nil
			targets = b.observable()
		}
		for _, v := range targets {
			e.Outs = append(e.Outs, b.out[v])
		}
	case ir.Gradient, ir.Sensitivity:
		b.gradient()
		e.Root, e.Blocks, e.Outs = b.sumUp.root, []int{b.block["up"], b.block["down"], b.block["gradient"]}, b.derivatives
	default:
		return fmt.Errorf("unknown kind of query %v", q.Kind)
	}
	b.slice(&e)
	b.s.Entries = append(b.s.Entries, e)
	return nil
}

// mainForest builds the tree over all variables, with a likelihood for each.
func (b *builder) mainForest() error {
	if b.main != nil {
		return nil
	}
	tree, err := b.fullTree(nil)
	if err != nil {
		return err
	}
	b.main = b.place(tree, b.all())
	b.likelihoods(b.main)
	b.mainMax = b.main
	if slices.ContainsFunc(b.p.Fronts, func(f ir.Front) bool { return f.Max }) {
		b.mainMax = b.place(tree, b.factors(true))
		b.likelihoods(b.mainMax)
	}
	return nil
}

// all returns the indices of all factors over discrete variables, without fronts of maxima. The
// fronts follow the factors of the model.
func (b *builder) all() []int { return b.factors(false) }

// factors returns the indices of all factors over discrete variables, and of the fronts of maxima
// or of the others.
func (b *builder) factors(max bool) (list []int) {
	n := len(b.p.Model.Factors)
	for i := range n + len(b.p.Fronts) {
		if i >= n && b.p.Fronts[i-n].Max != max || slices.ContainsFunc(b.factorScope(i), b.p.Model.IsReal) {
			continue
		}
		list = append(list, i)
	}
	return list
}

// maxima returns the scopes of the fronts of maxima, which share the tree of the other factors.
func (b *builder) maxima() (scopes [][]model.VarID) {
	for _, f := range b.p.Fronts {
		if f.Max {
			scopes = append(scopes, f.Scope)
		}
	}
	return scopes
}

// factorScope returns the scope of factor n.
func (b *builder) factorScope(n int) []model.VarID {
	if k := n - len(b.p.Model.Factors); k >= 0 {
		return b.p.Fronts[k].Scope
	}
	return b.p.Model.Factors[n].Scope
}

// fullTree returns the tree over all variables. If last is not nil, the tree eliminates those
// variables after the others and has them in one bucket.
func (b *builder) fullTree(last []model.VarID) (*cluster.Tree, error) {
	if last == nil && b.mainTree != nil {
		return b.mainTree, nil
	}
	var vars []model.VarID
	for _, v := range b.p.Model.Vars {
		if !b.p.Model.IsReal(v.ID) {
			vars = append(vars, v.ID)
		}
	}
	if last == nil {
		var err error
		if b.mainTree, err = b.tree(b.all(), vars, nil, b.maxima()...); err == nil && b.inPairs {
			b.contract()
		}
		return b.mainTree, err
	}
	group := make([]int, len(b.p.Model.Vars))
	for _, v := range last {
		group[v] = 1
	}
	return b.tree(b.all(), vars, group, last)
}

// likelihoods adds the likelihoods of all variables to f, which eliminates all but those of a
// cutset.
func (b *builder) likelihoods(f *forest) {
	if b.lambda == nil {
		b.lambda = b.s.Inputs()
	}
	b.grow(len(b.p.Model.Vars))
	for _, v := range b.p.Model.Vars {
		if v.Latent || b.p.Model.IsReal(v.ID) {
			continue
		}
		t, ok := b.lambda[v.ID]
		if !ok {
			t = b.add(ir.Table{Name: "λ " + v.Name, Scope: []model.VarID{v.ID}, Role: ir.RoleIn, Var: v.ID})
			b.lambda[v.ID] = t
		}
		if i := f.tree.Rank[v.ID]; i >= 0 {
			f.leaves[i] = append(f.leaves[i], t)
		} else {
			f.scalars = append(f.scalars, t)
		}
	}
}

// tree returns only the tree. The variables of each of cliques end up in one bucket.
func (b *builder) tree(factors []int, vars []model.VarID, group []int, cliques ...[]model.VarID) (*cluster.Tree, error) {
	scopes := slices.Clone(cliques)
	for _, n := range factors {
		scopes = append(scopes, b.factorScope(n))
	}
	order, err := b.ctx.Order(scopes, vars, group)
	if err != nil {
		return nil, err
	}
	return cluster.New(len(b.p.Model.Vars), scopes, order), nil
}

// place returns a forest of tree with factors in its buckets.
func (b *builder) place(tree *cluster.Tree, factors []int) *forest {
	f := &forest{tree: tree, leaves: make([][]ir.TableID, len(tree.Buckets))}
	for _, n := range factors {
		t := b.factor(tree, n)
		if first := tree.First(b.factorScope(n)); first >= 0 {
			f.leaves[first] = append(f.leaves[first], t)
		} else {
			f.scalars = append(f.scalars, t)
		}
	}
	return f
}

// grow makes room for n tables: without, the lists that append leaves behind take several times the
// memory of the last one.
func (b *builder) grow(n int) { b.s.Tables = slices.Grow(b.s.Tables, n) }

// add appends a table.
func (b *builder) add(t ir.Table) ir.TableID {
	b.s.Tables = append(b.s.Tables, t)
	return ir.TableID(len(b.s.Tables) - 1)
}

// factor adds factor n as a table. Constants are laid out for tree t. Parameters keep the layout of
// the model, in which callers replace them. The numbers are computed last; see fill.
func (b *builder) factor(t *cluster.Tree, n int) ir.TableID {
	m := b.p.Model
	if n >= len(m.Factors) {
		return b.p.Fronts[n-len(m.Factors)].Table
	}
	f := m.Factors[n]
	if t, ok := b.param[n]; ok {
		return t
	}
	table := ir.Table{Name: m.FactorName(f), Scope: f.Scope, Role: ir.RoleParam, Var: -1, Factor: int32(n)}
	if b.p.Params == ir.Const {
		table.Scope, table.Role = slices.Clone(f.Scope), ir.RoleConst
		t.Sort(table.Scope)
	}
	id := b.add(table)
	b.factorOf[id] = n
	if b.p.Params == ir.Var {
		b.param[n] = id
	}
	return id
}

// fill computes the numbers of the tables of factors.
func (b *builder) fill() error {
	m := b.p.Model
	values := make([][]float64, len(m.Factors))
	for t := range b.s.Tables {
		n, ok := b.factorOf[ir.TableID(t)]
		if !ok {
			continue
		}
		f := m.Factors[n]
		if values[n] == nil {
			var err error
			if values[n], err = m.Tabulate(f, b.ctx.MaxTable); err != nil {
				return err
			}
		}
		b.s.Tables[t].Data = m.Rearrange(values[n], f.Scope, b.s.Tables[t].Scope)
	}
	return nil
}
