package ir

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Loop describes which blocks of an entry repeat until convergence. They run at least once, and
// stop after an iteration with a residual of at most the tolerance. Control lies between blocks: a
// block stays a straight line of steps, and only the code that runs entries handles iterations.
//
// Values that carry over from one iteration to the next lie in persistent spans, which blocks
// before the loop initialise. Temporaries live within one iteration.
type Loop struct {
	First, End int // places in Entry.Blocks, from First to before End
	LoopOptions
	Residual SpanID  // one number: the largest change of the last iteration; the loop's first block clears it
	Rate     SpanID  // one persistent number, set before a run: the damping, read by Damp steps
	LogP     SpanID  // one number after the run: ln of the estimate of P(evidence), instead of Root; NoSpan if Root has it
	Bound    SpanID  // one number after the run: a bound on the error of the answer; NoSpan if the method has none
	Improper SpanID  // one number after the run: the messages that the last iteration left out because they were no proper distribution; NoSpan if the method counts none
	Decode   *Decode // set if the loop chooses states, and LogP is then ln of their value; nil otherwise

	// Queue, if not nil, makes the data decide the order of the blocks. The blocks of an item run
	// together, and items run one after another from a first-in-first-out queue that initially
	// holds all of them, in order. An item with a residual over the tolerance appends the items of
	// its Push that are not in the queue already. The loop ends when the queue is empty, or after
	// as many items as Iterations iterations over all of them would run.
	Queue []Item
	// Priority makes the queue a priority queue: the next item is the one with the largest residual
	// among the items that pushed it since it last ran.
	Priority bool
}

// Item is a range of blocks of a loop, from First to before the First of the next item. No
// temporary outlives it.
type Item struct {
	First int     // a place in Entry.Blocks
	Push  []int32 // numbers of items
}

// Decode names the spans in which a loop reports on the states that it chose.
type Decode struct {
	Bound SpanID // one number: ln of an upper bound on the value of any states; NoSpan if the method has no bound
	Slack SpanID // one number: the total of the differences between the beliefs' best energies and those of the states; NoSpan if Bound is set
	Ties  SpanID // one number: 1 if some variable has several best states
	Exact bool   // after convergence, states with slack zero are optimal: no component of the factor graph has two cycles
	// Fixed is the memory of a kernel in which the last integers, one for each variable, are the
	// states of the variables that every best completion has, and -1 for the others; NoSpan if the
	// method knows none.
	Fixed SpanID
}

// LoopOptions holds the defaults of the options that a caller may set for one run.
type LoopOptions struct {
	Iterations int     // the largest number of iterations; at least 1
	Tolerance  float64 // the largest residual at convergence
	Damping    float64 // the weight of the old value in a damped update: at least 0 and below 1
}

// Valid reports whether o can be run with.
func (o LoopOptions) Valid() bool {
	return o.Iterations >= 1 && o.Tolerance >= 0 && o.Tolerance <= math.MaxFloat64 && o.Damping >= 0 && o.Damping < 1
}

// OpLoop is a [Loop] in a schedule, before spans exist.
type OpLoop struct {
	First, End int
	LoopOptions
	Residual, Rate        TableID
	LogP, Bound, Improper TableID   // NoTable if there is none
	Decode                *OpDecode // nil if no states are chosen
	Push                  [][]int32 // by block of the loop: the blocks that it pushes; nil if the loop has no queue, see [Loop]
	Priority              bool      // the block with the largest residual runs first
}

// OpDecode is a [Decode] in a schedule, before spans exist.
type OpDecode struct {
	Bound, Slack, Ties TableID // NoTable if there is none
	Exact              bool
	Fixed              string // the Memory of the kernel, or empty
}

// Loops reports whether an entry of p runs blocks more than once.
func (p *Program) Loops() bool {
	return slices.ContainsFunc(p.Entries, func(e Entry) bool { return e.Repeats() })
}

