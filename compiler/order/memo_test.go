package order_test

import (
	"reflect"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/order"
)

// TestMemo asks for the orders of two graphs by several options, each twice, with more searches in
// between than a memo holds.
func TestMemo(t *testing.T) {
	var memo order.Memo
	for range 2 {
		for side := 3; side < 8; side++ {
			for _, opt := range []order.Options{{}, {Steps: 500}, {Heuristics: order.Heuristics}, {Heuristics: order.Heuristics[:1]}, {Group: make([]int, side*side)}, {Steps: 500, Seed: 1}} {
				want := order.Best(graph(side*side, gridEdges(side)...), opt)
				for range 2 {
					if got := memo.Best(graph(side*side, gridEdges(side)...), opt); !reflect.DeepEqual(got, want) {
						t.Fatalf("grid of %d by %d, %+v: %+v; want %+v", side, side, opt, got, want)
					}
				}
			}
		}
	}
}
