package ir

import "slices"

// energyStep checks a step on energies.
func (v *verifier) energyStep(step Step) {
	switch s := step.(type) {
	case *MinSum:
		v.minSum(s)
	case *Spread:
		v.spread(s)
	case *Energy:
		v.numbers(s.Out, "result", true)
		for _, id := range present(append([]SpanID{s.Weight}, s.In...)...) {
			v.alike(s.Out, id, "operand")
			v.apart(s.Out, id)
		}
	case *Choose:
		v.axes([]Axis{s.Axis})
		v.stateOf(s.Axis.Var)
		for _, id := range append([]SpanID{s.Belief}, s.In...) {
			if v.numbers(id, "operand", false) && v.p.Spans[id].Len != s.Axis.Size {
				v.errorf("operand s%d has %d numbers; want %d, one a state", id, v.p.Spans[id].Len, s.Axis.Size)
			}
		}
		if s.Axis.Kind != AxisOut || s.Final < 0 || s.Final > len(s.In) {
			v.errorf("a choice of which %d of %d operands are final", s.Final, len(s.In))
		}
		v.one(s.Value, "value")
		v.one(s.Ties, "ties")
	case *Judge:
		for i, id := range s.Run {
			v.one(id, "a number of the run")
			if slices.Contains(s.Run[:i], id) {
				v.errorf("s%d stands twice for a number of the run", id)
			}
		}
		if v.p.State == NoSpan || !v.known(v.p.State) || !v.known(s.Best) || v.p.Spans[s.Best].Elem != Int32 || s.Best == v.p.State ||
			v.p.Spans[s.Best].Len != v.p.Spans[v.p.State].Len {
			v.errorf("best states in s%d; want a span of integers as long as the states", s.Best)
		}
	}
}

func (v *verifier) minSum(s *MinSum) {
	v.axes(s.Axes)
	if len(s.In) != len(s.Axes) || s.To < -1 || s.To >= len(s.Axes) {
		v.errorf("%d operands and result %d of %d axes", len(s.In), s.To, len(s.Axes))
		return
	}
	all, out := 1, 1
	for i, a := range s.Axes {
		all *= a.Size
		if a.Kind == AxisReduced || i == s.To && a.Kind != AxisOut {
			v.errorf("axis %d is of no kind that fits", i)
		}
		if i == s.To {
			out = a.Size
		}
		if s.In[i] != NoSpan && v.numbers(s.In[i], "operand", false) && v.p.Spans[s.In[i]].Len != a.Size {
			v.errorf("operand s%d has %d numbers; want %d", s.In[i], v.p.Spans[s.In[i]].Len, a.Size)
		}
	}
	if v.numbers(s.Table, "table", false) && v.p.Spans[s.Table].Len != all {
		v.errorf("table s%d has %d numbers; want %d", s.Table, v.p.Spans[s.Table].Len, all)
	}
	if v.numbers(s.Out, "result", true) && v.p.Spans[s.Out].Len != out {
		v.errorf("result s%d has %d numbers; want %d", s.Out, v.p.Spans[s.Out].Len, out)
	}
	for _, id := range present(append([]SpanID{s.Table}, s.In...)...) {
		v.apart(s.Out, id)
	}
}

func (v *verifier) spread(s *Spread) {
	if len(s.In) != len(s.Out) || len(s.Divide) != len(s.Out) {
		v.errorf("%d spans in, %d out and %d divisors", len(s.In), len(s.Out), len(s.Divide))
		return
	}
	if !v.numbers(s.Base, "base", false) {
		return
	}
	for i, id := range s.Out {
		v.alike(s.Base, s.In[i], "operand")
		if v.numbers(id, "result", true) {
			v.alike(s.Base, id, "result")
			for _, in := range append([]SpanID{s.Base}, s.In...) {
				v.apart(id, in)
			}
		}
		if s.Divide[i] < 0 {
			v.errorf("divides by %d", s.Divide[i])
		}
	}
	if v.numbers(s.Belief, "belief", true) {
		v.alike(s.Base, s.Belief, "belief")
	}
	v.one(s.Alive, "alive")
	for _, id := range present(s.Bound, s.Residual) {
		v.one(id, "a number that is counted in")
	}
	if s.Residual == NoSpan && s.Rate != NoSpan {
		v.errorf("rate %s without a residual", spanName(s.Rate))
	} else if s.Rate != NoSpan && v.numbers(s.Rate, "rate", false) && v.p.Spans[s.Rate].Len != 1 {
		v.errorf("rate s%d has %d numbers; want 1", s.Rate, v.p.Spans[s.Rate].Len)
	}
	if s.Share[0] < 0 || s.Share[1] < 1 || s.Share[0] > s.Share[1] {
		v.errorf("a share of %d/%d", s.Share[0], s.Share[1])
	}
}

// energyStates follows the states that a step on energies needs and sets.
func (r *runState) energyStates(step Step) {
	switch s := step.(type) {
	case *MinSum:
		r.fixed(s.Axes)
	case *Choose:
		r.state[s.Axis.Var] = true
	}
}

// decodeOf checks what a loop leaves of the states that it chose.
func (v *verifier) decodeOf(e *Entry) {
	d := e.Loop.Decode
	v.decodes(e.Query, d != nil)
	if d == nil {
		return
	}
	v.one(d.Ties, "ties")
	for _, id := range present(d.Bound, d.Slack) {
		v.one(id, "a number of the loop")
	}
	if (d.Bound == NoSpan) == (d.Slack == NoSpan) {
		v.errorf("both or none of a bound and a slack")
	}
}

// decodes checks that the queries that choose by iterating say what is known of the states, and no others.
func (l *faultList) decodes(q *Query, decode bool) {
	if q.Kind.Valid() && (q.Kind == Decoding) != decode {
		l.errorf("%v, of which a loop chooses states: %v", q.Kind, decode)
	}
}
