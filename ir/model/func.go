package model

import (
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/diag"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Func is the CPD of a real child with a mean that is an expression of its parents. The scope of
// its factor has the order of [Gaussian]. In row r, the joint state of the discrete parents, the
// child is normal with the value of the expression as mean and variance Var[r] >= 0.
//
// Nodes is the expression in postfix order: the operands of a node come before it, each node but
// the last is the operand of exactly one, and the last one is the value. Values outside the domain
// of an operation, such as the square root of a negative number, have density 0.
type Func struct {
	Nodes []FuncNode
	Var   []float64
}

// maxFuncNodes is the largest number of nodes of an expression.
const maxFuncNodes = 1 << 14

// FuncNode is one operation of an expression.
type FuncNode struct {
	Op    FuncOp
	A, B  int32   // the operands, by index in the list
	Axis  int     // of FuncVar and FuncIf: the position in the scope
	State int32   // of FuncIf
	Value float64 // of FuncNumber
	Map   *Map    // of FuncMap
}

// FuncOp is an operation on real numbers.
type FuncOp uint8

// The operations of expressions. Angles are in radians.
const (
	FuncNumber FuncOp = iota // Value
	FuncVar                  // the value of the real parent at Axis
	FuncAdd                  // A + B
	FuncSub                  // A - B
	FuncMul                  // A · B
	FuncDiv                  // A / B
	FuncPow                  // A to the power of B
	FuncNeg                  // -A
	FuncSqrt
	FuncExp
	FuncLog // to base e
	FuncSin
	FuncCos
	FuncTan
	FuncTanh
	FuncAbs
	FuncAtan2 // the angle of the point (B, A), as math.Atan2(A, B)
	FuncMin
	FuncMax
	FuncIf  // A if the discrete parent at Axis has the State, and B otherwise
	FuncMap // the value of the Map at the point (A, B)
)

// operands returns the number of operands of op.
func (op FuncOp) operands() int {
	switch {
	case op <= FuncVar:
		return 0
	case op >= FuncNeg && op <= FuncAbs:
		return 1
	}
	return 2
}

// Binary reports whether op has two operands.
func (op FuncOp) Binary() bool { return op.operands() == 2 }

// Kind returns "func".
func (*Func) Kind() string { return "func" }

// Numbers returns the numbers of the expression and the variances, in a new slice.
func (d *Func) Numbers() (list []float64) {
	for _, n := range d.Nodes {
		if n.Op == FuncNumber {
			list = append(list, n.Value)
		}
	}
	return append(list, d.Var...)
}

// Size returns the number of nodes and variances.
func (d *Func) Size() int { return len(d.Nodes) + len(d.Var) }

// HasZeros reports whether a variance is 0.
func (d *Func) HasZeros() bool { return slices.Contains(d.Var, 0) }

// Work returns one step per node.
func (d *Func) Work(*Model, *Factor) int { return len(d.Nodes) }

func (d *Func) value(m *Model, f *Factor, _ []int) float64 { return noValue(m, f) }

func (d *Func) logDensity(m *Model, f *Factor, state []int, x []float64) float64 {
	discrete, _ := m.SplitParents(f)
	mean := d.MeanAt(m, f, state, x)
	if math.IsNaN(mean) || math.IsInf(mean, 0) {
		return math.Inf(-1)
	}
	return m.logNormal(f.ChildVar(), x[f.ChildVar()], mean, d.Var[m.Index(discrete, state)], math.Abs(mean))
}

// MeanAt returns the value of the expression at the states and values of the parents.
func (d *Func) MeanAt(_ *Model, f *Factor, state []int, x []float64) float64 {
	return d.Eval(f, state, x, make([]float64, len(d.Nodes)))
}

// Partial reports whether an operation of the expression is not defined for all numbers.
func (d *Func) Partial() bool {
	return slices.ContainsFunc(d.Nodes, func(n FuncNode) bool {
		return slices.Contains([]FuncOp{FuncDiv, FuncPow, FuncSqrt, FuncLog, FuncTan}, n.Op)
	})
}

// Eval returns the value of the expression at the states and values of the parents, by variable.
// buf holds a number for each node. The result is NaN or infinite outside the domain of an
// operation.
func (d *Func) Eval(f *Factor, state []int, x, buf []float64) float64 {
	for i, n := range d.Nodes {
		switch n.Op {
		case FuncNumber:
			buf[i] = n.Value
		case FuncVar:
			buf[i] = x[f.Scope[n.Axis]]
		case FuncIf:
			if buf[i] = buf[n.B]; state[f.Scope[n.Axis]] == int(n.State) {
				buf[i] = buf[n.A]
			}
		case FuncMap:
			buf[i] = n.Map.At(buf[n.A], buf[n.B])
		default:
			buf[i] = n.Op.apply(buf[n.A], buf[n.B])
		}
	}
	return buf[len(d.Nodes)-1]
}

// apply computes an operation on numbers. Operations of one operand ignore b.
func (op FuncOp) apply(a, b float64) float64 {
	switch op {
	case FuncAdd:
		return a + b
	case FuncSub:
		return a - b
	case FuncMul:
		return a * b
	case FuncDiv:
		return a / b
	case FuncPow:
		return math.Pow(a, b)
	case FuncNeg:
		return -a
	case FuncSqrt:
		return math.Sqrt(a)
	case FuncExp:
		return math.Exp(a)
	case FuncLog:
		return pgmrt.Ln(a)
	case FuncSin:
		return math.Sin(a)
	case FuncCos:
		return math.Cos(a)
	case FuncTan:
		return math.Tan(a)
	case FuncTanh:
		return math.Tanh(a)
	case FuncAbs:
		return math.Abs(a)
	case FuncAtan2:
		return math.Atan2(a, b)
	case FuncMin:
		return math.Min(a, b)
	case FuncMax:
		return math.Max(a, b)
	}
	panic("model: unknown operation of an expression")
}

// Choose returns the factor f with the CPD d, given states of its discrete parents, as a factor of
// real variables. Parents on which the mean does not depend then are left out.
func (d *Func) Choose(m *Model, f *Factor, state []int) (*Factor, *Func) {
	discrete, _ := m.SplitParents(f)
	out, own := &Func{Var: []float64{d.Var[m.Index(discrete, state)]}}, &Factor{Pos: f.Pos}
	var add func(i int32) int32
	add = func(i int32) int32 {
		n := d.Nodes[i]
		switch {
		case n.Op == FuncIf && state[f.Scope[n.Axis]] == int(n.State):
			return add(n.A)
		case n.Op == FuncIf:
			return add(n.B)
		case n.Op == FuncVar:
			v := f.Scope[n.Axis]
			if n.Axis = slices.Index(own.Scope, v); n.Axis < 0 {
				n.Axis, own.Scope = len(own.Scope), append(own.Scope, v)
			}
		case n.Op.operands() == 2:
			n.A = add(n.A)
			n.B = add(n.B)
		case n.Op.operands() == 1:
			n.A = add(n.A)
		}
		out.Nodes = append(out.Nodes, n)
		return int32(len(out.Nodes) - 1)
	}
	add(int32(len(d.Nodes) - 1))
	own.Child, own.Scope, own.Dist = len(own.Scope), append(own.Scope, f.ChildVar()), out
	return own, out
}

// Parameters implements [Parametric].
func (*Func) Parameters(*Model, *Factor) []Parameter { return []Parameter{{Kind: Variance}} }

// ParameterRows implements [Parametric].
func (d *Func) ParameterRows() []float64 { return slices.Clone(d.Var) }

// WithParameterRows implements [Parametric].
func (d *Func) WithParameterRows(rows []float64, _ int) Dist { return &Func{Nodes: d.Nodes, Var: rows} }

func (*Func) fits(cpd bool) bool { return cpd }

func (d *Func) normalized(*Model, *Factor) Dist { return d }

func (d *Func) check(c *checker, f *Factor, pos diag.Pos, what string) (rows [][]float64, ok bool) {
	n, _, ok := c.hybridScope(f, pos, what, true)
	if !ok {
		return nil, false
	}
	if len(d.Var) != n {
		c.Errorf(pos, "%s has %d variances; want %d, one for each joint state of the discrete parents", what, len(d.Var), n)
		return nil, false
	}
	if why := d.misplaced(c.m, f); why != "" {
		c.Errorf(pos, "%s has an expression %s", what, why)
		return nil, false
	}
	return nil, c.variances(f, what, d.Var)
}

// misplaced returns the fault of the nodes, or "".
func (d *Func) misplaced(m *Model, f *Factor) string {
	used := make([]bool, len(d.Nodes))
	for i, n := range d.Nodes {
		if n.Op > FuncMap {
			return "with an unknown operation"
		}
		if n.Op == FuncMap {
			if n.Map == nil {
				return "with a look-up in no map"
			}
			if why := n.Map.fault(); why != "" {
				return fmt.Sprintf("with the map %q %s", n.Map.Name, why)
			}
		}
		for k, a := range [2]int32{n.A, n.B} {
			if k >= n.Op.operands() {
				break
			}
			if a < 0 || int(a) >= i || used[a] {
				return "whose operands are not in postfix order; want each before the one node that uses it"
			}
			used[a] = true
		}
		switch n.Op {
		case FuncNumber:
			if !(math.Abs(n.Value) <= MaxReal) {
				return fmt.Sprintf("with the number %v; want at most %g", n.Value, MaxReal)
			}
		case FuncVar, FuncIf:
			if n.Axis < 0 || n.Axis >= f.Child || m.IsReal(f.Scope[n.Axis]) != (n.Op == FuncVar) {
				return "of a variable that is not a parent of the kind that it needs: a real one for its value, a discrete one for a choice"
			}
			if n.Op == FuncIf && (n.State < 0 || int(n.State) >= m.Card(f.Scope[n.Axis])) {
				return "that compares with a state that its variable does not have"
			}
		}
	}
	for i := range len(used) - 1 {
		if !used[i] {
			return "with a part that nothing uses"
		}
	}
	if len(used) == 0 || len(used) > maxFuncNodes {
		return fmt.Sprintf("of %d nodes; want 1 to %d", len(used), maxFuncNodes)
	}
	return ""
}

// Linear returns the constant and, by axis, the coefficients of an expression that is a linear
// function of variables with positions below axes. ok is false for any other expression.
func (d *Func) Linear(axes int) (constant float64, coef []float64, ok bool) {
	l := &linear{nodes: d.Nodes, value: make([]float64, len(d.Nodes)), constant: make([]bool, len(d.Nodes)), coef: make([]float64, axes)}
	for i, n := range d.Nodes {
		switch k := n.Op.operands(); {
		case n.Op == FuncNumber:
			l.value[i], l.constant[i] = n.Value, true
		case n.Op == FuncVar || n.Op == FuncIf || n.Op == FuncMap:
		case l.constant[n.A] && (k == 1 || l.constant[n.B]):
			b := 0.0
			if k == 2 {
				b = l.value[n.B]
			}
			l.value[i], l.constant[i] = n.Op.apply(l.value[n.A], b), true
		}
	}
	ok = l.add(int32(len(d.Nodes)-1), 1)
	return l.sum, l.coef, ok
}

// linear collects the terms of a linear expression.
type linear struct {
	nodes    []FuncNode
	value    []float64 // of nodes without variables
	constant []bool    // the node has no variables
	sum      float64
	coef     []float64
}

// add adds scale times node i. It keeps its own stack, since expressions may be deep.
func (l *linear) add(i int32, scale float64) bool {
	type term struct {
		node  int32
		scale float64
	}
	for open := []term{{i, scale}}; len(open) > 0; {
		t := open[len(open)-1]
		open = open[:len(open)-1]
		n := l.nodes[t.node]
		switch {
		case l.constant[t.node]:
			l.sum += float64(t.scale * l.value[t.node])
		case n.Op == FuncVar:
			l.coef[n.Axis] += t.scale
		case n.Op == FuncAdd:
			open = append(open, term{n.B, t.scale}, term{n.A, t.scale})
		case n.Op == FuncSub:
			open = append(open, term{n.B, -t.scale}, term{n.A, t.scale})
		case n.Op == FuncNeg:
			open = append(open, term{n.A, -t.scale})
		case n.Op == FuncMul && l.constant[n.A]:
			open = append(open, term{n.B, t.scale * l.value[n.A]})
		case n.Op == FuncMul && l.constant[n.B]:
			open = append(open, term{n.A, t.scale * l.value[n.B]})
		case n.Op == FuncDiv && l.constant[n.B]:
			open = append(open, term{n.A, t.scale / l.value[n.B]})
		default:
			return false
		}
	}
	return true
}