// LoopBlocks marks the blocks of the entries that run some of their blocks more than once, except
// those from which a root has ln P.
func (p *Program) LoopBlocks() []bool {
	marked := make([]bool, len(p.Blocks))
	for _, e := range p.Entries {
		if !e.Rooted() {
			for _, b := range e.Blocks {
				marked[b] = true
			}
		}
	}
	return marked
}

// ItemBlocks returns the blocks of item i of the queue of e.
func (e *Entry) ItemBlocks(i int) []int { return e.Blocks[e.Loop.Queue[i].First:e.Loop.end(i)] }

// end returns the place after the blocks of item i.
func (l *Loop) end(i int) int {
	if i+1 < len(l.Queue) {
		return l.Queue[i+1].First
	}
	return l.End
}

// Refs visits the spans of the loop. The caller sets Rate and reads the others.
func (l *Loop) Refs(visit RefVisitor) {
	visit.one(&l.Residual, Read)
	visit.one(&l.Rate, Write)
	visit.one(&l.LogP, Read)
	visit.one(&l.Bound, Read)
	visit.one(&l.Improper, Read)
	if d := l.Decode; d != nil {
		visit.one(&d.Bound, Read)
		visit.one(&d.Slack, Read)
		visit.one(&d.Ties, Read)
		visit.one(&d.Fixed, Read)
	}
}

// loopTurns returns the places of n blocks in the order in which they run, with those from first to
// before end twice: what holds in the second iteration holds in all later ones.
func loopTurns(n, first, end int) (places []int) {
	for i := range n {
		if i == end {
			for k := first; k < end; k++ {
				places = append(places, k)
			}
		}
		places = append(places, i)
	}
	return places
}

// forgets reports whether temporaries become undefined before the block at a place: at the
// beginning of an item and after a queue.
func (l *Loop) forgets(place int) bool {
	if l == nil || l.Queue == nil {
		return false
	}
	return place == l.End || slices.ContainsFunc(l.Queue, func(x Item) bool { return x.First == place })
}

