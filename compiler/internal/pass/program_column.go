package pass

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir"
)

// ProgramColumn lets evidence on discrete variables enter a step of a filter by columns of numbers.
// Such a step has states as evidence, or none, and no likelihoods. The sum over the states of a
// variable of its likelihood times constants then has one of few results: for an observed state the
// numbers of that state, which are a column of the CPD of a hidden Markov model, and for no
// observation their sum. ProgramColumn computes these results, and drops the sum. Parameters that
// may be replaced rule it out.
func ProgramColumn(p *ir.Program) {
	e := p.Entry(ir.FilterBelief)
	if e == nil || e.Stream == nil || p.Params == ir.Var {
		return
	}
	shared := func(b int) bool {
		return slices.ContainsFunc(p.Entries, func(o ir.Entry) bool { return o.Query != e.Query && slices.Contains(o.Blocks, b) })
	}
	if slices.ContainsFunc(e.Blocks, shared) {
		return
	}
	for _, b := range e.Blocks {
		p.Blocks[b].Steps = slices.DeleteFunc(p.Blocks[b].Steps, func(step ir.Step) bool {
			c, ok := step.(*ir.Contract)
			return ok && column(p, e, c)
		})
	}
}

// column replaces the operands of c that depend on a variable with a likelihood by one that enters
// as a column. It reports whether nothing else is left of c, so that the column is the result of c.
func column(p *ir.Program, e *ir.Entry, c *ir.Contract) (all bool) {
	for {
		x := findColumn(p, c)
		if x == nil {
			return false
		}
		if len(x.rest) == 0 && !reducesBeside(c, x.axis) && int64(x.size) == int64(p.Spans[c.Out.Span].Len) && p.Spans[c.Out.Span].Role == ir.RoleTemp {
			x.stride = slices.Clone(c.Out.Stride)
			p.Spans[c.Out.Span].Role = ir.RolePersistent
			x.enter(p, e, c.Out.Span)
			return true
		}
		p.Spans = append(p.Spans, ir.Span{Name: "column of evidence", Role: ir.RolePersistent, Len: x.size, Var: -1, Offset: -1})
		to := ir.SpanID(len(p.Spans) - 1)
		x.enter(p, e, to)
		c.In = append(x.rest, ir.View{Span: to, Stride: x.stride})
		if c.Axes = slices.Delete(c.Axes, x.axis, x.axis+1); !reducesBeside(c, -1) {
			c.Reduce = ir.ReduceNone
		}
		for _, v := range c.Views() {
			v.Stride = slices.Delete(slices.Clone(v.Stride), x.axis, x.axis+1)
		}
	}
}

// reducesBeside reports whether c reduces an axis other than the given one.
func reducesBeside(c *ir.Contract, axis int) bool {
	for i, a := range c.Axes {
		if i != axis && a.Kind == ir.AxisReduced {
			return true
		}
	}
	return false
}

// columnOf is the part of a contraction that depends on a variable with a likelihood.
type columnOf struct {
	c      *ir.Contract
	axis   int       // of the variable
	consts []ir.View // constants that depend on it
	rest   []ir.View // operands that do not
	stride []int     // of the column along the axes of c
	size   int       // of the column
}

// findColumn returns a part of c that may become a column; nil if there is none. A column is not
// larger than its constants by much.
func findColumn(p *ir.Program, c *ir.Contract) *columnOf {
	if slices.ContainsFunc(c.Axes, func(a ir.Axis) bool { return a.Kind == ir.AxisFixed }) {
		return nil
	}
	for axis, a := range c.Axes {
		if a.Kind != ir.AxisReduced || c.Reduce != ir.ReduceSum {
			continue
		}
		x, likelihoods, numbers := &columnOf{c: c, axis: axis}, 0, 0
		for _, in := range c.In {
			switch s := &p.Spans[in.Span]; {
			case in.Stride[axis] == 0:
				x.rest = append(x.rest, in)
			case s.Role == ir.RoleIn && s.Var == a.Var && s.Len == a.Size && in.Stride[axis] == 1:
				likelihoods++
			case s.Role == ir.RoleConst:
				x.consts, numbers = append(x.consts, in), numbers+s.Len
			default:
				likelihoods = len(c.In) + 1 // more than one thing may vary
			}
		}
		if likelihoods != 1 || len(x.consts) == 0 {
			continue
		}
		if x.layout(); x.size*(a.Size+1) <= 2*numbers+a.Size {
			return x
		}
	}
	return nil
}

// layout gives the column the axes on which its constants depend, the last one fastest.
func (x *columnOf) layout() {
	x.stride, x.size = make([]int, len(x.c.Axes)), 1
	for i := len(x.c.Axes) - 1; i >= 0; i-- {
		if i != x.axis && slices.ContainsFunc(x.consts, func(v ir.View) bool { return v.Stride[i] != 0 }) {
			x.stride[i] = x.size
			x.size *= x.c.Axes[i].Size
		}
	}
}

// enter computes the rows of the column and lets the caller copy one of them to a span.
func (x *columnOf) enter(p *ir.Program, e *ir.Entry, to ir.SpanID) {
	states := x.c.Axes[x.axis].Size
	rows := make([]float64, x.size*(states+1))
	at := make([]int, len(x.c.Axes)) // the state of each axis
	for {
		place := 0
		for i, s := range x.stride {
			place += s * at[i]
		}
		product := 1.0
		for _, v := range x.consts {
			k := 0
			for i, s := range v.Stride {
				k += s * at[i]
			}
			product *= p.Spans[v.Span].Data[k]
		}
		rows[place] += product
		rows[(at[x.axis]+1)*x.size+place] = product
		if !x.next(at) {
			break
		}
	}
	v := x.c.Axes[x.axis].Var
	p.Spans = append(p.Spans, ir.Span{Name: p.Spans[to].Name + ", by evidence", Role: ir.RoleConst, Len: len(rows), Var: -1, Data: rows, Offset: -1})
	e.Stream.Columns = append(e.Stream.Columns, ir.Column{Var: v, To: to, Rows: ir.SpanID(len(p.Spans) - 1)})
}

// next advances the states of the axes of the column and of its variable; it returns false after
// the last ones.
func (x *columnOf) next(at []int) bool {
	for i := len(at) - 1; i >= 0; i-- {
		if i != x.axis && x.stride[i] == 0 {
			continue
		}
		if at[i]++; at[i] < x.c.Axes[i].Size {
			return true
		}
		at[i] = 0
	}
	return false
}
