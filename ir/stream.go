package ir

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Stream lists the numbers that pass between the runs of entries of a filter, one slice of a
// sequence after another. Before a run the caller sets the spans of In. After it the caller keeps
// the contents of the spans of Out, for the run of a later or, in a pass back in time, an earlier
// slice.
type Stream struct {
	In  []SpanID // persistent
	Out []SpanID // answers of no variable
	// States lists variables with states that the caller also sets before a run.
	States []model.VarID
	// Histories is set if one belief is many: what enters and leaves belongs to one history of the
	// sequence. It is nil otherwise.
	Histories *Histories
	// Factors says that a belief about real variables has factors of covariances in the places of
	// these: below the diagonal the unit lower triangle L of L D L', and on it D.
	Factors bool
	// Clusters holds the variables of each span of a belief about discrete variables, if it is one
	// table for each cluster of them. It is nil for one table of all variables that persist.
	Clusters [][]model.VarID
	// Columns enter as In does, and depend only on the evidence on the slice.
	Columns []Column
	Steady  *Steady // nil unless the entry has parts for covariances that come again
	Part    bool    // the entry is such a part, and no query of its own
}

// Column is a persistent span that the caller sets to a row of constants before a run: to the first
// row if Var is not observed, and to the one after row k if its state k is.
type Column struct {
	Var      model.VarID
	To, Rows SpanID
}

// Enters returns the spans that the caller sets before a run; s may be nil.
func (s *Stream) Enters() (list []SpanID) {
	if s != nil {
		list = append(list, s.In...)
		for _, c := range s.Columns {
			list = append(list, c.To)
		}
	}
	return list
}

// Particle returns the spans with which a particle leaves a run if a Draw is Whole: the values of
// the real variables of the model, in order, and the number of observed values that are certain
// given those before. They are NoSpan without real variables, and if no value is certain for some
// particles and has a density for others.
func (s *Stream) Particle(m *model.Model) (values, certain SpanID) {
	out := append(slices.Clone(s.Out), NoSpan, NoSpan)
	if len(m.Reals()) == 0 {
		return NoSpan, out[0]
	}
	return out[0], out[1]
}

// HistorySpans are the spans by which an entry about one history takes and returns numbers, as the
// fields of the runtime's HistoryProgram have them. One that the entry does not have is NoSpan.
type HistorySpans struct{ State, Moments, After, Element, Leaving, Left SpanID }

// History returns the spans of an entry about slice 0 or a later one, which goes forwards or back,
// given whether real variables persist.
func (s *Stream) History(back, later, moments bool) HistorySpans {
	x := HistorySpans{NoSpan, NoSpan, NoSpan, NoSpan, NoSpan, NoSpan}
	in, out := s.In, s.Out
	take := func(list *[]SpanID, to *SpanID, has bool) {
		if has && len(*list) > 0 {
			*to, *list = (*list)[0], (*list)[1:]
		}
	}
	take(&in, &x.State, later)
	take(&in, &x.Moments, later && moments)
	take(&in, &x.After, back && moments)
	take(&in, &x.Element, back)
	take(&out, &x.Leaving, !back)
	take(&out, &x.Left, moments && (later || !back))
	return x
}

// Draws reports whether an entry draws a particle. Its states leave as the states of all variables
// do; s may be nil.
func (s *Stream) Draws() bool {
	return s != nil && s.Histories != nil && s.Histories.Draw != nil && s.Histories.Draw.Whole
}

// JointBefore reports whether an entry takes the states before a slice as one joint state, 1 in its
// first span, and else 0.
func (s *Stream) JointBefore(discrete int) bool {
	return discrete > 0 && len(s.States) == 0 && len(s.In) > 0
}

// ScheduleStream is the stream of a schedule's entry.
type ScheduleStream struct {
	In, Out   []TableID
	States    []model.VarID // as in Stream
	Histories *Histories    // as in Stream
	Factors   bool          // as in Stream
	Clusters  [][]model.VarID
}

// Histories says how a caller keeps a belief that is a mixture over histories. It runs the entry
// for each history. The first span of In and Out is about discrete variables: those that persist
// come first in it, the last one fastest, and of In one joint state has probability 1. The second
// span has the moments of the real variables that persist, for each element of the first of Out; it
// is not there if none do. An element of positive probability is a history that goes on.
//
// An entry of smooth is about one history that went on. What enters is the history before the
// slice, as above, if it is not the first; then the moments of the real variables that persist
// given all evidence; and 1 for the element by which it went on, among those that leave the entry
// of filter. The moments of the variables of the slice before, given all evidence, leave it.
type Histories struct {
	Most   int // histories to keep
	Beyond Beyond
	Draw   *Draw // how histories are drawn; nil unless Beyond is ResampleHistories
}

