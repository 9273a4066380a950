package blanket

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Tables of factors are multiplied if the product has at most mergedStates numbers, which is 8 KB,
// so that the products of a network's blankets fit into the processor's caches. Trees and features
// become decision trees if their tables have more than wholeStates numbers.
const (
	mergedStates = 1 << 10
	wholeStates  = 1 << 12
)

// Numbers says which numbers the tables of a row hold.
type Numbers uint8

// The kinds of numbers.
const (
	Plain  Numbers = iota // values of factors; a row is their product
	Scaled                // like Plain, but each row may be multiplied by a constant
	Logs                  // logarithms of values; a row is their sum, and that of 0 is ir.LogZero
	Soft                  // like Logs, but a zero counts as a small number, so that every state is possible
)

// softZero is the difference of logarithms between the least positive number of a factor and the
// number that replaces its zeros. It is large enough that few samples end in such a state, and
// small enough that samplers can pass through one.
const softZero = 12

// least returns the least positive one of values, and 1 if there is none.
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

// of returns what a row holds for the value x of a factor with the least positive value low.
func (n Numbers) of(x, low float64) float64 {
	switch {
	case n <= Scaled:
		return x
	case x > 0:
		return pgmrt.Ln(x)
	case n == Soft:
		return pgmrt.Ln(low) - softZero
	}
	return ir.LogZero
}

// all converts the values of a factor.
func (n Numbers) all(values []float64) []float64 {
	low := least(values)
	out := make([]float64, len(values))
	for i, x := range values {
		out[i] = n.of(x, low)
	}
	return out
}

// merged is the product of some factors as a table for drawing vars. The last of them varies
// fastest.
type merged struct {
	as      Numbers
	table   ir.TableID
	vars    []model.VarID
	scope   []model.VarID
	factors []int
	states  int
}

// Row returns the weights of the joint states of vars: the product of their likelihoods and of
// factors, or the sum of logarithms, as the kind of numbers says.
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

// in sets the role of a table of constants that holds numbers of kind as.
func (b *Plan) in(as Numbers, t ir.TableID) ir.TableID {
	if as > Scaled {
		b.Schedule.Tables[t].Role = ir.RoleLogs
	}
	return t
}

// merge adds factor n to the first product that stays small enough, or begins a new one.
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

// fill computes the product of the factors of t. For kind Scaled, it divides each row, which
// belongs to one joint state of the variables that are not drawn, by its largest number.
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

// drawn returns the number of joint states of the drawn variables in the scope of t.
func (b *Plan) drawn(t *merged) int {
	row := 1
	for _, v := range t.scope {
		if slices.Contains(t.vars, v) {
			row *= b.Model.Card(v)
		}
	}
	return row
}

// least returns the least positive value of f. It caches the result, because each blanket has a
// copy of the factor's table.
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

// scaleRows divides each row of the given length by its largest number.
func scaleRows(values []float64, row int) {
	for r := range slices.Chunk(values, row) {
		if top := slices.Max(r); top > 0 {
			for i := range r {
				r[i] /= top
			}
		}
	}
}

// wholeTable returns the table of just factor n, which all rows share.
func (b *Plan) wholeTable(as Numbers, n int) ir.TableID {
	key := as.place(n, 0)
	t, ok := b.whole[key]
	if !ok {
		t = b.in(as, b.Factor(b.Model.Factors[n]))
		b.whole[key], b.as[t] = t, as
	}
	return t
}

// walked reports whether factor f can be an operand as decision trees, without a table. In a
// dependency network this includes CPDs with trees that lack the normalisation, because a CPD
// occurs in the row of its own child only.
func walked(m *model.Model, f *model.Factor) bool {
	d, ok := f.Dist.(model.Branching)
	if !ok {
		return false
	}
	_, whole := d.Trees(m, f)
	return whole || m.Kind == model.Dependency
}

// trees returns factor n as decision trees.
func (b *Plan) trees(as Numbers, n int) []ir.TreeOp {
	f := b.Model.Factors[n]
	parts, _ := f.Dist.(model.Branching).Trees(b.Model, f)
	var list []ir.TreeOp
	for k, part := range parts {
		list = append(list, b.tree(as, n, k, part))
	}
	return list
}

// tree returns tree k of factor n. Its leaves are stored one after the other.
func (b *Plan) tree(as Numbers, n, k int, f *model.Factor) ir.TreeOp {
	nodes := f.Dist.(*model.Tree).Nodes
	op := ir.TreeOp{Factor: n, Child: f.ChildVar()}
	place := make([]int32, len(nodes)) // index of a test, or -1 minus the first index of a leaf's numbers
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

// leavesOf returns the table of the leaves of tree k of factor n, which all rows share.
func (b *Plan) leavesOf(as Numbers, n, k int, values []float64) ir.TableID {
	key := as.place(n, k)
	t, ok := b.leaves[key]
	if !ok {
		t = b.in(as, b.Leaves("leaves of the "+b.Model.FactorName(b.Model.Factors[n]), as.all(values)))
		b.leaves[key] = t
	}
	return t
}
