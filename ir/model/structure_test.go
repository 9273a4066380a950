package model_test

import (
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Short forms of nodes.
func indicator(axis int, state int32) model.CircuitNode {
	return model.CircuitNode{Op: model.CircuitIndicator, Axis: axis, State: state}
}

func number(x float64) model.CircuitNode {
	return model.CircuitNode{Op: model.CircuitNumber, Value: x}
}

func plus(args ...int32) model.CircuitNode {
	return model.CircuitNode{Op: model.CircuitSum, Args: args}
}

func times(args ...int32) model.CircuitNode {
	return model.CircuitNode{Op: model.CircuitProduct, Args: args}
}

func TestStructure(t *testing.T) {
	x0, y0, y1, far := indicator(0, 0), indicator(1, 0), indicator(1, 1), indicator(130, 0)
	for _, c := range []struct {
		name  string
		nodes []model.CircuitNode
		node  int
		why   string
	}{
		{"empty", nil, -1, ""},
		{"number", []model.CircuitNode{number(2)}, -1, ""},
		{"sum of numbers", []model.CircuitNode{number(2), number(3), plus(0, 1)}, -1, ""},
		{"both", []model.CircuitNode{number(2), x0, y0, y1, times(0, 2), plus(4, 3), times(1, 5)}, -1, ""},
		{"shared", []model.CircuitNode{x0, y0, y1, plus(1, 2), times(0, 1), times(0, 3), plus(4, 5)}, -1, ""},
		{"not decomposable", []model.CircuitNode{x0, y0, y1, times(0, 1), times(3, 2), plus(4)}, 4,
			"is a product of two operands with position 1 of the scope"},
		{"a square", []model.CircuitNode{x0, times(0, 0)}, 1, "is a product of two operands with position 0 of the scope"},
		{"not smooth", []model.CircuitNode{x0, y0, times(0, 1), plus(2, 0)}, 3,
			"is a sum of operands of which some have position 1 of the scope and others not"},
		{"sum with a number", []model.CircuitNode{x0, number(1), plus(0, 1)}, 2,
			"is a sum of operands of which some have position 0 of the scope and others not"},
		{"far apart", []model.CircuitNode{x0, far, plus(1, 0)}, 2,
			"is a sum of operands of which some have position 0 of the scope and others not"},
		{"far twice", []model.CircuitNode{x0, far, times(0, 1), times(1, 2)}, 3,
			"is a product of two operands with position 130 of the scope"},
		{"not needed", []model.CircuitNode{x0, y0, plus(0, 1), times(0, 1)}, -1, ""},
	} {
		d := &model.Circuit{Nodes: c.nodes}
		if node, why := d.Structure(); node != c.node || why != c.why {
			t.Errorf("%s: node %d %s; want node %d %s", c.name, node, why, c.node, c.why)
		}
	}
}

// TestEvalLog adds two products of 100 factors, all 1e-300 in one and 5e-301 in the other: the sum
// is 1e-30000 (1 + 2^-100).
func TestEvalLog(t *testing.T) {
	d := &model.Circuit{Nodes: []model.CircuitNode{number(1e-300), number(5e-301), number(0), indicator(0, 0), indicator(0, 1)}}
	a, b := []int32{3}, []int32{4}
	for range 100 {
		a, b = append(a, 0), append(b, 1)
	}
	d.Nodes = append(d.Nodes, times(a...), times(b...), times(2, 3), plus(5, 6, 7))
	buf := make([]float64, len(d.Nodes))
	for _, c := range []struct {
		name string
		x    [2]float64
		want float64
	}{
		{"first", [2]float64{1, 0}, -30000 * math.Ln10},
		{"second", [2]float64{0, 1}, -30000*math.Ln10 - 100*math.Ln2},
		{"both", [2]float64{1, 1}, -30000*math.Ln10 + math.Log1p(0x1p-100)},
		{"none", [2]float64{0, 0}, math.Inf(-1)},
	} {
		got := d.EvalLog(func(_ int, s int32) float64 { return c.x[s] }, buf)
		if got != c.want && !(math.Abs(got-c.want) < 1e-9) { // 69000 has an ulp of 1.5e-11
			t.Errorf("%s: %v; want %v", c.name, got, c.want)
		}
	}
}
