package view

import (
	"context"
	"errors"
	"fmt"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method/jointree"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/symbolic"
)

// maxProducts bounds the products of an expansion, which then takes some hundred megabytes.
const maxProducts = 1 << 22

// indicator is the likelihood of one state of a variable: 1 if the evidence allows the state.
type indicator struct {
	v     model.VarID
	state int
}

// expansion is the symbolic execution of a program, from its inputs to one number.
type expansion struct {
	symbolic.Refuse // refuses steps that a circuit cannot represent
	x               *symbolic.Executor
	p               *ir.Program
	c               *circuit.Circuit
	leaves          []indicator
	root            circuit.Node
}

// expandProgram executes the named query symbolically up to its root. It skips rescaling: the
// circuit computes the program's result times two to the power of the exponent that the program
// counts.
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

// refuse returns the error for a step that a circuit cannot represent.
func refuse(found string) error {
	return fmt.Errorf("the program has %s, which a circuit cannot represent; try --method %s", found, jointree.Method.Name)
}

// step executes a step. It refuses spans that are too long.
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

// Input implements symbolic.Client. Inputs are indicators; other elements are zero until they are
// set.
func (e *expansion) Input(id ir.SpanID, i int) circuit.Node {
	span := &e.p.Spans[id]
	if span.Role != ir.RoleIn {
		return circuit.Zero
	}
	e.leaves = append(e.leaves, indicator{span.Var, i})
	return e.c.Input(int32(len(e.leaves) - 1))
}

// Window implements symbolic.Client. It ignores the state, since states are picked after the root
// is known and the root does not depend on them.
func (e *expansion) Window(_ []ir.Axis, v ir.View) (at func(int) circuit.Node, err error) {
	return e.x.Reader(v.Span), nil
}

// Scatter implements symbolic.Client.
func (e *expansion) Scatter(_ []ir.Axis, v ir.View) (set func(int, circuit.Node), done func(), err error) {
	return func(i int, n circuit.Node) { e.x.Set(v.Span, i, n) }, func() {}, nil
}

// Maxima implements symbolic.Client: maxima are allowed.
func (*expansion) Maxima() error { return nil }

// Rescale implements symbolic.Client and does nothing.
func (*expansion) Rescale(*ir.Rescale) error { return nil }

// Pick implements symbolic.Client and does nothing: states are picked after the root is known.
func (*expansion) Pick(*ir.Pick) error { return nil }

// Walk implements symbolic.Client and does nothing, for the same reason as Pick.
func (*expansion) Walk(*ir.Walk) error { return nil }

func errTooManyProducts() error {
	return fmt.Errorf("the circuit has more than %s products; try another --order, or a part of the model", table.Thousands(maxProducts))
}

// Compiled returns a model with the distribution of m, or the product of its factors, as one
// arithmetic circuit over all variables. No variable of m is latent afterwards.
func Compiled(ctx context.Context, a *cli.App, path string, m *model.Model) (*model.Model, error) {
	for _, v := range m.Vars {
		v.Latent = false // every variable has indicators
	}
	query := ir.LogProb.String()
	opt := compiler.Options{Queries: []string{query}, Rows: model.RowsAsIs, Seed: a.Seed, MaxTable: a.MaxTable, MaxMem: int64(a.MaxMem), Machine: cli.MachineMemory()}
	r, err := a.Compile(ctx, path, m, opt, nil)
	if err != nil {
		return nil, err
	}
	x, err := cli.Await(ctx, func() (*expansion, error) { return expandProgram(ctx, r.Program, query) })
	if err != nil {
		return nil, a.CompileError(path, err)
	}
	f := &model.Factor{Child: -1, Dist: x.dist()}
	for _, v := range m.Vars {
		f.Scope = append(f.Scope, v.ID)
	}
	return &model.Model{Name: m.Name, Kind: model.Markov, File: m.File, Vars: m.Vars, Factors: []*model.Factor{f}}, nil
}

// dist returns the nodes that the root depends on as a distribution over the variables in order.
func (x *expansion) dist() *model.Circuit {
	uses := x.c.Uses([]circuit.Node{x.root})
	within := x.absorbed(uses)
	out, place := &model.Circuit{}, make([]int32, x.c.Len())
	for n := range circuit.Node(x.c.Len()) {
		if uses[n] == 0 || within[n] {
			continue
		}
		y := model.CircuitNode{Op: model.CircuitProduct}
		switch x.c.Op(n) {
		case circuit.Const:
			y.Op, y.Value = model.CircuitNumber, x.c.Value(n)
		case circuit.Input:
			l := x.leaves[x.c.Leaf(n)]
			y.Op, y.Axis, y.State = model.CircuitIndicator, int(l.v), int32(l.state)
		case circuit.Sum:
			y.Op = model.CircuitSum
		}
		if x.c.Op(n) >= circuit.Sum {
			for _, arg := range x.operands(n, within) {
				y.Args = append(y.Args, place[arg])
			}
		}
		place[n] = int32(len(out.Nodes))
		out.Nodes = append(out.Nodes, y)
	}
	return out
}
