package ir

import (
	"fmt"
	"slices"
	"strings"
)

// SendMessages computes the messages of one variable to its factors, as TRW-S and MPLP do. The
// belief is the sum of Base and the messages In. The outgoing message to a factor, in Out, is the
// belief divided by Divide, minus the incoming message from that factor. If Divide is 0, the belief
// is not divided. Where the belief is +Inf, so are the outgoing messages.
//
// If Rate is not NoSpan, each outgoing message is shifted so that its minimum is 0 and damped as in
// [Damp], and Residual is raised to the largest change of exp(-Out). If only Residual is given, it
// is raised to the largest change of exp(min(belief)-belief) over the belief before. Bound, if not
// NoSpan, grows by Share times the minimum of the belief. Belief becomes the belief. Alive becomes
// 0 if the whole belief is +Inf.
type SendMessages struct {
	Base                                 SpanID
	In, Out                              []SpanID
	Divide                               []int32
	Belief, Alive, Bound, Residual, Rate SpanID
	Share                                [2]int32 // a fraction: numerator and denominator
}

// SendMessagesOp is the operation of [SendMessages].
type SendMessagesOp struct {
	Base                                 TableID
	In, Out                              []TableID
	Divide                               []int32
	Belief, Alive, Bound, Residual, Rate TableID
	Share                                [2]int32
}

// Refs implements [Step].
func (s *SendMessages) Refs(visit RefVisitor) {
	visit.all(s.In, Read)
	visit.one(&s.Base, Read)
	visit.one(&s.Rate, Read)
	visit.one(&s.Belief, Write)
	visit.all(s.Out, Change)
	visit.one(&s.Alive, Change)
	visit.one(&s.Bound, Change)
	visit.one(&s.Residual, Change)
}

// States implements [Step].
func (*SendMessages) States(*Program, StateVisitor) {}

// Products implements [Step].
func (*SendMessages) Products() int { return 0 }

// String writes `sendmessages base s1 in s3 s4 out s5 s6 divide 2 0 belief s7 alive s8 bound -
// residual - rate - share 1 2`.
func (s *SendMessages) String() string {
	return line("sendmessages base %s in %s out %s divide %s belief %s alive %s bound %s residual %s rate %s share %d %d", spanName(s.Base),
		spanNames(s.In), spanNames(s.Out), strings.Trim(fmt.Sprint(s.Divide), "[]"), spanName(s.Belief), spanName(s.Alive),
		spanName(s.Bound), spanName(s.Residual), spanName(s.Rate), s.Share[0], s.Share[1])
}

func parseSendMessages(ps *parser, _ int) Step {
	s := &SendMessages{Base: ps.named("base")}
	ps.expect("in")
	s.In = ps.spansTo("out")
	s.Out = ps.spansTo("divide")
	for range s.Out {
		s.Divide = append(s.Divide, int32(ps.int()))
	}
	s.Belief, s.Alive, s.Bound = ps.named("belief"), ps.named("alive"), ps.named("bound")
	s.Residual, s.Rate = ps.named("residual"), ps.named("rate")
	ps.expect("share")
	s.Share = [2]int32{int32(ps.int()), int32(ps.int())}
	return s
}

func (s *SendMessages) verify(v *verifier) {
	if len(s.In) != len(s.Out) || len(s.Divide) != len(s.Out) {
		v.errorf("%d spans in, %d out and %d divisors", len(s.In), len(s.Out), len(s.Divide))
		return
	}
	if !v.numbers(s.Base, "base", false) {
		return
	}
	for i, id := range s.Out {
		v.alike(s.Base, s.In[i], "operand")
		if v.numbers(id, "result", true) {
			v.alike(s.Base, id, "result")
			for _, in := range append([]SpanID{s.Base}, s.In...) {
				v.apart(id, in)
			}
		}
		if s.Divide[i] < 0 {
			v.errorf("divides by %d", s.Divide[i])
		}
	}
	if v.numbers(s.Belief, "belief", true) {
		v.alike(s.Base, s.Belief, "belief")
	}
	v.one(s.Alive, "alive")
	for _, id := range present(s.Bound, s.Residual) {
		v.one(id, "a number that is counted in")
	}
	if s.Residual == NoSpan && s.Rate != NoSpan {
		v.errorf("rate %s without a residual", spanName(s.Rate))
	} else if s.Rate != NoSpan {
		v.rate(s.Rate)
	}
	if s.Share[0] < 0 || s.Share[1] < 1 || s.Share[0] > s.Share[1] {
		v.errorf("a share of %d/%d", s.Share[0], s.Share[1])
	}
}

// Tables implements [Op].
func (op *SendMessagesOp) Tables(visit TableVisitor) {
	visit.all(op.In, Read)
	visit.one(op.Base, Read)
	visit.one(op.Rate, Read)
	visit.one(op.Belief, Write)
	visit.all(op.Out, Change)
	visit.one(op.Alive, Change)
	visit.one(op.Bound, Change)
	visit.one(op.Residual, Change)
}

// States implements [Op].
func (*SendMessagesOp) States(*Schedule, StateVisitor) {}

// Products implements [Op].
func (*SendMessagesOp) Products(JointStates, *OpBlock) float64 { return 0 }

// Text implements [Op].
func (op *SendMessagesOp) Text(s *Schedule) string {
	return fmt.Sprintf("sendmessages %s to %s by %v", s.tables(append([]TableID{op.Base}, op.In...)...), s.tables(op.Out...), op.Divide)
}

func (op *SendMessagesOp) verify(v *scheduleVerifier, _ *OpBlock) {
	v.sameScope(op.Base, slices.Concat(op.In, op.Out, []TableID{op.Belief})...)
	v.scalars(presentTables(op.Alive, op.Bound, op.Residual, op.Rate)...)
}

// Lower implements [Op].
func (op *SendMessagesOp) Lower(l *Lowering) Step {
	return &SendMessages{Base: l.Span(op.Base), In: l.Spans(op.In), Out: l.Spans(op.Out), Divide: op.Divide, Belief: l.Span(op.Belief),
		Alive: l.Span(op.Alive), Bound: l.Span(op.Bound), Residual: l.Span(op.Residual), Rate: l.Span(op.Rate), Share: op.Share}
}
