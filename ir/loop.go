package ir

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Loop says which blocks of an entry run again until what they compute settles. They run once at least, and stop after a round
// whose residual is at most the tolerance. Control thus lies between blocks: a block stays a straight line of steps, and only
// whoever runs entries knows of rounds.
//
// What one round hands on to the next lies in persistent spans, which blocks before the loop set; temporaries live within one round.
type Loop struct {
	First, End int // places in Entry.Blocks: from First to before End
	LoopOptions
	Residual SpanID  // one number: how far the last round moved what it hands on; the loop's first block clears it
	Rate     SpanID  // one persistent number, set before a run: the damping, which Damp steps read
	LogP     SpanID  // one number after the run: ln of the estimate of P(evidence), in place of what Root would say
	Bound    SpanID  // one number after the run: a bound of how far the answer is from the exact one; NoSpan where the method has none
	Decode   *Decode // of a loop that chooses states, of which LogP is then ln of the value; nil of others

	// Queue, where it is not nil, has the blocks run in an order that the data decide: those of an item together, one item after another from
	// a first-in-first-out queue that at first holds all of them, in order. An item whose residual exceeds the tolerance appends those
	// that it pushes and that don't wait already. The loop ends with the queue, or after as many items as Iterations rounds have.
	Queue []Item
	// Priority has the item come first that waits for the largest residual, of those that pushed it since it last ran, in place of the
	// one that waits longest.
	Priority bool
}

// Item is some blocks of a loop, up to those of the next item. No temporary outlives it.
type Item struct {
	First int     // a place in Entry.Blocks
	Push  []int32 // numbers of items
}

// LoopOptions are what a caller may set otherwise for one run.
type LoopOptions struct {
	Iterations int     // at most so many rounds; at least 1
	Tolerance  float64 // of the residual
	Damping    float64 // the share of the old value in a new one: at least 0 and below 1
}

// Valid reports whether o can be run with.
func (o LoopOptions) Valid() bool {
	return o.Iterations >= 1 && o.Tolerance >= 0 && o.Tolerance <= math.MaxFloat64 && o.Damping >= 0 && o.Damping < 1
}

// Damp moves Span towards New, of the same length: to Rate times Span plus 1-Rate times New. Residual, one number, becomes the
// largest difference between elements of the two before, if it was smaller.
type Damp struct{ Span, New, Rate, Residual SpanID }

// Boltzmann sets Out to exp(-E), normalised, where E is the sum of the spans of In, energies of at least 0; with a Weight, which may
// be NoSpan, to Weight*exp(-E). The smallest energy of positive weight is taken off before, so that nothing underflows that counts.
// Where no weight is positive, all is zero.
type Boltzmann struct {
	Out, Weight SpanID
	In          []SpanID
}

// Powers sets Out to the product of the spans of In, each to its power, normalised. Where one of them is 0, whatever its power, so is
// the result; elsewhere it is at least 2^-200 of its largest number.
type Powers struct {
	Out   SpanID
	In    []SpanID
	Power []float64 // by span of In
}

// TallyKind says what a Tally adds.
type TallyKind uint8

// The kinds of tally, of a span x.
const (
	TallySum     TallyKind = iota // the sum of x
	TallyLog                      // ln of the sum of x; where that is 0, Alive becomes 0 and nothing is added
	TallyEntropy                  // the sum of x ln (ref/x), where 0 ln anything is 0 and, without Ref, ref is 1
)

var tallyNames = [...]string{"tallysum", "tallylog", "tallyentropy"}

// String names the kind as dumps do.
func (k TallyKind) String() string { return tallyNames[k] }

// Tally adds to Total, one number, Factor times what Kind says of In. Total is the one kind of number that may be negative, and only
// tallies and callers read it.
type Tally struct {
	Kind      TallyKind
	Factor    float64
	Total, In SpanID
	Alive     SpanID // of TallyLog: one number, 0 once the evidence is found impossible; NoSpan otherwise
	Ref       SpanID // of TallyEntropy: a span as long as In, or NoSpan
}

func (*Damp) step()      {}
func (*Boltzmann) step() {}
func (*Powers) step()    {}
func (*Tally) step()     {}

