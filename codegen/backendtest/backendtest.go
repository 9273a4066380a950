// Package backendtest checks a back-end. It emits random programs with it, builds them in one
// module, runs them, and compares every number with irtest.Plain, an interpreter simple
// enough to be obviously right.
//
// The package does not know the API of generated packages, which codegen's own tests check, nor
// models. It makes programs directly, with all steps but kernels in all combinations, memory shared
// by temporaries, and states that steps set and read.
//
//	func TestBackend(t *testing.T) { backendtest.Run(t, nest.Backend) }
package backendtest

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// tolerance is relative. Back-ends and kernels of the runtime add and multiply in other orders than
// irtest.Plain. Draws still agree, unless a random number falls within rounding of a partial sum.
const tolerance = 1e-12

// Case is a program with the inputs to run it on. The program is laid out. Its first entry is run.
type Case struct {
	Name    string
	Program *ir.Program
	Inputs  []Input
	Sizes   []int // numbers of states, by variable

	// Differs reports that steps subtract, so that the tolerance is absolute for numbers below 1.
	Differs bool
}

// Input holds the memory that a caller sets before a run.
type Input struct {
	Values map[ir.SpanID][]float64 // of RoleIn and RolePersistent spans
	States []int32
	Seed   uint64
}

// Run checks that b runs random programs as the plain interpreter does, and that it emits the same
// bytes twice. It takes about a hundred programs, and eight times as many in a long test. It
// leaves out programs with circuits that b cannot emit.
func Run(t *testing.T, b backend.Backend) {
	t.Helper()
	Check(t, b, Possible(b, Programs(irtest.Count(t, 1, 8))))
}

// Programs returns random programs of all kinds, with all kinds of step but kernels: share times as
// many as Run takes in a short test.
func Programs(share int) []Case {
	return slices.Concat(Random(38*share, 1), RandomCircuits(20*share, 2), RandomLoops(20*share, 3), RandomChains(10*share, 4),
		RandomEnergies(8*share, 5), RandomMaps(16*share, 6))
}

// Check is Run on the given cases.
func Check(t *testing.T, b backend.Backend, cases []Case) {
	t.Helper()
	check(t, newModule(t, b, cases))
}

// check is Check on the cases of m. It returns the results.
func check(t *testing.T, m *module) [][]image {
	t.Helper()
	m.same(t)
	results := m.run(t, "")
	for i, c := range m.cases {
		for k, in := range c.Inputs {
			got, want := results[i][k], Interpret(&c, in)
			for _, d := range c.Differences(got.number, got.int, want) {
				t.Errorf("%s, input %d: %s", c.Name, k, d)
			}
		}
	}
	return results
}

// CheckTwin is Check, and it checks that the code without assembly gives the same bits.
func CheckTwin(t *testing.T, b backend.Backend, cases []Case) {
	t.Helper()
	m := newModule(t, b, cases)
	assembly, plain := check(t, m), m.run(t, "purego")
	for i, c := range cases {
		e := c.Program.Entries[0]
		for k := range c.Inputs {
			for id := range c.Program.Spans {
				sp := &c.Program.Spans[id]
				if sp.Role != ir.RoleOut && sp.Role != ir.RolePersistent && ir.SpanID(id) != e.Root || sp.Elem != ir.Float64 {
					continue
				}
				for n := range sp.Len {
					x, y := assembly[i][k].number(ir.SpanID(id), n), plain[i][k].number(ir.SpanID(id), n)
					if math.Float64bits(x) != math.Float64bits(y) {
						t.Errorf("%s, input %d: element %d of s%d: assembly gives %v, Go %v", c.Name, k, n, id, x, y)
					}
				}
			}
		}
	}
}

// Possible returns the cases with only blocks that b can emit.
func Possible(b backend.Backend, cases []Case) []Case {
	return slices.DeleteFunc(cases, func(c Case) bool {
		cannot := func(block ir.Block) bool { return !b.Cost(c.Program, &block).OK }
		return slices.ContainsFunc(c.Program.Blocks, cannot)
	})
}

// same emits all programs again and compares the bytes.
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

// Interpret runs the first entry of c by package plain and returns its memory.
func Interpret(c *Case, in Input) *irtest.Plain {
	m := irtest.NewPlain(c.Program, in.Seed)
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

// Differences compares the memory that a caller or the next run may read: answers, kept numbers,
// states and exponents. The two functions return the computed element of a span; want holds the
// expected elements.
func (c *Case) Differences(number func(id ir.SpanID, i int) float64, integer func(id ir.SpanID, i int) int32, want *irtest.Plain) (out []string) {
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

// equal reports whether got is within the tolerance of want.
func (c *Case) equal(got, want float64) bool {
	size := math.Abs(want)
	if c.Differs {
		size = max(1, size)
	}
	return got == want || math.Abs(got-want) <= tolerance*size
}
