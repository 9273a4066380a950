package jointree

import (
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/compiler/cluster"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// joint plans the posterior of several targets together. Where a bucket of the main tree has them
// all, it is what that bucket holds times the derivative by its message; otherwise, or where that
// takes far more products, a tree of its own has them in the last bucket, and the pass up suffices.
func (b *builder) joint(q *ir.Query) error {
	if n := b.states(q.Targets); n > float64(b.ctx.MaxTable) {
		limit := diag.Option{Name: "max-table", Value: strconv.Itoa(b.ctx.MaxTable)}
		return diag.Errorf("the answer has %.4g numbers; limit: %v. Ask for fewer variables together, or raise the limit", n, limit)
	}
	main, err := b.fullTree(nil)
	if err != nil {
		return err
	}
	tree, err := b.fullTree(q.Targets)
	if err != nil {
		return err
	}
	// The main tree is run by other queries, too, so that a joint adds one operation to it: that is
	// worth twice the products.
	const worth = 2
	if at, products := b.clique(main, q.Targets); at >= 0 && products <= worth*b.products(tree) {
		return b.jointOfClique(q, at)
	}
	own := b.place(tree, b.all())
	b.likelihoods(own)
	b.number++
	name := "joint" + strconv.Itoa(b.number)
	first := len(own.leaves) - len(q.Targets)
	keep := &kept{name: "P(" + b.set(q.Targets) + ", evidence)", from: first, scope: q.Targets, of: -1}
	u := b.up(name, own, nil, keep)
	block := &b.s.Blocks[b.block[name]]
	block.Ops = append(block.Ops, &ir.NormalizeOp{Table: keep.table})
	b.s.Entries = append(b.s.Entries, ir.ScheduleEntry{Query: q, Blocks: []int{b.block[name]}, Root: u.root, Outs: []ir.TableID{keep.table}})
	return nil
}

// states is the number of joint states of vars, which may be beyond any integer.
func (b *builder) states(vars []model.VarID) float64 {
	n := 1.0
	for _, v := range vars {
		n *= float64(b.p.Model.Card(v))
	}
	return n
}

// products is how many a pass up tree forms, about.
func (b *builder) products(tree *cluster.Tree) float64 {
	n := 0.0
	for i := range tree.Buckets {
		n += b.states(tree.Scope(i))
	}
	return n
}

// clique finds the bucket of a tree with all of vars that the fewest products lead to, by the pass
// up and the way down; -1 where none has them all.
func (b *builder) clique(tree *cluster.Tree, vars []model.VarID) (bucket int, products float64) {
	way := make([]float64, len(tree.Buckets)) // by bucket: the products from the root down to it
	bucket = -1
	for i := len(tree.Buckets) - 1; i >= 0; i-- { // parents come last
		scope := tree.Scope(i)
		way[i] = b.states(scope)
		if p := tree.Buckets[i].Parent; p >= 0 {
			way[i] += way[p]
		}
		holds := !slices.ContainsFunc(vars, func(v model.VarID) bool { return !slices.Contains(scope, v) })
		if holds && (bucket < 0 || way[i] < products) {
			bucket, products = i, way[i]
		}
	}
	return bucket, products + b.products(tree)
}

// jointOfClique plans the posterior of targets that a bucket of the main tree has.
func (b *builder) jointOfClique(q *ir.Query, bucket int) error {
	if err := b.mainForest(); err != nil {
		return err
	}
	b.down()
	d := b.downward
	op := d.message[bucket]
	in := d.others(op, ir.NoTable)
	name := "P(" + b.set(q.Targets) + " | evidence)"
	out := b.add(ir.Table{Name: name, Scope: q.Targets, Role: ir.RoleOut, Var: -1})
	b.s.Blocks = append(b.s.Blocks, ir.OpBlock{Name: "joint", Order: b.main.tree.Order(), Ops: []ir.Op{
		&ir.ContractOp{Out: out, In: in, Reduce: d.reduction(q.Targets, in)},
		&ir.NormalizeOp{Table: out},
	}})
	blocks := []int{b.block["up"], b.block["down"], len(b.s.Blocks) - 1}
	b.s.Entries = append(b.s.Entries, ir.ScheduleEntry{Query: q, Blocks: blocks, Root: b.sumUp.root, Outs: []ir.TableID{out}})
	return nil
}