// Loops reports whether any entry of p runs blocks more than once.
func (p *Program) Loops() bool {
	return slices.ContainsFunc(p.Entries, func(e Entry) bool { return e.Repeats() })
}

// LoopBlocks marks the blocks of entries that run some of them more than once.
func (p *Program) LoopBlocks() []bool {
	marked := make([]bool, len(p.Blocks))
	for _, e := range p.Entries {
		if e.Repeats() {
			for _, b := range e.Blocks {
				marked[b] = true
			}
		}
	}
	return marked
}

// loopSpans are the spans that a loop names.
func (l *Loop) spans() []*SpanID {
	ids := []*SpanID{&l.Residual, &l.Rate, &l.LogP, &l.Bound}
	if d := l.Decode; d != nil {
		ids = append(ids, &d.Bound, &d.Slack, &d.Ties)
	}
	return ids
}

// loopReads appends the spans that a step of this file reads, and loopWrites gives those that it writes; ok is false for other steps.
func loopReads(ids []SpanID, step Step) (all []SpanID, ok bool) {
	switch s := step.(type) {
	case *Damp:
		return append(ids, s.Span, s.New, s.Rate, s.Residual), true
	case *Boltzmann:
		return append(appendPresent(ids, s.Weight), s.In...), true
	case *Powers:
		return append(ids, s.In...), true
	case *Tally:
		return appendPresent(ids, s.Total, s.In, s.Alive, s.Ref), true
	}
	return ids, false
}

func loopWrites(step Step) []SpanID {
	switch s := step.(type) {
	case *Damp:
		return []SpanID{s.Span, s.Residual}
	case *Boltzmann:
		return []SpanID{s.Out}
	case *Powers:
		return []SpanID{s.Out}
	case *Tally:
		return present(s.Total, s.Alive)
	}
	return nil
}

// renumberLoop replaces the references of a step of this file; ok is false for other steps.
func renumberLoop(step Step, one func(*SpanID)) (ok bool) {
	switch s := step.(type) {
	case *Damp:
		for _, id := range []*SpanID{&s.Span, &s.New, &s.Rate, &s.Residual} {
			one(id)
		}
	case *Boltzmann:
		one(&s.Out)
		one(&s.Weight)
		for i := range s.In {
			one(&s.In[i])
		}
	case *Powers:
		one(&s.Out)
		for i := range s.In {
			one(&s.In[i])
		}
	case *Tally:
		for _, id := range []*SpanID{&s.Total, &s.In, &s.Alive, &s.Ref} {
			one(id)
		}
	default:
		return false
	}
	return true
}

// loopStepText writes `damp s3 s4 rate s1 residual s2`, `boltzmann s5 weight s0 = s6 s7`, `powers s5 = 0.5 s6 -0.5 s7` or
// `tallylog 1 s8 = s5 alive s9 ref -`; ok is false for other steps.
func loopStepText(step Step) (text string, ok bool) {
	switch s := step.(type) {
	case *Damp:
		return fmt.Sprintf("damp %s %s rate %s residual %s", spanName(s.Span), spanName(s.New), spanName(s.Rate), spanName(s.Residual)), true
	case *Boltzmann:
		words := []string{"boltzmann", spanName(s.Out), "weight", spanName(s.Weight), "="}
		for _, id := range s.In {
			words = append(words, spanName(id))
		}
		return strings.Join(words, " "), true
	case *Powers:
		words := []string{"powers", spanName(s.Out), "="}
		for i, id := range s.In {
			words = append(words, number(s.Power[i]), spanName(id))
		}
		return strings.Join(words, " "), true
	case *Tally:
		return fmt.Sprintf("%s %s %s = %s alive %s ref %s", s.Kind, number(s.Factor), spanName(s.Total), spanName(s.In), spanName(s.Alive), spanName(s.Ref)), true
	}
	return "", false
}

