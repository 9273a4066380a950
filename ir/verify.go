package ir

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Verify checks that p is well formed, so that the interpreter and the back-ends need not. Spans
// and references are in range, no step leaves its spans or writes read-only ones, every entry
// writes spans before it reads them, and once spans have places, nothing overwrites a span that is
// still needed. The error lists the first broken rules, one per line.
func (p *Program) Verify() error {
	v := &verifier{p: p, size: map[model.VarID]int{}, within: map[model.VarID]int{}}
	v.spans()
	v.layout()
	for i, b := range p.Blocks {
		clear(v.within)
		for k, step := range b.Steps {
			v.at = fmt.Sprintf("block b%d %q step %d: ", i, b.Name, k)
			if step == nil {
				v.errorf("unknown step %T", step)
				continue
			}
			step.verify(v)
		}
	}
	names := map[string]bool{}
	for i := range p.Entries {
		v.at = fmt.Sprintf("entry %d: ", i)
		v.entry(&p.Entries[i], names)
	}
	if len(v.faults) == 0 { // a run can be followed only if all references are valid
		for i := range p.Entries {
			v.inputs(&p.Entries[i])
			v.instead(&p.Entries[i])
			v.run(&p.Entries[i])
		}
	}
	return v.err(fmt.Sprintf("program %q: ", p.Name))
}

// maxFaults is the number of broken rules that the error lists; further ones usually follow from
// these.
const maxFaults = 10

// faultList collects broken rules.
type faultList struct {
	at     string // place of the checker; the prefix of each message
	faults []error
}

func (l *faultList) errorf(format string, args ...any) {
	if len(l.faults) < maxFaults {
		l.faults = append(l.faults, errors.New(l.at+fmt.Sprintf(format, args...)))
	}
}

func (l *faultList) err(prefix string) error {
	for i, err := range l.faults {
		l.faults[i] = errors.New(prefix + err.Error())
	}
	return errors.Join(l.faults...)
}

type verifier struct {
	faultList
	p      *Program
	size   map[model.VarID]int // number of states of each variable with a span
	within map[model.VarID]int // of other variables, in the current block: joined programs may number theirs alike
}

// spans checks each span on its own.
func (v *verifier) spans() {
	for i := range v.p.Spans {
		s := &v.p.Spans[i]
		v.at = fmt.Sprintf("span s%d %q: ", i, s.Name)
		if int(s.Elem) >= len(elemNames) || int(s.Role) >= len(roleNames) {
			v.errorf("unknown element type or role: %d, %d", s.Elem, s.Role)
			continue
		}
		if s.Len < 0 || s.Len == 0 && s.Elem == Float64 || s.Len > math.MaxInt32 {
			v.errorf("length is %d; want 1 to %d", s.Len, math.MaxInt32)
		}
		if s.Elem == Int32 && (s.ReadOnly() || s.Role == RoleIn) {
			v.errorf("%v holds integers; want numbers", s.Role)
		}
		v.spanVar(s)
		v.spanData(s)
	}
	v.at = ""
	if id := v.p.State; id != NoSpan && (!v.known(id) || v.p.Spans[id].Elem != Int32) {
		v.errorf("state is s%d; want a span of integers", id)
	}
}

func (v *verifier) spanVar(s *Span) {
	named := s.Elem == Float64 && (s.Role == RoleIn || s.Role == RoleOut)
	switch {
	case named && s.Var < -1, named && s.Role == RoleIn && s.Var < 0:
		v.errorf("%v belongs to no variable", s.Role)
	case named && s.Var >= 0 && !v.measured(s):
		v.states(v.size, s.Var, s.Len)
	case named:
	case s.Var != -1:
		v.errorf("%v %v belongs to variable v%d; want an input or output", s.Elem, s.Role, s.Var)
	}
}

func (v *verifier) spanData(s *Span) {
	if !s.ReadOnly() {
		if len(s.Data) > 0 {
			v.errorf("%v has data; want none", s.Role)
		}
		return
	}
	if len(s.Data) != s.Len {
		v.errorf("it has %d numbers of data; want %d", len(s.Data), s.Len)
	}
	for i, x := range s.Data {
		if !s.Role.holds(x) {
			v.errorf("number %d of its data is %v; want a finite number of at least 0", i, x)
			return
		}
	}
}

// measured reports whether s is the evidence on a real variable that takes measurements, and its
// answer was seen before, or the other way round. The two have different lengths.
func (v *verifier) measured(s *Span) bool {
	switch v.size[s.Var] {
	case model.MeasuredWidth:
		return s.Role == RoleOut && s.Len == model.RealWidth
	case model.RealWidth:
		return s.Role == RoleIn && s.Len == model.MeasuredWidth
	}
	return false
}

