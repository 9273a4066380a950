package nest_test

import (
	"fmt"
	"testing"

	"github.com/pgmc-go/pgmc/codegen/backendtest"
	"github.com/pgmc-go/pgmc/codegen/nest"
	"github.com/pgmc-go/pgmc/codegen/unroll"
	"github.com/pgmc-go/pgmc/ir"
)

func cases() []backendtest.Case {
	rep := func(n, k int) (o []int) {
		for range k {
			o = append(o, n)
		}
		return
	}
	var cs []backendtest.Case
	for _, r := range []ir.Reduce{ir.ReduceSum, ir.ReduceMax} {
		cs = append(cs,
			backendtest.Message(rep(2, 6), []int{0, 1, 2, 3}, r),
			backendtest.Message(rep(4, 3), []int{0, 2}, r),
			backendtest.Message(rep(2, 10), []int{0, 2, 3, 5, 6, 7, 8}, r),
			backendtest.Message(rep(4, 5), []int{0, 1, 3}, r),
			backendtest.Message(rep(2, 16), []int{0, 1, 2, 4, 5, 6, 7, 9, 10, 11, 12, 14, 15}, r),
			backendtest.Message(rep(4, 8), []int{0, 1, 2, 5, 6, 7}, r),
			backendtest.Message(rep(4, 8), []int{0, 1}, r),
			backendtest.Message([]int{20, 20, 20, 7}, []int{0, 2}, r),
			backendtest.Message([]int{61, 31, 23}, []int{0, 2}, r),
			backendtest.Message([]int{61, 31, 23}, []int{0, 1}, r),
			backendtest.Message([]int{3, 3, 3, 3, 3, 3}, []int{1, 3, 4}, r),
			backendtest.Message([]int{3, 5, 3, 2, 4}, []int{4}, r),
		)
	}
	return cs
}

func TestScratch(t *testing.T) {
	cs := cases()
	backendtest.Check(t, nest.Backend, cs)
	ns := backendtest.Time(t, nest.Backend, cs)
	for i, c := range cs {
		e := c.Program.Blocks[0].Steps[0].(*ir.Contract).Entries()
		fmt.Printf("%-50s %8d %10.1f ns %6.3f ns/product\n", c.Name, e, ns[i], ns[i]/float64(e))
	}
	bce := backendtest.BoundsChecks(t, nest.Backend, cs)
	for _, l := range bce[:min(5, len(bce))] {
		fmt.Println(l)
	}
}

func TestScratchUnroll(t *testing.T) {
	cs := cases()[:4]
	ns := backendtest.Time(t, unroll.Backend, cs)
	for i, c := range cs {
		co := unroll.Backend.Cost(c.Program, &c.Program.Blocks[0])
		fmt.Printf("%-50s %8d %10.1f ns %6.3f ns/op\n", c.Name, co.Ops, ns[i], ns[i]/float64(co.Ops))
	}
}
