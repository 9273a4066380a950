package jointree

import (
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/compiler/cluster"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// joint plans the joint posterior of several targets. If a bucket of the main tree contains them
// all, the posterior is the product of the bucket's operands and the derivative by its message.
// Otherwise, or if that takes far more products, a separate tree has the targets in its last
// buckets, and its upward pass suffices. For the best completions, it maximises.
func (b *builder) joint(q *ir.Query) error {
	if n := b.p.Model.JointStates(q.Targets); n > float64(b.ctx.MaxTable) {
		limit := diag.Option{Name: "max-table", Value: strconv.Itoa(b.ctx.MaxTable)}
		return diag.Errorf("the answer has %.4g numbers; limit: %v; ask for fewer variables together, or raise the limit", n, limit)
	}
	main, err := b.fullTree(nil)
	if err != nil {
		return err
	}
	tree, err := b.fullTree(q.Targets)
	if err != nil {
		return err
	}
	// The main tree also serves other queries, for which a joint adds one operation. That is worth
	// twice the products, unless the joint is all that the slice of a sequence is asked.
	worth := 2.0
	if len(b.p.Queries) == 1 && len(b.p.Fronts) > 0 {
		worth = 1
	}
	if at, products := b.clique(main, q.Targets); !q.Best && at >= 0 && products <= worth*b.products(tree) {
		return b.jointOfClique(q, at)
	}
	var maximise []bool
	if q.Best {
		maximise = slices.Repeat([]bool{true}, len(b.p.Model.Vars))
	}
	b.jointOfTree(q, tree, maximise)
	return nil
}

// follow plans all marginals, and for each utility the joint posterior of its scope.
func (b *builder) follow(q *ir.Query) error {
	if err := b.query(&ir.Query{Kind: ir.Marginals}); err != nil {
		return err
	}
	at := len(b.s.Entries) - 1
	for _, u := range q.Utilities {
		if err := b.joint(&ir.Query{Kind: ir.Joint, Targets: u.Scope}); err != nil {
			return err
		}
		e, part := &b.s.Entries[at], b.s.Entries[at+1]
		for _, k := range part.Blocks {
			if !slices.Contains(e.Blocks, k) {
				e.Blocks = append(e.Blocks, k)
			}
		}
		values := b.add(ir.Table{Name: u.Name, Scope: u.Scope, Role: ir.RoleLogs, Var: -1, Data: u.Values})
		e.Utilities = append(e.Utilities, ir.OpMoments{In: part.Outs[0], Values: values})
		b.s.Entries = b.s.Entries[:at+1]
	}
	b.s.Entries[at].Query = q
	return nil
}

// best plans the table of a decision's options: maxima over later decisions among the sums, and the
// targets last.
func (b *builder) best(q *ir.Query) error {
	tree, err := b.fullTree(q.Targets)
	if err != nil {
		return err
	}
	maximise := make([]bool, len(b.p.Model.Vars))
	for _, v := range q.Maxima {
		maximise[v] = true
	}
	b.jointOfTree(q, tree, maximise)
	return nil
}

// jointOfTree plans a table of the targets of q by an upward pass of a tree that has them in its
// last buckets. It maximises over some variables; nil if over none.
func (b *builder) jointOfTree(q *ir.Query, tree *cluster.Tree, maximise []bool) {
	own := b.place(tree, b.all())
	b.likelihoods(own)
	b.number++
	name := q.Kind.String() + strconv.Itoa(b.number)
	first := len(own.leaves) - len(q.Targets)
	ans := &answer{name: "P(" + b.set(q.Targets) + ", evidence)", from: first, scope: q.Targets, of: -1}
	u := b.up(name, own, maximise, ans)
	if q.Kind == ir.Joint {
		block := &b.s.Blocks[b.block[name]]
		block.Ops = append(block.Ops, &ir.NormalizeOp{Table: ans.table})
	}
	b.s.Entries = append(b.s.Entries, ir.ScheduleEntry{Query: q, Blocks: []int{b.block[name]}, Root: u.root, Outs: []ir.TableID{ans.table}})
}

// products returns the approximate number of products of an upward pass.
func (b *builder) products(tree *cluster.Tree) float64 {
	n := 0.0
	for i := range tree.Buckets {
		n += b.p.Model.JointStates(tree.Scope(i))
	}
	return n
}

// clique returns the bucket of a tree that contains vars and takes the fewest products for the
// upward pass and the path down to it. The bucket is -1 if none contains them all.
func (b *builder) clique(tree *cluster.Tree, vars []model.VarID) (bucket int, products float64) {
	path := make([]float64, len(tree.Buckets)) // by bucket: the products from the root down to it
	bucket = -1
	for i := len(tree.Buckets) - 1; i >= 0; i-- { // parents come after their children
		scope := tree.Scope(i)
		path[i] = b.p.Model.JointStates(scope)
		if p := tree.Buckets[i].Parent; p >= 0 {
			path[i] += path[p]
		}
		holds := !slices.ContainsFunc(vars, func(v model.VarID) bool { return !slices.Contains(scope, v) })
		if holds && (bucket < 0 || path[i] < products) {
			bucket, products = i, path[i]
		}
	}
	return bucket, products + b.products(tree)
}

// jointOfClique plans the joint posterior of targets that a bucket of the main tree contains.
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
