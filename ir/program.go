package ir

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Program is the second waist: what to compute, as steps over spans of memory. Methods produce it
// by way of a schedule or a circuit. The interpreter runs it, and back-ends turn it into Go. See
// the package comment for its steps.
//
// A program runs on three memories: work (numbers: inputs, answers, temporaries), data (numbers
// that steps only read: constants and parameters) and state (integers: one state per variable, and
// exponents).
type Program struct {
	Name    string
	Params  ParamMode
	Spans   []Span
	Blocks  []Block
	Entries []Entry
	State   SpanID  // one int32 per variable: its state as picked, drawn, or given to a signature
	LogZ    float64 // ln of the partition function of a Markov network, subtracted from every LogProb; 0 for a Bayesian network
	// SoftBits bounds soft evidence. For each variable, take log2 of its smallest non-zero
	// likelihood relative to its largest. If these add up to less than -SoftBits, numbers might
	// underflow unnoticed. 0 means no bound.
	SoftBits float64
	// Least is the natural logarithm, before LogZ, of the least value that best states must have to
	// be known as the best: products below it may have become 0 on the way. 0 means that none do.
	Least float64
	Align int // if not 0, spans that steps write begin at multiples of this number, and vectors of this length may reach beyond the ends of spans in work memory
	Work  int // sizes of the memories, in numbers; set by layout
	Data  int
	Ints  int
}

// SpanID is the index of a span in Program.Spans.
type SpanID int

// NoSpan means that there is no span.
const NoSpan SpanID = -1

// Settled bounds ln P of no evidence: a smaller number is 0 up to rounding, and reported as 0.
const Settled = 1e-12

// Elem is the type of the elements of a span.
type Elem uint8

// The element types.
const (
	Float64 Elem = iota
	Int32
)

// Role is the purpose of a span. Only RoleTemp spans may share memory.
type Role uint8

// The roles.
const (
	RoleIn         Role = iota // likelihood of one variable, set by the caller before an entry runs
	RoleOut                    // answer, read by the caller afterwards
	RoleConst                  // constants of the compiler
	RoleParam                  // parameters of the model that a caller may replace
	RolePersistent             // kept from one run to the next
	RoleTemp                   // undefined between runs
	RoleLogs                   // constant logarithms, or other constants of either sign
	RoleSigned                 // as RoleParam, of either sign: parameters of Gaussian CPDs
)

var (
	elemNames = [...]string{"f64", "i32"}
	roleNames = [...]string{"in", "out", "const", "param", "persistent", "temp", "logs", "signed"}
)

// String returns the name of the element type in the text form.
func (e Elem) String() string { return elemNames[e] }

// String returns the name of the role in the text form.
func (r Role) String() string { return roleNames[r] }

// Span is a contiguous range of one memory.
type Span struct {
	Name   string // for comments and dumps
	Elem   Elem
	Role   Role
	Copy   int32 // of a read-only span that Sums read: 1 + the place of its copy in work memory, the only memory that Sums address; 0 if it has no copy
	Len    int
	Var    model.VarID // for RoleIn and RoleOut; -1 otherwise
	Data   []float64   // for read-only roles: Len numbers
	Offset int         // place in its memory; -1 before layout
}

// Room returns the number of elements of memory that belong to a span: its length, rounded up to a
// multiple of Align if steps write it and it is in work memory.
func (p *Program) Room(id SpanID) int {
	s := &p.Spans[id]
	if p.Align == 0 || s.Role == RoleIn || memoryOf(s) != workMemory {
		return s.Len
	}
	return (s.Len + p.Align - 1) / p.Align * p.Align
}

// ReadOnly reports whether the span lies in data memory, which no step writes.
func (s *Span) ReadOnly() bool { return s.Role.ReadOnly() }

// ReadOnly reports whether spans of the role are in data memory, which no step writes.
func (r Role) ReadOnly() bool { return r == RoleConst || r == RoleLogs || r.IsParam() }

// IsParam reports whether spans of the role hold parameters that a caller may replace.
func (r Role) IsParam() bool { return r == RoleParam || r == RoleSigned }

// holds reports whether x is valid in read-only data of the role.
func (r Role) holds(x float64) bool {
	return (x >= 0 || (r == RoleLogs || r == RoleSigned) && x < 0) && !math.IsInf(x, 0)
}

// Block is a sequence of steps that runs as a whole. A back-end is chosen per block.
type Block struct {
	Name  string
	Steps []Step
}

