package edgedel

import (
	"slices"

	"github.com/pgmc-go/pgmc/compiler/cluster"
	"github.com/pgmc-go/pgmc/compiler/method/internal/loop"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// passes plans an upward and a downward pass on a bucket tree, over tables that the rest of the
// plan computes. Every message is normalized, since derivatives are needed up to a constant only.
// The normalization constants are counted for ln P.
type passes struct {
	*loop.Plan
	tree       *cluster.Tree
	wanted     map[ir.TableID]bool // leaves by which derivatives are wanted
	ops        []ir.Op
	up         []*ir.ContractOp
	derivative map[ir.TableID]ir.TableID // of the sum of the product of all leaves, by table; NoTable means a constant
	log        func(ir.TableID) ir.Op    // counts the sum of a table
	// sharing receives the operations of an upward pass without a downward one, instead of ops. It
	// is nil otherwise.
	sharing *sharing
}

// run returns the operations that sum the product of leaves, and those that compute its derivative
// by each of the wanted leaves.
func (p *passes) run(leaves []ir.TableID) []ir.Op {
	p.derivative = map[ir.TableID]ir.TableID{}
	operands := make([][]ir.TableID, len(p.tree.Buckets))
	for _, t := range leaves {
		if at := p.tree.First(p.scope(t)); at >= 0 {
			operands[at] = append(operands[at], t)
		} else if p.sharing != nil {
			p.sharing.number(t)
		} else {
			p.ops = append(p.ops, p.log(t))
		}
	}
	for _, i := range p.tree.PostOrder() {
		if len(operands[i]) == 0 {
			continue
		}
		if p.sharing != nil {
			slices.Sort(operands[i])
		}
		b := &p.tree.Buckets[i]
		message := p.contract(p.name(p.tree.Scope(i))+" → "+p.name(b.Separator), b.Separator, p.pair(operands[i], p.tree.Scope(i)))
		if b.Parent >= 0 {
			operands[b.Parent] = append(operands[b.Parent], message)
		}
	}
	p.down()
	return p.ops
}

func (p *passes) scope(t ir.TableID) []model.VarID { return p.Schedule.Tables[t].Scope }

// contract adds a table of the upward pass: the product of in, summed onto scope.
func (p *passes) contract(name string, scope []model.VarID, in []ir.TableID) ir.TableID {
	if p.sharing != nil {
		return p.sharing.contract(p.Plan, name, scope, in, true)
	}
	out := p.Temp(name, scope...)
	op := p.Sum(out, in...).(*ir.ContractOp)
	p.up = append(p.up, op)
	p.ops = append(p.ops, op, p.log(out))
	if len(scope) > 0 {
		p.ops = append(p.ops, &ir.NormalizeOp{Table: out})
	}
	return out
}

// down adds the downward pass: the derivative by each operand of the upward pass on the path to a
// wanted leaf.
func (p *passes) down() {
	need := map[ir.TableID]bool{}
	for _, op := range p.up {
		need[op.Out] = slices.ContainsFunc(op.In, func(t ir.TableID) bool { return p.wanted[t] || need[t] })
	}
	for _, op := range slices.Backward(p.up) {
		for _, t := range op.In {
			if p.wanted[t] || need[t] {
				p.derive(op, t)
			}
		}
	}
}

// derive adds the derivative by t, an operand of op: the derivative by op's result, times the other
// operands.
func (p *passes) derive(op *ir.ContractOp, t ir.TableID) {
	var in []ir.TableID
	if out, ok := p.derivative[op.Out]; ok && out != ir.NoTable {
		in = append(in, out)
	}
	for _, x := range op.In {
		if x != t {
			in = append(in, x)
		}
	}
	if len(in) == 0 {
		p.derivative[t] = ir.NoTable
		return
	}
	scope := p.scope(t)
	out := p.Temp(p.name(scope)+" ← "+p.name(p.union(op.In...)), scope...)
	p.derivative[t] = out
	p.ops = append(p.ops, p.Sum(out, in...), &ir.NormalizeOp{Table: out})
}

// Two operands of a bucket are multiplied separately if their product has at most 1/pairFraction of
// the bucket's entries, and while there are more than maxOperands, because the downward pass reads
// the whole bucket for each. Pairs are searched among the first pairWindow operands, so that many
// equal operands make a low tree.
const (
	pairFraction = 4
	maxOperands  = 5
	pairWindow   = 8
)

// pair multiplies operands of a bucket over scope until only few or large ones are left.
func (p *passes) pair(operands []ir.TableID, scope []model.VarID) []ir.TableID {
	var constant, in []ir.TableID
	for _, t := range operands {
		if p.Schedule.Tables[t].Role == ir.RoleConst {
			constant = append(constant, t)
		} else {
			in = append(in, t)
		}
	}
	full := p.Model.JointStates(scope)
	for len(in) > 1 {
		x, y, size := p.closest(in[:min(len(in), pairWindow)])
		if size*pairFraction > full && len(in)+len(constant) <= maxOperands {
			break
		}
		both := p.union(in[x], in[y])
		joined := p.contract("product onto "+p.name(both), both, []ir.TableID{in[x], in[y]})
		in = append(slices.Delete(slices.Delete(in, y, y+1), x, x+1), joined)
	}
	return append(constant, in...)
}

// closest returns the pair with the smallest product, x before y.
func (p *passes) closest(in []ir.TableID) (x, y int, size float64) {
	size = -1
	for i := range in {
		for j := i + 1; j < len(in); j++ {
			if n := p.Model.JointStates(p.union(in[i], in[j])); size < 0 || n < size {
				x, y, size = i, j, n
			}
		}
	}
	return x, y, size
}

// union returns the variables of tables, in layout order.
func (p *passes) union(tables ...ir.TableID) []model.VarID {
	var scope []model.VarID
	for _, t := range tables {
		for _, v := range p.scope(t) {
			if !slices.Contains(scope, v) {
				scope = append(scope, v)
			}
		}
	}
	p.tree.Sort(scope)
	return scope
}

func (p *passes) name(vars []model.VarID) string {
	text := "{"
	for i, v := range vars {
		if i > 0 {
			text += ","
		}
		text += p.Model.Vars[v].Name
	}
	return text + "}"
}
