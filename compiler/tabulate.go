package compiler

import (
	"errors"

	"github.com/pgmc-go/pgmc/compiler/internal/pass"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
)

// MaxLookup is the most numbers that a lookup table for a signature may have.
const MaxLookup = 4096

// tabulate replaces each signature with few answers by a table of them all. Impossible evidence has
// a row of zeros. Parameters that may be replaced rule it out.
func (s *state) tabulate() error {
	if s.problem.Params == ir.Var {
		return nil
	}
	p := s.program
	var machine *eval.Machine // made where it is needed, since it holds the program's memories
	tables := make([][]float64, len(p.Entries))
	for i := range p.Entries {
		q := p.Entries[i].Query
		if q.Kind != ir.Signature {
			continue
		}
		n, ok := s.problem.Model.TableSize(append([]model.VarID{q.Targets[0]}, q.Evidence...))
		if !ok || n > MaxLookup {
			continue
		}
		if machine == nil {
			machine = eval.New(p, s.problem.Model)
		}
		values, err := answers(machine, s.problem.Model, &p.Entries[i])
		if err != nil {
			return err
		}
		tables[i] = values
	}
	if machine == nil {
		return nil
	}
	for i, values := range tables {
		if values != nil {
			s.lookup(&p.Entries[i], values)
		}
	}
	pass.ProgramChunk(p, s.opt.Chunk) // drops the blocks that are no longer run
	p.Work, p.Data, p.Ints = 0, 0, 0
	pass.ProgramLayout(p)
	return p.Verify()
}

// answers runs e for all evidence, in row-major order.
func answers(machine *eval.Machine, m *model.Model, e *ir.Entry) ([]float64, error) {
	card := m.Card(e.Query.Targets[0])
	state := make([]int, len(m.Vars))
	var out []float64
	for {
		for _, v := range e.Query.Evidence {
			if err := machine.SetState(v, state[v]); err != nil {
				return nil, err
			}
		}
		switch err := machine.Run(e); {
		case errors.Is(err, eval.ErrImpossible):
			out = append(out, make([]float64, card)...)
		case err != nil:
			return nil, err
		default:
			out = append(out, machine.Posterior(0)...)
		}
		if !m.Next(e.Query.Evidence, state) {
			return out, nil
		}
	}
}

// lookup makes e read its answer from a table.
func (s *state) lookup(e *ir.Entry, values []float64) {
	p, q, m := s.program, e.Query, s.problem.Model
	name := m.Vars[q.Targets[0]].Name
	p.Spans = append(p.Spans,
		ir.Span{Name: "answers of " + q.Name, Role: ir.RoleConst, Len: len(values), Var: -1, Data: values, Offset: -1},
		ir.Span{Name: "P(" + name + " | evidence)", Role: ir.RoleOut, Len: m.Card(q.Targets[0]), Var: q.Targets[0], Offset: -1})
	table, out := ir.SpanID(len(p.Spans)-2), ir.SpanID(len(p.Spans)-1)
	step := &ir.Lookup{Out: out, Table: table}
	for _, v := range q.Evidence {
		step.Axes = append(step.Axes, ir.Axis{Var: v, Size: m.Card(v), Kind: ir.AxisFixed})
	}
	p.Blocks = append(p.Blocks, ir.Block{Name: "lookup", Steps: []ir.Step{step}})
	e.Blocks, e.Root, e.Exp, e.Outs = []int{len(p.Blocks) - 1}, ir.NoSpan, ir.NoSpan, []ir.SpanID{out}
}
