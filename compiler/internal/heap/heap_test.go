package heap_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/internal/heap"
)

type number int

func (x number) Before(y number) bool { return x < y }

// TestHeap pushes and pops at random and compares with a sorted list.
func TestHeap(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var h heap.Heap[number]
	var sorted []number
	for range 2000 {
		if rng.IntN(5) < 3 || len(sorted) == 0 {
			x := number(rng.IntN(100))
			h.Push(x)
			sorted = append(sorted, x)
			slices.Sort(sorted)
		} else {
			if got := h.Pop(); got != sorted[0] {
				t.Fatalf("popped %v; want %v", got, sorted[0])
			}
			sorted = sorted[1:]
		}
		if len(h) != len(sorted) || len(h) > 0 && h[0] != sorted[0] {
			t.Fatalf("the heap is %v; want the values %v", h, sorted)
		}
	}
}
