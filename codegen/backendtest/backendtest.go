// Package backendtest checks a back-end: it emits random programs with it, builds them in one
// module of their own, runs them, and compares every number with package ir/irtest/plain, an
// interpreter so plain that it is obviously right.
//
// It knows nothing of the API of generated packages, which codegen's own tests check, nor of
// models: programs are made directly, with all steps but kernels in all combinations, memory shared
// by temporaries, and states that steps pick and use.
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
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/irtest/plain"
)

// tolerance is relative: back-ends and kernels of the runtime add and multiply in other orders than
// package plain. Draws agree all the same, but for a random number that falls into the last places
// of a sum.
const tolerance = 1e-12

// Case is a program with the inputs to run it on. The program is laid out; its first entry is run.
type Case struct {
	Name    string
	Program *ir.Program
	Inputs  []Input
	Sizes   []int // of the variables

	// Differs says that steps subtract, so that the tolerance is that of numbers of size 1 at
	// least.
	Differs bool
}

// Input is what a caller sets before a run.
type Input struct {
	Values map[ir.SpanID][]float64 // of RoleIn and RolePersistent spans
	States []int32
	Seed   uint64
}

// Run checks that b runs random programs as the plain interpreter does, and emits the same bytes
// again: some two hundred, and in a long test four times as many. Of programs with circuits it
// takes those that b can do.
func Run(t *testing.T, b backend.Backend) {
	t.Helper()
	Check(t, b, slices.DeleteFunc(Programs(irtest.Count(t, 1, 4)), func(c Case) bool {
		cannot := func(block ir.Block) bool { return !b.Cost(c.Program, &block).OK }
		return slices.ContainsFunc(c.Program.Blocks, cannot)
	}))
}

// Programs gives random programs of all kinds, with all kinds of step but kernels; share times the
// number that Run takes in a short test.
func Programs(share int) []Case {
	return slices.Concat(Random(75*share, 1), RandomCircuits(40*share, 2), RandomLoops(40*share, 3), RandomChains(20*share, 4),
		RandomEnergies(15*share, 5))
}

// Check is Run on given cases.
func Check(t *testing.T, b backend.Backend, cases []Case) {
	t.Helper()
	m := newModule(t, b, cases)
	m.same(t)
	results := m.run(t)
	for i, c := range cases {
		for k, in := range c.Inputs {
			got, want := results[i][k], Interpret(&c, in)
			for _, d := range c.Differences(got.number, got.int, want) {
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

// Interpret runs the first entry of c by package plain.
func Interpret(c *Case, in Input) *plain.Memory {
	m := plain.New(c.Program, in.Seed)
	for id, values := range in.Values {
		copy(m.Numbers[id], values)
	}
	if c.Program.State != ir.NoSpan {
		copy(m.Ints[c.Program.State], in.States)
	}
	for _, b := range c.Program.Entries[0].Blocks {
		m.RunBlock(b)
	}
	return m
}

// Differences compares what a caller or the next run may read: answers, kept numbers, states and
// exponents. The two functions give an element of a span as it was computed, want what it should
// be.
func (c *Case) Differences(number func(id ir.SpanID, i int) float64, integer func(id ir.SpanID, i int) int32, want *plain.Memory) (out []string) {
	e := c.Program.Entries[0]
	for i := range c.Program.Spans {
		id, sp := ir.SpanID(i), &c.Program.Spans[i]
		if sp.Role != ir.RoleOut && sp.Role != ir.RolePersistent && id != e.Root && id != e.Exp {
			continue
		}
		for k := range sp.Len {
			var g, w any
			same := false
			if sp.Elem == ir.Int32 {
				x, y := integer(id, k), want.Ints[id][k]
				g, w, same = x, y, x == y || want.Brink && id == e.Exp
			} else {
				x, y := number(id, k), want.Numbers[id][k]
				g, w, same = x, y, c.equal(x, y) || want.Brink && (c.equal(x, 2*y) || c.equal(2*x, y))
			}
			if !same {
				out = append(out, fmt.Sprintf("span %d %q, element %d: got %v, want %v", id, sp.Name, k, g, w))
			}
		}
	}
	return out
}

func (c *Case) equal(got, want float64) bool {
	size := math.Abs(want)
	if c.Differs {
		size = max(1, size)
	}
	return got == want || math.Abs(got-want) <= tolerance*size
}
