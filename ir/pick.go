package ir

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Pick sets the state of the variable of Axes[0], an AxisOut, by the products of In along it. All
// other axes are fixed.
type Pick struct {
	Axes []Axis
	In   []View
	Mode PickMode
}

// PickOp is the operation of [Pick]. It sets Var to the best or to a random state, given the states
// picked before, by the row that In defines.
type PickOp struct {
	Var  model.VarID
	In   []TableID
	Mode PickMode
}

// PickMode is how a state is chosen from a row of weights.
type PickMode uint8

// The modes of choosing.
const (
	// PickMax takes the first state within a relative 2^-44 of the largest weight: rounding must
	// not break ties.
	PickMax  PickMode = iota
	PickDraw          // at random, in proportion to the weights
)

var pickNames = [...]string{"argmax", "draw"}

// String returns the name of the mode in dumps.
func (m PickMode) String() string { return pickNames[m] }

// Refs implements [Step].
func (s *Pick) Refs(visit RefVisitor) { visit.views(s.In, Read) }

// Looks implements [Viewer].
func (s *Pick) Looks() (axes []Axis, views []*View) {
	for i := range s.In {
		views = append(views, &s.In[i])
	}
	return s.Axes, views
}

// States implements [Step].
func (s *Pick) States(_ *Program, visit StateVisitor) {
	visit.fixed(s.Axes)
	visit(s.Axes[0].Var, Write)
}

// Products implements [Step].
func (*Pick) Products() int { return 0 }

// String writes `draw [v0:2 v1:3@] = s2(1 0) s3(3 1)`.
func (s *Pick) String() string {
	return fmt.Sprintf("%s %s = %s", s.Mode, axesText(s.Axes), viewsText(s.In))
}

func parsePick(ps *parser, word int) Step {
	s := &Pick{Mode: PickMode(word), Axes: ps.axes()}
	ps.expect("=")
	s.In = ps.views()
	return s
}

func (s *Pick) verify(v *verifier) {
	v.axes(s.Axes)
	if len(s.Axes) == 0 || s.Axes[0].Kind != AxisOut || slices.ContainsFunc(s.Axes[1:], loops) {
		v.errorf("picks over other axes than one loop, then fixed ones")
		return
	}
	if s.Mode > PickDraw {
		v.errorf("no such mode of choosing: %d", s.Mode)
	}
	v.stateOf(s.Axes[0].Var)
	for _, in := range s.In {
		v.view(s.Axes, in, "operand")
	}
}

// look implements ranger.
func (s *Pick) look(f *rangeFinder, _ int) {
	f.seen(s.Axes, s.In, func(axis int) bool { return axis > 0 && f.picked[s.Axes[axis].Var] })
}

// reach implements ranger.
func (s *Pick) reach(f *rangeFinder) {
	f.needed(s.Axes, s.In, func(k, i int) bool {
		return i == 0 && f.masked(s.Axes[0].Var, s.In, k) || i > 0 && f.picked[s.Axes[i].Var]
	})
}

// Tables implements [Op].
func (op *PickOp) Tables(visit TableVisitor) { visit.all(op.In, Read) }

// States implements [Op].
func (op *PickOp) States(s *Schedule, visit StateVisitor) {
	s.visitOthers(op.In, op.Var, visit)
	visit(op.Var, Write)
}

// Products implements [Op].
func (*PickOp) Products(JointStates, *OpBlock) float64 { return 0 }

// Operands implements [Multiplier].
func (op *PickOp) Operands() *[]TableID { return &op.In }

// Text implements [Op].
func (op *PickOp) Text(s *Schedule) string {
	return fmt.Sprintf("%s %s from %s", op.Mode, s.Model.Vars[op.Var].Name, s.tables(op.In...))
}

func (op *PickOp) verify(v *scheduleVerifier, b *OpBlock) {
	if v.vars("pick", []model.VarID{op.Var}) && v.tables(op.In...) {
		v.ordered(b, op.In)
	}
	if op.Mode > PickDraw {
		v.errorf("no such mode of choosing: %d", op.Mode)
	}
}

// Lower makes Var the looping axis and fixes the other variables of the scopes at their states.
func (op *PickOp) Lower(l *Lowering) Step {
	s := &Pick{Mode: op.Mode, Axes: l.axes(nil, []model.VarID{op.Var}, AxisOut)}
	rest := slices.DeleteFunc(l.scope(op.In...), func(v model.VarID) bool { return v == op.Var })
	s.Axes = l.axes(s.Axes, rest, AxisFixed)
	s.In = l.views(op.In, s.Axes)
	return s
}
