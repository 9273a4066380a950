package ir

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Loop says which blocks of an entry run again until what they compute settles. They run once at
// least, and stop after a round whose residual is at most the tolerance. Control thus lies
// between blocks: a block stays a straight line of steps, and only the caller of entries knows of
// rounds.
//
// What one round passes on to the next lies in persistent spans, which blocks before the loop set;
// temporaries live within one round.
type Loop struct {
	First, End int // places in Entry.Blocks: from First to before End
	LoopOptions
	Residual SpanID  // one number: how far the last round moved its results; the loop's first block clears it
	Rate     SpanID  // one persistent number, set before a run: the damping, which Damp steps read
	LogP     SpanID  // one number after the run: ln of the estimate of P(evidence), in place of what Root would say
	Bound    SpanID  // one number after the run: a bound of the error of the answer; NoSpan if the method has none
	Decode   *Decode // of a loop that chooses states, of which LogP is then ln of the value; nil of others

	// Queue, if it is not nil, has the blocks run in an order that the data decide: those of an
	// item together, one item after another from a first-in-first-out queue that at first holds
	// all of them, in order. An item whose residual exceeds the tolerance appends those that it
	// pushes and that don't wait already. The loop ends with the queue, or after as many items as
	// Iterations rounds have.
	Queue []Item
	// Priority has the item come first that waits for the largest residual, of those that pushed
	// it since it last ran, in place of the one that waits longest.
	Priority bool
}

// Item is some blocks of a loop, up to those of the next item. No temporary outlives it.
type Item struct {
	First int     // a place in Entry.Blocks
	Push  []int32 // numbers of items
}

// Decode says where a loop leaves what is known of the states that it chose.
type Decode struct {
	Bound SpanID // one number: ln of what no states exceed; NoSpan if the method bounds nothing
	Slack SpanID // one number: how far the states are from the best of each belief, all told; NoSpan if Bound says it
	Ties  SpanID // one number: 1 if some variable has several best states
	Exact bool   // once the loop has settled, states without slack are the best: no component of the factor graph has two cycles
}

// LoopOptions are what a caller may set otherwise for one run.
type LoopOptions struct {
	Iterations int     // the most rounds; at least 1
	Tolerance  float64 // of the residual
	Damping    float64 // the share of the old value in a new one: at least 0 and below 1
}

// Valid reports whether o can be run with.
func (o LoopOptions) Valid() bool {
	return o.Iterations >= 1 && o.Tolerance >= 0 && o.Tolerance <= math.MaxFloat64 && o.Damping >= 0 && o.Damping < 1
}

// OpLoop is a [Loop] before anything has a place in memory.
type OpLoop struct {
	First, End int
	LoopOptions
	Residual, Rate, LogP TableID
	Bound                TableID   // NoTable if there is none
	Decode               *OpDecode // nil if no states are chosen
	Push                 [][]int32 // by block of the loop: those that it pushes; nil if the blocks run in rounds, see [Loop]
	Priority             bool      // the largest residual first
}

// OpDecode is a [Decode] before anything has a place in memory.
type OpDecode struct {
	Bound, Slack, Ties TableID // NoTable if there is none
	Exact              bool
}

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

// ItemBlocks are the blocks of e that item i of its queue runs.
func (e *Entry) ItemBlocks(i int) []int { return e.Blocks[e.Loop.Queue[i].First:e.Loop.end(i)] }

// end is the place behind the blocks of item i.
func (l *Loop) end(i int) int {
	if i+1 < len(l.Queue) {
		return l.Queue[i+1].First
	}
	return l.End
}

// Refs visits the spans that the loop names. A caller reads the result of the loop there, and
// sets Rate.
func (l *Loop) Refs(visit RefVisitor) {
	visit.one(&l.Residual, Read)
	visit.one(&l.Rate, Write)
	visit.one(&l.LogP, Read)
	visit.one(&l.Bound, Read)
	if d := l.Decode; d != nil {
		visit.one(&d.Bound, Read)
		visit.one(&d.Slack, Read)
		visit.one(&d.Ties, Read)
	}
}

// loopTurns are places of n blocks in the order in which they run, those from first to before end
// twice: what holds in the second round holds in all later ones.
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

// forgets reports whether no temporary may be relied on from the block at a place on: at the
// beginning of an item, and behind a queue.
func (l *Loop) forgets(place int) bool {
	if l == nil || l.Queue == nil {
		return false
	}
	return place == l.End || slices.ContainsFunc(l.Queue, func(x Item) bool { return x.First == place })
}

