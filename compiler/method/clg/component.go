package clg

import (
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// component is a set of real variables that are connected by CPDs through only real variables.
type component struct {
	vars    []model.VarID
	buckets []*bucket     // in the order of elimination; the last one is the root
	context []model.VarID // the discrete variables of the front
	weights ir.TableID    // their posterior; NoTable if there are none
	logs    ir.TableID    // one number that LogProb adds
	gate    gauss.Number  // of a component without context
	count   gauss.Number  // ln 2π for each observed variable, see counted

	guests    []*component // those that the front includes
	guest     bool         // another component's front includes this one
	front     ir.TableID   // the front; of a component with a context that is no guest
	allowed   ir.TableID   // the states of the context that evidence and functions allow
	lost      gauss.Number // positive if the front has numbers near 0; see lost
	best      ir.TableID   // the front of maxima, if there is a query for them
	bestLogs  ir.TableID   // what logs is for the maxima
	bestLost  gauss.Number // what lost is for the maxima
	posterior []int        // the blocks of the discrete part that compute weights

	ops  []ir.Op      // the way up
	pull gauss.Number // the mean of the target of a sensitivity
	tilt ir.TableID   // the front of t; see tilt
}

// bucket eliminates one real variable.
type bucket struct {
	v       model.VarID
	cpd     *model.Factor
	own     []model.VarID // its discrete parents
	choices []model.VarID // those that are not fixed, and those that references of the family depend on
	parents []model.VarID // its real parents
	random  []model.VarID // those that are not given
	scope   []model.VarID // the separator, real
	context []model.VarID // the discrete variables on which its numbers depend
	parent  *bucket       // nil for the root
	kids    []*bucket

	functions bool // a row of the CPD, or of that of a bucket below, has variance 0

	form    form         // the message to the parent
	kept    regression   // the way down
	moments gauss.Stored // of the variable and its separator, after down
	weights ir.TableID   // posterior of the context, after down; NoTable if that is empty
}

// findComponents chooses references, and finds the components and the order of elimination in each.
func (b *builder) findComponents() {
	b.chooseReferences(false)
	b.connect()
	if b.p.Params == ir.Var || b.p.Asks(ir.Statistics) {
		return // statistics are about families, without what references depend on
	}
	size := b.space()
	b.chooseReferences(true)
	if !slices.ContainsFunc(b.references, func(r reference) bool { return len(r.scope) > 0 }) {
		return
	}
	b.connect()
	if b.space() > spaceOfReferences*size+mostReferences {
		b.chooseReferences(false)
		b.connect()
	}
}

// space returns the number of numbers of all buckets.
func (b *builder) space() (n float64) {
	for _, g := range b.components {
		for _, k := range g.buckets {
			n += b.numbers(k)
		}
	}
	return n
}

// connect finds the components and the order of elimination in each.
func (b *builder) connect() {
	b.components = nil
	in := make([]int, len(b.m.Vars)) // by variable: its component
	var members [][]model.VarID
	for _, v := range b.random(b.m.Reals()) {
		in[v] = len(members)
		members = append(members, []model.VarID{v})
	}
	for _, f := range b.m.Factors {
		if f.Gaussian() == nil {
			continue
		}
		_, parents := b.m.SplitParents(f)
		for _, u := range b.random(parents) {
			to, from := in[f.ChildVar()], in[u]
			if to == from {
				continue
			}
			for _, x := range members[from] {
				in[x] = to
			}
			members[to], members[from] = append(members[to], members[from]...), nil
		}
	}
	for _, vars := range members {
		if vars != nil {
			slices.Sort(vars)
			b.components = append(b.components, b.component(vars))
		}
	}
}

// random returns the variables of a list that are not given. A given variable is always observed,
// so that it is 0 relative to its value and takes no part in the elimination.
func (b *builder) random(list []model.VarID) []model.VarID {
	return slices.DeleteFunc(slices.Clone(list), func(v model.VarID) bool { return b.m.Vars[v].Given })
}

// component orders the elimination of vars. A variable is eliminated after its children, so that
// its bucket has only its CPD and forms. Among such variables, the cheapest is next: by the square
// of its separator times the joint states of its context.
func (b *builder) component(vars []model.VarID) *component {
	g := &component{vars: vars, weights: ir.NoTable, logs: ir.NoTable}
	left := map[model.VarID]int{} // children that are not eliminated
	waiting := map[model.VarID]*bucket{}
	for _, v := range vars {
		f := b.m.CPD(v)
		k := &bucket{v: v, cpd: f, weights: ir.NoTable}
		k.own, k.parents = b.m.SplitParents(f)
		k.random = b.random(k.parents)
		k.choices = slices.DeleteFunc(b.matters(k), func(v model.VarID) bool { return slices.Contains(b.Fixed, v) })
		for _, u := range k.random {
			left[u]++
		}
		waiting[v], b.bucketOf[v] = k, k
	}
	var open []*bucket // eliminated, without a parent
	for len(g.buckets) < len(vars) {
		var next *bucket
		cost := 0.0
		for _, v := range vars {
			k := waiting[v]
			if k == nil || left[v] > 0 {
				continue
			}
			k.gather(open)
			n := float64(len(k.scope) + 1)
			if c := n * n * b.m.JointStates(k.context); next == nil || c < cost {
				next, cost = k, c
			}
		}
		next.functions = next.cpd.Gaussian().HasZeros()
		for _, k := range next.kids {
			k.parent, next.functions = next, next.functions || k.functions
		}
		open = slices.DeleteFunc(open, func(k *bucket) bool { return k.parent != nil })
		for _, u := range next.random {
			left[u]--
		}
		delete(waiting, next.v)
		g.buckets, open = append(g.buckets, next), append(open, next)
	}
	g.context = g.buckets[len(g.buckets)-1].context
	return g
}

// matters returns the discrete variables on which the numbers of the CPD of k depend.
func (b *builder) matters(k *bucket) []model.VarID {
	all := slices.Clone(k.own)
	for _, u := range append(slices.Clone(k.parents), k.v) {
		all = append(all, b.references[u].scope...)
	}
	return union(all)
}

// gather sets the contents of the bucket if it is next.
func (k *bucket) gather(open []*bucket) {
	k.kids = nil
	scope, context := slices.Clone(k.random), slices.Clone(k.choices)
	for _, o := range open {
		if slices.Contains(o.scope, k.v) {
			k.kids = append(k.kids, o)
			scope, context = append(scope, o.scope...), append(context, o.context...)
		}
	}
	k.scope = slices.DeleteFunc(union(scope), func(v model.VarID) bool { return v == k.v })
	k.context = union(context)
}

// advise adds to the error of a network that is too wide what a projection would take.
func (b *builder) advise(err *diag.Message) *diag.Message {
	q := &ir.Query{Name: ir.Beliefs.String(), Kind: ir.Beliefs}
	plan, _, other := b.ctx.Use(method.Projection, &ir.Problem{Model: b.m, Queries: []*ir.Query{q}})
	if other != nil {
		return diag.Errorf("%v; try %v, whose samples do not depend on that", err, b.ctx.By(method.ForwardSamples))
	}
	size := method.EstimateOf(plan.Schedule)
	return diag.Errorf("%v; try %v, approximate, which takes %.2g operations an iteration, or %s", err, b.ctx.By(method.Projection), size.Products, b.ctx.By(method.ForwardSamples).Value)
}

// fits returns an error if a bucket would have more numbers than a table may have.
func (b *builder) fits(g *component) *diag.Message {
	for _, k := range g.buckets {
		if size := b.numbers(k); size > float64(b.ctx.MaxTable) {
			return diag.Errorf("variable %q is eliminated with %d real variables for each of %.4g joint states of %s, which takes %.4g numbers; limit: %v",
				b.m.Vars[k.v].Name, len(k.scope), b.m.JointStates(k.context), b.Set(k.context), size, diag.Option{Name: "max-table", Value: strconv.Itoa(b.ctx.MaxTable)})
		}
	}
	return nil
}

// numbers returns about how many numbers a bucket takes.
func (b *builder) numbers(k *bucket) float64 {
	n := float64(len(k.scope))
	return b.m.JointStates(k.context) * (n*n/2 + 3*n + 4)
}

// Tree is the size of the strong tree of a network: of the elimination of its real variables before
// the discrete ones.
type Tree struct {
	Components int     `json:"components"` // sets of real variables that are connected by real ones
	Buckets    int     `json:"buckets"`    // eliminated variables
	Separator  int     `json:"separator"`  // the most real variables of a message
	States     float64 `json:"states"`     // the most joint states of discrete variables of a bucket
	Numbers    float64 `json:"numbers"`    // of all buckets: squares of separators times joint states
	Largest    float64 `json:"largest"`    // of the largest one
}

// TreeOf returns the size of the strong tree of a network with Gaussian CPDs or canonical
// potentials. It takes time for the square of the number of real variables, for any size of the
// tree.
func TreeOf(m *model.Model) Tree {
	b := eliminated(m)
	t := Tree{Components: len(b.components)}
	for _, g := range b.components {
		for _, k := range g.buckets {
			n := b.numbers(k)
			t.Buckets++
			t.Separator, t.States = max(t.Separator, len(k.scope)), max(t.States, b.m.JointStates(k.context))
			t.Numbers, t.Largest = t.Numbers+n, max(t.Largest, n)
		}
	}
	return t
}

// eliminated returns a builder with the components of a network.
func eliminated(m *model.Model) *builder {
	if m.Traits()&model.Canonicals != 0 {
		m = structure(m)
	}
	b := &builder{p: &ir.Problem{Model: m}, m: m, bucketOf: map[model.VarID]*bucket{}}
	b.findComponents()
	return b
}

// Elimination returns the order in which the method eliminates real variables, except those that
// are given, and for each the variables that its bucket joins.
func Elimination(m *model.Model) (order []int, joined [][]model.VarID) {
	for _, g := range eliminated(m).components {
		for _, k := range g.buckets {
			order = append(order, int(k.v))
			joined = append(joined, union([]model.VarID{k.v}, k.scope, k.context))
		}
	}
	return order, joined
}
