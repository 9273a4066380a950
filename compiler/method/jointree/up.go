package jointree

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// upward is an upward pass of a forest.
type upward struct {
	*builder
	name     string // of its block
	f        *forest
	ops      []*ir.ContractOp // in order; each table is an operand of at most one of them
	operands [][]ir.TableID   // by bucket: all tables with its variable, before pair multiplies some
	message  []*ir.ContractOp // by bucket: the operation that computes its message
	root     ir.TableID       // one number: P(evidence), or the maximum
	max      []bool           // by variable: maximize instead of sum; nil if all are summed
}

// upSum and upMax plan the upward passes of the main tree, once each.
func (b *builder) upSum() {
	if b.sumUp != nil {
		return
	}
	if b.pairs != nil {
		b.sumUp = b.upPairs("up", b.main)
	} else {
		b.sumUp = b.up("up", b.main, nil, nil)
	}
}

// upDraw returns an upward pass of the main tree bucket by bucket, from which states can be drawn:
// a contraction tree has no row of a variable that it sums out together with others.
func (b *builder) upDraw() *upward {
	if b.pairs == nil {
		b.upSum()
		return b.sumUp
	}
	if b.drawUp == nil {
		b.drawUp = b.up("updraw", b.main, nil, nil)
	}
	return b.drawUp
}

func (b *builder) upMax() {
	if b.maxUp == nil {
		b.maxUp = b.up("upmax", b.mainMax, slices.Repeat([]bool{true}, len(b.p.Model.Vars)), nil)
	}
}

// up plans the upward pass of f as a block of the given name. It maximizes over the variables that
// max marks, and sums over the others. If ans is not nil, the buckets from ans.from on are not
// eliminated but multiplied into one table, the answer. They are the last buckets of f, and each
// has the variables of those after it.
func (b *builder) up(name string, f *forest, max []bool, ans *answer) *upward {
	u := &upward{builder: b, name: name, f: f, max: max, operands: make([][]ir.TableID, len(f.leaves)), message: make([]*ir.ContractOp, len(f.leaves))}
	top := len(f.leaves)
	if ans != nil {
		top = ans.from
	}
	for i := range f.leaves {
		at := min(i, top)
		u.operands[at] = append(u.operands[at], f.leaves[i]...)
	}
	u.grow(len(f.leaves))
	roots := slices.Clone(f.scalars)
	for _, i := range f.tree.PostOrder() {
		if i >= top {
			continue
		}
		in := u.pair(u.operands[i], f.tree.Scope(i))
		bucket := &f.tree.Buckets[i]
		reduce := ir.ReduceSum
		if max != nil && max[bucket.Var] {
			reduce = ir.ReduceMax
		}
		message := u.contract(u.arrow(i), bucket.Separator, in, reduce)
		u.message[i] = u.ops[len(u.ops)-1]
		if bucket.Parent < 0 {
			roots = append(roots, message)
		} else {
			at := min(bucket.Parent, top)
			u.operands[at] = append(u.operands[at], message)
		}
	}
	if ans != nil {
		in := u.pair(u.operands[top], f.tree.Scope(top))
		ans.table = u.contract(ans.name, ans.scope, in, ir.ReduceSum)
		b.s.Tables[ans.table].Role, b.s.Tables[ans.table].Var = ir.RoleOut, ans.of
		roots = append(roots, u.contract(u.set(ans.scope)+" → {}", nil, []ir.TableID{ans.table}, ir.ReduceSum))
	}
	u.finish(roots)
	return u
}

// finish multiplies the roots and adds the block of u.
func (u *upward) finish(roots []ir.TableID) {
	u.root = u.product(roots)
	u.s.Blocks = append(u.s.Blocks, ir.OpBlock{Name: u.name, Order: u.f.tree.Order(), Fixed: u.cut, Ops: asOps(u.ops)})
	u.block[u.name] = len(u.s.Blocks) - 1
}

// answer describes the table that the last buckets of an upward pass are multiplied into.
type answer struct {
	name  string
	from  int           // the first of these buckets
	scope []model.VarID // their variables, in the order of the answer
	of    model.VarID   // the only variable of the answer; -1 if there are several
	table ir.TableID    // the answer; up sets it
}

func asOps(ops []*ir.ContractOp) []ir.Op {
	out := make([]ir.Op, len(ops))
	for i, op := range ops {
		out[i] = op
	}
	return out
}

// maxRoots is the most roots that are multiplied at once, so that products of many components are
// rescaled on the way.
const maxRoots = 64

// product multiplies the roots of a forest. A single root is returned as it is if the schedule
// computes it.
func (u *upward) product(roots []ir.TableID) ir.TableID {
	most := maxRoots
	if u.max != nil {
		most = maxOperands // a search plans the derivative by each root
	}
	for len(roots) > most {
		var parts []ir.TableID
		for part := range slices.Chunk(roots, maxOperands) {
			parts = append(parts, u.contract("product of components", nil, part, ir.ReduceNone))
		}
		roots = parts
	}
	if len(roots) == 1 && u.s.Tables[roots[0]].Role == ir.RoleTemp {
		return roots[0]
	}
	return u.contract("product of components", nil, roots, ir.ReduceNone)
}

