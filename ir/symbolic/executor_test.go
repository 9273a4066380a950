package symbolic_test

import (
	"errors"
	"testing"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/symbolic"
)

// sums is a client that numbers its inputs in the order in which they are read.
type sums struct {
	symbolic.Refuse
	c      *circuit.Circuit
	inputs int32
	stored int
}

func (s *sums) Input(ir.SpanID, int) circuit.Node {
	s.inputs++
	return s.c.Input(s.inputs - 1)
}

func (s *sums) Stored(ir.SpanID, circuit.Node) { s.stored++ }

var errRefused = errors.New("refused")

// message returns a program with a table over two variables of two states each and an input of the
// second variable, and the step that multiplies both and sums out the second variable.
func message(kind ir.AxisKind, reduce ir.Reduce) (*ir.Program, *ir.Contract) {
	p := &ir.Program{Spans: []ir.Span{
		{Role: ir.RoleConst, Len: 4, Data: []float64{0, 1, .5, .5}},
		{Role: ir.RoleIn, Len: 2},
		{Role: ir.RoleTemp, Len: 2},
	}}
	return p, &ir.Contract{
		Axes:   []ir.Axis{{Var: 0, Size: 2, Kind: ir.AxisOut}, {Var: 1, Size: 2, Kind: kind}},
		In:     []ir.View{{Span: 0, Stride: []int{2, 1}}, {Span: 1, Stride: []int{0, 1}}},
		Out:    ir.View{Span: 2, Stride: []int{1, 0}},
		Reduce: reduce,
	}
}

func TestStep(t *testing.T) {
	p, step := message(ir.AxisReduced, ir.ReduceSum)
	client := &sums{c: circuit.New()}
	x := symbolic.New(p, client.c, 100, client)
	if err := x.Step(step); err != nil {
		t.Fatal(err)
	}
	if client.inputs != 2 || client.stored != 2 {
		t.Errorf("got %d inputs and %d results, want 2 and 2", client.inputs, client.stored)
	}
	values := client.c.Eval(func(leaf int32) float64 { return float64(3 + leaf) })
	if got, want := values[x.Element(2, 0)], values[x.Element(1, 1)]; got != want {
		t.Errorf("got %v for the row 0 1, want the second input, %v", got, want)
	}
	if got := values[x.Element(2, 1)]; got != 3.5 {
		t.Errorf("got %v for the row .5 .5, want 3.5", got)
	}
	if err := x.Step(&ir.Zero{Span: 2}); err != nil || x.Element(2, 1) != circuit.Zero {
		t.Errorf("got node %d after Zero, want %d; error %v", x.Element(2, 1), circuit.Zero, err)
	}
}

func TestRefuse(t *testing.T) {
	for _, c := range []struct {
		name     string
		kind     ir.AxisKind
		reduce   ir.Reduce
		products int
		found    string // empty if a limit is exceeded
	}{
		{"maxima", ir.AxisReduced, ir.ReduceMax, 100, "maxima"},
		{"state", ir.AxisFixed, ir.ReduceSum, 100, "an axis with a fixed index"},
		{"limit", ir.AxisReduced, ir.ReduceSum, 1, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, step := message(c.kind, c.reduce)
			found := ""
			client := &sums{c: circuit.New(), Refuse: func(what string) error {
				found = what
				return errRefused
			}}
			want := errRefused
			if c.found == "" {
				want = symbolic.ErrLimit
			}
			if err := symbolic.New(p, client.c, c.products, client).Step(step); !errors.Is(err, want) || found != c.found {
				t.Errorf("got %v for %q, want %v for %q", err, found, want, c.found)
			}
		})
	}
}
