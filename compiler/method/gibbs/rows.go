package gibbs

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Tables of factors are multiplied as long as the product has at most mergedStates numbers, which is 8 KB: the products of the blankets
// of a network then stay in the caches near the processor. Trees and features are walked where their tables have more than wholeStates.
const (
	mergedStates = 1 << 10
	wholeStates  = 1 << 12
)

// merged is the product of some factors as a table for drawing vars, the last of them fastest.
type merged struct {
	table   ir.TableID
	vars    []model.VarID
	scope   []model.VarID
	factors []int
	states  int
}

// row is the weights of vars by their likelihoods and some factors.
func (b *builder) row(vars []model.VarID, factors []int) ir.RowOp {
	op := ir.RowOp{Vars: vars}
	var tables []merged
	for _, n := range factors {
		f := b.Model.Factors[n]
		size, ok := b.Model.TableSize(f.Scope)
		switch small := ok && size <= mergedStates; {
		case small:
			tables = b.merge(tables, n)
		case (!ok || size > wholeStates) && walked(b.Model, f):
			op.Trees = append(op.Trees, b.trees(n)...)
		default:
			op.In = append(op.In, b.wholeTable(n))
		}
	}
	for i := range tables {
		t := &tables[i]
		t.vars = vars
		drawn := func(v model.VarID) bool { return slices.Contains(vars, v) }
		slices.Sort(t.scope)
		var own []model.VarID
		for _, v := range vars {
			if slices.Contains(t.scope, v) {
				own = append(own, v)
			}
		}
		t.scope = append(slices.DeleteFunc(t.scope, drawn), own...)
		t.table = b.Constant("blanket", t.scope)
		op.In = append(op.In, t.table)
	}
	b.merged = append(b.merged, tables...)
	for _, v := range vars {
		if b.Lambda[v] != ir.NoTable {
			op.In = append(op.In, b.Lambda[v])
		}
	}
	return op
}

// merge puts factor n into the first of some products that stays small enough with it.
func (b *builder) merge(tables []merged, n int) []merged {
	scope := b.Model.Factors[n].Scope
	for i := range tables {
		t := &tables[i]
		union := slices.Clone(t.scope)
		for _, v := range scope {
			if !slices.Contains(union, v) {
				union = append(union, v)
			}
		}
		if states, ok := b.Model.TableSize(union); ok && states <= mergedStates {
			t.scope, t.states = union, states
			t.factors = append(t.factors, n)
			return tables
		}
	}
	states, _ := b.Model.TableSize(scope)
	return append(tables, merged{scope: slices.Clone(scope), factors: []int{n}, states: states})
}

// fill multiplies the factors of t, and scales the numbers of each row, for one joint state of the variables that are not drawn, so that
// the largest is 1.
func (b *builder) fill(t *merged) {
	values := make([]float64, t.states)
	state := make([]int, len(b.Model.Vars))
	for i := range values {
		values[i] = 1
		for _, n := range t.factors {
			values[i] *= b.Model.Value(b.Model.Factors[n], state)
		}
		b.Model.Next(t.scope, state)
	}
	row := 1
	for _, v := range t.scope {
		if slices.Contains(t.vars, v) {
			row *= b.Model.Card(v)
		}
	}
	for r := range slices.Chunk(values, row) {
		if top := slices.Max(r); top > 0 {
			for i := range r {
				r[i] /= top
			}
		}
	}
	b.Schedule.Tables[t.table].Data = values
}

// wholeTable is the table of factor n alone, which all rows share.
func (b *builder) wholeTable(n int) ir.TableID {
	t, ok := b.whole[n]
	if !ok {
		t = b.Factor(b.Model.Factors[n])
		b.whole[n] = t
	}
	return t
}

// walked reports whether the distribution of f can be an operand without a table. Features of a CPD lack its normalisation, which in a
// dependency network nothing but the child's own row has.
func walked(m *model.Model, f *model.Factor) bool {
	switch f.Dist.(type) {
	case *model.Tree:
		return true
	case *model.Features:
		return f.Child < 0 || m.Kind == model.Dependency
	}
	return false
}

// trees are factor n as trees: one, or one for each feature.
func (b *builder) trees(n int) []ir.TreeOp {
	f := b.Model.Factors[n]
	if d, ok := f.Dist.(*model.Tree); ok {
		return []ir.TreeOp{b.tree(n, d)}
	}
	var list []ir.TreeOp
	for i := range f.Dist.(*model.Features).List {
		list = append(list, b.feature(n, i, &f.Dist.(*model.Features).List[i]))
	}
	return list
}

// tree copies the tests of a decision tree, its leaves one after the other.
func (b *builder) tree(n int, d *model.Tree) ir.TreeOp {
	f := b.Model.Factors[n]
	op := ir.TreeOp{Factor: n, Child: -1}
	if f.Child >= 0 {
		op.Child = f.ChildVar()
	}
	place := make([]int32, len(d.Nodes)) // of a test among tests, or -1 less that of a leaf's numbers
	var values []float64
	for i, node := range d.Nodes {
		if node.Leaf == nil {
			place[i] = int32(len(op.Nodes))
			op.Nodes = append(op.Nodes, ir.TreeTest{Var: f.Scope[node.Axis]})
		} else {
			place[i] = -1 - int32(len(values))
			values = append(values, node.Leaf...)
		}
	}
	for i, node := range d.Nodes {
		if node.Leaf == nil {
			for _, next := range node.Next {
				op.Nodes[place[i]].Next = append(op.Nodes[place[i]].Next, place[next])
			}
		}
	}
	op.Leaves = b.leavesOf(n, 0, values)
	return op
}

// feature tests the literals of a feature one after the other: where one fails, the factor is 1.
func (b *builder) feature(n, k int, x *model.Feature) ir.TreeOp {
	f := b.Model.Factors[n]
	op := ir.TreeOp{Factor: n, Child: -1}
	for i, l := range x.Literals {
		next := make([]int32, b.Model.Card(f.Scope[l.Axis]))
		for s := range next {
			if next[s] = -1; (s == int(l.State)) != l.Not {
				if next[s] = int32(i + 1); i+1 == len(x.Literals) {
					next[s] = -2
				}
			}
		}
		op.Nodes = append(op.Nodes, ir.TreeTest{Var: f.Scope[l.Axis], Next: next})
	}
	values := []float64{1, math.Exp(x.Weight)}
	if len(x.Literals) == 0 {
		values[0] = values[1]
	}
	op.Leaves = b.leavesOf(n, k, values)
	return op
}

// leavesOf are the numbers of tree k of factor n, which all rows share.
func (b *builder) leavesOf(n, k int, values []float64) ir.TableID {
	t, ok := b.leaves[[2]int{n, k}]
	if !ok {
		t = b.Leaves("leaves of the "+b.Model.FactorName(b.Model.Factors[n]), values)
		b.leaves[[2]int{n, k}] = t
	}
	return t
}

// safeBits bounds the powers of two that a product of a row's numbers may reach, up or down, without being scaled; likelihoods, which
// are at most 1, may take as many again as sums of rows stay within range with.
const safeBits = 500

// bits adds up how far from 1 the numbers of the operands of a row are, as powers of two.
func (b *builder) bits(r *ir.RowOp) float64 {
	sum := 0.0
	of := func(t ir.TableID) {
		most := 0.0
		for _, x := range b.Schedule.Tables[t].Data {
			if x > 0 {
				most = max(most, math.Abs(math.Log2(x)))
			}
		}
		sum += most
	}
	for _, t := range r.In {
		of(t)
	}
	for i := range r.Trees {
		of(r.Trees[i].Leaves)
	}
	return sum
}
