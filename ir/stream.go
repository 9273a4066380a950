package ir

import (
	"slices"
	"strings"
)

// Stream lists the numbers that pass between the runs of entries of a filter, one slice of a
// sequence after another. Before a run the caller sets the spans of In. After it the caller keeps
// the contents of the spans of Out, for the run of a later or, in a pass back in time, an earlier
// slice.
type Stream struct {
	In  []SpanID // persistent
	Out []SpanID // answers of no variable
}

// ScheduleStream is the stream of a schedule's entry.
type ScheduleStream struct {
	In, Out []TableID
}

// Names of the entries of queries about sequences. The first slice and the later ones have one each.
const (
	FilterFirst, FilterNext = "first", "next"               // of filter: slice 0, and a step
	SmoothFirst, SmoothNext = "smooth first", "smooth next" // of smooth: back to slice 0, and a step back
	MaxFirst, MaxNext       = "max first", "max next"       // of viterbi: as of filter, with maxima
	TraceFirst, TraceNext   = "trace first", "trace next"   // of viterbi: the states of a slice, given those that persist
)

// Refs visits the spans of s; s may be nil.
func (s *Stream) Refs(visit RefVisitor) {
	if s != nil {
		visit.all(s.In, Read)
		visit.all(s.Out, Read)
	}
}

// text returns s as part of an entry's line: ` stream s3 to s7 s8`.
func (s *Stream) text() string {
	if s == nil {
		return ""
	}
	return " " + line("stream %s to %s", spanNames(s.In), spanNames(s.Out))
}

func (ps *parser) stream(stop string) *Stream {
	s := &Stream{In: ps.spansTo("to")}
	s.Out = ps.spansTo(stop)
	return s
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
	return ", stream " + names(s.In) + " to " + names(s.Out)
}

// lower returns the stream with its spans.
func (s *ScheduleStream) lower(l *Lowering) *Stream {
	if s == nil {
		return nil
	}
	return &Stream{In: l.Spans(s.In), Out: l.Spans(s.Out)}
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
	for _, id := range e.Stream.In {
		if v.numbers(id, "stream", false) && v.p.Spans[id].Role != RolePersistent {
			v.errorf("s%d enters by a stream and is %v; want persistent", id, v.p.Spans[id].Role)
		}
	}
	for _, id := range e.Stream.Out {
		if v.numbers(id, "stream", false) && (v.p.Spans[id].Role != RoleOut || v.p.Spans[id].Var >= 0) {
			v.errorf("s%d leaves by a stream and is %v of v%d; want an answer of no variable", id, v.p.Spans[id].Role, v.p.Spans[id].Var)
		}
	}
}

// streamOf checks the tables of the stream of e.
func (v *scheduleVerifier) streamOf(e *ScheduleEntry) {
	if e.Stream == nil {
		return
	}
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