// text writes ` loop 1 3 iterations 1000 tolerance 1e-09 damping 0 residual s1 rate s2 logp s3` as
// a part of an entry, then ` bound s4` if it has a bound and ` improper s5` if it counts messages,
// then its decoding, and for a queue ` queue 1:1 2:0,2`, which lists each item by its first block
// and the items that it pushes. A priority queue is ` priority` instead.
func (l *Loop) text() string {
	if l == nil {
		return ""
	}
	text := fmt.Sprintf(" loop %d %d iterations %d tolerance %s damping %s residual %s rate %s logp %s", l.First, l.End,
		l.Iterations, number(l.Tolerance), number(l.Damping), spanName(l.Residual), spanName(l.Rate), spanName(l.LogP))
	if l.Bound != NoSpan {
		text += " bound " + spanName(l.Bound)
	}
	if l.Improper != NoSpan {
		text += " improper " + spanName(l.Improper)
	}
	text += l.Decode.text()
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

// discipline returns the name of the kind of queue.
func (l *Loop) discipline() string {
	if l.Priority {
		return "priority"
	}
	return "queue"
}

// text writes ` decode s4 s5 s6 exact` or ` decode s4 s5 s6 fixed s7` as a part of a loop.
func (d *Decode) text() string {
	if d == nil {
		return ""
	}
	text := " decode " + spanNames([]SpanID{d.Bound, d.Slack, d.Ties})
	if d.Exact {
		text += " exact"
	}
	if d.Fixed != NoSpan {
		text += " fixed " + spanName(d.Fixed)
	}
	return text
}

// loop reads the form that text writes, after its first word.
func (ps *parser) loop() *Loop {
	l := &Loop{First: ps.int(), End: ps.int(), Bound: NoSpan, Improper: NoSpan}
	ps.expect("iterations")
	l.Iterations = ps.int()
	ps.expect("tolerance")
	l.Tolerance = ps.float()
	ps.expect("damping")
	l.Damping = ps.float()
	l.Residual, l.Rate, l.LogP = ps.named("residual"), ps.named("rate"), ps.named("logp")
	if strings.HasPrefix(ps.rest, "bound ") {
		l.Bound = ps.named("bound")
	}
	if strings.HasPrefix(ps.rest, "improper ") {
		l.Improper = ps.named("improper")
	}
	l.Decode = ps.decode()
	l.Priority = strings.HasPrefix(ps.rest, "priority ")
	if !l.Priority && !strings.HasPrefix(ps.rest, "queue ") {
		return l
	}
	ps.expect(l.discipline())
	for ps.more() && !strings.HasPrefix(ps.rest, "targets") {
		l.Queue = append(l.Queue, ps.item())
	}
	return l
}

// item reads an item such as 1:0,2.
func (ps *parser) item() Item {
	first, push, ok := strings.Cut(ps.word(), ":")
	if !ok {
		ps.fail("found %q; want an item such as 1:0,2", first)
	}
	item := Item{First: ps.after("", first)}
	for _, w := range strings.FieldsFunc(push, func(r rune) bool { return r == ',' }) {
		item.Push = append(item.Push, int32(ps.after("", w)))
	}
	return item
}

// decode reads the form that Decode.text writes, or returns nil if there is none.
func (ps *parser) decode() *Decode {
	if !strings.HasPrefix(ps.rest, "decode ") {
		return nil
	}
	ps.expect("decode")
	d := &Decode{Bound: ps.spanID(), Slack: ps.spanID(), Ties: ps.spanID(), Fixed: NoSpan}
	if ps.rest == "exact" || strings.HasPrefix(ps.rest, "exact ") {
		ps.expect("exact")
		d.Exact = true
	}
	if strings.HasPrefix(ps.rest, "fixed ") {
		d.Fixed = ps.named("fixed")
	}
	return d
}

// loop checks that a query has a loop if and only if it iterates.
func (l *faultList) loop(q *Query, loop bool) {
	if q.Kind.Valid() && (q.Kind.Run() == RunLoop) != loop {
		l.errorf("%v, which has %s loop", q.Kind, map[bool]string{true: "a", false: "no"}[loop])
	}
}

// loopOptions checks the numbers of a loop over a range of n blocks.
func (l *faultList) loopOptions(first, end, n int, o LoopOptions) {
	if first < 0 || first >= end || end > n {
		l.errorf("loop over the blocks from %d to before %d of %d", first, end, n)
	}
	if !o.Valid() {
		l.errorf("loop of %d rounds with tolerance %v and damping %v", o.Iterations, o.Tolerance, o.Damping)
	}
}

// decodes checks that a loop has a Decode if and only if its query chooses states by iterating.
func (l *faultList) decodes(q *Query, decode bool) {
	if q.Kind.Valid() && (q.Kind == Decoding) != decode {
		l.errorf("%v, of which a loop chooses states: %v", q.Kind, decode)
	}
}

// loopOf checks the references of the loop of e.
func (v *verifier) loopOf(e *Entry) {
	v.loop(e.Query, e.Loop != nil)
	if e.Loop == nil {
		return
	}
	v.loopOptions(e.Loop.First, e.Loop.End, len(e.Blocks), e.Loop.LoopOptions)
	v.queue(e)
	v.decodeOf(e)
	for _, id := range present(e.Loop.Residual, e.Loop.Rate, e.Loop.LogP, e.Loop.Bound, e.Loop.Improper) {
		v.one(id, "a number of the loop")
	}
	if r := e.Loop.Rate; v.known(r) && v.p.Spans[r].Role != RolePersistent {
		v.errorf("damping s%d is %v; want a persistent span", r, v.p.Spans[r].Role)
	}
	if e.Exp != NoSpan && !e.Rooted() {
		v.errorf("exponent of an entry with a loop")
	}
}

// queue checks the items of a loop.
func (v *verifier) queue(e *Entry) {
	q := e.Loop.Queue
	if q == nil && e.Loop.Priority {
		v.errorf("priorities without a queue")
	}
	for i, item := range q {
		if i == 0 && item.First != e.Loop.First || i > 0 && item.First <= q[i-1].First || item.First >= e.Loop.End {
			v.errorf("item %d begins with block %d of its entry", i, item.First)
		}
		for _, x := range item.Push {
			if x < 0 || int(x) >= len(q) {
				v.errorf("item %d pushes item %d of %d", i, x, len(q))
			}
		}
	}
}

// decodeOf checks the Decode of the loop of e.
func (v *verifier) decodeOf(e *Entry) {
	d := e.Loop.Decode
	v.decodes(e.Query, d != nil)
	if d == nil {
		return
	}
	v.one(d.Ties, "ties")
	for _, id := range present(d.Bound, d.Slack) {
		v.one(id, "a number of the loop")
	}
	if (d.Bound == NoSpan) == (d.Slack == NoSpan) {
		v.errorf("both or none of a bound and a slack")
	}
	if d.Fixed != NoSpan && (!v.known(d.Fixed) || v.p.State == NoSpan || v.p.Spans[d.Fixed].Elem != Int32 || v.p.Spans[d.Fixed].Len < v.p.Spans[v.p.State].Len) {
		v.errorf("fixed states in s%d; want a span of integers with one for each variable", d.Fixed)
	}
}

// text describes the loop, for the end of an entry's line.
func (l *OpLoop) text() string {
	if l == nil {
		return ""
	}
	return fmt.Sprintf("  # %d to %d again, at most %d times, until t%d is at most %s", l.First, l.End-1, l.Iterations, l.Residual, number(l.Tolerance))
}

// loopOf checks the loop of e.
func (v *scheduleVerifier) loopOf(e *ScheduleEntry) {
	v.loop(e.Query, e.Loop != nil)
	if e.Loop == nil {
		return
	}
	v.loopOptions(e.Loop.First, e.Loop.End, len(e.Blocks), e.Loop.LoopOptions)
	v.scalars(presentTables(e.Loop.Residual, e.Loop.Rate, e.Loop.LogP, e.Loop.Bound, e.Loop.Improper)...)
	v.decodes(e.Query, e.Loop.Decode != nil)
	if d := e.Loop.Decode; d != nil {
		v.scalars(presentTables(d.Bound, d.Slack, d.Ties)...)
	}
	if n := e.Loop.End - e.Loop.First; e.Loop.Push != nil && len(e.Loop.Push) != n {
		v.errorf("a queue of %d items for %d blocks", len(e.Loop.Push), n)
	}
}

// lower returns the loop with the spans of its numbers.
func (l *OpLoop) lower(to *Lowering) *Loop {
	if l == nil {
		return nil
	}
	loop := &Loop{First: l.First, End: l.End, LoopOptions: l.LoopOptions, Residual: to.Span(l.Residual), Rate: to.Span(l.Rate),
		LogP: to.Span(l.LogP), Bound: to.Span(l.Bound), Improper: to.Span(l.Improper), Decode: l.Decode.lower(to), Priority: l.Priority}
	for i, push := range l.Push {
		loop.Queue = append(loop.Queue, Item{First: l.First + i, Push: push})
	}
	return loop
}

// lower returns the decoding with its spans.
func (d *OpDecode) lower(to *Lowering) *Decode {
	if d == nil {
		return nil
	}
	made := &Decode{Bound: to.Span(d.Bound), Slack: to.Span(d.Slack), Ties: to.Span(d.Ties), Exact: d.Exact, Fixed: NoSpan}
	if d.Fixed != "" {
		made.Fixed = to.memory(d.Fixed)
	}
	return made
}
