package view

import (
	"context"
	"fmt"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/codegen/backend/expand"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// maxProducts bounds the expansion of a program: some hundred megabytes.
const maxProducts = 1 << 22

// indicator is the likelihood of one state of a variable: 1 where the evidence allows it.
type indicator struct {
	v     model.VarID
	state int
}

// expansion is a program executed on symbols, from its inputs to one number.
type expansion struct {
	p      *ir.Program
	c      *circuit.Circuit
	spans  [][]circuit.Node
	leaves []indicator
	left   int
	root   circuit.Node
}

// expandProgram executes the query of the given name up to its root. Rescaling is left out, since symbols need none: the
// circuit is what the program computes times two to the power of the exponent that it counts.
func expandProgram(ctx context.Context, p *ir.Program, query string) (*expansion, error) {
	x := &expansion{p: p, c: circuit.New(), spans: make([][]circuit.Node, len(p.Spans)), left: maxProducts}
	entry := p.Entry(query)
	for _, b := range entry.Blocks {
		for _, step := range p.Blocks[b].Steps {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if err := x.step(step); err != nil {
				return nil, err
			}
		}
	}
	x.root = x.elements(entry.Root)[0]
	return x, nil
}

func (x *expansion) step(step ir.Step) error {
	switch s := step.(type) { // the steps that a circuit holds, each in its own way
	case *ir.Contract:
		return x.contract(s)
	case *ir.Zero:
		x.spans[s.Span] = make([]circuit.Node, x.p.Spans[s.Span].Len)
		return nil
	case *ir.Sums:
		return x.sums(s)
	case *ir.Rescale, *ir.Pick, *ir.Walk: // states are picked once the root is known
		return nil
	}
	return fmt.Errorf("the program has a step that no circuit holds (%T); try --method jointree", step)
}

// elements gives the nodes of a span; before anything is written to it, zeros.
func (x *expansion) elements(id ir.SpanID) []circuit.Node {
	if x.spans[id] != nil {
		return x.spans[id]
	}
	span := &x.p.Spans[id]
	nodes := make([]circuit.Node, span.Len)
	for i := range nodes {
		switch span.Role {
		case ir.RoleConst:
			nodes[i] = x.c.Const(span.Data[i])
		case ir.RoleIn:
			x.leaves = append(x.leaves, indicator{span.Var, i})
			nodes[i] = x.c.Input(int32(len(x.leaves) - 1))
		}
	}
	x.spans[id] = nodes
	return nodes
}

// sums takes the nodes of a circuit over as they are.
func (x *expansion) sums(s *ir.Sums) error {
	if x.left -= len(s.Terms); x.left < 0 {
		return errTooManyProducts()
	}
	places := s.Places(x.p)
	element := func(e int32) *circuit.Node { return &x.elements(s.SpanAt(places[e].Span))[places[e].At] }
	for i, e := range s.Set {
		sum := circuit.Zero
		for _, t := range s.Terms[s.First[i]:s.First[i+1]] {
			n := *element(t[0])
			if t[1] >= 0 {
				n = x.c.Prod(n, *element(t[1]))
			}
			if s.Max {
				sum = x.c.Max(sum, n)
			} else {
				sum = x.c.Sum(sum, n)
			}
		}
		*element(e) = sum
	}
	return nil
}

func (x *expansion) contract(c *ir.Contract) error {
	for _, v := range append([]ir.View{c.Out}, c.In...) {
		if x.p.Spans[v.Span].Len > maxProducts {
			return errTooManyProducts()
		}
	}
	order := expand.Order(c.Axes, c.In)
	out := x.elements(c.Out.Span)
	e := expand.Expansion{Circuit: x.c, Max: c.Reduce == ir.ReduceMax, Left: &x.left, Out: inOrder(c.Out.Stride, order)}
	e.Set = func(offset int, n circuit.Node) { out[offset] = n }
	for _, a := range order {
		e.Axes = append(e.Axes, expand.Axis{Size: c.Axes[a].Size, Reduced: c.Axes[a].Kind == ir.AxisReduced})
	}
	for _, v := range c.In {
		in := x.elements(v.Span)
		e.In = append(e.In, expand.Operand{Stride: inOrder(v.Stride, order), At: func(offset int) circuit.Node { return in[offset] }})
	}
	if e.Run() != nil {
		return errTooManyProducts()
	}
	return nil
}

func inOrder(stride, order []int) []int {
	out := make([]int, len(order))
	for i, a := range order {
		out[i] = stride[a]
	}
	return out
}

func errTooManyProducts() error {
	return fmt.Errorf("the circuit takes more than %s products; want fewer: try another --order, or a part of the model", table.Thousands(maxProducts))
}