// loopStep reads what loopStepText wrote; nil where word begins no such step.
func (ps *parser) loopStep(word string) Step {
	if i := slices.Index(tallyNames[:], word); i >= 0 {
		s := &Tally{Kind: TallyKind(i), Factor: ps.float(), Total: ps.spanID()}
		ps.expect("=")
		s.In = ps.spanID()
		ps.expect("alive")
		s.Alive = ps.spanID()
		ps.expect("ref")
		s.Ref = ps.spanID()
		return s
	}
	switch word {
	case "damp":
		s := &Damp{Span: ps.spanID(), New: ps.spanID()}
		ps.expect("rate")
		s.Rate = ps.spanID()
		ps.expect("residual")
		s.Residual = ps.spanID()
		return s
	case "boltzmann":
		s := &Boltzmann{Out: ps.spanID()}
		ps.expect("weight")
		s.Weight = ps.spanID()
		ps.expect("=")
		for ps.more() {
			s.In = append(s.In, ps.spanID())
		}
		return s
	case "powers":
		s := &Powers{Out: ps.spanID()}
		ps.expect("=")
		for ps.more() {
			s.Power = append(s.Power, ps.float())
			s.In = append(s.In, ps.spanID())
		}
		return s
	}
	return nil
}

// end is the place behind the blocks of item i.
func (l *Loop) end(i int) int {
	if i+1 < len(l.Queue) {
		return l.Queue[i+1].First
	}
	return l.End
}

// ItemBlocks are the blocks of e that item i of its queue runs.
func (e *Entry) ItemBlocks(i int) []int { return e.Blocks[e.Loop.Queue[i].First:e.Loop.end(i)] }

// loopText writes ` loop 1 3 iterations 1000 tolerance 1e-09 damping 0 residual s1 rate s2 logp s3` as a part of an entry, then ` bound s4` where there is one,
// and for a queue ` queue 1:1 2:0,2`, items by their first blocks and what they push; ` priority` in place of ` queue` where the largest residual is first.
func loopText(l *Loop) string {
	if l == nil {
		return ""
	}
	text := fmt.Sprintf(" loop %d %d iterations %d tolerance %s damping %s residual %s rate %s logp %s", l.First, l.End,
		l.Iterations, number(l.Tolerance), number(l.Damping), spanName(l.Residual), spanName(l.Rate), spanName(l.LogP))
	if l.Bound != NoSpan {
		text += " bound " + spanName(l.Bound)
	}
	text += decodeText(l.Decode)
	if l.Queue != nil {
		text += " " + l.discipline()
	}
	for _, item := range l.Queue {
		text += fmt.Sprintf(" %d:", item.First)
		for i, x := range item.Push {
			text += strings.Repeat(",", min(i, 1)) + strconv.Itoa(int(x))
		}
	}
	return text
}

// discipline names the kind of queue.
func (l *Loop) discipline() string {
	if l.Priority {
		return "priority"
	}
	return "queue"
}

// loop reads what loopText wrote behind its first word.
func (ps *parser) loop() *Loop {
	l := &Loop{First: ps.int(), End: ps.int(), Bound: NoSpan}
	ps.expect("iterations")
	l.Iterations = ps.int()
	ps.expect("tolerance")
	l.Tolerance = ps.float()
	ps.expect("damping")
	l.Damping = ps.float()
	for i, name := range []string{"residual", "rate", "logp"} {
		ps.expect(name)
		*l.spans()[i] = ps.spanID()
	}
	if strings.HasPrefix(ps.rest, "bound ") {
		ps.expect("bound")
		l.Bound = ps.spanID()
	}
	l.Decode = ps.decode()
	l.Priority = strings.HasPrefix(ps.rest, "priority ")
	if !l.Priority && !strings.HasPrefix(ps.rest, "queue ") {
		return l
	}
	ps.expect(l.discipline())
	for ps.more() && !strings.HasPrefix(ps.rest, "targets") {
		first, push, ok := strings.Cut(ps.word(), ":")
		if !ok {
			ps.fail("found %q; want an item such as 1:0,2", first)
		}
		item := Item{First: ps.after("", first)}
		for _, w := range strings.FieldsFunc(push, func(r rune) bool { return r == ',' }) {
			item.Push = append(item.Push, int32(ps.after("", w)))
		}
		l.Queue = append(l.Queue, item)
	}
	return l
}
