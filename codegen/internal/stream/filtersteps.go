package stream

import (
	"fmt"

	"github.com/pgmc-go/pgmc/codegen/internal/batch"
	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
)

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
func (g *Methods) stepsBegin() string { return stepsCheck + "var bad " + g.RT("RowErrors") + "\n" }

// stepsOneByOne declares Steps as a loop.
func (g *Methods) stepsOneByOne() {
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
func (g *Methods) stepsInRows(s *rowSteps) {
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
func (g *Methods) steadyInSteps() string {
	s := g.steady[ir.FilterBelief]
	if s == nil {
		return ""
	}
	return "if f, ev := &fs[i], &evs[i]; f.n > 0 && soft == nil && leavesHidden(ev) {\n" + g.steadyStep(s, "continue") + "}\n"
}

// stepsInLanes declares Steps by lanes.
func (g *Methods) stepsInLanes(q *batch.Query) {
	columns := make([]string, len(q.Entry.Stream.Columns))
	for k, c := range q.Entry.Stream.Columns {
		columns[k] = g.ColumnRow(c, "evs[row]")
	}
	t := g.StepText(columns)
	g.stepsInRows(&rowSteps{
		how: []string{"It computes several steps at once, in memory of e that the first call allocates. Steps of slice 0, with likelihoods, or with evidence on",
			"variables that persist are made one by one. A belief is that of a single step up to rounding, whatever the other filters are. " + t.Paying},
		rows: g.RT("Lanes"), begin: t.Begin, few: t.Few, run: t.Run,
	})
	g.LeaveStep(g.multiply(q.Entry, "\treturn "))
}
