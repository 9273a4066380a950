package gauss

import (
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Linear is constant + Σ Coef[axis]·x[axis] over the axes of a scope.
type Linear struct {
	Constant circuit.Node
	Coef     []circuit.Node // nil if all are 0
	Defined  circuit.Node   // 1, or 0 if an operation is not defined at the values of known variables
}

// LinearIn adds the expression of d to c as a function that is linear in the hidden variables of a
// scope of n, with coefficients that depend on the others. The function value returns a variable
// that is not hidden. ok is false if the expression is not linear, or has choices by states.
func LinearIn(c *circuit.Circuit, d *model.Func, n int, hidden func(axis int) bool, value func(axis int) circuit.Node) (f Linear, ok bool) {
	l := linear{c, n}
	of := make([]Linear, len(d.Nodes))
	for i, x := range d.Nodes {
		of[i], ok = Linear{Defined: circuit.One}, true
		switch {
		case x.Op == model.FuncNumber:
			of[i].Constant = c.Const(x.Value)
		case x.Op == model.FuncVar && hidden(x.Axis):
			of[i].Coef = make([]circuit.Node, n)
			of[i].Coef[x.Axis] = circuit.One
		case x.Op == model.FuncVar:
			of[i].Constant = value(x.Axis)
		case x.Op == model.FuncIf:
			ok = false
		case x.Op == model.FuncMap:
			a, b := of[x.A], of[x.B]
			if ok = a.Coef == nil && b.Coef == nil; ok {
				of[i] = Linear{Constant: Look(c, x.Map, a.Constant, b.Constant), Defined: c.Prod(a.Defined, b.Defined)}
			}
		case x.Op.Binary():
			of[i], ok = l.binary(x.Op, of[x.A], of[x.B])
		default:
			of[i], ok = l.unary(x.Op, of[x.A])
		}
		if !ok {
			return Linear{}, false
		}
	}
	return of[len(of)-1], true
}

// linear adds operations on linear functions of n variables.
type linear struct {
	*circuit.Circuit
	n int
}

// known adds an operation on numbers that no hidden variable changes.
func (l linear) known(op model.FuncOp, a, b circuit.Node, defined circuit.Node) Linear {
	x := expression{l.Circuit, defined}
	out := x.apply(op, a, b)
	return Linear{Constant: out, Defined: x.defined}
}

func (l linear) unary(op model.FuncOp, a Linear) (Linear, bool) {
	if op == model.FuncNeg {
		return l.times(a, l.Const(-1)), true
	}
	return l.known(op, a.Constant, a.Constant, a.Defined), a.Coef == nil
}

func (l linear) binary(op model.FuncOp, a, b Linear) (out Linear, ok bool) {
	defined := l.Prod(a.Defined, b.Defined)
	switch {
	case a.Coef == nil && b.Coef == nil:
		return l.known(op, a.Constant, b.Constant, defined), true
	case op == model.FuncAdd:
		out = l.add(a, b)
	case op == model.FuncSub:
		out = l.add(a, l.times(b, l.Const(-1)))
	case op == model.FuncMul && a.Coef == nil:
		out = l.times(b, a.Constant)
	case op == model.FuncMul && b.Coef == nil:
		out = l.times(a, b.Constant)
	case op == model.FuncDiv && b.Coef == nil:
		inverse := l.known(op, circuit.One, b.Constant, defined)
		out, defined = l.times(a, inverse.Constant), inverse.Defined
	default:
		return Linear{}, false
	}
	out.Defined = defined
	return out, true
}

func (l linear) times(a Linear, by circuit.Node) Linear {
	out := Linear{Constant: l.Prod(a.Constant, by), Defined: a.Defined}
	if a.Coef != nil {
		out.Coef = make([]circuit.Node, l.n)
		for i, x := range a.Coef {
			out.Coef[i] = l.Prod(x, by)
		}
	}
	return out
}

func (l linear) add(a, b Linear) Linear {
	out := Linear{Constant: l.Sum(a.Constant, b.Constant), Coef: make([]circuit.Node, l.n)}
	for _, coef := range [][]circuit.Node{a.Coef, b.Coef} {
		for i, x := range coef {
			out.Coef[i] = l.Sum(out.Coef[i], x)
		}
	}
	return out
}
