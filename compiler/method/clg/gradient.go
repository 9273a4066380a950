package clg

import (
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// derives reports whether q asks for the derivatives of ln P(evidence) by the parameters.
func derives(q *ir.Query) bool { return q.Kind == ir.Gradient || q.Kind == ir.Sensitivity }

// gradient plans the derivatives of ln P(evidence) by the parameters of the Gaussian CPDs. Those by
// the logarithms of the fronts are the posteriors of their contexts, from which the way up is
// differentiated backwards, operation by operation (Griewank and Walther 2008, chapter 3). Rows of
// variance 0 need nothing else: their means and coefficients act through the equations and through
// the children.
func (b *builder) gradient() {
	r := &reverse{b, map[ir.MapPart][]gauss.Number{}}
	for _, g := range b.components {
		weight := gauss.Constant(1)
		if len(g.context) > 0 {
			weight = gauss.Part(g.weights, 0)
		}
		r.add(g.root().logs, weight)
		if b.tilted() {
			r.add(g.pull, b.pullSlope(g, weight))
		}
		for _, op := range slices.Backward(g.ops) {
			r.op(op.(*ir.MapOp))
		}
	}
	for _, g := range b.components {
		for _, k := range g.buckets {
			r.parameters(k)
		}
	}
}

// reverse differentiates operations backwards.
type reverse struct {
	*builder
	by map[ir.MapPart][]gauss.Number // numbers whose sum is the derivative by a number
}

// add adds a term to the derivative by x.
func (r *reverse) add(x, term gauss.Number) {
	if x.Table != ir.NoTable {
		r.by[x.MapPart] = append(r.by[x.MapPart], term)
	}
}

// read returns the derivative by a number.
func (r *reverse) read(c *gauss.Code, part ir.MapPart) circuit.Node {
	sum := circuit.Zero
	for _, x := range r.by[part] {
		sum = c.Sum(sum, c.Read(x))
	}
	return sum
}

// op adds the contributions of op's results to the derivatives by its operands. Where an operand
// has fewer discrete variables than the results, that is a sum over the others, so that operands of
// different scopes have code of their own.
func (r *reverse) op(op *ir.MapOp) {
	var scopes [][]model.VarID
	for _, part := range op.In {
		scope := r.S.Tables[part.Table].Scope
		if r.differentiable(part) && !slices.ContainsFunc(scopes, func(x []model.VarID) bool { return slices.Equal(x, scope) }) {
			scopes = append(scopes, scope)
		}
	}
	terms := map[ir.MapPart]gauss.Number{}
	for _, scope := range scopes {
		r.over(scope, op, terms)
	}
	for _, part := range op.In {
		if x, ok := terms[part]; ok {
			r.add(gauss.Part(part.Table, part.Part), x)
		}
	}
}

// differentiable reports whether there may be derivatives by a number: it is a parameter, or code
// computes it.
func (r *reverse) differentiable(part ir.MapPart) bool {
	role := r.S.Tables[part.Table].Role
	return role == ir.RoleTemp || role == ir.RoleSigned
}

// over sets the terms that the results of op contribute to the derivatives by operands of a scope.
func (r *reverse) over(scope []model.VarID, op *ir.MapOp, terms map[ir.MapPart]gauss.Number) {
	c := gauss.NewCode()
	var value []circuit.Node
	for _, part := range op.In {
		value = append(value, c.Read(gauss.Part(part.Table, part.Part)))
	}
	for _, x := range op.Consts {
		value = append(value, c.Const(x))
	}
	for _, i := range op.Code {
		value = append(value, c.Apply(i.Op, value[i.A], value[i.B]))
	}
	total := circuit.Zero
	for i, part := range op.Out {
		total = c.Sum(total, c.Prod(r.read(c, part), value[op.Set[i]]))
	}
	w := r.NewWriter(c, r.Temp("derivatives by numbers of "+r.Set(scope), scope))
	for i, x := range c.Derive(total, value[:len(op.In)], nil) {
		if part := op.In[i]; x != circuit.Zero && r.differentiable(part) && slices.Equal(r.S.Tables[part.Table].Scope, scope) {
			terms[part] = w.Part(x)
		}
	}
	w.Run()
}

// parameters plans the answers for the CPD of k, in the order of its parameters. A variance of 0
// cannot be replaced, and its derivative is 0.
func (r *reverse) parameters(k *bucket) {
	c := gauss.NewCode()
	in := r.params[r.factor(k)]
	out := r.Add(ir.Table{Name: "derivative by " + r.m.FactorName(k.cpd), Scope: k.own, Role: ir.RoleOut, Var: -1, Factor: r.factor(k)})
	r.derivatives[r.factor(k)] = out
	w := r.NewWriter(c, out)
	n := len(k.parents) + 1
	for i := range n {
		w.Part(r.read(c, ir.MapPart{Table: in, Part: i}))
	}
	w.Part(c.Prod(c.Sub(circuit.One, r.functions(c, k)), r.read(c, ir.MapPart{Table: in, Part: n})))
	w.Run()
}
