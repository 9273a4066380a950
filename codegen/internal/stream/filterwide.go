package stream

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/codegen/internal/api"
	"github.com/pgmc-go/pgmc/codegen/internal/asm"
	"github.com/pgmc-go/pgmc/codegen/internal/batch"
	"github.com/pgmc-go/pgmc/codegen/internal/choose"
	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/codegen/internal/store"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/lanes"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// wideStep is the step of a filter of real variables, as assembly for as many filters as there are
// lanes. Each instruction of its map is one of the assembly, so that results are those of single
// steps to the last bit.
type wideStep struct {
	entry *ir.Entry
	m     *ir.Map
	code  *asm.Map
}

// mostWide is the most instructions of such a step.
const mostWide = 1 << 13

// The least instructions with which lanes pay, counting a quotient as ten: of a step, and for each
// number that goes to its lane or back, which it does by itself. Constant velocity in the plane has
// 99 for 28 numbers and gains nothing, in three dimensions 295 for 62, and takes .6 of the time.
const (
	leastWide     = 60
	leastForMoved = 4
)

// findWide prepares the assembly of Steps, if the step is a map that has one and is long enough.
func (g *Methods) findWide(numbers *store.NumberPool) {
	e := g.Program.Entry(ir.FilterBelief)
	if e == nil || !g.ByTime() || g.Program.Params == ir.Var || len(e.Blocks) != 1 || len(e.Stream.In) != 1 ||
		len(e.Stream.Out) != 1 || len(g.Program.Blocks[e.Blocks[0]].Steps) != 1 || e.Exp != ir.NoSpan {
		return
	}
	m, ok := g.Program.Blocks[e.Blocks[0]].Steps[0].(*ir.Map)
	if !ok || len(m.Axes) > 0 || len(m.Code) > mostWide || weight(m) < max(leastWide, leastForMoved*(len(m.In)+len(m.Out))) || slices.ContainsFunc(m.In, func(v ir.MapView) bool { return !g.wideInput(e, v) }) {
		return
	}
	var place []int
	for _, x := range m.Consts {
		place = append(place, numbers.Place(lanes.Number{At: -1, Value: x}))
	}
	if code, ok := asm.WriteMap(m, "wideSteps", place); ok {
		g.many.wide = &wideStep{e, m, code}
	}
}

// weight returns the number of instructions of m, counting a quotient or a root as ten.
func weight(m *ir.Map) (n int) {
	for _, c := range m.Code {
		if n++; c.Op == circuit.Quot || c.Op == circuit.Ratio || c.Op == circuit.Sqrt {
			n += 9
		}
	}
	return n
}

// wideInput reports whether an operand is a number of the belief, or the value of an observed
// variable, or says whether it is observed.
func (g *Methods) wideInput(e *ir.Entry, v ir.MapView) bool {
	s := &g.Program.Spans[v.Span]
	return v.Span == e.Stream.In[0] || s.Role == ir.RoleIn && s.Len == model.RealWidth && g.Names.Of(s.Var) != nil
}

// laneElement returns the expression of the number of a slot, in a lane.
func laneElement(slot int) string {
	return fmt.Sprintf("l[%d+lane]", slot*pgmrt.Lanes)
}

// numbers returns the number of numbers in the memory of all lanes.
func (w *wideStep) numbers() int { return w.code.Slots * pgmrt.Lanes }

// enter returns the statements that enter a filter and evidence into a lane.
func (w *wideStep) enter(g *Methods) string {
	b := &strings.Builder{}
	for _, x := range g.Names.Observable() {
		if !slices.Contains(g.Model.Transition.Before, x.Var.ID) || x.Var.Given { // others are not observed
			b.WriteString(g.Required(g.Loader(w.entry), x) + api.RealPort{X: x}.Check(g.API))
		}
	}
	for slot, in := range w.m.In {
		s := &g.Program.Spans[in.Span]
		switch {
		case s.Role != ir.RoleIn:
			fmt.Fprintf(b, "%s = f.belief[%d]\n", laneElement(slot), in.At)
		case in.At == model.RealWidth-1:
			fmt.Fprintf(b, "%s = ev.%s.value\n", laneElement(slot), g.Names.Of(s.Var).ID)
		default:
			fmt.Fprintf(b, "%[1]s = 0\nif %[2]s {\n\t%[1]s = 1\n}\n", laneElement(slot), g.Names.Of(s.Var).Port.Observed("ev."+g.Names.Of(s.Var).ID))
		}
	}
	return b.String()
}

// result returns the expression of a result of the map in a lane.
func (w *wideStep) result(i int) string {
	if slot := w.code.Result[i]; slot >= 0 {
		return laneElement(slot)
	}
	return "float64(" + strconv.FormatFloat(w.m.Consts[int(w.m.Set[i])-len(w.m.In)], 'g', -1, 64) + ")"
}

// of returns the expression of the number in a span of one, in a lane.
func (w *wideStep) of(id ir.SpanID) string {
	return w.result(slices.IndexFunc(w.m.Out, func(v ir.MapView) bool { return v.Span == id }))
}

