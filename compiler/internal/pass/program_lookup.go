package pass

import (
	"fmt"
	"io"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// MaxLookup is the largest lookup table of a signature, in numbers.
const MaxLookup = 4096

// ProgramLookup replaces the blocks of each signature with at most MaxLookup answers by one step
// that copies the answer from a table. The tables hold zeros. ProgramLookup returns the program of
// these signatures as they were, with answers to be copied into LookupTable; nil if there are none.
// The two programs share no step.
func ProgramLookup(p *ir.Program, m *model.Model) *ir.Program {
	users := make([]int, len(p.Blocks))
	for _, e := range p.Entries {
		for _, b := range e.Blocks {
			users[b]++
		}
	}
	shared := func(b int) bool { return users[b] > 1 }
	apart := *p
	apart.Spans, apart.Blocks, apart.Entries = slices.Clone(p.Spans), slices.Clone(p.Blocks), nil
	for i := range p.Entries {
		e := &p.Entries[i]
		if e.Query.Kind != ir.Signature || slices.ContainsFunc(e.Blocks, shared) {
			continue
		}
		vars := append([]model.VarID{e.Query.Targets[0]}, e.Query.Evidence...)
		if slices.ContainsFunc(vars, m.IsReal) {
			continue
		}
		n, ok := m.TableSize(vars)
		if ok && n <= MaxLookup {
			apart.Entries = append(apart.Entries, *e)
			lookup(p, m, e, n)
		}
	}
	if apart.Entries == nil {
		return nil
	}
	dropUnused(&apart)
	dropUnused(p)
	return &apart
}

// lookup makes e read its answer from a table of n numbers.
func lookup(p *ir.Program, m *model.Model, e *ir.Entry, n int) {
	q := e.Query
	name := m.Vars[q.Targets[0]].Name
	p.Spans = append(p.Spans,
		ir.Span{Name: "answers of " + q.Name, Role: ir.RoleConst, Len: n, Var: -1, Data: make([]float64, n), Offset: -1},
		ir.Span{Name: "P(" + name + " | evidence)", Role: ir.RoleOut, Len: m.Card(q.Targets[0]), Var: q.Targets[0], Offset: -1})
	table, out := ir.SpanID(len(p.Spans)-2), ir.SpanID(len(p.Spans)-1)
	step := &ir.Lookup{Out: out, Table: table}
	for _, v := range q.Evidence {
		step.Axes = append(step.Axes, ir.Axis{Var: v, Size: m.Card(v), Kind: ir.AxisFixed})
	}
	p.Blocks = append(p.Blocks, ir.Block{Name: "lookup", Steps: []ir.Step{step}})
	e.Blocks, e.Root, e.Exp, e.Outs = []int{len(p.Blocks) - 1}, ir.NoSpan, ir.NoSpan, []ir.SpanID{out}
}

// LookupTable returns the table from which p answers q: a row for each joint state of the evidence,
// row-major, of one number for each state of the target. It returns nil if p computes the answer.
func LookupTable(p *ir.Program, q *ir.Query) []float64 {
	for _, e := range p.Entries {
		if e.Query != q || len(e.Blocks) != 1 {
			continue
		}
		if steps := p.Blocks[e.Blocks[0]].Steps; len(steps) == 1 {
			if step, ok := steps[0].(*ir.Lookup); ok {
				return p.Spans[step.Table].Data
			}
		}
	}
	return nil
}

// PrintSignatures writes the program that ProgramLookup returned after a comment that says so.
func PrintSignatures(p *ir.Program, w io.Writer) error {
	if _, err := fmt.Fprintln(w, "\n# The signatures that program-tabulate runs to fill lookup tables."); err != nil {
		return err
	}
	return p.Print(w)
}
