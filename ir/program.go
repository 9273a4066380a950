package ir

import (
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Program is the second waist: what to compute, as steps over spans of memory. Methods make it by way of a schedule;
// the interpreter runs it and back-ends turn it into Go. See the package comment for its steps.
//
// A program runs on three memories: work (numbers: inputs, answers, temporaries), data (numbers that steps only
// read: constants and parameters) and state (integers: one state a variable, and exponents).
type Program struct {
	Name    string
	Params  ParamMode
	Spans   []Span
	Blocks  []Block
	Entries []Entry
	State   SpanID  // int32 a variable: its state as picked, drawn, or given to a signature
	LogZ    float64 // ln of the sum of a Markov network's product; LogProb is taken relative to it; 0 otherwise
	// SoftBits bounds soft evidence: where the logarithms to base 2 of the smallest non-zero likelihoods, each
	// relative to its variable's largest, add up to less than -SoftBits, numbers might underflow unseen. 0 is no bound.
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
	// Search says that one run of the blocks is a step of a search over the variables of Outs, which narrows their inputs from one to the
	// next: Root is the best value or a bound, Outs are that by state, without the variable's own input.
	Search bool
	Loop   *Loop  // nil where all blocks run once
	Chain  *Chain // nil where nothing is sampled
}

// Step is one operation on spans. It is sealed: Contract, Sums, Walk, Pick, Normalize, Rescale, Zero, Lookup, Damp, Boltzmann,
// Powers, Tally, Resample, Seek, Fold, Trial, MinSum, Spread, Energy, Choose, Judge, Kernel.
type Step interface{ step() }

// AxisKind is what a contraction does with an axis.
type AxisKind uint8

// The kinds of axis.
const (
	AxisOut     AxisKind = iota // loops; the result has it
	AxisReduced                 // loops; the result is reduced over it
	AxisFixed                   // stands at the state of its variable in Program.State
)

// Axis is one loop of a contraction.
type Axis struct {
	Var  model.VarID
	Size int
	Kind AxisKind
}

// View is how an operand lies along the axes of a contraction: Stride[i] elements for one step of axis i, 0 where
// the operand does not depend on it.
type View struct {
	Span   SpanID
	Stride []int
}

// Reduce is how a contraction folds the products that fall on one element of its result.
type Reduce uint8

// The reductions.
const (
	ReduceNone Reduce = iota // no axis is reduced
	ReduceSum
	ReduceMax
)

var reduceNames = [...]string{"product", "sum", "max"}

// String names the reduction as dumps do.
func (r Reduce) String() string { return reduceNames[r] }

// Contract sets each element of Out to the reduction, over the reduced axes, of the product of In; an empty product
// is 1. All numbers are at least 0. Axes are in loop order, outermost first; back-ends may loop in another
// order. No operand is Out's span.
type Contract struct {
	Axes   []Axis
	Out    View
	In     []View
	Reduce Reduce
}

// PickMode says how a state is chosen from a row of weights.
type PickMode uint8

// The modes of choosing.
const (
	PickMax  PickMode = iota // the first state within a relative 2^-44 of the largest weight: rounding must not break ties
	PickDraw                 // at random, in proportion to the weights
)

var pickNames = [...]string{"argmax", "draw"}

// String names the mode as dumps do.
func (m PickMode) String() string { return pickNames[m] }

// Pick sets the state of the variable of Axes[0], which is an AxisOut, by the products of In along it; all other axes are
// fixed.
type Pick struct {
	Axes []Axis
	In   []View
	Mode PickMode
}

// Normalize divides a span by its sum; a span of zeros stays.
type Normalize struct{ Span SpanID }

// Rescale multiplies a span by the power of two that brings its largest element into [1, 2), and adds the negated power to
// the one element of Exp, if there is one. A span of zeros stays.
type Rescale struct{ Span, Exp SpanID }

// Zero clears a span.
type Zero struct{ Span SpanID }

// Lookup copies a row of Table to Out: the one at the row-major index of the fixed axes.
type Lookup struct {
	Axes       []Axis
	Out, Table SpanID
}

func (*Contract) step()  {}
func (*Pick) step()      {}
func (*Normalize) step() {}
func (*Rescale) step()   {}
func (*Zero) step()      {}
func (*Lookup) step()    {}

// ReadSpans gives the spans that step reads, Program.State aside.
func ReadSpans(step Step) []SpanID { return AppendReads(nil, step) }

// AppendReads appends to ids the spans that step reads, for callers that go through many steps.
func AppendReads(ids []SpanID, step Step) []SpanID {
	switch s := step.(type) {
	case *Contract:
		return appendViews(ids, s.In)
	case *Sums:
		return append(ids, s.In...)
	case *Walk:
		return append(ids, s.In...)
	case *Pick:
		return appendViews(ids, s.In)
	case *Normalize:
		return append(ids, s.Span)
	case *Rescale:
		return appendPresent(ids, s.Span, s.Exp)
	case *Zero:
		return ids
	case *Lookup:
		return append(ids, s.Table)
	}
	if ids, ok := loopReads(ids, step); ok {
		return ids
	}
	if reads, _, ok := chainSpans(step); ok {
		return append(ids, presentOf(reads)...)
	}
	if reads, _, changes, ok := energySpans(step); ok {
		return append(ids, presentOf(append(reads, changes...))...)
	}
	panic(fmt.Sprintf("ir: unknown step %T", step))
}

// WriteSpans gives the spans that step writes, Program.State aside.
func WriteSpans(step Step) []SpanID {
	switch s := step.(type) {
	case *Contract:
		return []SpanID{s.Out.Span}
	case *Sums:
		return s.Out
	case *Walk:
		return []SpanID{s.Stack}
	case *Normalize:
		return []SpanID{s.Span}
	case *Rescale:
		return present(s.Span, s.Exp)
	case *Zero:
		return []SpanID{s.Span}
	case *Lookup:
		return []SpanID{s.Out}
	}
	if _, writes, ok := chainSpans(step); ok {
		return presentOf(writes)
	}
	if _, sets, changes, ok := energySpans(step); ok {
		return presentOf(append(sets, changes...))
	}
	return loopWrites(step)
}

func appendViews(ids []SpanID, views []View) []SpanID {
	for _, v := range views {
		ids = append(ids, v.Span)
	}
	return ids
}

// present are those of ids that are spans.
func present(ids ...SpanID) []SpanID { return appendPresent(nil, ids...) }

func appendPresent(to []SpanID, ids ...SpanID) []SpanID {
	for _, id := range ids {
		if id != NoSpan {
			to = append(to, id)
		}
	}
	return to
}

// Entries is the number of products that c forms: the sizes of its looping axes multiplied.
func (c *Contract) Entries() int { return entries(c.Axes) }

// Level is the number of leading axes after which v no longer moves: 0 where it has no stride. A product of views of
// level up to i can be taken outside the loops over axes i and on, which is what makes a contraction cheap.
func (v View) Level() int {
	for i := len(v.Stride) - 1; i >= 0; i-- {
		if v.Stride[i] != 0 {
			return i + 1
		}
	}
	return 0
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
	for _, b := range e.Blocks {
		for _, step := range p.Blocks[b].Steps {
			for _, id := range ReadSpans(step) {
				read[id] = true
			}
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
	one := func(id *SpanID) {
		if *id != NoSpan {
			*id = to(*id)
		}
	}
	views := func(vs []View) {
		for i := range vs {
			one(&vs[i].Span)
		}
	}
	one(&p.State)
	for _, b := range p.Blocks {
		for _, step := range b.Steps {
			switch s := step.(type) {
			case *Contract:
				one(&s.Out.Span)
				views(s.In)
			case *Sums:
				for i := range s.In {
					one(&s.In[i])
				}
				for i := range s.Out {
					one(&s.Out[i])
				}
			case *Walk:
				for i := range s.In {
					one(&s.In[i])
				}
				one(&s.Stack)
			case *Pick:
				views(s.In)
			case *Normalize:
				one(&s.Span)
			case *Rescale:
				one(&s.Span)
				one(&s.Exp)
			case *Zero:
				one(&s.Span)
			case *Lookup:
				one(&s.Out)
				one(&s.Table)
			default:
				if !renumberLoop(step, one) && !renumberChain(step, one) && !renumberEnergies(step, one) {
					panic(fmt.Sprintf("ir: unknown step %T", step))
				}
			}
		}
	}
	for i := range p.Entries {
		e := &p.Entries[i]
		one(&e.Root)
		one(&e.Exp)
		for k := range e.Outs {
			one(&e.Outs[k])
		}
		if e.Loop != nil {
			for _, id := range e.Loop.spans() {
				one(id)
			}
		}
		if e.Chain != nil {
			for k := range e.Chain.Run {
				one(&e.Chain.Run[k])
			}
		}
	}
}
