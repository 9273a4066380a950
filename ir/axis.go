package ir

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
)

// AxisKind says how a step treats an axis.
type AxisKind uint8

// The kinds of axis.
const (
	AxisOut     AxisKind = iota // loops; the result has this axis
	AxisReduced                 // loops; the result is reduced over it
	AxisFixed                   // fixed at the variable's state in Program.State
)

var axisMarks = [...]string{"", "*", "@"}

// Axis is one loop of a step, over the states of a variable.
type Axis struct {
	Var  model.VarID
	Size int
	Kind AxisKind
}

// View describes an operand along the axes of a step. Stride[i] is the number of elements between
// neighbouring states of axis i, or 0 if the operand does not depend on the axis.
type View struct {
	Span   SpanID
	Stride []int
}

// Level returns the number of leading axes that v depends on: all axes from Level on have stride 0.
// It is 0 if v has no stride. A product of views of level at most i can be moved out of the loops
// over axis i and those after it, which makes a contraction cheap.
func (v View) Level() int {
	for i := len(v.Stride) - 1; i >= 0; i-- {
		if v.Stride[i] != 0 {
			return i + 1
		}
	}
	return 0
}

// loops reports whether a step loops over the states of a.
func loops(a Axis) bool { return a.Kind != AxisFixed }

// entries returns the product of the sizes of the looping axes.
func entries(axes []Axis) int {
	n := 1
	for _, a := range axes {
		if loops(a) {
			n *= a.Size
		}
	}
	return n
}

// axesText writes `[v1:2 v0:3* v2:2@]`.
func axesText(axes []Axis) string {
	words := make([]string, len(axes))
	for i, a := range axes {
		words[i] = fmt.Sprintf("v%d:%d%s", a.Var, a.Size, axisMarks[a.Kind])
	}
	return "[" + strings.Join(words, " ") + "]"
}

// axes reads the form that axesText writes.
func (ps *parser) axes() (axes []Axis) {
	for _, w := range ps.group('[', ']') {
		var a Axis
		switch {
		case strings.HasSuffix(w, "*"):
			a.Kind, w = AxisReduced, w[:len(w)-1]
		case strings.HasSuffix(w, "@"):
			a.Kind, w = AxisFixed, w[:len(w)-1]
		}
		v, size, ok := strings.Cut(w, ":")
		if !ok {
			ps.fail("found axis %q; want v1:2", w)
		}
		a.Var, a.Size = model.VarID(ps.after("v", v)), ps.after("", size)
		axes = append(axes, a)
	}
	return axes
}

// viewText writes `s1(2 0)`.
func viewText(v View) string {
	words := make([]string, len(v.Stride))
	for i, n := range v.Stride {
		words[i] = strconv.Itoa(n)
	}
	return spanName(v.Span) + "(" + strings.Join(words, " ") + ")"
}

// viewsText writes views separated by blanks.
func viewsText(views []View) string {
	words := make([]string, len(views))
	for i, v := range views {
		words[i] = viewText(v)
	}
	return strings.Join(words, " ")
}

// views reads views up to the end of the line.
func (ps *parser) views() (views []View) {
	for ps.more() {
		views = append(views, ps.view())
	}
	return views
}

// view reads the form that viewText writes.
func (ps *parser) view() (v View) {
	ps.mark()
	i := strings.IndexByte(ps.rest, '(')
	if i < 0 {
		ps.fail("found %q; want an operand such as s1(2 1)", ps.rest)
	}
	v.Span = SpanID(ps.after("s", ps.rest[:i]))
	ps.rest = ps.rest[i:]
	for _, w := range ps.group('(', ')') {
		v.Stride = append(v.Stride, ps.after("", w))
	}
	return v
}

// axes checks the sizes and variables of axes, and that no variable has two axes.
func (v *verifier) axes(axes []Axis) {
	seen := map[model.VarID]bool{}
	for _, a := range axes {
		if a.Kind > AxisFixed {
			v.errorf("axis of v%d is of no known kind", a.Var)
		}
		if a.Var < 0 || a.Size < 1 || a.Size > model.MaxStates {
			v.errorf("axis of v%d has size %d; want a variable of 1 to %d states", a.Var, a.Size, model.MaxStates)
			continue
		}
		if seen[a.Var] {
			v.errorf("two axes of v%d", a.Var)
		}
		seen[a.Var] = true
		v.states(v.within, a.Var, a.Size)
		if a.Kind == AxisFixed {
			v.stateOf(a.Var)
		}
	}
}

// view checks that an operand has a stride for each axis and stays within its span. It reports
// whether the view can be checked further.
func (v *verifier) view(axes []Axis, view View, what string) bool {
	if !v.numbers(view.Span, what, false) {
		return false
	}
	if len(view.Stride) != len(axes) {
		v.errorf("%s s%d has %d strides; want %d, one an axis", what, view.Span, len(view.Stride), len(axes))
		return false
	}
	last := int64(0)
	for i, st := range view.Stride {
		if st < 0 || st > math.MaxInt32 {
			v.errorf("%s s%d has stride %d", what, view.Span, st)
			return false
		}
		last = min(last+int64(st)*int64(axes[i].Size-1), math.MaxInt32) // sizes are below 2^16: no overflow
	}
	if n := v.p.Spans[view.Span].Len; last >= int64(n) {
		v.errorf("%s s%d reaches element %d of %d", what, view.Span, last, n)
		return false
	}
	return true
}

// axes appends an axis of the given kind for each of vars.
func (l *Lowering) axes(axes []Axis, vars []model.VarID, kind AxisKind) []Axis {
	for _, v := range vars {
		axes = append(axes, Axis{Var: v, Size: l.schedule.Model.Width(v), Kind: kind})
	}
	return axes
}

// view returns the view of table t along axes.
func (l *Lowering) view(t TableID, axes []Axis) View {
	vars := make([]model.VarID, len(axes))
	for i, a := range axes {
		vars[i] = a.Var
	}
	return View{Span: l.Span(t), Stride: l.schedule.Model.Strides(l.schedule.Tables[t].Scope, vars)}
}

// views returns the views of tables along axes.
func (l *Lowering) views(tables []TableID, axes []Axis) (views []View) {
	for _, t := range tables {
		views = append(views, l.view(t, axes))
	}
	return views
}
