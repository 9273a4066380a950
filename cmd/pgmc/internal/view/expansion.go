package view

import (
	"context"
	"errors"
	"fmt"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/symbolic"
)

// maxProducts bounds the expansion of a program: some hundred megabytes.
const maxProducts = 1 << 22

// indicator is the likelihood of one state of a variable: 1 if the evidence allows it.
type indicator struct {
	v     model.VarID
	state int
}

// expansion is a program executed on symbols, from its inputs to one number.
type expansion struct {
	symbolic.Refuse // steps that no circuit holds
	x               *symbolic.Executor
	p               *ir.Program
	c               *circuit.Circuit
	leaves          []indicator
	root            circuit.Node
}

// expandProgram executes the query of the given name up to its root. Rescaling is left out, since
// symbols need none: the circuit is what the program computes times two to the power of the
// exponent that it counts.
func expandProgram(ctx context.Context, p *ir.Program, query string) (*expansion, error) {
	e := &expansion{Refuse: refuse, p: p, c: circuit.New()}
	e.x = symbolic.New(p, e.c, maxProducts, e)
	e.x.Whole = true
	entry := p.Entry(query)
	for _, b := range entry.Blocks {
		for _, step := range p.Blocks[b].Steps {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if err := e.step(step); err != nil {
				return nil, err
			}
		}
	}
	e.root = e.x.Element(entry.Root, 0)
	return e, nil
}

func refuse(found string) error {
	return fmt.Errorf("the program has %s, which no circuit holds; try --method jointree", found)
}

// step executes a step whose spans are not too long.
func (e *expansion) step(step ir.Step) error {
	for _, id := range append(ir.ReadSpans(step), ir.WriteSpans(step)...) {
		if e.p.Spans[id].Len > maxProducts {
			return errTooManyProducts()
		}
	}
	err := e.x.Step(step)
	if errors.Is(err, symbolic.ErrLimit) {
		return errTooManyProducts()
	}
	return err
}

// Input implements symbolic.Client: inputs are indicators, and all else is zero before it is set.
func (e *expansion) Input(id ir.SpanID, i int) circuit.Node {
	span := &e.p.Spans[id]
	if span.Role != ir.RoleIn {
		return circuit.Zero
	}
	e.leaves = append(e.leaves, indicator{span.Var, i})
	return e.c.Input(int32(len(e.leaves) - 1))
}

// Window implements symbolic.Client. States are picked once the root is known, so that what depends
// on them does not matter.
func (e *expansion) Window(_ []ir.Axis, v ir.View) (at func(int) circuit.Node, err error) {
	return e.x.Reader(v.Span), nil
}

// Scatter implements symbolic.Client.
func (e *expansion) Scatter(_ []ir.Axis, v ir.View) (set func(int, circuit.Node), done func(), err error) {
	return func(i int, n circuit.Node) { e.x.Set(v.Span, i, n) }, func() {}, nil
}

// Maxima takes maxima.
func (*expansion) Maxima() error { return nil }

// Rescale does nothing.
func (*expansion) Rescale(*ir.Rescale) error { return nil }

// Pick does nothing: states are picked once the root is known.
func (*expansion) Pick(*ir.Pick) error { return nil }

// Walk does nothing, as Pick.
func (*expansion) Walk(*ir.Walk) error { return nil }

func errTooManyProducts() error {
	return fmt.Errorf("the circuit takes more than %s products; want fewer: try another --order, or a part of the model", table.Thousands(maxProducts))
}
