package ir

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Step is one operation on spans. It says all that passes, back-ends and checks have to know of
// it, as an instruction of go/ssa gives its operands. The interface is sealed: stepKinds lists
// the steps, and each has a file of its own, together with the operation of schedules from which
// it is made.
//
// Some steps have traits besides: see [Nest], [Filler], [Bounder] and, in this package, ranger and
// masker.
type Step interface {
	// Refs calls visit with each span that the step refers to, absent ones and Program.State
	// aside, and with how the step uses it. The visitor may change the reference. A visitor that
	// is made once serves any number of steps without an allocation.
	Refs(visit RefVisitor)

	// States calls visit with each variable of whose state the step makes use, in the order in
	// which it does so. Steps that take Program.State as a whole, as [UpdateIncumbent] does, name
	// no variable.
	States(p *Program, visit StateVisitor)

	// Products is how many products the step forms when it runs once, as a measure of its work:
	// the entries of a contraction, the sums of a message of energies, the operations of a
	// circuit, and the weights of rows that are drawn from, each operand for itself. It is 0 for
	// steps whose work is in the order of the lengths of their spans.
	Products() int

	// String is the line of the step in the text form of programs; see [Program.Print].
	String() string

	// verify checks the step by itself, apart from the steps around it.
	verify(v *verifier)
}

// Use says what a step or an operation does with a span, a table or the state of a variable.
type Use uint8

// The uses. What is changed is read and written: a step that adds to a number changes it.
const (
	Read   Use = 1 << iota // its value matters
	Write                  // it is set, in part or as a whole
	Change = Read | Write
)

// Reads reports whether the value before matters.
func (u Use) Reads() bool { return u&Read != 0 }

// Writes reports whether the value after may differ.
func (u Use) Writes() bool { return u&Write != 0 }

// RefVisitor takes a reference to a span and how it is used.
type RefVisitor func(id *SpanID, use Use)

// StateVisitor takes a variable and how its state is used.
type StateVisitor func(v model.VarID, use Use)

// one visits a reference unless it is absent.
func (visit RefVisitor) one(id *SpanID, use Use) {
	if *id != NoSpan {
		visit(id, use)
	}
}

// all visits the references of a list that are not absent.
func (visit RefVisitor) all(ids []SpanID, use Use) {
	for i := range ids {
		visit.one(&ids[i], use)
	}
}

// views visits the spans of views.
func (visit RefVisitor) views(views []View, use Use) {
	for i := range views {
		visit.one(&views[i].Span, use)
	}
}

// fixed visits the variables of the axes that are fixed, whose states are read.
func (visit StateVisitor) fixed(axes []Axis) {
	for _, a := range axes {
		if a.Kind == AxisFixed {
			visit(a.Var, Read)
		}
	}
}

// ReadSpans gives the spans that step reads, Program.State aside.
func ReadSpans(step Step) []SpanID { return spansBy(step, Read) }

// WriteSpans gives the spans that step writes, Program.State aside.
func WriteSpans(step Step) []SpanID { return spansBy(step, Write) }

// RefSpans gives the spans that step refers to, those that it changes once.
func RefSpans(step Step) []SpanID { return spansBy(step, Change) }

// spansBy gives the spans of which step makes one of some uses.
func spansBy(step Step, uses Use) (ids []SpanID) {
	step.Refs(func(id *SpanID, use Use) {
		if use&uses != 0 {
			ids = append(ids, *id)
		}
	})
	return ids
}

// SetsStates reports whether step sets the state of a variable.
func SetsStates(p *Program, step Step) (sets bool) {
	step.States(p, func(_ model.VarID, use Use) { sets = sets || use.Writes() })
	return sets
}

// OfCircuit reports whether step works on the nodes of a circuit, which have no axes.
func OfCircuit(step Step) bool {
	_, ok := step.(interface{ Places(p *Program) []Place })
	return ok
}

// Nest is a step that loops over the joint states of its axes.
type Nest interface {
	Step
	// Entries is the number of joint states over which the step loops.
	Entries() int
}

// Filler is a step that may set the whole of each span that it writes.
type Filler interface {
	Step
	// Fills reports whether it does. If not, what it leaves of these spans must hold something
	// before.
	Fills(p *Program) bool
}

// Fills reports whether step sets all elements of what it writes.
func Fills(p *Program, step Step) bool {
	f, ok := step.(Filler)
	return ok && f.Fills(p)
}

// stepKinds lists the steps: the words that begin the line of one in the text form, and what
// reads the rest of the line. The parser gets the place of the word that it found among words.
var stepKinds = []struct {
	words []string
	parse func(ps *parser, word int) Step
}{
	{reduceNames[:], parseContract},
	{sumsNames[:], parseSums},
	{[]string{"walk"}, parseWalk},
	{pickNames[:], parsePick},
	{[]string{"normalize"}, parseNormalize},
	{[]string{"rescale"}, parseRescale},
	{[]string{"zero"}, parseZero},
	{[]string{"lookup"}, parseLookup},
	{[]string{"resample"}, parseResample},
	{[]string{"findstart"}, parseFindStart},
	{statsNames[:], parseUpdateStats},
	{trialNames[:], parseTrial},
	{[]string{"kernel"}, parseKernel},
	{[]string{"damp"}, parseDamp},
	{[]string{"boltzmann"}, parseBoltzmann},
	{[]string{"powers"}, parsePowers},
	{tallyNames[:], parseTally},
	{[]string{"minsum"}, parseMinSum},
	{[]string{"energy"}, parseEnergy},
	{[]string{"sendmessages"}, parseSendMessages},
	{[]string{"choose"}, parseChoose},
	{[]string{"updateincumbent"}, parseUpdateIncumbent},
}

// step reads a step whose line begins with word.
func (ps *parser) step(word string) Step {
	for _, k := range stepKinds {
		if i := slices.Index(k.words, word); i >= 0 {
			return k.parse(ps, i)
		}
	}
	ps.fail("found %q; want a step", word)
	return nil
}