// HistoryBytes returns about how many bytes a caller takes for a history with that many moments:
// its numbers, and a place in an index with a copy of them.
func HistoryBytes(moments int) int { return 80 + 16*moments }

// Beyond is what happens to more histories than are kept.
type Beyond uint8

// What happens to more histories than are kept.
const (
	RefuseHistories   Beyond = iota // the slice fails
	DropHistories                   // the least probable are left out, and the others take their probability
	ResampleHistories               // as many are drawn, each as often as its probability says on average
)

var beyondNames = []string{"refuse", "drop", "resample"}

// String returns a word for b.
func (b Beyond) String() string { return beyondNames[b] }

// text returns ` histories 64 drop`.
func (m *Histories) text() string {
	if m == nil {
		return ""
	}
	return " " + line("histories %d %v", m.Most, m.Beyond) + m.Draw.text()
}

// Names of the entries of queries about sequences. The first slice and the later ones have one
// each.
const (
	FilterFirst, FilterNext = "first", "next"               // of filter: slice 0, and a step
	SmoothFirst, SmoothNext = "smooth first", "smooth next" // of smooth: back to slice 0, and a step back
	MaxFirst, MaxNext       = "max first", "max next"       // of viterbi: as of filter, with maxima
	TraceFirst, TraceNext   = "trace first", "trace next"   // of viterbi: the states of a slice, given those that persist

	InnovationFirst, InnovationNext = "innovation first", "innovation next" // of innovation: slice 0, and a step
	DrawFirst, DrawNext             = "draw first", "draw next"             // of trajectory: a slice given a draw of the one after it

	// FilterBelief is a step of filter without posteriors, for evidence that leaves the variables
	// that persist unobserved. Not all methods plan it.
	FilterBelief = "next belief"
)

// Refs visits the spans of s; s may be nil.
func (s *Stream) Refs(visit RefVisitor) {
	if s != nil {
		visit.all(s.In, Read)
		visit.all(s.Out, Read)
		for i := range s.Columns {
			visit.one(&s.Columns[i].To, Read)
			visit.one(&s.Columns[i].Rows, Read)
		}
	}
}

// text returns s as part of an entry's line: ` stream s3 to s7 s8`, or with a column
// ` stream columns v1 s2 s5 s3 to s7`.
func (s *Stream) text() string {
	if s == nil {
		return ""
	}
	columns := ""
	for i, c := range s.Columns {
		if i == 0 {
			columns = " columns"
		}
		columns += fmt.Sprintf(" v%d %s %s", c.Var, spanName(c.To), spanName(c.Rows))
	}
	return " stream" + s.partText() + factorsText(s.Factors) + clustersText(s.Clusters) + s.Histories.text() + statesText(s.States) + columns + " " + line("%s to %s", spanNames(s.In), spanNames(s.Out))
}

// statesText returns ` states v4 v5`, or "" without states.
func statesText(vars []model.VarID) string {
	if len(vars) == 0 {
		return ""
	}
	return " states" + varsText(vars)
}

// clustersText returns ` cluster v0 v1 cluster v2`, or "" without clusters.
func clustersText(clusters [][]model.VarID) (text string) {
	for _, c := range clusters {
		text += " cluster" + varsText(c)
	}
	return text
}

// someVars reads variables up to a word that is none.
func (ps *parser) someVars() (list []model.VarID) {
	for strings.HasPrefix(ps.rest, "v") {
		list = append(list, model.VarID(ps.after("v", ps.word())))
	}
	return list
}

func (ps *parser) stream(stop string) *Stream {
	s := &Stream{}
	ps.part(s)
	if s.Factors = strings.HasPrefix(ps.rest, "factors "); s.Factors {
		ps.expect("factors")
	}
	for strings.HasPrefix(ps.rest, "cluster ") {
		ps.expect("cluster")
		s.Clusters = append(s.Clusters, ps.someVars())
	}
	if strings.HasPrefix(ps.rest, "histories ") {
		ps.expect("histories")
		s.Histories = &Histories{Most: ps.int()}
		s.Histories.Beyond = Beyond(slices.Index(beyondNames, ps.oneOf(beyondNames...)))
		if s.Histories.Beyond == ResampleHistories {
			s.Histories.Draw = ps.draw()
		}
	}
	if strings.HasPrefix(ps.rest, "states ") {
		ps.expect("states")
		s.States = ps.someVars()
	}
	if strings.HasPrefix(ps.rest, "columns ") {
		ps.expect("columns")
		for strings.HasPrefix(ps.rest, "v") {
			s.Columns = append(s.Columns, Column{model.VarID(ps.after("v", ps.word())), ps.spanID(), ps.spanID()})
		}
	}
	s.In = ps.spansTo("to")
	s.Out = ps.spansTo(stop)
	return s
}

