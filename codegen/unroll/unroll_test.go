package unroll_test

import (
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/codegen/backendtest"
	"github.com/pgmc-go/pgmc/codegen/unroll"
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

func BenchmarkMessages(b *testing.B) {
	cases := small()
	for i, ns := range backendtest.Time(b, unroll.Backend, cases) {
		ops := unroll.Backend.Cost(cases[i].Program, &cases[i].Program.Blocks[0]).Ops
		b.ReportMetric(ns/float64(ops), "ns/op:"+cases[i].Name)
	}
}