// contract adds an operation to u and returns its result. The operation reduces only if an operand
// has an eliminated variable that scope lacks.
func (u *upward) contract(name string, scope []model.VarID, in []ir.TableID, reduce ir.Reduce) ir.TableID {
	out := u.add(ir.Table{Name: name, Scope: scope, Role: ir.RoleTemp, Var: -1})
	if !u.reduces(scope, in) {
		reduce = ir.ReduceNone
	}
	u.ops = append(u.ops, &ir.ContractOp{Out: out, In: in, Reduce: reduce})
	return out
}

func (u *upward) reduces(scope []model.VarID, in []ir.TableID) bool {
	for _, t := range in {
		for _, v := range u.s.Tables[t].Scope {
			if !slices.Contains(scope, v) && !u.f.fixed(v) {
				return true
			}
		}
	}
	return false
}

// arrow returns the name of the message of bucket i: its cluster, and the separator.
func (u *upward) arrow(i int) string {
	return u.set(u.f.tree.Scope(i)) + " → " + u.set(u.f.tree.Buckets[i].Separator)
}

func (b *builder) set(vars []model.VarID) string {
	names := make([]string, len(vars))
	for i, v := range vars {
		names[i] = b.p.Model.Vars[v].Name
	}
	return "{" + strings.Join(names, ",") + "}"
}

// Two operands of a bucket are multiplied separately if their product has at most 1/pairFraction of
// the bucket's entries. This costs one upward pass over the product and two downward ones, which is
// less than what one operand fewer saves in each full pass over the bucket. Operands are also
// paired while more than maxOperands are left, because each has a downward pass.
const (
	pairFraction = 4
	maxOperands  = 5
)

// pair multiplies operands of a bucket until only few or large ones are left. Constants stay
// separate: they need no downward message, and pass schedule-fold merges them.
func (u *upward) pair(operands []ir.TableID, scope []model.VarID) []ir.TableID {
	var constant, in []ir.TableID
	for _, t := range operands {
		if role := u.s.Tables[t].Role; role == ir.RoleConst || role == ir.RoleParam {
			constant = append(constant, t)
		} else {
			in = append(in, t)
		}
	}
	if len(in) > maxClosest {
		in = u.joinEqual(in)
	}
	full := u.size(scope)
	for len(in) > 1 {
		x, y, size := u.closest(in)
		if size*pairFraction > full && len(in)+len(constant) <= maxOperands {
			break
		}
		joined := u.join(in[x], in[y])
		in = append(slices.Delete(slices.Delete(in, y, y+1), x, x+1), joined)
	}
	return append(constant, in...)
}

// join multiplies two operands.
func (u *upward) join(x, y ir.TableID) ir.TableID {
	scope := u.union(x, y)
	return u.contract("product onto "+u.set(scope), scope, []ir.TableID{x, y}, ir.ReduceNone)
}

// joinEqual multiplies operands of the same scope by a tree of low depth. A variable with thousands
// of children has many such operands.
func (u *upward) joinEqual(operands []ir.TableID) []ir.TableID {
	groups := map[string][]ir.TableID{}
	var keys []string // in order of appearance
	for _, t := range operands {
		key := fmt.Sprint(u.s.Tables[t].Scope)
		if groups[key] == nil {
			keys = append(keys, key)
		}
		groups[key] = append(groups[key], t)
	}
	var out []ir.TableID
	for _, key := range keys {
		group := groups[key]
		for len(group) > 1 {
			var next []ir.TableID
			for i := 0; i+1 < len(group); i += 2 {
				next = append(next, u.join(group[i], group[i+1]))
			}
			group = append(next, group[len(group)-len(group)%2:]...)
		}
		out = append(out, group...)
	}
	return out
}

// closest compares all pairs of up to maxClosest operands. If there are more, it compares pairs of
// the first fewClosest ones.
const (
	maxClosest = 64
	fewClosest = 8
)

// closest returns the pair of operands with the smallest product, x before y, and the size of that
// product.
func (u *upward) closest(in []ir.TableID) (x, y int, size float64) {
	if len(in) > maxClosest {
		in = in[:fewClosest]
	}
	size = -1
	for i := range in {
		for j := i + 1; j < len(in); j++ {
			if n := u.size(u.union(in[i], in[j])); size < 0 || n < size {
				x, y, size = i, j, n
			}
		}
	}
	return x, y, size
}

// size returns the number of joint states of vars, without those that are fixed.
func (u *upward) size(vars []model.VarID) float64 {
	n := 1.0
	for _, v := range vars {
		if !u.f.fixed(v) {
			n *= float64(u.p.Model.Card(v))
		}
	}
	return n
}

// union returns the scope of the product of x and y, in layout order.
func (u *upward) union(x, y ir.TableID) []model.VarID {
	scope := slices.Clone(u.s.Tables[x].Scope)
	for _, v := range u.s.Tables[y].Scope {
		if !slices.Contains(scope, v) {
			scope = append(scope, v)
		}
	}
	u.f.tree.Sort(scope)
	return scope
}
