package ir

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Step is one operation on spans. It provides all that passes, back-ends and checks need, as an
// instruction of go/ssa provides its operands. The interface is sealed: stepKinds lists the steps.
// Each has a file of its own, with the operation of a schedule that lowers to it.
//
// Some steps have further traits: see [Nest], [Viewer], [filler], [Bounder], [encloser] and, here,
// ranger and masker.
type Step interface {
	// Refs calls visit with each span that the step refers to, except absent ones and
	// Program.State, and with how the step uses it. The visitor may change the reference. A visitor
	// that is created once serves any number of steps without allocation.
	Refs(visit RefVisitor)

	// States calls visit with each variable if the step uses its state, in the order of use. Steps
	// that use Program.State as a whole, such as [UpdateIncumbent], visit no variable.
	States(p *Program, visit StateVisitor)

	// Products returns the number of products that the step forms in one run, as a measure of its
	// work: the entries of a contraction, the sums of a min-sum message, the operations of a
	// circuit, or the weights of the rows that it draws from, counted once per operand. It is 0 for
	// steps with work that is linear in the lengths of their spans.
	Products() int

	// String returns the line of the step in the text form of programs; see [Program.Print].
	String() string

	// verify checks the step on its own, regardless of the steps around it.
	verify(v *verifier)
}

// Use says how a step or an operation uses a span, a table or the state of a variable.
type Use uint8

// The uses. A change reads and writes: a step that adds to a number changes it.
const (
	Read   Use = 1 << iota // its value matters
	Write                  // the step sets it, in part or as a whole
	Change = Read | Write
)

// Reads reports whether the value before matters.
func (u Use) Reads() bool { return u&Read != 0 }

// Writes reports whether the value after may differ.
func (u Use) Writes() bool { return u&Write != 0 }

// RefVisitor is called with a reference to a span and how it is used.
type RefVisitor func(id *SpanID, use Use)

// StateVisitor is called with a variable and how its state is used.
type StateVisitor func(v model.VarID, use Use)

// one visits a reference unless it is absent.
func (visit RefVisitor) one(id *SpanID, use Use) {
	if *id != NoSpan {
		visit(id, use)
	}
}

// all visits the references of a list, except absent ones.
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

// fixed visits the variables of fixed axes as states that are read.
func (visit StateVisitor) fixed(axes []Axis) {
	for _, a := range axes {
		if a.Kind == AxisFixed {
			visit(a.Var, Read)
		}
	}
}

// ReadSpans returns the spans that step reads, except Program.State.
func ReadSpans(step Step) []SpanID { return spansBy(step, Read) }

// WriteSpans returns the spans that step writes, except Program.State.
func WriteSpans(step Step) []SpanID { return spansBy(step, Write) }

// RefSpans returns the spans that step refers to. A span that step changes appears once.
func RefSpans(step Step) []SpanID { return spansBy(step, Change) }

// spansBy returns the spans that step uses in one of the given ways.
func spansBy(step Step, uses Use) (ids []SpanID) {
	step.Refs(func(id *SpanID, use Use) {
		if use&uses != 0 {
			ids = append(ids, *id)
		}
	})
	return ids
}

// setsStates reports whether step sets the state of a variable.
func setsStates(p *Program, step Step) (sets bool) {
	step.States(p, func(_ model.VarID, use Use) { sets = sets || use.Writes() })
	return sets
}

// Draws reports whether step may draw random numbers when it runs as part of a sample: it chooses a
// state, or it draws numbers.
func Draws(p *Program, step Step) bool {
	_, noise := step.(*Noise)
	return noise || setsStates(p, step)
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

// Viewer is a step that refers to spans by views along axes, and in no other way.
type Viewer interface {
	Step
	// Looks returns the axes, and the views, which the caller may change.
	Looks() (axes []Axis, views []*View)
}

// filler is a step that may set every element of the spans that it writes.
type filler interface {
	Step
	// Fills reports whether it does. If not, the elements that it leaves out must be set before.
	Fills(p *Program) bool
}

// Fills reports whether step sets all elements of the spans that it writes.
func Fills(p *Program, step Step) bool {
	f, ok := step.(filler)
	return ok && f.Fills(p)
}

// stepKinds lists the steps: the words that begin a step's line in the text form, and the function
// that reads the rest of the line. The function gets the index of the word among words.
var stepKinds = []struct {
	words []string
	parse func(ps *parser, word int) Step
}{
	{reduceNames[:], parseContract},
	{sumsNames[:], parseSums},
	{[]string{"walk"}, parseWalk},
	{pickNames[:], parsePick},
	{[]string{"normalize"}, parseNormalize},
	{[]string{"invert"}, parseInvert},
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
	{[]string{"map"}, parseMap},
	{[]string{"antilog"}, parseAntilog},
	{[]string{"noise"}, parseNoise},
	{[]string{"powers"}, parsePowers},
	{tallyNames[:], parseTally},
	{[]string{"minsum"}, parseMinSum},
	{[]string{"energy"}, parseEnergy},
	{[]string{"sendmessages"}, parseSendMessages},
	{[]string{"choose"}, parseChoose},
	{[]string{"updateincumbent"}, parseUpdateIncumbent},
}

// step reads a step from a line that begins with word.
func (ps *parser) step(word string) Step {
	for _, k := range stepKinds {
		if i := slices.Index(k.words, word); i >= 0 {
			return k.parse(ps, i)
		}
	}
	ps.fail("found %q; want a step", word)
	return nil
}