// states records in a map that variable id has n states, and reports an error if it had another
// number before.
func (v *verifier) states(in map[model.VarID]int, id model.VarID, n int) {
	first, ok := v.size[id]
	if !ok {
		first, ok = in[id]
	}
	if !ok {
		in[id] = n
	} else if first != n {
		v.errorf("variable v%d has %d states here and %d elsewhere", id, n, first)
	}
}

func (v *verifier) known(id SpanID) bool { return id >= 0 && int(id) < len(v.p.Spans) }

// numbers checks that id is a span of numbers and, if write is set, that steps may write it.
func (v *verifier) numbers(id SpanID, what string, write bool) bool {
	if !v.known(id) || v.p.Spans[id].Elem != Float64 {
		v.errorf("%s is s%d; want a span of numbers", what, id)
		return false
	}
	if write {
		v.writable(id)
	}
	return true
}

func (v *verifier) writable(id SpanID) {
	if s := &v.p.Spans[id]; s.ReadOnly() || s.Role == RoleIn {
		v.errorf("writes s%d, which is %v", id, s.Role)
	}
}

// integer checks that id is one integer that steps may write, other than the states.
func (v *verifier) integer(id SpanID) {
	if !v.known(id) || v.p.Spans[id].Elem != Int32 || v.p.Spans[id].Len != 1 || id == v.p.State {
		v.errorf("exponent is s%d; want a span of one integer", id)
	}
}

// one checks that id is one number that steps may write.
func (v *verifier) one(id SpanID, what string) {
	if v.numbers(id, what, true) && v.p.Spans[id].Len != 1 {
		v.errorf("%s, s%d, has %d numbers; want 1", what, id, v.p.Spans[id].Len)
	}
}

// alike checks that two spans of numbers have the same length.
func (v *verifier) alike(a, b SpanID, what string) {
	if v.numbers(b, what, false) && v.known(a) && v.p.Spans[a].Len != v.p.Spans[b].Len {
		v.errorf("%s s%d has %d numbers; want %d, the number of s%d", what, b, v.p.Spans[b].Len, v.p.Spans[a].Len, a)
	}
}

// apart checks that a step's result is not an operand and does not overlap one.
func (v *verifier) apart(out, in SpanID) {
	switch {
	case out == in:
		v.errorf("s%d is both the result and an operand", out)
	case v.laidOut() && overlap(v.p, out, in):
		v.errorf("result s%d overlaps operand s%d", out, in)
	}
}

// stateOf checks that the program has a state of variable id.
func (v *verifier) stateOf(id model.VarID) {
	if v.p.State == NoSpan {
		v.errorf("v%d is fixed, but the program has no states", id)
	} else if v.known(v.p.State) && int(id) >= v.p.Spans[v.p.State].Len {
		v.errorf("v%d is fixed, but there are states of only %d variables", id, v.p.Spans[v.p.State].Len)
	}
}

// entry checks the query and the references of an entry.
func (v *verifier) entry(e *Entry, names map[string]bool) {
	if e.Query == nil {
		v.errorf("it has no query")
		return
	}
	v.at = fmt.Sprintf("entry %q: ", e.Query.Name)
	v.query(e.Query, names, e.Root != NoSpan || e.IsPart(), len(e.Outs))
	v.search(e.Query, e.Search, len(e.Outs))
	v.loopOf(e)
	v.chainOf(e)
	v.stream(e)
	for _, b := range e.Blocks {
		if b < 0 || b >= len(v.p.Blocks) {
			v.errorf("runs block b%d of %d", b, len(v.p.Blocks))
		}
	}
	if e.Root != NoSpan && v.numbers(e.Root, "root", false) && v.p.Spans[e.Root].Len != 1 {
		v.errorf("root s%d has %d numbers; want 1", e.Root, v.p.Spans[e.Root].Len)
	}
	if e.Exp != NoSpan {
		v.integer(e.Exp)
		if e.Root == NoSpan {
			v.errorf("there is an exponent, but no root")
		}
	}
	v.outs(e)
	v.decisions(e)
	v.moments(e)
	for _, id := range e.Logs {
		if v.numbers(id, "logarithm", false) && v.p.Spans[id].Len != 1 {
			v.errorf("logarithm s%d has %d numbers; want 1", id, v.p.Spans[id].Len)
		}
	}
	if e.Query.Kind.Picks() && v.p.State == NoSpan {
		v.errorf("%v needs states, and the program has none", e.Query.Kind)
	}
}

