package blanket

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Tables of factors are multiplied as long as the product has at most mergedStates numbers, which
// is 8 KB: the products of the blankets of a network then stay in the caches near the processor.
// Trees and features are walked where their tables have more than wholeStates.
const (
	mergedStates = 1 << 10
	wholeStates  = 1 << 12
)

// Numbers says what the tables of a row hold.
type Numbers uint8

// The kinds of numbers.
const (
	Plain  Numbers = iota // those of factors, of which rows are products
	Scaled                // likewise, but rows may be multiplied by anything
	Logs                  // their logarithms, of which rows are sums; that of 0 is ir.LogZero
	Soft                  // likewise, but a zero counts as a small number, so that everything is possible
)

// softZero is how far below the least other number of its factor a zero counts that is possible, as
// a logarithm: far enough that hardly any such state is left where the others weigh, and not so far
// that samplers never get through one.
const softZero = 12

// least is the least number of some values that is not 0, and 1 where there is none.
func least(values []float64) float64 {
	low := math.Inf(1)
	for _, x := range values {
		if x > 0 {
			low = min(low, x)
		}
	}
	if math.IsInf(low, 1) {
		return 1
	}
	return low
}

// of is a number of a factor, whose least is low, as a row has it.
func (n Numbers) of(x, low float64) float64 {
	switch {
	case n <= Scaled:
		return x
	case x > 0:
		return math.Log(x)
	case n == Soft:
		return math.Log(low) - softZero
	}
	return ir.LogZero
}

// all converts values.
func (n Numbers) all(values []float64) []float64 {
	low := least(values)
	out := make([]float64, len(values))
	for i, x := range values {
		out[i] = n.of(x, low)
	}
	return out
}

// merged is the product of some factors as a table for drawing vars, the last of them fastest.
type merged struct {
	as      Numbers
	table   ir.TableID
	vars    []model.VarID
	scope   []model.VarID
	factors []int
	states  int
}

// Row is the weights of vars by their likelihoods and some factors.
func (b *Plan) Row(as Numbers, vars []model.VarID, factors []int) ir.RowOp {
	op := ir.RowOp{Vars: vars}
	var tables []merged
	for _, n := range factors {
		f := b.Model.Factors[n]
		size, ok := b.Model.TableSize(f.Scope)
		switch small := ok && size <= mergedStates; {
		case small:
			tables = b.merge(tables, n)
		case (!ok || size > wholeStates) && walked(b.Model, f):
			op.Trees = append(op.Trees, b.trees(as, n)...)
		default:
			op.In = append(op.In, b.wholeTable(as, n))
		}
	}
	for i := range tables {
		t := &tables[i]
		t.as, t.vars = as, vars
		drawn := func(v model.VarID) bool { return slices.Contains(vars, v) }
		slices.Sort(t.scope)
		var own []model.VarID
		for _, v := range vars {
			if slices.Contains(t.scope, v) {
				own = append(own, v)
			}
		}
		t.scope = append(slices.DeleteFunc(t.scope, drawn), own...)
		t.table = b.in(as, b.Constant("blanket", t.scope))
		op.In = append(op.In, t.table)
	}
	b.merged = append(b.merged, tables...)
	likelihoods := b.Lambda
	if as > Scaled {
		likelihoods = b.LogLambda
	}
	for _, v := range vars {
		if likelihoods[v] != ir.NoTable {
			op.In = append(op.In, likelihoods[v])
		}
	}
	return op
}

// in notes what a table of constants holds.
func (b *Plan) in(as Numbers, t ir.TableID) ir.TableID {
	if as > Scaled {
		b.Schedule.Tables[t].Role = ir.RoleLogs
	}
	return t
}

