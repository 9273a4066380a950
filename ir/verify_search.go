package ir

import "fmt"

// search checks that a query has a search over some variables if and only if it needs one.
func (l *faultList) search(q *Query, search bool, outs int) {
	switch {
	case !q.Kind.Valid():
	case q.Kind == KMPE && !search:
		l.errorf("a %v has no search; want one", q.Kind)
	case search && q.Kind != KMPE && q.Kind != MAP:
		l.errorf("a search for %v; want %v or %v", q.Kind, KMPE, MAP)
	case q.Kind == MAP && !search && outs > 0:
		l.errorf("%d outputs; a %v has no search; want one has none", outs, q.Kind)
	case q.Kind == MAP && search && outs != len(q.Targets):
		l.errorf("found %d outputs for %d targets; want one for each", outs, len(q.Targets))
	}
}

// inputs checks that each variable of a search has one input, which the search narrows.
func (v *verifier) inputs(e *Entry) {
	if !e.Search {
		return
	}
	v.at = fmt.Sprintf("entry %q: ", e.Query.Name)
	count := make(map[SpanID]int)
	for _, in := range v.p.Inputs(e) {
		for _, out := range e.Outs {
			if v.p.Spans[in].Var == v.p.Spans[out].Var {
				count[out]++
			}
		}
	}
	for _, out := range e.Outs {
		if n := count[out]; n != 1 {
			v.errorf("v%d has %d inputs in a search; want 1", v.p.Spans[out].Var, n)
		}
	}
}
