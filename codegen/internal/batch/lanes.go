package batch

import (
	"fmt"
	"strings"

	"github.com/pgmc-go/pgmc/codegen/internal/api"
	"github.com/pgmc-go/pgmc/codegen/internal/asm"
	"github.com/pgmc-go/pgmc/codegen/internal/choose"
	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/codegen/internal/store"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/assemble"
	"github.com/pgmc-go/pgmc/ir/lanes"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// laneLimit bounds the programs that run in lanes: some seconds of compile time, 2 MB of code or as
// much as other parts have, but no more than some 12 MB, and 16 MB of numbers for an engine.
func laneLimit(code int) lanes.Limit {
	return lanes.Limit{Products: 1 << 22, Ops: max(1<<18, min(code, 1<<21)), Slots: 1 << 18}
}

// Query is a query that is answered for several rows at once. Its pairs of integers are ranges
// of the integers beside the code.
type Query struct {
	prog               *lanes.Program
	Entry              *ir.Entry
	slots              int
	states             []int // by variable: the slot of its observation, or -1
	from, in, out, run [2]int
	columns            [][2]int  // of a step of a filter: what enters by its columns
	kept, left         [2]int    // of a step of a filter: what enters and leaves, by place in the belief
	observe            [2]int    // turns observations into likelihoods
	asm                *asm.Code // nil unless the package has assembly
	begin              [2]int    // lane code before the parts of asm
	tails              [][2]int  // lane code after each part
	rows               int       // the least number of rows for which lanes are faster than single queries, as predicted
	work               [2]int    // integers for LaneWork; empty if evidence does not narrow the loops of single queries
	light              int       // lanes take more time than rows with fewer products: each of the rows for nests, and otherwise those of all lanes
}

// PlanLanes prepares the entries that batches and Steps run; step, the entry of Steps, may be nil.
// An entry that has steps that lanes cannot run, or is faster without them, is answered row by row.
func (g *Methods) PlanLanes(numbers *store.NumberPool, ints *[]int32, step *ir.Entry) (err error) {
	limit := laneLimit(len(*ints))
	for i := range g.batches {
		a := &g.batches[i]
		if a.lanes, err = g.planLane(a.entry, a.method, limit, numbers, ints); err != nil {
			return err
		}
	}
	if step != nil {
		if g.Steps, err = g.planLane(step, StepsMethod, limit, numbers, ints); err != nil {
			return err
		}
	}
	if g.choice.Backend == choose.Assembly {
		return g.checkAssembly()
	}
	return nil
}

// planLane prepares an entry, which the named method runs. It returns nil if lanes are not used.
func (g *Methods) planLane(e *ir.Entry, method string, limit lanes.Limit, numbers *store.NumberPool, ints *[]int32) (*Query, error) {
	if len(e.Cutset) > 0 {
		return nil, nil // it runs more than once
	}
	prog, err := lanes.Compile(g.Program, e, limit)
	switch {
	case err != nil && g.choice.Backend != choose.Assembly || g.choice.Rule == AllNests:
		prog = g.planNests(e)
	case err == nil && !g.pays(prog, e):
		if prog = nil; e.Stream != nil {
			prog = g.planNests(e) // a table read once for eight filters may pay where more code does not
		}
	}
	if prog == nil {
		return nil, nil
	}
	add := func(code []int32) [2]int {
		start := len(*ints)
		*ints = append(*ints, code...)
		return [2]int{start, len(*ints)}
	}
	place, from := make([]int, len(prog.Numbers)), make([]int32, len(prog.Numbers))
	for i, n := range prog.Numbers {
		place[i] = numbers.Place(n)
		from[i] = int32(place[i])
	}
	assembly := g.assembles(prog, e)
	lq := &Query{prog: prog, Entry: e, rows: g.leastRows(prog, e, assembly), slots: prog.Slots,
		from: add(from), in: add(lanes.Moves(prog.In)), out: add(lanes.Moves(g.leaving(prog, e)))}
	lq.run[0] = len(*ints)
	*ints = prog.Code(*ints)
	lq.run[1] = len(*ints)
	if e.Stream != nil {
		lq.kept, lq.left = add(lanes.Moves(g.beliefMoves(e.Stream.In, prog.Entering))), add(lanes.Moves(g.beliefMoves(e.Stream.Out, prog.Result)))
		for _, c := range e.Stream.Columns {
			lq.columns = append(lq.columns, add(lanes.Moves(g.beliefMoves([]ir.SpanID{c.To}, prog.Entering))))
		}
	}
	if !assembly {
		lq.observe = add(g.planStates(lq))
		prog.Parts = nil // large, and needed only for assembly
		g.planLight(lq, add)
		return lq, nil
	}
	if err := g.planAssembly(lq, method, place); err != nil {
		return nil, err
	}
	lq.slots, lq.begin = lq.asm.Slots, add(prog.Begin())
	lq.observe = add(g.planStates(lq))
	for i := range prog.Parts {
		lq.tails = append(lq.tails, add(prog.Tail(nil, &prog.Parts[i])))
	}
	g.planLight(lq, add)
	return lq, nil
}

// lane is a query that runs in lanes, and its method.
type lane struct {
	*Query
	method string
}

// inLanes returns the queries that run in lanes.
func (g *Methods) inLanes() (list []lane) {
	for _, a := range g.batches {
		if a.lanes != nil {
			list = append(list, lane{a.lanes, a.method})
		}
	}
	if g.Steps != nil {
		list = append(list, lane{g.Steps, StepsMethod})
	}
	return list
}

// planStates reserves a slot for the observation of each variable that q reads. It returns the code
// that turns observations into likelihoods.
func (g *Methods) planStates(q *Query) []int32 {
	var list []assemble.Observation
	q.states = make([]int, len(g.Model.Vars))
	for v, spans := range g.Loader(q.Entry).Inputs {
		q.states[v] = -1
		for _, s := range spans {
			first, ok := q.prog.Slot(s.Offset)
			if !ok {
				continue
			}
			if g.Model.IsReal(model.VarID(v)) {
				q.states[v] = first
				continue
			}
			if q.states[v] < 0 {
				q.states[v] = q.slots
				q.slots++
			}
			list = append(list, assemble.Observation{State: q.states[v], Likelihood: first, States: s.Len})
		}
	}
	return assemble.LaneObserve(nil, list...)
}

// observer declares the function that enters the observations of one row, or functions for some
// variables each if there are many. They do not change the engine's other memories.
func (g *Methods) observer(q *Query, method string) {
	parts := g.Parts(g.Loader(q.Entry), func(l *api.Loader, v model.VarID) string {
		x := g.Names.Of(v)
		if x == nil {
			return ""
		}
		return g.Timely(l, x, x.Port.ObserveLane(g.API, q.states[v]))
	})
	params := fmt.Sprintf("(l *[%d]float64, lane int, ev *Evidence) error", q.slots*pgmrt.Lanes)
	body := ""
	for i, part := range parts {
		g.Func(source.Doc(fmt.Sprintf("observe%s%d enters the observations of a row in its lane.", method, i+1)),
			fmt.Sprintf("observe%s%d%s", method, i+1, params), "lane &= "+g.RT("Lanes")+" - 1\n"+part+"return nil")
		body += fmt.Sprintf("if err := observe%s%d(l, lane, ev); err != nil {\n\treturn err\n}\n", method, i+1)
	}
	g.Func(source.Doc(fmt.Sprintf("observe%s enters observations in a lane, for %s.", method, method)), "observe"+method+params, body+"return nil")
}

// newLanes declares the method that makes memory for lanes.
func (g *Methods) newLanes() {
	fill := ""
	if g.Data {
		fill = g.RT("FillLanes") + "(l, first*" + g.RT("Lanes") + ", e.data()[:], from)\n"
	}
	g.Func(source.Doc("newLanes returns memory for lanes. From slot first on it holds the numbers of the model."),
		"(e *Engine) newLanes(slots, first int, from []int32) []float64", "l := "+g.RT("NewLanes")+"(slots)\n"+fill+"return l")
}

// batchLoop returns the statements that call fn for each group of rows that fills the lanes. args
// holds the arguments of fn, in which at and end are a range of rows. Groups that are faster one by
// one are answered by single, an expression for an error.
func (g *Methods) batchLoop(q *Query, method, field, fn, args, single string) string {
	few, one := "nil", "nil"
	switch {
	case q.narrows():
		few = fmt.Sprintf("func(at, end int) bool { return e.light%s(evs[at:end]) }", method)
		g.Func(source.Doc(fmt.Sprintf("light%s reports whether rows, at most as many as there are lanes, take less time one by one.", method)),
			fmt.Sprintf("(e *Engine) light%s(evs []Evidence) bool", method), fmt.Sprintf(`
states := (*[%d]float64)(e.%s)
return %s(e.k[%d:%d], states[:], len(evs), %d, func(row int) error { return observe%s(states, row, &evs[row]) })`,
				q.slots*pgmrt.Lanes, field, g.RT("LightLanes"), q.work[0], q.work[1], q.light, method))
	case q.rows > 1:
		few = fmt.Sprintf("func(at, end int) bool { return end-at < %d }", q.rows)
	}
	if few != "nil" {
		one = "func(row int) { bad.Add(row, " + single + ") }"
	}
	return g.makeLanes(q, field) + fmt.Sprintf("var bad "+g.RT("RowErrors")+`
`+g.RT("EachGroup")+"(len(evs), "+g.RT("Lanes")+", %s, %s, func(at, end int) { e.%s(%s, at, &bad) })\nreturn bad.Err(&names)",
		few, one, fn, args)
}

// makeLanes returns the statement that makes memory for the lanes of q.
func (g *Methods) makeLanes(q *Query, field string) string {
	return fmt.Sprintf("if e.%[1]s == nil {\n\te.%[1]s = e.newLanes(%[2]d, %[3]d, e.k[%[4]d:%[5]d])\n}\n", field, q.slots, q.prog.First, q.from[0], q.from[1])
}

// observeLanes returns the statements that enter the observations of rows without likelihoods.
func (g *Methods) observeLanes(q *Query, method string) string {
	return fmt.Sprintf(`states := (*[%d]float64)(l)
for i := range evs {
	errs[i] = observe%s(states, i, &evs[i])
}
`+g.RT("RunLanes")+`(e.k[%d:%d], l)
`, q.slots*pgmrt.Lanes, method, q.observe[0], q.observe[1])
}

// loadLanes returns the statements that enter observations and likelihoods.
func (g *Methods) loadLanes(q *Query) string {
	return fmt.Sprintf(`for i := range evs {
	if scales[i], errs[i] = e.%s(&evs[i], &soft[i]); errs[i] == nil {
		`+g.RT("SetLane")+`(l, i, e.work()[:], e.k[%d:%d])
	}
}
`, g.Loader(q.Entry).Func, q.in[0], q.in[1])
}

// work returns the statement that runs the lanes of q.
func (g *Methods) work(q *Query, method string) string {
	if q.asm != nil {
		return fmt.Sprintf("e.run%s(l)\n", method)
	}
	return g.runLanes(q) + "\n"
}

// leaveLane returns the statement that copies the results of lane i to the places in which a single
// query leaves them.
func (g *Methods) leaveLane(q *Query) string {
	text := fmt.Sprintf(g.RT("GetLane")+"(l, i, e.work()[:], e.k[%d:%d])\n", q.out[0], q.out[1])
	switch exp := q.Entry.Exp; {
	case exp == ir.NoSpan:
	case q.prog.Exp < 0:
		text += fmt.Sprintf("e.state()[%d] = 0\n", g.Program.Spans[exp].Offset)
	default:
		text += fmt.Sprintf("e.state()[%d] = int32(l[%d+i])\n", g.Program.Spans[exp].Offset, q.prog.Exp*pgmrt.Lanes)
	}
	return text
}

// laneLogProbs declares LogProbs, which answers several rows at once.
func (g *Methods) laneLogProbs(_ *Answer, q *Query) {
	g.Func(source.Doc("LogProbs sets out[i] to the natural logarithm of the probability of evs[i]. If a row fails, its result is -Inf and the error",
		"names the row; the other rows are answered all the same. It computes several rows at once, in memory that the first call",
		"allocates. "+q.paying()),
		"(e *Engine) LogProbs(evs []Evidence, out []float64) error",
		g.checkRows("[]Soft(nil)")+
			g.batchLoop(q, "LogProbs", "logProbLanes", "laneLogProbs", "evs[at:end], out[at:end]", "e.rowLogProb(&evs[row], &out[row])"))
	if q.narrows() || q.rows > 1 {
		g.rowLogProb()
	}
	g.Func(source.Doc("laneLogProbs answers at most as many rows as there are lanes; row is the number of the first."),
		"(e *Engine) laneLogProbs(evs []Evidence, out []float64, row int, bad *"+g.RT("RowErrors")+")",
		"l := e.logProbLanes\nvar errs ["+g.RT("Lanes")+"]error\n"+g.CountRun()+g.observeLanes(q, "LogProbs")+g.work(q, "LogProbs")+`for i := range evs {
	err := errs[i]
	if err == nil {
		out[i], err = e.readLogProb(l, i, &evs[i])
	}
	if err != nil {
		out[i] = `+g.Std("math.Inf")+`(-1)
		bad.Add(row+i, err)
	}
}`)
	g.readLane(q)
	g.observer(q, "LogProbs")
}

// readLane declares the method that returns the answer of a lane of LogProbs.
func (g *Methods) readLane(q *Query) {
	g.Func(source.Doc("readLogProb returns the answer of lane i."), "(e *Engine) readLogProb(l []float64, i int, ev *Evidence) (float64, error)",
		g.leaveLane(q)+g.Root(q.Entry, "\treturn 0, ErrImpossible")+"return settle("+strings.Replace(g.LogOf(q.Entry), " + scale", "", 1)+", ev, nil), nil")
}

// laneAnswers declares the method that answers several rows at once.
func (g *Methods) laneAnswers(a *Answer, q *Query) {
	lane := "lane" + a.name
	g.Func(source.Doc(fmt.Sprintf("%s sets out[i] to the answer of %s for evs[i] and soft[i], up to rounding; soft may be nil. If a row fails, %s", a.method, a.name, a.fails),
		"and the error names the row; the other rows are answered all the same. It computes",
		"several rows at once, in memory that the first call allocates. "+q.paying()),
		a.header(), g.checkRows("soft")+g.batchLoop(q, a.method, a.field, lane, "evs[at:end], soft[min(at, len(soft)):min(end, len(soft))], out[at:end]", a.one("row")))
	leave := "err = " + a.read("i") + "\n"
	if q.prog.Marks >= 0 {
		leave = fmt.Sprintf(`if l[%d+i] != 0 { // too extreme for lanes
	err = %s
} else {
	%s%s}
`, q.prog.Marks*pgmrt.Lanes, a.one("i"), g.leaveLane(q), leave)
	} else {
		leave = g.leaveLane(q) + leave
	}
	g.Func(source.Doc(lane+" answers at most as many rows as there are lanes; row is the number of the first."),
		fmt.Sprintf("(e *Engine) %s(evs []Evidence, soft []Soft, out []%s, row int, bad *%s)", lane, a.typ, g.RT("RowErrors")),
		"l := e."+a.field+"\nvar scales ["+g.RT("Lanes")+"]float64\nvar errs ["+g.RT("Lanes")+"]error\n"+g.CountRun()+
			"if len(soft) == 0 {\n"+g.observeLanes(q, a.method)+"} else {\n"+g.loadLanes(q)+"}\n"+g.work(q, a.method)+`for i := range evs {
	err := errs[i]
	if err == nil {
		`+leave+`
	} else {
		out[i] = `+g.zero(a)+`
	}
	if err != nil {
		bad.Add(row+i, err)
	}
}`)
	g.observer(q, a.method)
}

// SoftOf declares the function softOf.
func (g *Methods) SoftOf() {
	g.Func(source.Doc("softOf returns the likelihoods of row i, or nil if no row has any."), "softOf(soft []Soft, i int) *Soft", `
if len(soft) == 0 {
	return nil
}
return &soft[i]`)
}
