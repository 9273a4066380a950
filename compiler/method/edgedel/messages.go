package edgedel

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/cluster"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/loop"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// builder plans one query.
type builder struct {
	*loop.Plan
	parameters  string
	factors     []*model.Factor // of the model, or CPDs in their place, with parameters cliques
	correction  string
	deleted     []Edge
	tree, whole *cluster.Tree      // of the simplified network; and of the original one, with parameters true
	left        [][]model.VarID    // by factor: its scope in the simplified network
	lost        [][]int            // by factor: its deleted edges
	out         [][]int            // by variable: the deleted edges out of it
	table       []ir.TableID       // by factor
	reduced     []ir.TableID       // by factor: the table of the simplified network
	averaged    map[int]ir.TableID // by factor that lost edges: its table in the simplified network, with parameters prior
	pi          []ir.TableID       // by edge: the distribution that replaces the parent
	lambda      []ir.TableID       // by edge: the likelihood of the parent that the child sends, with parameters bp
	base        []ir.TableID       // by variable: its likelihood times those that children send
	observed    []model.VarID      // variables that are always observed
	bound       ir.TableID         // bound of the divergence, with parameters true
}

func newBuilder(p *ir.Problem, parameters string, deleted []Edge) *builder {
	m := p.Model
	b := &builder{Plan: loop.New(p), parameters: parameters, factors: m.Factors, deleted: deleted, lost: make([][]int, len(m.Factors)),
		out: make([][]int, len(m.Vars)), averaged: map[int]ir.TableID{}, bound: ir.NoTable}
	for i, e := range deleted {
		b.lost[e.Factor] = append(b.lost[e.Factor], i)
		b.out[e.Parent] = append(b.out[e.Parent], i)
	}
	for n, f := range m.Factors {
		scope := slices.Clone(f.Scope)
		for _, i := range b.lost[n] {
			scope = without(scope, deleted[i].Parent)
		}
		b.left = append(b.left, scope)
	}
	return b
}

// plan returns the plan, after the trees are built.
func (b *builder) plan(q *ir.Query, o ir.LoopOptions, order []int) *ir.Plan {
	for _, f := range b.factors {
		t := b.Factor(f)
		b.tree.Sort(b.Schedule.Tables[t].Scope)
		b.table = append(b.table, t)
	}
	b.start()
	b.reset(&b.Round)
	b.reduce()
	b.bases()
	derivative := b.propagate()
	b.marginals(derivative)
	switch b.parameters {
	case bp:
		b.send(derivative)
	case posterior:
		b.replaceByMarginals()
	case truth:
		b.bounds()
	}
	if b.correction == general {
		b.general(order)
	}
	plan := b.Finish(q, o)
	for i := range plan.Schedule.Blocks {
		plan.Schedule.Blocks[i].Order = b.tree.Order()
	}
	plan.Schedule.Entries[0].Loop.Bound = b.bound
	return plan
}

// reset adds the operations that reset ln P.
func (b *builder) reset(ops *[]ir.Op) {
	*ops = append(*ops, b.Copy(b.LogP, b.Number("ln 1", 0)), b.Copy(b.Alive, b.Number("possible", 1)))
}

// logP returns the operation that adds ln of the sum of a table to ln P.
func (b *builder) logP(t ir.TableID) ir.Op { return b.Log(1, t) }

// start adds the operations that initialize the replacements of edges: the parents' likelihoods,
// and uniform messages from children.
func (b *builder) start() {
	b.pi, b.lambda = make([]ir.TableID, len(b.deleted)), make([]ir.TableID, len(b.deleted))
	if b.parameters == prior {
		return
	}
	for v, edges := range b.out {
		id := model.VarID(v)
		for k, i := range edges {
			name := b.Arrow(b.Model.Vars[v].Name, b.Model.FactorName(b.Model.Factors[b.deleted[i].Factor]))
			b.lambda[i] = ir.NoTable
			if b.parameters == bp {
				b.lambda[i] = b.Kept("likelihood along "+name, id)
				b.Start = append(b.Start, b.Copy(b.lambda[i], b.Uniform(id)))
			} else if k > 0 { // one distribution serves all edges
				b.pi[i] = b.pi[edges[0]]
				continue
			}
			b.pi[i] = b.Kept("in place of "+name, id)
			b.Start = append(b.Start, b.Sum(b.pi[i], b.likelihood(id)), &ir.NormalizeOp{Table: b.pi[i]})
		}
	}
	if b.parameters == truth {
		b.exact()
	}
}