func (v *verifier) outs(e *Entry) {
	seen := map[SpanID]bool{}
	for _, id := range e.Outs {
		if !v.numbers(id, "output", false) {
			continue
		}
		if s := &v.p.Spans[id]; s.Role != RoleOut {
			v.errorf("output s%d is %v", id, s.Role)
		}
		if seen[id] {
			v.errorf("output s%d is listed twice", id)
		}
		seen[id] = true
		if of := v.p.Spans[id].Var; of < 0 != (e.Query.Kind.Answer() == AnswerTables) {
			v.errorf("output s%d is of v%d; a %v has answers %s", id, of, e.Query.Kind, map[bool]string{true: "of no variable", false: "of variables"}[of >= 0])
		}
	}
	if e.Query.Kind == Gradient || e.Query.Kind == Sensitivity {
		v.derivatives(e)
	}
	if n := len(e.Tilt); n > 0 && (e.Query.Kind != Sensitivity || n != 2) {
		v.errorf("%d spans of a tilt in a %v; want none, or two in a sensitivity", n, e.Query.Kind)
	}
	if e.Query.oneTarget() && len(e.Outs) == 1 && len(e.Query.Targets) == 1 && v.known(e.Outs[0]) {
		if got, want := v.p.Spans[e.Outs[0]].Var, e.Query.Targets[0]; got != want {
			v.errorf("output is of v%d; want the target, v%d", got, want)
		}
	}
}

// derivatives checks that e has one output for each span of parameters, in their order and with
// their lengths.
func (v *verifier) derivatives(e *Entry) {
	params := v.p.ParamSpans()
	if len(params) != len(e.Outs) {
		v.errorf("%d outputs for %d spans of parameters", len(e.Outs), len(params))
		return
	}
	for i, id := range e.Outs {
		if v.known(id) && v.p.Spans[id].Len != v.p.Spans[params[i]].Len {
			v.errorf("output s%d has %d numbers; want %d, one for each parameter of s%d", id, v.p.Spans[id].Len, v.p.Spans[params[i]].Len, params[i])
		}
	}
}

func (q *Query) oneTarget() bool { return q.Kind == Posterior || q.Kind == Signature }

// query checks q, that it has a root unless it is a signature, and the number of its outputs.
func (l *faultList) query(q *Query, names map[string]bool, root bool, outs int) {
	if !q.Kind.Valid() {
		l.errorf("unknown kind of query: %d", q.Kind)
		return
	}
	if names[q.Name] {
		l.errorf("another query has the same name")
	}
	names[q.Name] = true
	if !root && q.Kind != Signature && q.Kind != Policy {
		l.errorf("there is no root; want one, except for a signature or a policy")
	}
	switch {
	case q.oneTarget():
		if len(q.Targets) != 1 || outs != 1 {
			l.errorf("found %d targets and %d outputs; a %v has one of each", len(q.Targets), outs, q.Kind)
		}
	case q.Kind == Mixture && (len(q.Targets) != 1 || outs != 1):
		l.errorf("found %d targets and %d outputs; a %v has one of each", len(q.Targets), outs, q.Kind)
	case q.Kind == Joint && (len(q.Targets) == 0 || outs != 1):
		l.errorf("found %d targets and %d outputs; a %v has at least one target and one output", len(q.Targets), outs, q.Kind)
	case q.Kind == Best && (len(q.Targets) == 0 || outs != 1):
		l.errorf("found %d targets and %d outputs; a %v has a decision and one output", len(q.Targets), outs, q.Kind)
	case q.Kind == Information && (len(q.Targets) == 0 || outs != len(q.Targets)):
		l.errorf("found %d targets and %d outputs; a %v has a decision, variables, and an output of each", len(q.Targets), outs, q.Kind)
	case q.Kind == MAP && len(q.Targets) == 0, q.Kind == KMPE && q.K < 1:
		l.errorf("a %v has nothing to find; want at least one target, or one completion", q.Kind)
	case q.Kind == LogProb && outs > 0:
		l.errorf("found %d outputs; a %v has none", outs, q.Kind)
	}
	for _, id := range q.Do {
		if q.Kind != Signature || !slices.Contains(q.Evidence, id) {
			l.errorf("the intervention on v%d is not among the evidence of a signature", id)
		}
	}
	known := map[model.VarID]bool{}
	for _, id := range q.Evidence {
		if known[id] {
			l.errorf("evidence names v%d twice", id)
		}
		known[id] = true
	}
	if q.Kind == Signature && len(q.Targets) == 1 && known[q.Targets[0]] {
		l.errorf("v%d is both target and evidence", q.Targets[0])
	}
}
