package batch

import (
	"fmt"
	"strings"

	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/lanes"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// StepsMethod is the name of the method that advances many filters.
const StepsMethod = "Steps"

// leaving returns the moves of the answers that are read from work memory: of a step, all but the
// belief, which goes to the filter.
func (g *Methods) leaving(prog *lanes.Program, e *ir.Entry) []lanes.Move {
	if e.Stream == nil {
		return prog.Out
	}
	var moves []lanes.Move
	for _, id := range append([]ir.SpanID{e.Root}, e.Logs...) {
		at := g.Program.Spans[id].Offset
		slot, _ := prog.Result(at)
		moves = append(moves, lanes.Move{At: at, Slot: slot, Len: 1})
	}
	return moves
}

// beliefMoves returns the moves between the numbers of a belief and the slots of the spans that
// have them. It leaves out spans that no slot has, since nothing reads them.
func (g *Methods) beliefMoves(ids []ir.SpanID, find func(at int) (int, bool)) (moves []lanes.Move) {
	at := 0
	for _, id := range ids {
		s := &g.Program.Spans[id]
		if slot, ok := find(s.Offset); ok {
			moves = append(moves, lanes.Move{At: at, Slot: slot, Len: s.Len})
		}
		at += s.Len
	}
	return moves
}

// StepText is the text of Go by which Steps makes the steps of several filters in lanes.
type StepText struct {
	Begin  string // the statements before the loop over filters
	Few    string // the condition under which rows are made one by one
	Run    string // the statements that make the steps of rows
	Paying string // says in the comment which steps are made one by one
}

// StepText returns the text of Steps. The expressions columns are the numbers of each column that
// belong to the evidence of a row.
func (g *Methods) StepText(columns []string) *StepText {
	q := g.Steps
	field, fill := "stepLanes", fmt.Sprintf("e.newLanes(%d, %d, e.k[%d:%d])", q.slots, q.prog.First, q.from[0], q.from[1])
	if q.prog.Nests {
		field, fill = "nestLanes", fmt.Sprintf("%s(%d)", g.RT("NewLanes"), g.nestSize())
	}
	return &StepText{
		Begin:  fmt.Sprintf("if e.%[1]s == nil {\n\te.%[1]s = %[2]s\n}\n", field, fill),
		Few:    fmt.Sprintf("len(rows) < %d", q.leastNests()),
		Paying: q.paying(),
		Run: fmt.Sprintf(`l := e.%s
states := (*[%d]float64)(l)
var errs [`+g.RT("Lanes")+`]error
for i, row := range rows {
	errs[i] = observe%s(states, i, &evs[row])
	`+g.RT("SetLane")+`(l, i, fs[row].belief[:], e.k[%d:%d])
%s}
`+g.RT("RunLanes")+`(e.k[%d:%d], l)
`, field, q.slots*pgmrt.Lanes, StepsMethod, q.kept[0], q.kept[1], g.laneColumns(q, columns), q.observe[0], q.observe[1]) +
			g.CountRun() + g.work(q, StepsMethod) + `for i, row := range rows {
	err := errs[i]
	if err == nil {
		err = e.leaveLane(l, i, &fs[row], &evs[row])
	}
	if err != nil {
		bad.Add(row, err)
	}
}`}
}

// laneColumns returns the statements that set the columns of lane i by the evidence of its row.
func (g *Methods) laneColumns(q *Query, columns []string) string {
	b := &strings.Builder{}
	for k, at := range q.columns {
		fmt.Fprintf(b, "if errs[i] == nil {\n\t"+g.RT("SetLane")+"(l, i, %s, e.k[%d:%d])\n}\n", columns[k], at[0], at[1])
	}
	return b.String()
}

// LeaveStep declares the method that ends the step of a lane, and the function that enters
// observations. The statements multiply enter the result of the step into the filter.
func (g *Methods) LeaveStep(multiply string) {
	q, extreme := g.Steps, ""
	if q.prog.Marks >= 0 {
		extreme = fmt.Sprintf("if l[%d+i] != 0 { // too extreme for lanes\n\treturn e.step(f, ev, nil, nil)\n}\n", q.prog.Marks*pgmrt.Lanes)
	}
	g.Func(source.Doc("leaveLane ends the step that lane i made for f."), "(e *Engine) leaveLane(l []float64, i int, f *Filter, ev *Evidence) error",
		extreme+g.leaveLane(q)+multiply+
			fmt.Sprintf(g.RT("GetLane")+"(l, i, f.belief[:], e.k[%d:%d])\nf.n++\nreturn nil", q.left[0], q.left[1]))
	g.observer(q, StepsMethod)
}
