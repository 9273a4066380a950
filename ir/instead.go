package ir

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Instead makes an entry run in place of another one that has the same answers, if the evidence
// leaves little work to it. The other entry is a plan that takes the same time for all evidence,
// such as a circuit; this one has loops that evidence narrows, see [Ranges]. The choice depends
// only on the evidence, so that the interpreter and packages make the same one.
//
// Work is counted in products. It is an integer below 2^53, so that float64 holds it exactly.
type Instead struct {
	Of    string  // the name of the other entry's query
	Most  float64 // the most work with which this entry runs
	Fixed float64 // the work that evidence does not change
	Loops []LoopWork
}

// LoopWork is the work of loops over the remaining states of some variables: Each for every joint
// state.
type LoopWork struct {
	Each float64
	Vars []model.VarID
}

// Work returns the work that evidence leaves, given the number of remaining states of each
// variable.
func (s *Instead) Work(remaining func(model.VarID) int) float64 {
	work := s.Fixed
	for _, l := range s.Loops {
		n := l.Each
		for _, v := range l.Vars {
			n *= float64(remaining(v))
		}
		work += n
	}
	return work
}

// Vars returns the variables with remaining states that decide, in the order of their numbers.
func (s *Instead) Vars() []model.VarID {
	var vars []model.VarID
	for _, l := range s.Loops {
		vars = append(vars, l.Vars...)
	}
	slices.Sort(vars)
	return slices.Compact(vars)
}

// Instead returns the entry that may run in place of e, or nil if there is none.
func (p *Program) Instead(e *Entry) *Entry {
	for i := range p.Entries {
		if x := &p.Entries[i]; x.Instead != nil && x.Instead.Of == e.Query.Name {
			return x
		}
	}
	return nil
}

// text writes ` instead "marginals" most 900 fixed 10 loops 4 [v1 v2] 1 [v3]`.
func (s *Instead) text() string {
	if s == nil {
		return ""
	}
	b := &strings.Builder{}
	fmt.Fprintf(b, " instead %q most %s fixed %s loops", s.Of, number(s.Most), number(s.Fixed))
	for _, l := range s.Loops {
		fmt.Fprintf(b, " %s [%s]", number(l.Each), strings.TrimPrefix(varsText(l.Vars), " "))
	}
	return b.String()
}

func (ps *parser) instead() *Instead {
	s := &Instead{Of: ps.quoted()}
	ps.expect("most")
	s.Most = ps.float()
	ps.expect("fixed")
	s.Fixed = ps.float()
	ps.expect("loops")
	for ps.more() {
		l := LoopWork{Each: ps.float()}
		for _, w := range ps.group('[', ']') {
			l.Vars = append(l.Vars, model.VarID(ps.after("v", w)))
		}
		s.Loops = append(s.Loops, l)
	}
	return s
}

// instead checks that e can run in place of another entry.
func (v *verifier) instead(e *Entry) {
	s := e.Instead
	if s == nil {
		return
	}
	of := v.p.Entry(s.Of)
	switch {
	case of == nil || of.Query == nil:
		v.errorf("it runs in place of query %q, which is unknown", s.Of)
		return
	case of.Instead != nil || of.Query.Kind != e.Query.Kind || of.Repeats() || of.Search:
		v.errorf("it can't run in place of query %q", s.Of)
		return
	case v.p.Instead(of) != e:
		v.errorf("another entry runs in place of query %q", s.Of)
	case !slices.Equal(v.p.Inputs(of), v.p.Inputs(e)):
		v.errorf("query %q reads other inputs", s.Of)
	}
	variable := func(id SpanID) model.VarID { return v.p.Spans[id].Var }
	if !slices.EqualFunc(of.Outs, e.Outs, func(a, b SpanID) bool { return v.known(a) && v.known(b) && variable(a) == variable(b) }) {
		v.errorf("query %q has answers of other variables", s.Of)
	}
	v.work(e, e.Instead)
}

// work checks that the largest work of s is an integer that float64 holds, and depends only on
// inputs of e.
func (v *verifier) work(e *Entry, s *Instead) {
	entered := map[model.VarID]bool{}
	for _, id := range v.p.Inputs(e) {
		entered[v.p.Spans[id].Var] = true
	}
	numbers := []float64{s.Most, s.Fixed}
	for _, l := range s.Loops {
		numbers = append(numbers, l.Each)
		for _, id := range l.Vars {
			if !entered[id] {
				v.errorf("work depends on v%d, which has no input", id)
			}
		}
	}
	if slices.ContainsFunc(numbers, func(x float64) bool { return !(x >= 0) || x != math.Floor(x) }) {
		v.errorf("work is no integer of at least 0")
	}
	if all := s.Work(func(id model.VarID) int { return v.size[id] }); !(max(all, s.Most) < 1<<53) {
		v.errorf("work is %v; want less than 2^53", all)
	}
}
