package ir

import "slices"

// chain checks that the queries that sample have a chain, and no others.
func (l *faultList) chain(q *Query, chain bool) {
	if q.Kind.Valid() && (q.Kind.Run() >= RunChain) != chain {
		l.errorf("%v, which has %s chain", q.Kind, map[bool]string{true: "a", false: "no"}[chain])
	}
}

// chainOptions checks the sections of a chain over n blocks, and its options.
func (l *faultList) chainOptions(cut [5]int, n int, o ChainOptions) {
	if last := append(cut[:], n); cut[0] < 0 || !slices.IsSorted(last) {
		l.errorf("sections of %d blocks that end at %v", n, cut)
	}
	if !o.Valid() {
		l.errorf("%d chains of %d iterations after %d", o.Chains, o.Iterations, o.BurnIn)
	}
}

// chainOf checks the references of the chain of e.
func (v *verifier) chainOf(e *Entry) {
	v.chain(e.Query, e.Chain != nil)
	if e.Chain == nil {
		return
	}
	v.chainOptions(e.Chain.Cut, len(e.Blocks), e.Chain.ChainOptions)
	v.runNumbers(e.Chain.Run)
	v.trialOptions(e)
	if e.Exp != NoSpan {
		v.errorf("exponent of an entry with a chain")
	}
	if e.Root == NoSpan {
		v.errorf("chain without an outcome of its start")
	}
}

// runNumbers checks the numbers of a run.
func (v *verifier) runNumbers(run []SpanID) {
	for _, id := range run {
		v.one(id, "a number of the run")
		if v.known(id) && v.p.Spans[id].Role != RolePersistent {
			v.errorf("a number of the run, s%d, is %v; want a persistent span", id, v.p.Spans[id].Role)
		}
	}
}

// row checks the operands of a row whose weights go to a span.
func (v *verifier) row(r *Row, weights SpanID) {
	v.axes(r.Axes)
	drawn, states := r.Drawn()
	if drawn == 0 || slices.ContainsFunc(r.Axes[drawn:], loops) {
		v.errorf("draws along other axes than some that loop, then fixed ones")
		return
	}
	for _, a := range r.Axes[:drawn] {
		v.stateOf(a.Var)
	}
	if v.numbers(weights, "weights", true) && v.p.Spans[weights].Len != states {
		v.errorf("weights s%d have %d numbers; want %d", weights, v.p.Spans[weights].Len, states)
	}
	for _, in := range r.In {
		if v.view(r.Axes, in, "operand") && v.known(weights) {
			v.apart(weights, in.Span)
		}
	}
	for i := range r.Trees {
		v.tree(r, &r.Trees[i])
	}
}

// tree checks that tests are of variables of the row, and that nodes lead on to later ones and to leaves that are there.
func (v *verifier) tree(r *Row, t *TreeView) {
	if !v.numbers(t.Leaves, "leaves", false) {
		return
	}
	leaf := 1
	if t.Child >= 0 {
		i := slices.IndexFunc(r.Axes, func(a Axis) bool { return a.Var == t.Child })
		if i < 0 {
			v.errorf("the child v%d of a tree is none of the axes", t.Child)
			return
		}
		leaf = r.Axes[i].Size
	}
	if len(t.Nodes) == 0 && v.p.Spans[t.Leaves].Len < leaf {
		v.errorf("leaves s%d have %d numbers; want %d", t.Leaves, v.p.Spans[t.Leaves].Len, leaf)
	}
	for i, n := range t.Nodes {
		axis := slices.IndexFunc(r.Axes, func(a Axis) bool { return a.Var == n.Var })
		if axis < 0 || len(n.Next) != r.Axes[axis].Size {
			v.errorf("node %d of a tree tests v%d for %d states; want one of the axes, and its states", i, n.Var, len(n.Next))
			return
		}
		for _, next := range n.Next {
			if next >= 0 && (int(next) <= i || int(next) >= len(t.Nodes)) || next < 0 && int(-1-next)+leaf > v.p.Spans[t.Leaves].Len {
				v.errorf("node %d of a tree leads to %d, which is not there", i, next)
			}
		}
	}
}

func (v *verifier) resample(s *Resample) {
	v.row(&s.Row, s.Weights)
	drawn, _ := s.Drawn()
	if len(s.Tallies) != drawn {
		v.errorf("%d tallies for %d variables", len(s.Tallies), drawn)
		return
	}
	for i, id := range s.Tallies {
		if id == NoSpan {
			continue
		}
		if v.numbers(id, "tally", true) && v.p.Spans[id].Len != s.Axes[i].Size {
			v.errorf("tally s%d has %d numbers; want %d", id, v.p.Spans[id].Len, s.Axes[i].Size)
		}
	}
}

func (v *verifier) seek(s *Seek) {
	v.one(s.Outcome, "outcome")
	for i := range s.Levels {
		l := &s.Levels[i]
		v.row(&l.Row, l.Weights)
		if drawn, _ := l.Drawn(); drawn > 1 || l.Back < -1 || l.Back >= i {
			v.errorf("level %d draws %d variables and goes back to level %d", i, drawn, l.Back)
		}
	}
}

func (v *verifier) fold(s *Fold) {
	if int(s.Kind) >= len(foldNames) {
		v.errorf("no such fold: %d", s.Kind)
	}
	v.runNumbers(s.Run[:])
	for _, id := range s.Stats {
		if v.numbers(id, "statistic", true) {
			v.alike(s.Stats[0], id, "statistic")
		}
	}
}

// chainStates follows which variables have states through a step of a sampler.
func (r *runState) chainStates(step Step) {
	switch s := step.(type) {
	case *Resample:
		r.fixed(s.Axes)
		for _, a := range s.Axes {
			if !r.state[a.Var] {
				r.v.errorf("v%d has no state yet", a.Var)
			}
		}
	case *Seek:
		for i := range s.Levels {
			r.fixed(s.Levels[i].Axes)
			for _, id := range stateVars(&Resample{Row: s.Levels[i].Row}) {
				r.state[id] = true
			}
		}
	case *Trial:
		r.trialStates(s)
	case *Kernel:
		for _, id := range s.Sets {
			r.state[id] = true
		}
	}
}
