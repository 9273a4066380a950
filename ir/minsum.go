package ir

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// MinSum computes a min-sum message. It sets Out to the minimum, over the joint states of the axes,
// of the sum of Table and the operands. Out has one element for each state of axis To, an AxisOut;
// if To is -1 it has one element. Axes are Table's, slowest first; an AxisFixed is fixed at its
// variable's state.
//
// MinSum, [SendMessages], [Energy], [Choose] and [UpdateIncumbent] work on energies: negated
// natural logarithms. Energies may be negative, and +Inf for impossible states. Constants are
// finite; in them an energy of at least 1e300 means +Inf. Of the other steps only [Boltzmann] and
// [Tally] read spans of energies.
//
// If Form is not FormTable, the energies of two variables with n states each depend only on the
// distance between their states, and Table holds them for the distances from -(n-1) to n-1. Unless
// a variable is fixed, the result is by axis To, with operand NoSpan, and takes time in proportion
// to n.
type MinSum struct {
	Axes       []Axis // AxisOut or AxisFixed
	Out, Table SpanID
	In         []SpanID // by axis: the energies of its states, or NoSpan
	To         int
	Form       Form
}

// MinSumOp is the operation of [MinSum]. The axes of the step are the variables of Table that have
// more than one state, or the variables of Pair if Form is not FormTable; variables of Standing are
// fixed at their states. In is by place in that list. To is a variable, or -1.
type MinSumOp struct {
	Out, Table TableID
	In         []TableID
	Standing   []model.VarID
	To         model.VarID
	Form       Form
	Pair       []model.VarID
}

// Form is how the energy of two variables depends on the distance between their states.
type Form uint8

// The forms. Steps of FormLinear are equal numbers with exact multiples; FormLinear that rises and
// FormQuadratic may have a cap. FormQuadratic rises.
const (
	FormTable     Form = iota // in no special way
	FormPotts                 // one energy for equal states, and one for all others
	FormLinear                // a linear function
	FormQuadratic             // a multiple of the square, plus a number
)

var formNames = []string{"table", "potts", "linear", "quadratic"}

// String returns the name of the form.
func (f Form) String() string { return formNames[f] }

// Refs implements [Step].
func (s *MinSum) Refs(visit RefVisitor) {
	visit.all(s.In, Read)
	visit.one(&s.Table, Read)
	visit.one(&s.Out, Write)
}

// States implements [Step].
func (s *MinSum) States(_ *Program, visit StateVisitor) { visit.fixed(s.Axes) }

// Entries returns the number of sums that s forms.
func (s *MinSum) Entries() int {
	if n := entries(s.Axes); s.Form == FormTable || n <= s.Axes[0].Size {
		return n
	}
	return envelopeSums * s.Axes[0].Size
}

// envelopeSums is the number of sums of a state of a lower envelope: one from below, one from
// above, and one with the cap.
const envelopeSums = 3

// Products implements [Step].
func (s *MinSum) Products() int { return s.Entries() }

// String writes `minsum [v0:2 v1:3@] s3 = s1 in s4 - to 0`, and `minsum [v0:4 v1:4] s3 = linear s1
// in s4 - to 1`.
func (s *MinSum) String() string {
	form := ""
	if s.Form != FormTable {
		form = s.Form.String()
	}
	return line("minsum %s %s = %s %s in %s to %d", axesText(s.Axes), spanName(s.Out), form, spanName(s.Table), spanNames(s.In), s.To)
}

func parseMinSum(ps *parser, _ int) Step {
	s := &MinSum{Axes: ps.axes(), Out: ps.spanID()}
	ps.expect("=")
	word := ps.word()
	if i := slices.Index(formNames, word); i > 0 {
		s.Form, word = Form(i), ps.word()
	}
	s.Table = ps.spanOf(word)
	ps.expect("in")
	s.In = ps.spansTo("to")
	s.To = ps.int()
	return s
}