// likelihood returns the likelihood of v, or ones if v is latent.
func (b *builder) likelihood(v model.VarID) ir.TableID {
	if b.Lambda[v] == ir.NoTable {
		return b.Ones(v)
	}
	return b.Lambda[v]
}

// reduce adds the tables of factors that lost edges: averages over the replacements of the parents.
func (b *builder) reduce() {
	b.reduced = slices.Clone(b.table)
	for n, lost := range b.lost {
		if len(lost) == 0 {
			continue
		}
		scope := slices.Clone(b.left[n])
		b.tree.Sort(scope)
		name := b.Model.FactorName(b.Model.Factors[n]) + ", simplified"
		if b.parameters == prior {
			b.Schedule.Tables = append(b.Schedule.Tables, ir.Table{Name: name, Scope: scope, Role: ir.RoleConst, Var: -1})
			b.reduced[n] = ir.TableID(len(b.Schedule.Tables) - 1)
			b.averaged[n] = b.reduced[n]
			continue
		}
		b.reduced[n] = b.Temp(name, scope...)
		in := []ir.TableID{b.table[n]}
		for _, i := range lost {
			in = append(in, b.pi[i])
		}
		b.Round = append(b.Round, b.Sum(b.reduced[n], in...))
	}
}

// bases computes, for each variable, the product of its likelihood and those that children send.
func (b *builder) bases() {
	for v, edges := range b.out {
		id := model.VarID(v)
		t := b.Lambda[v]
		if b.parameters == bp && len(edges) > 0 {
			in := []ir.TableID{b.likelihood(id)}
			for _, i := range edges {
				in = append(in, b.lambda[i])
			}
			t = b.product(id, "evidence on "+b.Model.Vars[v].Name, in, true)
		} else if t == ir.NoTable && len(edges) > 0 {
			t = b.Ones(id)
		}
		b.base = append(b.base, t)
	}
}

// product multiplies tables over v two at a time and normalizes each product, because a product of
// many small numbers may underflow. If count is set, the normalization constants are added to ln P.
// A single table is returned as it is.
func (b *builder) product(v model.VarID, name string, in []ir.TableID, count bool) ir.TableID {
	out := in[0]
	for _, t := range in[1:] {
		next := b.Temp(name, v)
		b.Round = append(b.Round, b.Sum(next, out, t))
		if count {
			b.Round = append(b.Round, b.logP(next))
		}
		b.Round = append(b.Round, &ir.NormalizeOp{Table: next})
		out = next
	}
	return out
}

// propagate adds the passes over the simplified network and returns the derivatives.
func (b *builder) propagate() map[ir.TableID]ir.TableID {
	p := &passes{Plan: b.Plan, tree: b.tree, wanted: map[ir.TableID]bool{}, log: b.logP}
	leaves := slices.Clone(b.reduced)
	for _, t := range b.base {
		if t != ir.NoTable {
			leaves = append(leaves, t)
			p.wanted[t] = true
		}
	}
	for n, lost := range b.lost {
		if b.parameters == bp && len(lost) > 0 {
			p.wanted[b.reduced[n]] = true
		}
	}
	b.Round = append(b.Round, p.run(leaves)...)
	return p.derivative
}

// present returns the tables that are not NoTable.
func present(tables ...ir.TableID) []ir.TableID {
	return slices.DeleteFunc(tables, func(t ir.TableID) bool { return t == ir.NoTable })
}

