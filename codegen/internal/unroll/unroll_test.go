package unroll_test

import (
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/codegen/backendtest"
	"github.com/pgmc-go/pgmc/codegen/internal/unroll"
	"github.com/pgmc-go/pgmc/ir"
)

func TestBackend(t *testing.T) { backendtest.Run(t, unroll.Backend) }

// TestMessages checks blocks of several functions. The largest tables are for other back-ends.
func TestMessages(t *testing.T) { backendtest.Check(t, unroll.Backend, small()) }

func small() []backendtest.Case {
	return slices.DeleteFunc(backendtest.Messages(), func(c backendtest.Case) bool {
		return c.Program.Blocks[0].Steps[0].(*ir.Contract).Entries() > 5000
	})
}

// TestCost checks that constants fold: how many operations a table of zeros and ones leaves.
func TestCost(t *testing.T) {
	c := backendtest.Message([]int{2, 2}, []int{0}, ir.ReduceSum)
	before := unroll.Backend.Cost(c.Program, &c.Program.Blocks[0])
	for i := range c.Program.Spans {
		if s := &c.Program.Spans[i]; s.Role == ir.RoleParam {
			s.Role = ir.RoleConst
			for k := range s.Data {
				s.Data[k] = float64(k % 2)
			}
		}
	}
	after := unroll.Backend.Cost(c.Program, &c.Program.Blocks[0])
	// Two sums of two products of a likelihood and a parameter, each times the message of the
	// remaining variable.
	if want := 8; before.Ops != want {
		t.Errorf("with parameters: got %d operations, want %d", before.Ops, want)
	}
	if after.Ops != 0 {
		t.Errorf("with zeros and ones: got %d operations, want 0", after.Ops)
	}
}

// TestWorth checks that a block is not executed if all straight-line code that there may be could
// not shorten the query by backend.LeastShare.
func TestWorth(t *testing.T) {
	for _, x := range []struct {
		name   string
		blocks int // of the query
		ok     bool
	}{{"short", 1, true}, {"long", 1_000_000, false}} {
		c := backendtest.Message([]int{2, 2}, []int{0}, ir.ReduceSum)
		c.Program.Entries = []ir.Entry{{Blocks: make([]int, x.blocks)}}
		b := unroll.Backend.For(c.Program, unroll.Backend)
		if got := b.Cost(c.Program, &c.Program.Blocks[0]).OK; got != x.ok {
			t.Errorf("%s query: got %v, want %v", x.name, got, x.ok)
		}
	}
}

// TestCopies checks that elements that are stored as they are count as straight-line code.
func TestCopies(t *testing.T) {
	c := backendtest.Message([]int{2, 2}, []int{0, 1}, ir.ReduceSum)
	step := c.Program.Blocks[0].Steps[0].(*ir.Contract)
	step.In = step.In[:1]
	got := unroll.Backend.Cost(c.Program, &c.Program.Blocks[0])
	if got.Ops != 0 || got.Straight != 4 {
		t.Errorf("got %d operations and %d of straight-line code, want 0 and 4", got.Ops, got.Straight)
	}
}

func BenchmarkMessages(b *testing.B) {
	cases := small()
	for i, ns := range backendtest.Time(b, unroll.Backend, cases) {
		ops := unroll.Backend.Cost(cases[i].Program, &cases[i].Program.Blocks[0]).Ops
		b.ReportMetric(ns/float64(ops), "ns/op:"+cases[i].Name)
	}
}