// Entry describes how one query runs. Its blocks run in order; then the answer is in Root, Outs or
// Program.State.
type Entry struct {
	Query  *Query
	Blocks []int
	Root   SpanID   // one number: P(evidence) or the probability of the best completion, times 2^-Exp
	Exp    SpanID   // one int32 exponent, or NoSpan if nothing is rescaled
	Outs   []SpanID // posteriors, each of the variable Var of its span; of MPE and Sample, the values of real variables, with a variance of 0
	Logs   []SpanID // one number each, of either sign, that LogProb adds to the logarithm of Root
	// Tilt holds two spans of a Sensitivity entry of a model with real variables, and is else
	// empty. The caller sets the first one, a number for each real variable in order, to 0, or to 1
	// at the target; in the second one the run leaves the scale and the centre of a factor t = 1 +
	// (x - centre)/scale of the target x, by which the density of the evidence was multiplied. The
	// derivative of the target's posterior mean M by a parameter is scale·t(M) times the difference
	// of the derivatives of ln P(evidence) with and without t, and t(M) is the ratio of the two
	// probabilities.
	Tilt []SpanID
	// Search marks an entry with blocks that are one step of a search over the variables of Outs.
	// The search narrows their inputs from one run to the next. Root is the best value or a bound,
	// and Outs hold that value for each state, without the variable's own input.
	Search bool
	Loop   *Loop   // nil if all blocks run once
	Chain  *Chain  // nil if nothing is sampled
	Stream *Stream // nil unless the entry is about a slice of a sequence
	// Cutset lists variables that are fixed while the blocks run. The blocks run once for each of
	// their joint states. Root is the sum over all runs, and so are Outs, each run weighed by its
	// root; the outs of Cutset hold the sums of the roots at each state.
	Cutset []model.VarID

	// LogZ is subtracted beside Program.LogZ: the estimates of ln Z of joined programs differ.
	LogZ float64

	// Least is the utility that a Best adds to its ratios. The only output has two parts: for each
	// option the probability of the evidence, and that times the mean utility above Least. An
	// Information has that output first, and then such a one for the states of each variable.
	Least float64

	Decisions []*DecisionTable // of a Policy, in the order in which the decisions are taken
	Utilities []Moments        // of a Follow: of each utility, and of their sum

	Instead *Instead // if set, the entry is no query of its own: it runs in place of another one
}

// Repeats reports whether some blocks of e run more than once.
func (e *Entry) Repeats() bool { return e.Loop != nil || e.Chain != nil }

// Rooted reports whether ln P of e is the logarithm of its root and Logs. A loop may have an
// estimate instead.
func (e *Entry) Rooted() bool { return e.Chain == nil && (e.Loop == nil || e.Loop.LogP == NoSpan) }

// turns returns the places of the blocks of e in the order in which they run.
func (e *Entry) turns() []int {
	switch {
	case e.Chain != nil:
		return chainTurns(len(e.Blocks), e.Chain.Cut)
	case e.Loop != nil:
		return loopTurns(len(e.Blocks), e.Loop.First, e.Loop.End)
	}
	return loopTurns(len(e.Blocks), 0, 0)
}

// Refs visits the spans of e, except the spans of its steps. The caller reads the answers from
// them.
func (e *Entry) Refs(visit RefVisitor) {
	visit.one(&e.Root, Read)
	visit.one(&e.Exp, Read)
	visit.all(e.Outs, Read)
	visit.all(e.Logs, Read)
	visit.all(e.Tilt, Read)
	for i := range e.Utilities {
		visit.one(&e.Utilities[i].In, Read)
		visit.one(&e.Utilities[i].Values, Read)
	}
	if e.Loop != nil {
		e.Loop.Refs(visit)
	}
	if e.Chain != nil {
		e.Chain.Refs(visit)
	}
	e.Stream.Refs(visit)
}

// Answers returns the spans of numbers from which the caller reads the answers of e: Root, Logs,
// Outs, Tilt, those of Utilities and those that leave by a stream, except absent ones.
func (e *Entry) Answers() []SpanID {
	list := slices.Concat([]SpanID{e.Root}, e.Logs, e.Outs, e.Tilt)
	for _, u := range e.Utilities {
		list = append(list, u.In)
	}
	if e.Stream != nil {
		list = append(list, e.Stream.Out...)
	}
	return present(list...)
}

// present returns the ids that are not NoSpan.
func present(ids ...SpanID) (spans []SpanID) {
	for _, id := range ids {
		if id != NoSpan {
			spans = append(spans, id)
		}
	}
	return spans
}

// Entry returns the entry with a query of the given name, or nil. That of a query without variables
// is the text of its kind, as "marginals".
func (p *Program) Entry(name string) *Entry {
	for i := range p.Entries {
		if p.Entries[i].Query.Name == name {
			return &p.Entries[i]
		}
	}
	return nil
}

// Inputs returns the input spans that e reads, in the order of the spans.
func (p *Program) Inputs(e *Entry) []SpanID {
	read := make([]bool, len(p.Spans))
	note := func(id *SpanID, use Use) { read[*id] = read[*id] || use.Reads() }
	for _, b := range e.Blocks {
		for _, step := range p.Blocks[b].Steps {
			step.Refs(note)
		}
	}
	for _, id := range e.Answers() {
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

// Rescales reports whether e rescales anything, in which case each of its answers may have a scale
// of its own.
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

// ParamSpans returns the spans of parameters, in the order of the model's factors.
func (p *Program) ParamSpans() []SpanID {
	var ids []SpanID
	for i := range p.Spans {
		if p.Spans[i].Role.IsParam() {
			ids = append(ids, SpanID(i))
		}
	}
	return ids
}

// Renumber replaces every reference id to a span by to(id).
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
