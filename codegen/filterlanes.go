package codegen

import (
	"fmt"
	"strings"

	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/lanes"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// stepsMethod is the name of the method that advances many filters.
const stepsMethod = "Steps"

// lanedStep returns the entry that advances several filters at once, or nil if there is none.
func (g *generator) lanedStep() *ir.Entry { return g.p.Entry(ir.FilterBelief) }

// leaving returns the moves of the answers that are read from work memory: of a step, all but the
// belief, which goes to the filter.
func (g *generator) leaving(prog *lanes.Program, e *ir.Entry) []lanes.Move {
	if e.Stream == nil {
		return prog.Out
	}
	var moves []lanes.Move
	for _, id := range append([]ir.SpanID{e.Root}, e.Logs...) {
		at := g.p.Spans[id].Offset
		slot, _ := prog.Result(at)
		moves = append(moves, lanes.Move{At: at, Slot: slot, Len: 1})
	}
	return moves
}

// beliefMoves returns the moves between the numbers of a belief and the slots of the spans that
// have them. It leaves out spans that no slot has, since nothing reads them.
func (g *generator) beliefMoves(ids []ir.SpanID, find func(at int) (int, bool)) (moves []lanes.Move) {
	at := 0
	for _, id := range ids {
		s := &g.p.Spans[id]
		if slot, ok := find(s.Offset); ok {
			moves = append(moves, lanes.Move{At: at, Slot: slot, Len: s.Len})
		}
		at += s.Len
	}
	return moves
}

// stepsDoc is the comment of Steps; how says in which memory it computes.
func stepsDoc(how ...string) []string {
	return append([]string{"Steps enters evs[i] and soft[i] on the next slice of fs[i]; soft may be nil. A filter whose step fails stays as it was, and the",
		"error names its index; the other filters make their steps all the same."}, how...)
}

// stepsHeader is the header of Steps, and stepsCheck are its first statements.
const (
	stepsHeader = "(e *Engine) Steps(fs []Filter, evs []Evidence, soft []Soft) error"
	stepsCheck  = `
if len(evs) != len(fs) {
	return names.BadLength("evs", len(evs), len(fs))
}
if soft != nil && len(soft) != len(fs) {
	return names.BadLength("soft", len(soft), len(fs))
}
`
)

// stepsBegin returns stepsCheck with the statement that declares bad.
func (g *generator) stepsBegin() string { return stepsCheck + "var bad " + g.RT("RowErrors") + "\n" }

// stepsOneByOne declares Steps as a loop.
func (g *generator) stepsOneByOne() {
	g.Func(source.Doc(stepsDoc("It computes in the memory of e.")...), stepsHeader, g.stepsBegin()+"for i := range fs {\n"+g.steadyInSteps()+oneStep+"}\nreturn bad.Err(&names)")
}

// oneStep makes the step of filter i by itself.
const oneStep = `if err := e.step(&fs[i], &evs[i], softOf(soft, i), nil); err != nil {
	bad.Add(i, err)
}
`

// rowSteps describes how Steps makes the steps of several filters at once, for evidence that has a
// step without posteriors. The code fragments are statements.
type rowSteps struct {
	how    []string // for the comment
	rows   string   // the most filters at once
	begin  string   // before the loop over filters
	enter  string   // that enter filter i as row n
	params string   // further parameters of stepRows
	args   string
	few    string // the condition that rows are not worth it, or cannot be
	run    string // that make the steps of rows
}

// stepsInRows declares Steps, which makes the steps of several filters at once. Steps that need
// another entry, and too few to pay, are made one by one.
func (g *generator) stepsInRows(s *rowSteps) {
	g.Func(source.Doc(stepsDoc(s.how...)...), stepsHeader, g.stepsBegin()+fmt.Sprintf(`%svar rows [%s]int
n := 0
for i := range fs {
	%sif fs[i].n == 0 || soft != nil || !leavesHidden(&evs[i]) {
		%scontinue
	}
	%srows[n] = i
	if n++; n == len(rows) {
		e.stepRows(fs, evs, rows[:], &bad%s)
		n = 0
	}
}
e.stepRows(fs, evs, rows[:n], &bad%[6]s)
return bad.Err(&names)`, s.begin, s.rows, g.steadyInSteps(), oneStep, s.enter, s.args))
	g.Func(source.Doc("stepRows makes the steps of the filters in rows: at once, if there are enough, and else one by one."),
		"(e *Engine) stepRows(fs []Filter, evs []Evidence, rows []int, bad *"+g.RT("RowErrors")+s.params+")", fmt.Sprintf(`
if %s {
	for _, i := range rows {
		if err := e.step(&fs[i], &evs[i], nil, nil); err != nil {
			bad.Add(i, err)
		}
	}
	return
}
%s`, s.few, s.run))
}

// steadyInSteps returns the statements of the loop of Steps that make a step by gains of a step
// before, without a call.
func (g *generator) steadyInSteps() string {
	s := g.steady[ir.FilterBelief]
	if s == nil {
		return ""
	}
	return "if f, ev := &fs[i], &evs[i]; f.n > 0 && soft == nil && leavesHidden(ev) {\n" + g.steadyStep(s, "continue") + "}\n"
}

// stepsInLanes declares Steps by lanes.
func (g *generator) stepsInLanes(q *laneQuery) {
	field, fill := "stepLanes", fmt.Sprintf("e.newLanes(%d, %d, e.k[%d:%d])", q.slots, q.prog.First, q.from[0], q.from[1])
	if q.prog.Nests {
		field, fill = "nestLanes", fmt.Sprintf("%s(%d)", g.RT("NewLanes"), g.nestSize())
	}
	g.stepsInRows(&rowSteps{
		how: []string{"It computes several steps at once, in memory of e that the first call allocates. Steps of slice 0, with likelihoods, or with evidence on",
			"variables that persist are made one by one. A belief is that of a single step up to rounding, whatever the other filters are. " + q.paying()},
		rows:  g.RT("Lanes"),
		begin: fmt.Sprintf("if e.%[1]s == nil {\n\te.%[1]s = %[2]s\n}\n", field, fill),
		few:   fmt.Sprintf("len(rows) < %d", q.leastNests()),
		run: fmt.Sprintf(`l := e.%s
states := (*[%d]float64)(l)
var errs [`+g.RT("Lanes")+`]error
for i, row := range rows {
	errs[i] = observe%s(states, i, &evs[row])
	`+g.RT("SetLane")+`(l, i, fs[row].belief[:], e.k[%d:%d])
%s}
`+g.RT("RunLanes")+`(e.k[%d:%d], l)
`, field, q.slots*pgmrt.Lanes, stepsMethod, q.kept[0], q.kept[1], g.laneColumns(q), q.observe[0], q.observe[1]) +
			g.CountRun() + g.work(q, stepsMethod) + `for i, row := range rows {
	err := errs[i]
	if err == nil {
		err = e.leaveLane(l, i, &fs[row], &evs[row])
	}
	if err != nil {
		bad.Add(row, err)
	}
}`})
	g.leaveStep(q)
	g.observer(q, stepsMethod)
}

// laneColumns returns the statements that set the columns of lane i by the evidence of its row.
func (g *generator) laneColumns(q *laneQuery) string {
	b := &strings.Builder{}
	for k, at := range q.columns {
		fmt.Fprintf(b, "if errs[i] == nil {\n\t"+g.RT("SetLane")+"(l, i, %s, e.k[%d:%d])\n}\n", g.columnRow(q.entry.Stream.Columns[k], "evs[row]"), at[0], at[1])
	}
	return b.String()
}

// leaveStep declares the method that ends the step of a lane.
func (g *generator) leaveStep(q *laneQuery) {
	extreme := ""
	if q.prog.Marks >= 0 {
		extreme = fmt.Sprintf("if l[%d+i] != 0 { // too extreme for lanes\n\treturn e.step(f, ev, nil, nil)\n}\n", q.prog.Marks*pgmrt.Lanes)
	}
	g.Func(source.Doc("leaveLane ends the step that lane i made for f."), "(e *Engine) leaveLane(l []float64, i int, f *Filter, ev *Evidence) error",
		extreme+g.leaveLane(q)+g.multiply(q.entry, "\treturn ")+
			fmt.Sprintf(g.RT("GetLane")+"(l, i, f.belief[:], e.k[%d:%d])\nf.n++\nreturn nil", q.left[0], q.left[1]))
}