// factorsText returns ` factors` or nothing.
func factorsText(factors bool) string {
	if factors {
		return " factors"
	}
	return ""
}

// text returns s as part of an entry's line, for people.
func (s *ScheduleStream) text(of *Schedule) string {
	if s == nil {
		return ""
	}
	names := func(ids []TableID) string {
		list := make([]string, len(ids))
		for i, t := range ids {
			list[i] = of.tables(t)
		}
		return strings.Join(list, " ")
	}
	return ", stream" + factorsText(s.Factors) + clustersText(s.Clusters) + s.Histories.text() + statesText(s.States) + " " + names(s.In) + " to " + names(s.Out)
}

// lower returns the stream with its spans.
func (s *ScheduleStream) lower(l *Lowering) *Stream {
	if s == nil {
		return nil
	}
	return &Stream{In: l.Spans(s.In), Out: l.Spans(s.Out), States: s.States, Histories: s.Histories, Factors: s.Factors, Clusters: s.Clusters}
}

// stream checks that e has a stream if its kind has, and the roles of its spans.
func (v *verifier) stream(e *Entry) {
	if e.Query.Kind.Valid() && (e.Query.Kind.Run() == RunStream) != (e.Stream != nil) {
		v.errorf("a %v has a stream: %v; want %v", e.Query.Kind, e.Stream != nil, e.Stream == nil)
		return
	}
	if e.Stream == nil {
		return
	}
	if m := e.Stream.Histories; m != nil && (m.Most < 1 || int(m.Beyond) >= len(beyondNames) || (m.Draw != nil) != (m.Beyond == ResampleHistories)) {
		v.errorf("a mixture keeps %d histories, and does %d beyond; want at least one, and one of %v; a way to draw them for the last alone", m.Most, m.Beyond, beyondNames)
	}
	for _, id := range e.Stream.States {
		v.stateOf(id)
	}
	if n := len(e.Stream.Clusters); n > 0 && n != len(e.Stream.In) {
		v.errorf("%d spans enter for %d clusters; want one each", len(e.Stream.In), n)
	}
	for _, id := range e.Stream.In {
		if v.numbers(id, "stream", false) && v.p.Spans[id].Role != RolePersistent {
			v.errorf("s%d enters by a stream and is %v; want persistent", id, v.p.Spans[id].Role)
		}
	}
	for _, c := range e.Stream.Columns {
		v.column(c)
	}
	for _, id := range e.Stream.Out {
		if v.numbers(id, "stream", false) && (v.p.Spans[id].Role != RoleOut || v.p.Spans[id].Var >= 0) {
			v.errorf("s%d leaves by a stream and is %v of v%d; want an answer of no variable", id, v.p.Spans[id].Role, v.p.Spans[id].Var)
		}
	}
	v.steady(e)
}

// column checks the roles of the spans of a column, and that there is a row for each state.
func (v *verifier) column(c Column) {
	if !v.numbers(c.To, "column", false) || !v.numbers(c.Rows, "rows", false) {
		return
	}
	to, rows := &v.p.Spans[c.To], &v.p.Spans[c.Rows]
	if to.Role != RolePersistent || rows.Role != RoleConst || to.Len == 0 || rows.Len%to.Len != 0 {
		v.errorf("a column in s%d is %v of %d numbers, from s%d, %v of %d; want persistent, and rows of constants",
			c.To, to.Role, to.Len, c.Rows, rows.Role, rows.Len)
		return
	}
	v.states(v.size, c.Var, rows.Len/to.Len-1)
}

// streamOf checks the tables of the stream of e.
func (v *scheduleVerifier) streamOf(e *ScheduleEntry) {
	if e.Stream == nil {
		return
	}
	v.vars("stream", e.Stream.States)
	if !v.tables(slices.Concat(e.Stream.In, e.Stream.Out)...) {
		return
	}
	for _, t := range e.Stream.In {
		if role := v.s.Tables[t].Role; role != RolePersistent {
			v.errorf("t%d enters by a stream and is %v; want persistent", t, role)
		}
	}
	for _, t := range e.Stream.Out {
		if role := v.s.Tables[t].Role; role != RoleOut {
			v.errorf("t%d leaves by a stream and is %v; want an answer", t, role)
		}
	}
}
