package symbolic

import (
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
)

// contract expands a contraction.
func (x *Executor) contract(c *ir.Contract) error {
	e := Expansion{Circuit: x.c, Max: c.Reduce == ir.ReduceMax, Left: &x.Left}
	if e.Max {
		if err := x.client.Maxima(); err != nil {
			return err
		}
	}
	order := Order(c.Axes, c.In)
	for _, a := range order {
		e.Axes = append(e.Axes, Axis{Size: c.Axes[a].Size, Reduced: c.Axes[a].Kind == ir.AxisReduced})
	}
	for _, v := range c.In {
		at, err := x.Operand(c.Axes, v)
		if err != nil {
			return err
		}
		e.In = append(e.In, Operand{Stride: Along(v.Stride, order), At: at})
	}
	set, done, err := x.result(c.Axes, c.Out)
	if err != nil {
		return err
	}
	e.Out, e.Set = Along(c.Out.Stride, order), set
	if err := e.Run(); err != nil {
		return err
	}
	done()
	return nil
}

// Operand returns the elements of a view by their offset along the looping axes.
func (x *Executor) Operand(axes []ir.Axis, v ir.View) (at func(offset int) circuit.Node, err error) {
	if moves(axes, v) {
		return x.client.Window(axes, v)
	}
	return x.Reader(v.Span), nil
}

// Reader returns a function that reads the elements of a span.
func (x *Executor) Reader(id ir.SpanID) func(i int) circuit.Node {
	if x.Whole {
		x.Elements(id)
	}
	return func(i int) circuit.Node { return x.Element(id, i) }
}

// result returns a function that sets the elements of a view, and a function to call afterwards.
func (x *Executor) result(axes []ir.Axis, v ir.View) (set func(int, circuit.Node), done func(), err error) {
	if moves(axes, v) {
		return x.client.Scatter(axes, v)
	}
	return func(i int, n circuit.Node) { x.Set(v.Span, i, n) }, func() {}, nil
}

// moves reports whether the place of a view depends on a fixed axis.
func moves(axes []ir.Axis, v ir.View) bool {
	for i, a := range axes {
		if a.Kind == ir.AxisFixed && v.Stride[i] != 0 {
			return true
		}
	}
	return false
}

// sums executes the nodes of a circuit as they are.
func (x *Executor) sums(s *ir.Sums) error {
	reduce := x.c.Sum
	if s.Max {
		if err := x.client.Maxima(); err != nil {
			return err
		}
		reduce = x.c.Max
	}
	if x.Left -= len(s.Terms); x.Left < 0 {
		return ErrLimit
	}
	places := s.Places(x.p)
	read := func(e int32) circuit.Node { return x.Element(s.SpanAt(places[e].Span), places[e].At) }
	for i, e := range s.Set {
		all := circuit.Zero
		for _, term := range s.Terms[s.First[i]:s.First[i+1]] {
			n := read(term[0])
			if term[1] >= 0 {
				n = x.c.Prod(n, read(term[1]))
			}
			all = reduce(all, n)
		}
		x.Set(s.SpanAt(places[e].Span), places[e].At, all)
	}
	return nil
}

// zero sets a span to zeros.
func (x *Executor) zero(id ir.SpanID) error {
	if x.p.Spans[id].Elem == ir.Int32 {
		return x.client.Clear(id)
	}
	for i := range x.Elements(id) {
		x.Set(id, i, circuit.Zero)
	}
	return nil
}