// marginals adds the operations that compute the marginals, also of latent variables with deleted
// edges.
func (b *builder) marginals(derivative map[ir.TableID]ir.TableID) {
	for v, base := range b.base {
		if base == ir.NoTable {
			continue
		}
		id := model.VarID(v)
		if b.Outs[v] == ir.NoTable {
			b.Outs[v] = b.Temp("marginal of "+b.Model.Vars[v].Name, id)
		}
		b.Round = append(b.Round, b.Sum(b.Outs[v], present(derivative[base], base)...), &ir.NormalizeOp{Table: b.Outs[v]})
	}
}

// replaceByMarginals moves the replacements of edges to the marginals of the parents.
func (b *builder) replaceByMarginals() {
	for v, edges := range b.out {
		if len(edges) > 0 {
			b.Round = append(b.Round, b.Damp(b.pi[edges[0]], b.Outs[v]))
		}
	}
}

// send corrects ln P, and updates the messages along deleted edges. To the child goes the product
// of all that the parent has except the child's own message; to the parent goes the derivative of P
// by the replacement of the parent.
func (b *builder) send(derivative map[ir.TableID]ir.TableID) {
	var old, next []ir.TableID
	update := func(table, made ir.TableID) { old, next = append(old, table), append(next, made) }
	for v, edges := range b.out {
		if len(edges) == 0 {
			continue
		}
		id := model.VarID(v)
		for k, made := range b.allButOne(id, present(derivative[b.base[v]], b.likelihood(id)), edges) {
			update(b.pi[edges[k]], made)
		}
	}
	for n, lost := range b.lost {
		for _, i := range lost {
			in := append([]ir.TableID{b.table[n]}, present(derivative[b.reduced[n]])...)
			for _, k := range lost {
				if k != i {
					in = append(in, b.pi[k])
				}
			}
			made := b.Temp("new "+b.Schedule.Tables[b.lambda[i]].Name, b.deleted[i].Parent)
			b.Round = append(b.Round, b.Sum(made, in...), &ir.NormalizeOp{Table: made})
			update(b.lambda[i], made)
		}
	}
	b.correct()
	for i := range old {
		b.Round = append(b.Round, b.Damp(old[i], next[i]))
	}
}

// allButOne returns, for each of the deleted edges out of v, the product of base and the messages
// along the other edges. Products are formed from both ends, so that their number is linear.
func (b *builder) allButOne(v model.VarID, base []ir.TableID, edges []int) []ir.TableID {
	name := "messages to " + b.Model.Vars[v].Name
	after := make([]ir.TableID, len(edges))
	after[len(edges)-1] = ir.NoTable
	for k := len(edges) - 2; k >= 0; k-- {
		after[k] = b.product(v, name, present(after[k+1], b.lambda[edges[k+1]]), false)
	}
	before := b.product(v, name, base, false)
	var out []ir.TableID
	for k, i := range edges {
		made := b.Temp("new "+b.Schedule.Tables[b.pi[i]].Name, v)
		b.Round = append(b.Round, b.Sum(made, present(before, after[k])...), &ir.NormalizeOp{Table: made})
		out = append(out, made)
		if k < len(edges)-1 {
			before = b.product(v, name, []ir.TableID{before, b.lambda[i]}, false)
		}
	}
	return out
}

// correct subtracts from ln P what each deleted edge counts twice: ln of the sum of the product of
// its two messages.
func (b *builder) correct() {
	for i := range b.deleted {
		both := b.Temp("sum along an edge")
		b.Round = append(b.Round, b.Sum(both, b.pi[i], b.lambda[i]), b.Log(-1, both))
	}
}