func (s *MinSum) verify(v *verifier) {
	v.axes(s.Axes)
	if len(s.In) != len(s.Axes) || s.To < -1 || s.To >= len(s.Axes) {
		v.errorf("%d operands and result %d of %d axes", len(s.In), s.To, len(s.Axes))
		return
	}
	all, out := 1, 1
	for i, a := range s.Axes {
		all *= a.Size
		if a.Kind == AxisReduced || i == s.To && a.Kind != AxisOut {
			v.errorf("axis %d is of no kind that fits", i)
		}
		if i == s.To {
			out = a.Size
		}
		if s.In[i] != NoSpan && v.numbers(s.In[i], "operand", false) && v.p.Spans[s.In[i]].Len != a.Size {
			v.errorf("operand s%d has %d numbers; want %d", s.In[i], v.p.Spans[s.In[i]].Len, a.Size)
		}
	}
	if s.Form != FormTable {
		all = s.verifyForm(v)
	}
	if v.numbers(s.Table, "table", false) && v.p.Spans[s.Table].Len != all {
		v.errorf("table s%d has %d numbers; want %d", s.Table, v.p.Spans[s.Table].Len, all)
	}
	if v.numbers(s.Out, "result", true) && v.p.Spans[s.Out].Len != out {
		v.errorf("result s%d has %d numbers; want %d", s.Out, v.p.Spans[s.Out].Len, out)
	}
	for _, id := range present(append([]SpanID{s.Table}, s.In...)...) {
		v.apart(s.Out, id)
	}
}

// verifyForm checks the requirements of a form other than FormTable, and returns the length of its
// table.
func (s *MinSum) verifyForm(v *verifier) int {
	n := 0
	if len(s.Axes) > 0 {
		n = s.Axes[0].Size
	}
	if int(s.Form) >= len(formNames) || len(s.Axes) != 2 || n < 2 || s.Axes[1].Size != n {
		v.errorf("form %d over %d axes; want a known form over two axes of one size", s.Form, len(s.Axes))
		return 0
	}
	free := s.Axes[0].Kind != AxisFixed && s.Axes[1].Kind != AxisFixed
	if free && (s.To < 0 || s.In[s.To] != NoSpan || s.In[1-s.To] == NoSpan) {
		v.errorf("an envelope to axis %d with operands %s; want an operand of the other axis alone", s.To, spanNames(s.In))
	}
	return 2*n - 1
}

// Looping returns the variables of the axes of op.
func (op *MinSumOp) Looping(s *Schedule) []model.VarID {
	if op.Form != FormTable {
		return op.Pair
	}
	return slices.DeleteFunc(slices.Clone(s.Tables[op.Table].Scope), func(v model.VarID) bool { return s.Model.Card(v) == 1 })
}

// Tables implements [Op].
func (op *MinSumOp) Tables(visit TableVisitor) {
	visit.all(op.In, Read)
	visit.one(op.Table, Read)
	visit.one(op.Out, Write)
}

// States implements [Op].
func (op *MinSumOp) States(_ *Schedule, visit StateVisitor) {
	for _, v := range op.Standing {
		visit(v, Read)
	}
}

// Entries returns the number of joint states of the variables of the table that are not in
// Standing, or the number of sums of an envelope.
func (op *MinSumOp) Entries(joint JointStates, _ *OpBlock) float64 {
	switch {
	case op.Form == FormTable:
		return joint(op.Standing, op.Table)
	case len(op.Standing) == 0:
		return envelopeSums * joint(nil, op.Out)
	}
	return joint(nil, op.Out)
}

// Products implements [Op].
func (op *MinSumOp) Products(joint JointStates, b *OpBlock) float64 { return op.Entries(joint, b) }

// Text implements [Op].
func (op *MinSumOp) Text(s *Schedule) string {
	return fmt.Sprintf("%s = least of %s%s  # %s", s.tables(op.Out), s.tables(append([]TableID{op.Table}, presentTables(op.In...)...)...),
		s.fixed(op.Standing), s.Tables[op.Out].Name)
}

func (op *MinSumOp) verify(v *scheduleVerifier, _ *OpBlock) {
	if v.tables(op.Table) && len(op.In) != len(op.Looping(v.s)) {
		v.errorf("%d operands for %d axes", len(op.In), len(op.Looping(v.s)))
	}
	v.writable(op.Out)
}

// Lower implements [Op].
func (op *MinSumOp) Lower(l *Lowering) Step {
	s := &MinSum{Out: l.Span(op.Out), Table: l.Span(op.Table), In: l.Spans(op.In), To: -1, Form: op.Form}
	for i, v := range op.Looping(l.schedule) {
		a := Axis{Var: v, Size: l.schedule.Model.Card(v)}
		if slices.Contains(op.Standing, v) {
			a.Kind = AxisFixed
		} else if v == op.To {
			s.To = i
		}
		s.Axes = append(s.Axes, a)
	}
	return s
}