// stepsWide declares Steps, which makes the steps of several filters at once by assembly.
func (g *Methods) stepsWide(w *wideStep) {
	g.stepsInRows(&rowSteps{
		how: []string{"It computes several steps at once, in memory of e that the first call allocates, if the processor can. Steps of slice 0, with",
			"likelihoods, or with evidence on variables that persist are made one by one. A belief is that of a single step, to the last bit."},
		rows: fmt.Sprint(pgmrt.Lanes),
		few:  fmt.Sprintf("len(rows) < %d || !hasWideSteps()", leastRows),
		run: fmt.Sprintf(`if e.stepLanes == nil {
	e.stepLanes = new([%d]float64)
}
var errs [%d]error
for lane, i := range rows {
	errs[lane] = enterLane(e.stepLanes, lane, &fs[i], &evs[i])
}
e.runWideSteps()
for lane, i := range rows {
	if errs[lane] == nil {
		errs[lane] = e.leaveLane(lane, &fs[i], &evs[i])
	}
	if errs[lane] != nil {
		bad.Add(i, errs[lane])
	}
}`, w.numbers(), pgmrt.Lanes)})
	g.wideEnds(w)
}

// leastRows is the least number of steps that are made in lanes.
const leastRows = pgmrt.Lanes/2 + 1

// wideEnds declares the functions that enter and end the step of a lane.
func (g *Methods) wideEnds(w *wideStep) {
	const lane = "lane &= %d\n"
	g.Func(source.Doc("enterLane enters a belief and the evidence on the next slice into a lane."),
		fmt.Sprintf("enterLane(l *[%d]float64, lane int, f *Filter, ev *Evidence) error", w.numbers()), fmt.Sprintf(lane, pgmrt.Lanes-1)+w.enter(g)+"return nil")
	g.Func(source.Doc("leaveLane ends the step that a lane made for f."), "(e *Engine) leaveLane(lane int, f *Filter, ev *Evidence) error",
		"l := e.stepLanes\n"+fmt.Sprintf(lane, pgmrt.Lanes-1)+w.leave(g)+"return nil")
}

// leave returns the statements that end the step of a lane. A single step finds out what failed.
func (w *wideStep) leave(g *Methods) string {
	b, max, logs := &strings.Builder{}, g.Std("math.MaxFloat64"), []string(nil)
	for _, id := range w.entry.Logs {
		logs = append(logs, w.of(id))
	}
	if len(logs) == 0 {
		logs = []string{"0.0"}
	}
	fmt.Fprintf(b, "root, logP := %s, %s\nif !(root > 0 && root <= %s && "+g.Std("math.Abs")+"(logP) <= %[3]s) {\n\treturn e.step(f, ev, nil, nil)\n}\n",
		w.of(w.entry.Root), strings.Join(logs, " + "), max)
	s := g.steady[ir.FilterBelief]
	if s != nil {
		fmt.Fprintf(b, "skip := f.phase.Skip(%s)\nif !skip {\n\tcopy(%s, f.belief[:])\n}\n", w.after(s.last()), api.Slice("e.work()", &g.Program.Spans[w.entry.Stream.In[0]]))
	}
	b.WriteString(multiplied)
	for at := range g.kept.size {
		fmt.Fprintf(b, "f.belief[%d] = %s\n", at, w.after(at))
	}
	b.WriteString("f.n++\n")
	switch {
	case s != nil:
		fmt.Fprintf(b, "if !skip && e.%s.Due(&f.phase, f.belief[:]) {\n\tif _, err := e.%s(ev, nil); err != nil {\n\t\treturn err\n\t}\n\te.keep%s(f, ev)\n}\n",
			s.field, g.Loader(w.entry).Func, s.name)
	case len(g.steady) > 0:
		b.WriteString("f.phase = " + g.RT("Phase") + "{}\n")
	}
	return b.String()
}

// report returns the report of Steps.
func (w *wideStep) report() batch.Report {
	return batch.Report{Method: batch.StepsMethod, By: choose.Assembly, Ops: len(w.m.Code), Slots: w.code.Slots}
}

// after returns the expression of a number of the belief after the step, in a lane.
func (w *wideStep) after(at int) string {
	return w.result(slices.IndexFunc(w.m.Out, func(v ir.MapView) bool { return v.Span == w.entry.Stream.Out[0] && v.At == at }))
}

// runWide declares, for amd64, the method that runs the assembly, and elsewhere one that is not
// called.
func (g *Methods) runWide(w *wideStep, assembly bool) {
	can, run := "return false", ""
	if assembly {
		data := "nil"
		if g.Data {
			data = "&e.data()[0]"
		}
		can, run = "return "+g.RT("HasAVX512")+"()", "wideSteps(&e.stepLanes[0], "+data+")"
	}
	g.Func(source.Doc("hasWideSteps reports whether the processor has instructions for all lanes."), "hasWideSteps() bool", can)
	g.Func(source.Doc("runWideSteps makes the steps that were entered into the lanes."), "(e *Engine) runWideSteps()", run)
	if assembly {
		g.Out.Comment("//go:noescape")
		g.Out.Func().Id("wideSteps").Params(jen.List(jen.Id("l"), jen.Id("p")).Op("*").Float64())
		g.Out.Line()
	}
}

// Assembly writes the assembly of batches and of Steps to text, and the functions that run it.
func (g *Methods) Assembly(text *strings.Builder) {
	g.Methods.Assembly(text)
	if g.many.wide != nil {
		g.runWide(g.many.wide, true)
		text.WriteString(g.many.wide.code.Text)
	}
}

// Elsewhere declares the functions that take the place of Assembly on other processors.
func (g *Methods) Elsewhere() {
	g.Methods.Elsewhere()
	if g.many.wide != nil {
		g.runWide(g.many.wide, false)
	}
}