// merge puts factor n into the first of some products that stays small enough with it.
func (b *Plan) merge(tables []merged, n int) []merged {
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

// fill multiplies the factors of t. Those that may are scaled row by row, for one joint state of
// the variables that are not drawn, so that the largest is 1.
func (b *Plan) fill(t *merged) {
	values := make([]float64, t.states)
	state := make([]int, len(b.Model.Vars))
	if t.as <= Scaled {
		for i := range values {
			values[i] = 1
			for _, n := range t.factors {
				values[i] *= b.Model.Value(b.Model.Factors[n], state)
			}
			b.Model.Next(t.scope, state)
		}
		if t.as == Scaled {
			scaleRows(values, b.drawn(t))
		}
	} else {
		lows := make([]float64, len(t.factors))
		for k, n := range t.factors {
			lows[k] = b.least(b.Model.Factors[n])
		}
		for i := range values {
			for k, n := range t.factors {
				values[i] += t.as.of(b.Model.Value(b.Model.Factors[n], state), lows[k])
			}
			b.Model.Next(t.scope, state)
		}
	}
	b.Schedule.Tables[t.table].Data = values
}

// drawn is how many joint states the drawn variables in the scope of t have.
func (b *Plan) drawn(t *merged) int {
	row := 1
	for _, v := range t.scope {
		if slices.Contains(t.vars, v) {
			row *= b.Model.Card(v)
		}
	}
	return row
}

// least is the least number of f that is not 0. It is worked out once for each factor, of whose
// table each blanket has a copy.
func (b *Plan) least(f *model.Factor) float64 {
	low, ok := b.lows[f]
	if ok {
		return low
	}
	size, _ := b.Model.TableSize(f.Scope)
	values, state := make([]float64, size), make([]int, len(b.Model.Vars))
	for i := range values {
		values[i] = b.Model.Value(f, state)
		b.Model.Next(f.Scope, state)
	}
	b.lows[f] = least(values)
	return b.lows[f]
}

// scaleRows divides each row by its largest number.
func scaleRows(values []float64, row int) {
	for r := range slices.Chunk(values, row) {
		if top := slices.Max(r); top > 0 {
			for i := range r {
				r[i] /= top
			}
		}
	}
}

// wholeTable is the table of factor n alone, which all rows share.
func (b *Plan) wholeTable(as Numbers, n int) ir.TableID {
	key := as.place(n, 0)
	t, ok := b.whole[key]
	if !ok {
		t = b.in(as, b.Factor(b.Model.Factors[n]))
		b.whole[key], b.as[t] = t, as
	}
	return t
}

// walked reports whether the distribution of f can be an operand without a table. A CPD whose trees
// lack its normalisation can in a dependency network, in which nothing but the child's own row has
// it.
func walked(m *model.Model, f *model.Factor) bool {
	d, ok := f.Dist.(model.Branching)
	if !ok {
		return false
	}
	_, whole := d.Trees(m, f)
	return whole || m.Kind == model.Dependency
}

// trees are factor n as decision trees.
func (b *Plan) trees(as Numbers, n int) []ir.TreeOp {
	f := b.Model.Factors[n]
	parts, _ := f.Dist.(model.Branching).Trees(b.Model, f)
	var list []ir.TreeOp
	for k, part := range parts {
		list = append(list, b.tree(as, n, k, part))
	}
	return list
}

// tree copies the tests of tree k of factor n, its leaves one after the other.
func (b *Plan) tree(as Numbers, n, k int, f *model.Factor) ir.TreeOp {
	nodes := f.Dist.(*model.Tree).Nodes
	op := ir.TreeOp{Factor: n, Child: f.ChildVar()}
	place := make([]int32, len(nodes)) // of a test among tests, or -1 less that of a leaf's numbers
	var values []float64
	for i, node := range nodes {
		if node.Leaf == nil {
			place[i] = int32(len(op.Nodes))
			op.Nodes = append(op.Nodes, ir.TreeTest{Var: f.Scope[node.Axis]})
		} else {
			place[i] = -1 - int32(len(values))
			values = append(values, node.Leaf...)
		}
	}
	for i, node := range nodes {
		if node.Leaf == nil {
			for _, next := range node.Next {
				op.Nodes[place[i]].Next = append(op.Nodes[place[i]].Next, place[next])
			}
		}
	}
	op.Leaves = b.leavesOf(as, n, k, values)
	return op
}

// leavesOf are the numbers of tree k of factor n, which all rows share.
func (b *Plan) leavesOf(as Numbers, n, k int, values []float64) ir.TableID {
	key := as.place(n, k)
	t, ok := b.leaves[key]
	if !ok {
		t = b.in(as, b.Leaves("leaves of the "+b.Model.FactorName(b.Model.Factors[n]), as.all(values)))
		b.leaves[key] = t
	}
	return t
}