// exact adds the operations that compute the marginals of parents in the original network, and that
// start the bound of the divergence: the entropies, less ln P.
func (b *builder) exact() {
	b.bound = b.Kept("bound of the divergence")
	b.Start = append(b.Start, b.Copy(b.bound, b.Number("no entropy", 0)))
	p := &passes{Plan: b.Plan, tree: b.whole, wanted: map[ir.TableID]bool{}, log: func(t ir.TableID) ir.Op {
		return &ir.TallyOp{Kind: ir.TallyLog, Factor: -1, Total: b.bound, In: t, Alive: b.Alive, Ref: ir.NoTable}
	}}
	leaves := slices.Clone(b.table)
	base := make([]ir.TableID, len(b.Model.Vars))
	for v := range base {
		base[v] = b.Lambda[v]
		if len(b.out[v]) > 0 {
			base[v] = b.likelihood(model.VarID(v))
			p.wanted[base[v]] = true
		}
		leaves = append(leaves, present(base[v])...)
	}
	b.Start = append(b.Start, p.run(leaves)...)
	for v, edges := range b.out {
		if len(edges) == 0 {
			continue
		}
		pi := b.pi[edges[0]]
		b.Start = append(b.Start, b.Sum(pi, present(p.derivative[base[v]], base[v])...), &ir.NormalizeOp{Table: pi},
			&ir.TallyOp{Kind: ir.TallyEntropy, Factor: float64(len(edges)), Total: b.bound, In: pi, Alive: ir.NoTable, Ref: ir.NoTable})
	}
	if slices.ContainsFunc(b.lost, func(lost []int) bool { return b.uncertain(lost) > 1 }) {
		b.Start = append(b.Start, &ir.TallyOp{Kind: ir.TallySum, Factor: math.MaxFloat64, Total: b.bound, In: b.Number("no bound", 1),
			Alive: ir.NoTable, Ref: ir.NoTable})
	}
}

// uncertain returns the number of edges that are not out of variables that are always observed.
// Deleting the latter is exact.
func (b *builder) uncertain(edges []int) (n int) {
	for _, i := range edges {
		if !slices.Contains(b.observed, b.deleted[i].Parent) {
			n++
		}
	}
	return n
}

// bounds adds ln P of the simplified network to the bound of the divergence.
func (b *builder) bounds() {
	b.End = append(b.End, &ir.TallyOp{Kind: ir.TallySum, Factor: 1, Total: b.bound, In: b.LogP, Alive: ir.NoTable, Ref: ir.NoTable})
}

// fill computes the numbers of the tables of factors. It returns the averages that the compiler has
// to fill in.
func (b *builder) fill(c *method.Context) (averaged []ir.Prior, err error) {
	if err := b.Fill(c.MaxTable, nil); err != nil {
		return nil, err
	}
	for n := range b.Model.Factors {
		t, ok := b.averaged[n]
		if !ok {
			continue
		}
		b.Schedule.Tables[t].Data = make([]float64, b.Schedule.Size(t)) // zeros until the compiler calls Fill
		averaged = append(averaged, ir.Prior{Vars: b.left[n], Fill: func(joint []float64) {
			b.condition(joint, n)
			table := &b.Schedule.Tables[t]
			table.Data = b.Model.Rearrange(joint, b.left[n], table.Scope)
		}})
	}
	return averaged, nil
}

// condition turns the joint distribution of the child of factor n and the parents that it keeps
// into the child's distribution given these parents. values are laid out as left[n]. If the parents
// cannot have their states, any distribution will do, and condition takes the uniform one.
func (b *builder) condition(values []float64, n int) {
	scope := b.left[n]
	child := slices.Index(scope, b.Model.Factors[n].ChildVar())
	stride, _ := b.Model.TableSize(scope[child+1:])
	card := b.Model.Card(scope[child])
	for i := range values {
		if i/stride%card != 0 {
			continue
		}
		sum := 0.0
		for s := range card {
			sum += values[i+s*stride]
		}
		for s := range card {
			if sum > 0 {
				values[i+s*stride] /= sum
			} else {
				values[i+s*stride] = 1 / float64(card)
			}
		}
	}
}
