package ir

import (
	"cmp"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// step checks one step by itself.
func (v *verifier) step(step Step) {
	switch s := step.(type) {
	case *Contract:
		v.contract(s)
	case *Sums:
		v.sums(s)
	case *Walk:
		v.walk(s)
	case *Pick:
		v.pick(s)
	case *Normalize:
		v.numbers(s.Span, "operand", true)
	case *Rescale:
		v.numbers(s.Span, "operand", true)
		if s.Exp != NoSpan {
			v.integer(s.Exp)
		}
	case *Zero:
		v.zero(s)
	case *Lookup:
		v.lookup(s)
	case *Damp:
		v.damp(s)
	case *Boltzmann:
		v.boltzmann(s)
	case *Powers:
		v.powers(s)
	case *Tally:
		v.tally(s)
	case *Resample:
		v.resample(s)
	case *Seek:
		v.seek(s)
	case *Fold:
		v.fold(s)
	case *Kernel:
		v.kernel(s)
	case *MinSum, *Spread, *Energy, *Choose, *Judge:
		v.energyStep(s)
	case *Trial:
		v.trial(s)
	default:
		v.errorf("unknown step %T", step)
	}
}

func (v *verifier) zero(s *Zero) {
	if !v.known(s.Span) {
		v.errorf("clears s%d; there are %d spans", s.Span, len(v.p.Spans))
		return
	}
	v.writable(s.Span)
}

func (v *verifier) contract(c *Contract) {
	v.axes(c.Axes)
	if !v.view(c.Axes, c.Out, "result") {
		return
	}
	v.writable(c.Out.Span)
	v.result(c)
	for _, in := range c.In {
		if v.view(c.Axes, in, "operand") {
			v.apart(c.Out.Span, in.Span)
		}
	}
	v.reduction(c)
}

// axes checks sizes and variables; there is an axis for a variable once.
func (v *verifier) axes(axes []Axis) {
	seen := map[model.VarID]bool{}
	for _, a := range axes {
		if a.Kind > AxisFixed {
			v.errorf("axis of v%d is of no known kind", a.Var)
		}
		if a.Var < 0 || a.Size < 1 || a.Size > model.MaxStates {
			v.errorf("axis of v%d has size %d; want a variable of 1 to %d states", a.Var, a.Size, model.MaxStates)
			continue
		}
		if seen[a.Var] {
			v.errorf("two axes of v%d", a.Var)
		}
		seen[a.Var] = true
		v.states(a.Var, a.Size)
		if a.Kind == AxisFixed {
			v.stateOf(a.Var)
		}
	}
}

// stateOf checks that the program keeps a state of variable id.
func (v *verifier) stateOf(id model.VarID) {
	if v.p.State == NoSpan {
		v.errorf("v%d is fixed in a program without states", id)
	} else if v.known(v.p.State) && int(id) >= v.p.Spans[v.p.State].Len {
		v.errorf("v%d is fixed; there are states for %d variables", id, v.p.Spans[v.p.State].Len)
	}
}

// view checks that an operand has a stride for each axis and stays within its span. It reports whether the view can be
// looked at further.
func (v *verifier) view(axes []Axis, view View, what string) bool {
	if !v.numbers(view.Span, what, false) {
		return false
	}
	if len(view.Stride) != len(axes) {
		v.errorf("%s s%d has %d strides; want %d, one an axis", what, view.Span, len(view.Stride), len(axes))
		return false
	}
	last := int64(0)
	for i, st := range view.Stride {
		if st < 0 || st > math.MaxInt32 {
			v.errorf("%s s%d has stride %d", what, view.Span, st)
			return false
		}
		last = min(last+int64(st)*int64(axes[i].Size-1), math.MaxInt32) // sizes are below 2^16: no overflow
	}
	if n := v.p.Spans[view.Span].Len; last >= int64(n) {
		v.errorf("%s s%d reaches element %d of %d", what, view.Span, last, n)
		return false
	}
	return true
}

// result checks that the elements of the result are each of their own: no stride where it is reduced, and of the others
// every one goes beyond all that smaller ones reach.
func (v *verifier) result(c *Contract) {
	var loops []int
	for i, a := range c.Axes {
		switch {
		case a.Kind == AxisReduced && c.Out.Stride[i] != 0:
			v.errorf("result s%d moves along v%d, over which it is reduced", c.Out.Span, a.Var)
		case a.Kind == AxisOut && a.Size > 1:
			loops = append(loops, i)
		}
	}
	slices.SortFunc(loops, func(a, b int) int { return cmp.Compare(c.Out.Stride[a], c.Out.Stride[b]) })
	reach := 0
	for _, i := range loops {
		if c.Out.Stride[i] <= reach {
			v.errorf("result s%d has one element for several states of v%d", c.Out.Span, c.Axes[i].Var)
			return
		}
		reach += c.Out.Stride[i] * (c.Axes[i].Size - 1)
	}
}

// apart checks that a step's result is not an operand, nor lies where one does.
func (v *verifier) apart(out, in SpanID) {
	switch {
	case out == in:
		v.errorf("s%d is both result and operand", out)
	case v.laidOut() && overlap(v.p, out, in):
		v.errorf("result s%d lies over operand s%d", out, in)
	}
}

func (v *verifier) reduction(c *Contract) {
	reduced := slices.ContainsFunc(c.Axes, func(a Axis) bool { return a.Kind == AxisReduced })
	switch {
	case c.Reduce > ReduceMax:
		v.errorf("no such reduction: %d", c.Reduce)
	case c.Reduce == ReduceNone && reduced:
		v.errorf("a product with a reduced axis")
	case c.Reduce != ReduceNone && !reduced:
		v.errorf("a %v without a reduced axis", c.Reduce)
	}
}

func (v *verifier) pick(s *Pick) {
	v.axes(s.Axes)
	if len(s.Axes) == 0 || s.Axes[0].Kind != AxisOut || slices.ContainsFunc(s.Axes[1:], loops) {
		v.errorf("picks over other axes than one loop, then fixed ones")
		return
	}
	if s.Mode > PickDraw {
		v.errorf("no such mode of choosing: %d", s.Mode)
	}
	v.stateOf(s.Axes[0].Var)
	for _, in := range s.In {
		v.view(s.Axes, in, "operand")
	}
}

func loops(a Axis) bool { return a.Kind != AxisFixed }

func (v *verifier) lookup(s *Lookup) {
	v.axes(s.Axes)
	if slices.ContainsFunc(s.Axes, loops) {
		v.errorf("looks up along an axis that is not fixed")
	}
	if !v.numbers(s.Out, "result", true) || !v.numbers(s.Table, "table", false) {
		return
	}
	v.apart(s.Out, s.Table)
	want := int64(v.p.Spans[s.Out].Len)
	for _, a := range s.Axes {
		want = min(want*int64(a.Size), math.MaxInt32) // a span is no longer
	}
	if got := v.p.Spans[s.Table].Len; int64(got) != want {
		v.errorf("table s%d has %d numbers; want %d, a row of s%d for each joint state", s.Table, got, want, s.Out)
	}
}
