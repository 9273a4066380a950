// Package backendtest checks a back-end: it emits random programs with it, builds them in one module of their own, runs them,
// and compares every number with an interpreter that is so plain that it is obviously right.
//
// It knows nothing of the API of generated packages, which codegen's own tests check, nor of models: programs are made
// directly, with all steps in all combinations, memory shared by temporaries, and states that steps pick and use.
//
//	func TestBackend(t *testing.T) { backendtest.Run(t, nest.Backend) }
package backendtest

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/codegen/backend"
	"github.com/pgmc-go/pgmc/ir"
)

// tolerance is relative: back-ends sum in different orders.
const tolerance = 1e-12

// Case is a program with the inputs to run it on. The program is laid out; its first entry is run.
type Case struct {
	Name    string
	Program *ir.Program
	Inputs  []Input
}

// Input is what a caller sets before a run.
type Input struct {
	Values map[ir.SpanID][]float64 // of RoleIn and RolePersistent spans
	States []int32
	Seed   uint64
}

// Run checks that b runs a few hundred random programs as the interpreter does, and emits the same bytes again. Of programs with
// circuits it takes those that b can do.
func Run(t *testing.T, b backend.Backend) {
	t.Helper()
	cases := append(Random(300, 1), RandomLoops(150, 3)...)
	for _, c := range RandomCircuits(150, 2) {
		can := func(block ir.Block) bool { return b.Cost(c.Program, &block).OK }
		if !slices.ContainsFunc(c.Program.Blocks, func(block ir.Block) bool { return !can(block) }) {
			cases = append(cases, c)
		}
	}
	Check(t, b, cases)
}

// Check is Run on given cases.
func Check(t *testing.T, b backend.Backend, cases []Case) {
	t.Helper()
	m := newModule(t, b, cases)
	m.same(t)
	results := m.run(t)
	for i, c := range cases {
		for k, in := range c.Inputs {
			want := interpret(c.Program, in)
			got := results[i][k]
			for _, d := range differences(c.Program, got, want) {
				t.Errorf("%s, input %d: %s", c.Name, k, d)
			}
		}
	}
}

// same emits all programs again and compares.
func (m *module) same(t *testing.T) {
	t.Helper()
	for i := range m.cases {
		again, err := emitProgram(m.backend, m.cases[i].Program)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(m.emitted[i].source, again.source) {
			t.Errorf("%s: not the same bytes when emitted again", m.cases[i].Name)
		}
	}
}

// differences compares what a caller or the next run may read: answers, kept numbers, states and exponents.
func differences(p *ir.Program, got image, want *memory) (out []string) {
	e := p.Entries[0]
	for id := range p.Spans {
		sp := &p.Spans[id]
		if sp.Role != ir.RoleOut && sp.Role != ir.RolePersistent && ir.SpanID(id) != e.Root && ir.SpanID(id) != e.Exp {
			continue
		}
		for i := range sp.Len {
			g, w, same := any(nil), any(nil), false
			if sp.Elem == ir.Int32 {
				k, l := got.ints[sp.Offset+i], want.ints[id][i]
				g, w, same = k, l, k == l || want.brink && ir.SpanID(id) == e.Exp
			} else {
				x, y := got.work[sp.Offset+i], want.numbers[id][i]
				g, w, same = x, y, equal(x, y) || want.brink && (equal(x, 2*y) || equal(2*x, y))
			}
			if !same {
				out = append(out, fmt.Sprintf("span %d %q, element %d: got %v, want %v", id, sp.Name, i, g, w))
			}
		}
	}
	return out
}

func equal(got, want float64) bool { return math.Abs(got-want) <= tolerance*math.Abs(want) }
