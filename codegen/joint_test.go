package codegen_test

import (
	"fmt"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// jointProgram returns a program that answers queries in the simplest way: every answer is one
// contraction over the joint of all variables. It is for models of a few variables whose factors
// are tables.
func jointProgram(m *model.Model, params ir.ParamMode, queries ...*ir.Query) *ir.Program {
	b := &jointBuilder{m: m, p: &ir.Program{Name: m.Name, Params: params}}
	role := ir.RoleConst
	if params == ir.Var {
		role = ir.RoleParam
	}
	b.p.State = b.span(ir.Span{Name: "state", Elem: ir.Int32, Role: ir.RolePersistent, Len: len(m.Vars), Var: -1})
	for _, v := range m.Vars {
		b.in = append(b.in, b.span(ir.Span{Name: "evidence " + v.Name, Role: ir.RoleIn, Len: m.Card(v.ID), Var: v.ID}))
	}
	for _, f := range m.Factors {
		values := f.Dist.(*model.Table).Values
		b.tables = append(b.tables, b.span(ir.Span{Name: m.FactorName(f), Role: role, Len: len(values), Var: -1, Data: values}))
	}
	for _, q := range queries {
		b.entry(q)
	}
	b.layout()
	return b.p
}

type jointBuilder struct {
	m      *model.Model
	p      *ir.Program
	in     []ir.SpanID // by variable
	tables []ir.SpanID // by factor
	steps  []ir.Step
}

func (b *jointBuilder) span(s ir.Span) ir.SpanID {
	s.Offset = -1
	b.p.Spans = append(b.p.Spans, s)
	return ir.SpanID(len(b.p.Spans) - 1)
}

// contract sums or maximises the joint to a table over target (none: -1), with the variables in
// fixed at their states.
func (b *jointBuilder) contract(out ir.SpanID, target model.VarID, fixed map[model.VarID]bool, reduce ir.Reduce, evidence bool) {
	c := &ir.Contract{Reduce: reduce, Out: ir.View{Span: out}}
	for _, v := range b.m.Vars {
		a := ir.Axis{Var: v.ID, Size: b.m.Card(v.ID), Kind: ir.AxisReduced}
		stride := 0
		switch {
		case v.ID == target:
			a.Kind, stride = ir.AxisOut, 1
		case fixed[v.ID]:
			a.Kind = ir.AxisFixed
		}
		c.Axes = append(c.Axes, a)
		c.Out.Stride = append(c.Out.Stride, stride)
	}
	for i, f := range b.m.Factors {
		view := ir.View{Span: b.tables[i], Stride: make([]int, len(b.m.Vars))}
		for n, pos := 1, len(f.Scope)-1; pos >= 0; pos-- {
			view.Stride[f.Scope[pos]] = n
			n *= b.m.Card(f.Scope[pos])
		}
		c.In = append(c.In, view)
	}
	for v := range b.m.Vars {
		if evidence {
			view := ir.View{Span: b.in[v], Stride: make([]int, len(b.m.Vars))}
			view.Stride[v] = 1
			c.In = append(c.In, view)
		}
	}
	b.steps = append(b.steps, c)
}

// block ends a block.
func (b *jointBuilder) block(name string) int {
	b.p.Blocks = append(b.p.Blocks, ir.Block{Name: name, Steps: b.steps})
	b.steps = nil
	return len(b.p.Blocks) - 1
}

func (b *jointBuilder) entry(q *ir.Query) {
	e := ir.Entry{Query: q, Root: ir.NoSpan, Exp: ir.NoSpan}
	if q.Kind != ir.Signature {
		reduce := ir.ReduceSum
		if q.Kind == ir.MPE {
			reduce = ir.ReduceMax
		}
		e.Root = b.span(ir.Span{Name: "root", Role: ir.RoleOut, Len: 1, Var: -1})
		e.Exp = b.span(ir.Span{Name: "exponent", Elem: ir.Int32, Role: ir.RoleTemp, Len: 1, Var: -1})
		b.contract(e.Root, -1, nil, reduce, true)
		b.steps = append(b.steps, &ir.Rescale{Span: e.Root, Exp: e.Exp})
		e.Blocks = append(e.Blocks, b.block("root "+q.Name))
	}
	switch q.Kind {
	case ir.Marginals:
		for _, v := range b.m.Vars {
			if !v.Latent {
				e.Outs = append(e.Outs, b.posterior(v.ID, nil, true))
			}
		}
	case ir.Posterior:
		e.Outs = append(e.Outs, b.posterior(q.Targets[0], nil, true))
	case ir.Signature:
		fixed := map[model.VarID]bool{}
		for _, v := range q.Evidence {
			fixed[v] = true
		}
		e.Outs = append(e.Outs, b.posterior(q.Targets[0], fixed, false))
	case ir.MPE:
		b.picks(ir.ReduceMax, ir.PickMax)
	case ir.Sample:
		b.picks(ir.ReduceSum, ir.PickDraw)
	}
	if len(b.steps) > 0 {
		e.Blocks = append(e.Blocks, b.block("answer "+q.Name))
	}
	b.p.Entries = append(b.p.Entries, e)
}

func (b *jointBuilder) posterior(v model.VarID, fixed map[model.VarID]bool, evidence bool) ir.SpanID {
	out := b.span(ir.Span{Name: "posterior " + b.m.Vars[v].Name, Role: ir.RoleOut, Len: b.m.Card(v), Var: v})
	b.contract(out, v, fixed, ir.ReduceSum, evidence)
	b.steps = append(b.steps, &ir.Normalize{Span: out})
	return out
}

// picks chooses the state of each variable given those before it.
func (b *jointBuilder) picks(reduce ir.Reduce, mode ir.PickMode) {
	fixed := map[model.VarID]bool{}
	for _, v := range b.m.Vars {
		row := b.span(ir.Span{Name: "weights " + v.Name, Role: ir.RoleTemp, Len: b.m.Card(v.ID), Var: -1})
		b.contract(row, v.ID, fixed, reduce, true)
		b.steps = append(b.steps, &ir.Pick{Mode: mode,
			Axes: []ir.Axis{{Var: v.ID, Size: b.m.Card(v.ID), Kind: ir.AxisOut}}, In: []ir.View{{Span: row, Stride: []int{1}}}})
		fixed[v.ID] = true
	}
}

// layout gives every span a place of its own.
func (b *jointBuilder) layout() {
	for i := range b.p.Spans {
		s := &b.p.Spans[i]
		size := &b.p.Work
		switch {
		case s.Elem == ir.Int32:
			size = &b.p.Ints
		case s.ReadOnly():
			size = &b.p.Data
		}
		s.Offset = *size
		*size += s.Len
	}
}

// allQueries returns all queries that the API has for a model of at least two variables.
func allQueries(m *model.Model) []*ir.Query {
	qs := []*ir.Query{{Name: "all", Kind: ir.Marginals}, {Name: "logprob", Kind: ir.LogProb}, {Name: "mpe", Kind: ir.MPE}, {Name: "sample", Kind: ir.Sample}}
	var seen []model.VarID
	for _, v := range m.Vars {
		if v.Latent {
			continue
		}
		qs = append(qs, &ir.Query{Name: fmt.Sprintf("posterior %d", v.ID), Kind: ir.Posterior, Targets: []model.VarID{v.ID}})
		seen = append(seen, v.ID)
	}
	last := len(seen) - 1
	return append(qs, &ir.Query{Name: "signature", Kind: ir.Signature, Targets: seen[last:], Evidence: seen[:last]})
}

// chain returns a network of binary tables in which each variable depends on the one before it.
func chain(name string, vars ...*model.Var) *model.Model {
	m := &model.Model{Name: name}
	for i, v := range vars {
		v.ID = model.VarID(i)
		m.Vars = append(m.Vars, v)
		f := &model.Factor{Scope: []model.VarID{v.ID}}
		k, rows := m.Card(v.ID), 1
		if i > 0 {
			f.Scope = []model.VarID{v.ID - 1, v.ID}
			f.Child = 1
			rows = m.Card(v.ID - 1)
		}
		var values []float64
		for r := range rows {
			sum := 0.0
			for s := range k {
				values = append(values, float64(1+(r*7+s*3+i)%5))
				sum += values[len(values)-1]
			}
			for s := range k {
				values[r*k+s] /= sum
			}
		}
		f.Dist = &model.Table{Values: values}
		m.Factors = append(m.Factors, f)
	}
	return m
}

func variable(name string, states ...string) *model.Var {
	return &model.Var{Name: name, Domain: model.Discrete{States: states}}
}
