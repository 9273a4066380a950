package model_test

import (
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/ir/model"
)

func TestDeterminism(t *testing.T) {
	x0, x1, x2, y0, y1 := indicator(0, 0), indicator(0, 1), indicator(0, 2), indicator(1, 0), indicator(1, 1)
	leaves := func(more ...model.CircuitNode) []model.CircuitNode {
		return append([]model.CircuitNode{x0, x1, y0, y1, number(.4), number(0)}, more...)
	}
	const together = "is a sum of operands that can be positive together"
	for _, c := range []struct {
		name  string
		nodes []model.CircuitNode
		node  int
		why   string
	}{
		{"empty", nil, -1, ""},
		{"states of a variable", []model.CircuitNode{x0, x1, x2, plus(0, 1, 2)}, -1, ""},
		{"a state twice", []model.CircuitNode{x0, x1, plus(0, 1), plus(2, 0)}, 3, together},
		{"sum of numbers", []model.CircuitNode{number(.3), number(.4), plus(0, 1), x0, times(2, 3)}, -1, ""},
		{"decision", leaves(plus(2, 3), times(0, 2), times(1, 6), plus(7, 8)), -1, ""},
		{"mixture", leaves(plus(0, 1), plus(2, 3), times(0, 7), times(6, 2), plus(8, 9)), 10, together},
		// x0 y0 + x1 y1 and x0 y1 + x1 y0 exclude each other in each pair of products, though every
		// state is possible in both.
		{"by their products", leaves(times(0, 2), times(1, 3), plus(6, 7), times(0, 3), times(1, 2), plus(9, 10), plus(8, 11)), -1, ""},
		{"not by their products", leaves(times(0, 2), times(1, 3), plus(6, 7), times(0, 2), times(1, 2), plus(9, 10), plus(8, 11)), 12, together},
		{"with weights", leaves(times(4, 0), times(4, 4, 1), plus(6, 7)), -1, ""},
		{"the same with weights", leaves(times(4, 0), times(4, 4, 0), plus(6, 7)), 8, together},
		{"what is zero", leaves(times(5, 0), times(4, 0), plus(6, 7)), -1, ""},
		{"not needed", leaves(plus(0, 0), times(0, 2)), -1, ""},
	} {
		d := &model.Circuit{Nodes: c.nodes}
		if node, why := d.Structure(); node >= 0 {
			t.Fatalf("%s: node %d %s", c.name, node, why)
		}
		if node, why := d.Determinism(); node != c.node || why != c.why {
			t.Errorf("%s: node %d %s; want node %d %s", c.name, node, why, c.node, c.why)
		}
	}
}

// TestDeterminismGivesUp takes sums with so many operands that comparing all pairs would take
// minutes.
func TestDeterminismGivesUp(t *testing.T) {
	const n = 10_000
	d := &model.Circuit{}
	var args []int32
	for i := range int32(n) {
		d.Nodes = append(d.Nodes, indicator(0, i))
		args = append(args, i)
	}
	d.Nodes = append(d.Nodes, plus(args...))
	want := "is a sum with too many pairs of operands to see that no two can be positive together"
	if node, why := d.Determinism(); node != n || why != want {
		t.Errorf("node %d %s; want node %d %s", node, why, n, want)
	}
}

// TestScopesGiveUp takes a chain of products, each over one variable more.
func TestScopesGiveUp(t *testing.T) {
	d := &model.Circuit{Nodes: []model.CircuitNode{indicator(0, 0)}}
	for i := range 40_000 {
		d.Nodes = append(d.Nodes, indicator(i+1, 0))
		d.Nodes = append(d.Nodes, times(int32(len(d.Nodes)-1), int32(len(d.Nodes)-2)))
	}
	if _, _, ok := d.Scopes(); ok {
		t.Error("scopes of 40,000 nodes over as many variables")
	}
	if node, why := d.Determinism(); node != len(d.Nodes)-1 || why != "and the nodes before it are over too many variables" {
		t.Errorf("node %d %s", node, why)
	}
}

func TestScopes(t *testing.T) {
	x0, x1, y0, far := indicator(0, 0), indicator(0, 1), indicator(1, 0), indicator(130, 0)
	d := &model.Circuit{Nodes: []model.CircuitNode{number(2), x0, x1, plus(1, 2), y0, far, times(3, 4), times(4, 1), times(6, 5), times(5, 7, 0), times()}}
	scope, size, ok := d.Scopes()
	if want := []int32{0, 1, 1, 1, 2, 3, 4, 4, 5, 5, 0}; !ok || !slices.Equal(scope, want) {
		t.Errorf("scopes %v; want %v", scope, want)
	}
	if want := []int{0, 1, 1, 1, 2, 3}; !slices.Equal(size, want) {
		t.Errorf("sizes %v; want %v", size, want)
	}
}