// text writes ` loop 1 3 iterations 1000 tolerance 1e-09 damping 0 residual s1 rate s2 logp s3`
// as a part of an entry, then ` bound s4` if there is one, what is decoded, and for a queue `
// queue 1:1 2:0,2`, items by their first blocks and what they push; it is ` priority` if the
// largest residual comes first.
func (l *Loop) text() string {
	if l == nil {
		return ""
	}
	text := fmt.Sprintf(" loop %d %d iterations %d tolerance %s damping %s residual %s rate %s logp %s", l.First, l.End,
		l.Iterations, number(l.Tolerance), number(l.Damping), spanName(l.Residual), spanName(l.Rate), spanName(l.LogP))
	if l.Bound != NoSpan {
		text += " bound " + spanName(l.Bound)
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

// discipline names the kind of queue.
func (l *Loop) discipline() string {
	if l.Priority {
		return "priority"
	}
	return "queue"
}

// text writes ` decode s4 s5 s6 exact` as a part of a loop.
func (d *Decode) text() string {
	if d == nil {
		return ""
	}
	text := " decode " + spanNames([]SpanID{d.Bound, d.Slack, d.Ties})
	if d.Exact {
		text += " exact"
	}
	return text
}

// loop reads what text wrote behind its first word.
func (ps *parser) loop() *Loop {
	l := &Loop{First: ps.int(), End: ps.int(), Bound: NoSpan}
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

// decode reads what Decode.text wrote, if it is there.
func (ps *parser) decode() *Decode {
	if !strings.HasPrefix(ps.rest, "decode ") {
		return nil
	}
	ps.expect("decode")
	d := &Decode{Bound: ps.spanID(), Slack: ps.spanID(), Ties: ps.spanID()}
	if ps.rest == "exact" || strings.HasPrefix(ps.rest, "exact ") {
		ps.expect("exact")
		d.Exact = true
	}
	return d
}

// loop checks that the queries that iterate have a loop, and no others.
func (l *faultList) loop(q *Query, loop bool) {
	if q.Kind.Valid() && (q.Kind.Run() == RunLoop) != loop {
		l.errorf("%v, which has %s loop", q.Kind, map[bool]string{true: "a", false: "no"}[loop])
	}
}

// loopOptions checks the numbers of a loop over some of n blocks.
func (l *faultList) loopOptions(first, end, n int, o LoopOptions) {
	if first < 0 || first >= end || end > n {
		l.errorf("loop over the blocks from %d to before %d of %d", first, end, n)
	}
	if !o.Valid() {
		l.errorf("loop of %d rounds with tolerance %v and damping %v", o.Iterations, o.Tolerance, o.Damping)
	}
}

// decodes checks that the queries that choose by iterating say what is known of the states, and
// no others.
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
	for _, id := range present(e.Loop.Residual, e.Loop.Rate, e.Loop.LogP, e.Loop.Bound) {
		v.one(id, "a number of the loop")
	}
	if r := e.Loop.Rate; v.known(r) && v.p.Spans[r].Role != RolePersistent {
		v.errorf("damping s%d is %v; want a persistent span", r, v.p.Spans[r].Role)
	}
	if e.Exp != NoSpan {
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

// decodeOf checks what a loop leaves of the states that it chose.
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
}

// text names what repeats, behind the blocks of an entry.
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
	v.scalars(presentTables(e.Loop.Residual, e.Loop.Rate, e.Loop.LogP, e.Loop.Bound)...)
	v.decodes(e.Query, e.Loop.Decode != nil)
	if d := e.Loop.Decode; d != nil {
		v.scalars(presentTables(d.Bound, d.Slack, d.Ties)...)
	}
	if n := e.Loop.End - e.Loop.First; e.Loop.Push != nil && len(e.Loop.Push) != n {
		v.errorf("a queue of %d items for %d blocks", len(e.Loop.Push), n)
	}
}

// lower gives the numbers of a loop their spans.
func (l *OpLoop) lower(to *Lowering) *Loop {
	if l == nil {
		return nil
	}
	loop := &Loop{First: l.First, End: l.End, LoopOptions: l.LoopOptions, Residual: to.Span(l.Residual), Rate: to.Span(l.Rate),
		LogP: to.Span(l.LogP), Bound: to.Span(l.Bound), Decode: l.Decode.lower(to), Priority: l.Priority}
	for i, push := range l.Push {
		loop.Queue = append(loop.Queue, Item{First: l.First + i, Push: push})
	}
	return loop
}

// lower gives what a loop leaves its spans.
func (d *OpDecode) lower(to *Lowering) *Decode {
	if d == nil {
		return nil
	}
	return &Decode{Bound: to.Span(d.Bound), Slack: to.Span(d.Slack), Ties: to.Span(d.Ties), Exact: d.Exact}
}
