package ir

import (
	"math"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Program is the second waist: what to compute, as steps over spans of memory. Methods make it by
// way of a schedule; the interpreter runs it and back-ends turn it into Go. See the package
// comment for its steps.
//
// A program runs on three memories: work (numbers: inputs, answers, temporaries), data (numbers
// that steps only read: constants and parameters) and state (integers: one state a variable, and
// exponents).
type Program struct {
	Name    string
	Params  ParamMode
	Spans   []Span
	Blocks  []Block
	Entries []Entry
	State   SpanID  // int32 a variable: its state as picked, drawn, or given to a signature
	LogZ    float64 // ln of the sum of a Markov network's product; LogProb is taken relative to it; 0 otherwise
	// SoftBits bounds soft evidence: where the logarithms to base 2 of the smallest non-zero
	// likelihoods, each relative to its variable's largest, add up to less than -SoftBits,
	// numbers might underflow unseen. 0 is no bound.
	SoftBits float64
	Work     int // the sizes of the memories, in numbers; set by layout
	Data     int
	Ints     int

	// GoNames are exported names that no variable of a generated package has, whichever queries the
	// package answers, so that a variable is called the same in all packages of a model. They are not
	// part of the text form.
	GoNames []string
}

// SpanID is the index of a span in Program.Spans.
type SpanID int

// NoSpan stands for an absent span.
const NoSpan SpanID = -1

// Elem is the type of the elements of a span.
type Elem uint8

// The element types.
const (
	Float64 Elem = iota
	Int32
)

// Role is what a span is for; only RoleTemp spans may share memory.
type Role uint8

// The roles.
const (
	RoleIn         Role = iota // set by the caller before an entry runs: the likelihood of one variable
	RoleOut                    // read by the caller afterwards
	RoleConst                  // numbers known to the compiler
	RoleParam                  // numbers of the model that may be replaced
	RolePersistent             // kept from one run to the next
	RoleTemp                   // meaningless between runs
	RoleLogs                   // logarithms of numbers known to the compiler, or other such of either sign
)

var (
	elemNames = [...]string{"f64", "i32"}
	roleNames = [...]string{"in", "out", "const", "param", "persistent", "temp", "logs"}
)

// String names the element type as the text form does.
func (e Elem) String() string { return elemNames[e] }

// String names the role as the text form does.
func (r Role) String() string { return roleNames[r] }

// Span is a contiguous piece of memory.
type Span struct {
	Name   string // for comments and dumps
	Elem   Elem
	Role   Role
	Copy   int32 // of a read-only span that Sums read: 1 + the place of a copy in work memory, all that Sums reach; 0: none
	Len    int
	Var    model.VarID // of RoleIn and RoleOut; -1 otherwise
	Data   []float64   // of RoleConst, RoleParam and RoleLogs: Len numbers
	Offset int         // in its memory; -1 before layout
}

// ReadOnly reports whether the span lies in data memory, which no step writes.
func (s *Span) ReadOnly() bool { return s.Role.ReadOnly() }

// ReadOnly reports whether no step writes what has the role.
func (r Role) ReadOnly() bool { return r == RoleConst || r == RoleParam || r == RoleLogs }

// holds reports whether x may be a number of read-only data of the role.
func (r Role) holds(x float64) bool { return (x >= 0 || r == RoleLogs && x < 0) && !math.IsInf(x, 0) }

// Block is a sequence of steps that runs as one; the unit for which a back-end is chosen.
type Block struct {
	Name  string
	Steps []Step
}

// Entry is how one query runs: blocks in order, then the answer is in Root, Outs or Program.State.
type Entry struct {
	Query  *Query
	Blocks []int
	Root   SpanID   // a span of one number: P(evidence) or the probability of the best completion, times 2^-Exp
	Exp    SpanID   // a span of one int32 exponent, or NoSpan where nothing is rescaled
	Outs   []SpanID // posteriors, each of the span's Var
	// Search says that one run of the blocks is a step of a search over the variables of Outs,
	// which narrows their inputs from one to the next: Root is the best value or a bound, Outs
	// are that by state, without the variable's own input.
	Search bool
	Loop   *Loop  // nil where all blocks run once
	Chain  *Chain // nil where nothing is sampled
}

// Repeats reports whether some blocks of e run more than once.
func (e *Entry) Repeats() bool { return e.Loop != nil || e.Chain != nil }

// turns are places of the blocks of e in the order in which they run.
func (e *Entry) turns() []int {
	switch {
	case e.Chain != nil:
		return chainTurns(len(e.Blocks), e.Chain.Cut)
	case e.Loop != nil:
		return loopTurns(len(e.Blocks), e.Loop.First, e.Loop.End)
	}
	return loopTurns(len(e.Blocks), 0, 0)
}

// Refs visits the spans that e names, apart from those of its steps. A caller reads the answers
// there.
func (e *Entry) Refs(visit RefVisitor) {
	visit.one(&e.Root, Read)
	visit.one(&e.Exp, Read)
	visit.all(e.Outs, Read)
	if e.Loop != nil {
		e.Loop.Refs(visit)
	}
	if e.Chain != nil {
		e.Chain.Refs(visit)
	}
}

// present are those of ids that are spans.
func present(ids ...SpanID) (spans []SpanID) {
	for _, id := range ids {
		if id != NoSpan {
			spans = append(spans, id)
		}
	}
	return spans
}

// Entry finds the entry of a query by the query's name; nil where there is none.
func (p *Program) Entry(name string) *Entry {
	for i := range p.Entries {
		if p.Entries[i].Query.Name == name {
			return &p.Entries[i]
		}
	}
	return nil
}

// Inputs gives the inputs that e reads, in the order of the spans.
func (p *Program) Inputs(e *Entry) []SpanID {
	read := make([]bool, len(p.Spans))
	note := func(id *SpanID, use Use) { read[*id] = read[*id] || use.Reads() }
	for _, b := range e.Blocks {
		for _, step := range p.Blocks[b].Steps {
			step.Refs(note)
		}
	}
	for _, id := range present(append([]SpanID{e.Root}, e.Outs...)...) {
		read[id] = true
	}
	var out []SpanID
	for i := range p.Spans {
		if read[i] && p.Spans[i].Role == RoleIn {
			out = append(out, SpanID(i))
		}
	}
	return out
}

// Rescales reports whether e rescales anything, so that its answers have scales of their own.
func (p *Program) Rescales(e *Entry) bool {
	for _, b := range e.Blocks {
		for _, step := range p.Blocks[b].Steps {
			if _, ok := step.(*Rescale); ok {
				return true
			}
		}
	}
	return false
}

// ParamSpans gives the spans of parameters, in the order of the model's factors.
func (p *Program) ParamSpans() []SpanID {
	var ids []SpanID
	for i := range p.Spans {
		if p.Spans[i].Role == RoleParam {
			ids = append(ids, SpanID(i))
		}
	}
	return ids
}

// Renumber replaces every reference to a span by what to gives for it.
func (p *Program) Renumber(to func(SpanID) SpanID) {
	one := RefVisitor(func(id *SpanID, _ Use) { *id = to(*id) })
	one.one(&p.State, Change)
	for _, b := range p.Blocks {
		for _, step := range b.Steps {
			step.Refs(one)
		}
	}
	for i := range p.Entries {
		p.Entries[i].Refs(one)
	}
}
