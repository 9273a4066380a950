package order_test

import (
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/order"
)

// TestStop stops searches after some looks at the deadline: the order is one of all vertices,
// groups are kept, and a memo does not hold it.
func TestStop(t *testing.T) {
	edges := gridEdges(12)
	g := graph(144, edges...)
	group := make([]int, 144)
	for v := range group {
		group[v] = v % 2
	}
	for _, looks := range []int{0, 1, 10} {
		left := looks
		var memo order.Memo
		opt := order.Options{Steps: 20_000, Group: group, Stop: func() bool { left--; return left < 0 }}
		list := memo.Best(g, opt).Order
		if !slices.IsSortedFunc(list, func(a, b int) int { return group[a] - group[b] }) {
			t.Errorf("%d looks: groups mixed in %v", looks, list)
		}
		if list = slices.Sorted(slices.Values(list)); len(list) != 144 || len(slices.Compact(list)) != 144 {
			t.Errorf("%d looks: %d vertices; want 144", looks, len(list))
		}
		before := memo.Work
		opt.Stop = nil
		if memo.Best(g, opt); memo.Work == before {
			t.Errorf("%d looks: the memo held an order of a stopped search", looks)
		}
	}
}
